// An MQTT 3.1.1 connection that only publishes at QoS 1, as bytes on a socket: a client library
// took longer for a message than it takes to make it, on the processors of the program under test,
// and none sends what the fuzzers send. Layouts: OASIS MQTT 3.1.1, section 3.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connectPacket, publishPacket } from "./raw-mqtt.ts";

/** A PUBLISH packet whose packet identifier is filled in when it is sent. */
export interface Packet {
  readonly bytes: Buffer;
  readonly id_at: number;
}

export interface Wire {
  /** Sends packets together, in order; gives the identifier of the first, the others follow. */
  send(packets: readonly Packet[]): number;
  /** Sends bytes as they are. */
  write(bytes: Uint8Array): void;
  close(): Promise<void>;
  /** Drops the connection, without DISCONNECT. */
  cut(): void;
}

/** Told of what comes back: identifiers of acknowledged packets, or the end of the connection. */
export interface Listener {
  acknowledged(ids: readonly number[]): void;
  ended(problem: Error): void;
}

/** Packet identifiers go from 1 to this. */
export const IDS = 65_535;

const CONNACK = 0x20;
const PUBACK = 0x40;
/** Bytes of CONNACK, and of PUBACK. */
const ANSWER_BYTES = 4;
const DISCONNECT = Buffer.from([0xe0, 0]);

/** The packet that publishes `payload` under `topic`. */
export function numberedPacket(topic: string, payload: Buffer): Packet {
  const bytes = publishPacket({ topic, payload, qos: 1 });
  return { bytes, id_at: bytes.length - payload.length - 2 };
}

/** Two of one name would throw each other out. */
let opened = 0;

/** Connects to `mqtt://host:port`. Throws when the connection isn't accepted. */
export async function openWire(
  url: string,
  listener: Listener,
  session: { readonly client_id?: string; readonly clean?: boolean } = {},
): Promise<Wire> {
  opened += 1;
  const { client_id = `wire-${process.pid}-${opened}`, clean = true } = session;
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  let isClosing = false;
  const answer = firstBytes(socket);
  socket.write(connectPacket({ client_id, clean }));
  const connack = await answer;
  if (connack[0] !== CONNACK || connack[3] !== 0)
    throw new Error(`CONNECT: answered ${connack.toString("hex")}, expected 20020000`);
  socket.on("error", listener.ended);
  socket.on("close", () => {
    if (!isClosing) listener.ended(new Error("the connection was closed"));
  });
  listen(socket, listener);
  let id = 0;
  return {
    send(packets) {
      const first = (id % IDS) + 1;
      for (const { bytes, id_at } of packets) {
        id = (id % IDS) + 1;
        bytes.writeUInt16BE(id, id_at);
      }
      socket.write(Buffer.concat(packets.map(({ bytes }) => bytes)));
      return first;
    },
    write: (bytes) => void socket.write(bytes),
    async close() {
      isClosing = true;
      socket.end(DISCONNECT);
      await once(socket, "close");
    },
    cut: () => void socket.destroy(),
  };
}

/** The answer to CONNECT. Rejects when the connection ends before. */
function firstBytes(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0);
    const close = () => reject(new Error("CONNECT: the connection was closed"));
    const take = (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      if (answer.length < ANSWER_BYTES) return;
      socket.off("data", take).off("error", reject).off("close", close);
      resolve(answer);
    };
    socket.on("data", take).once("error", reject).once("close", close);
  });
}

function listen(socket: Socket, listener: Listener): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const ids: number[] = [];
    const whole = bytes.length - (bytes.length % ANSWER_BYTES);
    for (let at = 0; at < whole; at += ANSWER_BYTES) {
      if (bytes[at] !== PUBACK) listener.ended(new Error(`packet ${bytes[at]}: expected PUBACK`));
      ids.push(bytes.readUInt16BE(at + 2));
    }
    rest = bytes.subarray(whole);
    listener.acknowledged(ids);
  });
}
