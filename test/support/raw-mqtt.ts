// MQTT 3.1.1 by hand, for what no client library would send: packets as bytes, and a socket whose
// answer is read as bytes. Layouts: OASIS MQTT 3.1.1, section 3.

import { once } from "node:events";
import { connect } from "node:net";
import { fixedHeader } from "../../src/mqtt/framing.ts";
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

export async function rawClient(port: number): Promise<RawClient> {
  const socket = connect(port, "127.0.0.1");
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
  const flags = options.clean === false ? 0 : 2;
  const head = [options.protocol ?? 4, flags, 0, options.keepalive_s ?? 0];
  const properties = options.protocol === 5 ? [0] : [];
  return packet(
    0x10,
    string("MQTT"),
    Buffer.from([...head, ...properties]),
    string(options.client_id),
  );
}

export const CONNACK_ACCEPTED = "20020000";

export function publishPacket(options: {
  readonly topic: string;
  readonly payload: string | Uint8Array;
  readonly qos?: 0 | 1 | 2;
  readonly packet_id?: number;
  readonly dup?: boolean;
}): Buffer {
  const qos = options.qos ?? 0;
  const first = 0x30 | (options.dup === true ? 8 : 0) | (qos << 1);
  const id = qos === 0 ? Buffer.alloc(0) : number16(options.packet_id ?? 1);
  return packet(first, string(options.topic), id, Buffer.from(options.payload));
}

export function pubrelPacket(packet_id: number): Buffer {
  return packet(0x62, number16(packet_id));
}

export function subscribePacket(packet_id: number, ...topics: readonly string[]): Buffer {
  const filters = topics.map((topic) => Buffer.concat([string(topic), Buffer.from([1])]));
  return packet(0x82, number16(packet_id), ...filters);
}

function packet(first: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([fixedHeader(first, body.length), body]);
}

function string(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([number16(bytes.length), bytes]);
}

function number16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}
