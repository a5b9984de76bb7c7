// MQTT for what no client library would send: single packets as bytes, and a socket whose answer is
// read as bytes.

import { once } from "node:events";
import { connect } from "node:net";
import { generate } from "mqtt-packet";
import { until } from "./mqtt-receiver.ts";

export interface RawClient {
  send(...packets: readonly Uint8Array[]): void;
  /** Everything received so far, in hexadecimal. */
  received(): string;
  closed(): boolean;
  /** Waits until all that was received equals `hex`. */
  receives(hex: string): Promise<void>;
  /** Waits until the other side has closed. */
  isClosed(): Promise<void>;
  /** Leaves what comes unread from now on. */
  stopReading(): void;
  /** Cuts the connection, without DISCONNECT. */
  cut(): void;
}

/** Connects, from another address of this machine's loopback if one is given. */
export async function rawClient(port: number, localAddress?: string): Promise<RawClient> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  let received = "";
  let closed = false;
  socket.on("data", (chunk) => {
    received += chunk.toString("hex");
  });
  socket.on("error", () => {
    closed = true;
  });
  socket.on("close", () => {
    closed = true;
  });
  await once(socket, "connect");
  return {
    send: (...packets) => {
      socket.write(Buffer.concat(packets));
    },
    received: () => received,
    closed: () => closed,
    receives: (hex) => until(`to receive ${hex}, not ${received}`, () => received === hex),
    isClosed: () => until("the connection to be closed", () => closed),
    stopReading: () => void socket.pause(),
    cut: () => socket.destroy(),
  };
}

/** CONNECT; `keepalive_s` 0 for none. */
export function connectPacket(options: {
  readonly client_id: string;
  readonly keepalive_s?: number;
  readonly clean?: boolean;
  readonly protocol?: number;
}): Buffer {
  const { client_id, keepalive_s = 0, clean = true, protocol = 4 } = options;
  const packet = generate({
    ...{ cmd: "connect", clientId: client_id, keepalive: keepalive_s, clean: true },
    ...{ protocolId: NAME, protocolVersion: protocol === 5 ? 5 : 4 },
  });
  // The library makes no CONNECT of a level that it doesn't know, and none with neither an
  // identifier nor a clean session.
  const level = packet.indexOf(NAME) + NAME.length;
  packet[level] = protocol;
  packet[level + 1] = clean ? CLEAN_SESSION : 0;
  return packet;
}

const NAME = "MQTT";
const CLEAN_SESSION = 2;

export const CONNACK_ACCEPTED = "20020000";

export function publishPacket(options: {
  readonly topic: string;
  readonly payload: string | Uint8Array;
  readonly qos?: 0 | 1 | 2;
  readonly packet_id?: number;
  readonly dup?: boolean;
}): Buffer {
  const { topic, payload, qos = 0, packet_id = 1, dup = false } = options;
  return generate({
    ...{ cmd: "publish", topic, payload: Buffer.from(payload), qos, dup, retain: false },
    ...(qos === 0 ? {} : { messageId: packet_id }),
  });
}

export function pubrelPacket(packet_id: number): Buffer {
  return generate({ cmd: "pubrel", messageId: packet_id });
}

export function subscribePacket(packet_id: number, ...topics: readonly string[]): Buffer {
  const subscriptions = topics.map((topic) => ({ topic, qos: 1 as const }));
  return generate({ cmd: "subscribe", messageId: packet_id, subscriptions });
}
