// A process of the siege: `hostile.ts PORT KIND...` opens a connection of each kind that sends what
// no publisher sends, as fast as it is taken, and comes back at once when it is thrown out;
// `idle:N` opens N that do nothing, half of them before CONNECT. It ends with its parent.

import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { connectPacket, publishPacket, subscribePacket } from "../../test/rig/raw-mqtt.ts";

const [port, ...kinds] = process.argv.slice(2);

/** The bytes sent again and again; null: no more, disconnect and reconnect. */
type Sending = (name: string) => { readonly first: Buffer; readonly next: (() => Buffer) | null };

const TOPIC = "bwts/BWTS-001/telemetry";

/** Packets to a write: the socket's buffer should never run empty. */
const PER_WRITE = 100;

/** Wait of a refused connection: none, but not in the same turn either. */
const RETURN_MS = 1;

/** An idle one that was thrown out may come back later. */
const IDLE_RETURN_MS = 1000;

const several = (packet: (at: number) => Buffer, count = PER_WRITE) =>
  Buffer.concat(Array.from({ length: count }, (_, at) => packet(at)));
const greeting = (client_id: string) => connectPacket({ client_id });
const garbage = (qos: 0 | 1 | 2) => (at: number) =>
  publishPacket({ topic: TOPIC, payload: randomBytes(200), qos, packet_id: at + 1 });

const KINDS: Readonly<Record<string, Sending>> = {
  noise: () => ({ first: randomBytes(1000), next: () => randomBytes(64 * 1024) }),
  lateNoise: (name) => ({ first: greeting(name), next: () => randomBytes(64 * 1024) }),
  flood: (name) => ({ first: greeting(name), next: () => several(garbage(1)) }),
  deaf: (name) => ({ first: greeting(name), next: () => several(garbage(1)) }),
  halfDone: (name) => {
    let id = 0;
    const packet = () => {
      id = (id % 65_535) + 1;
      return publishPacket({ topic: TOPIC, payload: randomBytes(50), qos: 2, packet_id: id });
    };
    return { first: greeting(name), next: () => several(packet) };
  },
  heavy: (name) => ({
    first: greeting(name),
    next: () => publishPacket({ topic: TOPIC, payload: randomBytes(3_000_000), qos: 1 }),
  }),
  asking: (name) => {
    const filters = Array.from({ length: 500 }, (_, at) => `$SYS/${at}`);
    return { first: greeting(name), next: () => several(() => subscribePacket(1, ...filters), 10) };
  },
  dying: (name) => ({
    first: Buffer.concat([greeting(name), publishPacket({ topic: "$SYS/x", payload: "1" })]),
    next: null,
  }),
};

/** The kinds there are, each worth a connection. */
export const HOSTILE_KINDS = Object.keys(KINDS);

function attack(kind: string, round = 0): void {
  const { first, next } = (KINDS[kind] ?? KINDS.noise)(`${kind}-${process.pid}-${round % 10}`);
  const socket = connect(Number(port), "127.0.0.1");
  returnWhenClosed(socket, RETURN_MS, () => attack(kind, round + 1));
  if (kind === "deaf") socket.pause();
  else socket.resume();
  socket.once("connect", () => {
    socket.write(first);
    if (next === null) socket.end();
    else press(socket, next);
  });
}

function press(socket: Socket, next: () => Buffer): void {
  if (socket.destroyed) return;
  if (socket.write(next())) setImmediate(press, socket, next);
  else socket.once("drain", () => press(socket, next));
}

function idle(isGreeting: boolean, name: string): void {
  const socket = connect(Number(port), "127.0.0.1").resume();
  returnWhenClosed(socket, IDLE_RETURN_MS, () => idle(isGreeting, name));
  if (isGreeting) socket.write(greeting(name));
}

function returnWhenClosed(socket: Socket, after_ms: number, again: () => void): void {
  socket.on("error", () => null);
  socket.once("close", () => setTimeout(again, after_ms));
}

if (process.argv[1] === import.meta.filename) {
  process.once("disconnect", () => process.exit());
  for (const kind of kinds) {
    const [name, count] = kind.split(":");
    if (name !== "idle") attack(kind);
    else for (let at = 0; at < Number(count); at += 1) idle(at % 2 === 0, `idle-${at}`);
  }
}
