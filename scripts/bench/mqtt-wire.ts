// An MQTT 3.1.1 connection that only publishes at QoS 1, as bytes on a socket: a client library
// took longer for a message than it takes to make it, on the processors of the program under test.
// Layouts: OASIS MQTT 3.1.1, section 3.

import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A PUBLISH packet whose packet identifier is filled in when it is sent. */
export interface Packet {
  readonly bytes: Buffer;
  readonly id_at: number;
}

export interface Wire {
  /** Sends packets together, in order; gives the identifier of the first, the others follow. */
  send(packets: readonly Packet[]): number;
  close(): Promise<void>;
}

/** Packet identifiers go from 1 to this. */
export const IDS = 65_535;

const CONNECT = [0, 4, ...Buffer.from("MQTT"), 4, 2, 0, 0];
/** Accepted, in hexadecimal. */
const CONNACK = "20020000";
const PUBACK = 0x40;
const PUBACK_BYTES = 4;
const DISCONNECT = Buffer.from([0xe0, 0]);
const PUBLISH_QOS_1 = 0x32;

/** The packet that publishes `payload` under `topic`. */
export function publishPacket(topic: string, payload: Buffer): Packet {
  const name = Buffer.from(topic);
  const left = 2 + name.length + 2 + payload.length;
  const head = [PUBLISH_QOS_1, ...lengthBytes(left), name.length >> 8, name.length & 255];
  const id_at = head.length + name.length;
  return { bytes: Buffer.concat([Buffer.from(head), name, Buffer.alloc(2), payload]), id_at };
}

// Seven bits each, the lowest first.
function lengthBytes(length: number): number[] {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 127; rest >>= 7) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}

/** Told of what comes back: identifiers of acknowledged packets, or the end of the connection. */
export interface Listener {
  acknowledged(ids: readonly number[]): void;
  ended(problem: Error): void;
}

/** Two of one name would throw each other out. */
let opened = 0;

function connectPacket(): Buffer {
  opened += 1;
  const name = Buffer.from(`bench-${process.pid}-${opened}`);
  const body = [...CONNECT, 0, name.length, ...name];
  return Buffer.from([0x10, body.length, ...body]);
}

/** Connects to `mqtt://host:port`. Throws when the connection isn't accepted. */
export async function openWire(url: string, listener: Listener): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  await once(socket, "connect");
  socket.write(connectPacket());
  let answer = "";
  while (answer.length < CONNACK.length) {
    const [chunk]: unknown[] = await once(socket, "data");
    if (chunk instanceof Buffer) answer += chunk.toString("hex");
  }
  if (answer !== CONNACK) throw new Error(`CONNECT: answered ${answer}, expected ${CONNACK}`);
  let isClosing = false;
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
    async close() {
      isClosing = true;
      socket.end(DISCONNECT);
      await once(socket, "close");
    },
  };
}

function listen(socket: Socket, listener: Listener): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const ids: number[] = [];
    const whole = bytes.length - (bytes.length % PUBACK_BYTES);
    for (let at = 0; at < whole; at += PUBACK_BYTES) {
      if (bytes[at] !== PUBACK) listener.ended(new Error(`packet ${bytes[at]}: expected PUBACK`));
      ids.push(bytes.readUInt16BE(at + 2));
    }
    rest = bytes.subarray(whole);
    listener.acknowledged(ids);
  });
}
