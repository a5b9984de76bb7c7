// A broker that says only what it is told to say, for what no healthy one does: it leaves CONNACK,
// SUBACK or PINGRESP out, refuses some filters, forgets sessions, sends what isn't MQTT.

import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { Framing } from "../../src/mqtt/framing.ts";

export interface LameBroker {
  readonly url: string;
  readonly port: number;
  /** Packets received, in order, by MQTT's names. */
  readonly asked: string[];
  /** Sends bytes to everyone connected. */
  send(bytes: Uint8Array): void;
  close(): void;
}

/** Answers that it leaves out, or refuses. */
export interface Lameness {
  readonly connack?: "never" | "close" | number;
  readonly sessionPresent?: boolean;
  /** A return code for each filter, in order. */
  readonly suback?: "never" | "close" | readonly number[];
  readonly pingresp?: "never";
  /** Closes a connection whose CONNECT has a last will. */
  readonly will?: "close";
  /** Closes a connection that publishes. */
  readonly publish?: "close";
}

const NAMES: Readonly<Record<number, string>> = {
  ...{ 1: "CONNECT", 4: "PUBACK", 8: "SUBSCRIBE", 10: "UNSUBSCRIBE", 12: "PINGREQ" },
  14: "DISCONNECT",
};

/** Listens on a port of 127.0.0.1; `lameness` is asked anew for each answer. */
export async function openLameBroker(lameness: () => Lameness): Promise<LameBroker> {
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => null);
    eachPacket(socket, (packet) => {
      const type = (packet[0] ?? 0) >> 4;
      asked.push(NAMES[type] ?? String(type));
      answer(socket, { type, packet, ...lameness() });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    asked,
    send: (bytes) => {
      for (const socket of sockets) socket.write(bytes);
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface Question extends Lameness {
  readonly type: number;
  readonly packet: Buffer;
}

function answer(socket: Socket, question: Question): void {
  const { type, packet, connack = 0, suback = [1], pingresp } = question;
  // Behind a fixed header of two bytes and the protocol's name and level stand the flags.
  if (type === 1 && question.will === "close" && (packet[packet.indexOf("MQTT") + 5] & 4) !== 0) {
    socket.end();
    return;
  }
  if (type === 3 && question.publish === "close") {
    socket.end();
    return;
  }
  const say = (...bytes: readonly number[]) => socket.write(Buffer.from(bytes));
  const id = [...packet.subarray(2, 4)];
  if (type === 1 && typeof connack === "number")
    say(0x20, 2, question.sessionPresent === true ? 1 : 0, connack);
  else if (type === 8 && typeof suback !== "string") say(0x90, 2 + suback.length, ...id, ...suback);
  else if (type === 10) say(0xb0, 2, ...id);
  else if (type === 12 && pingresp !== "never") say(0xd0, 0);
  else if ((type === 1 && connack === "close") || (type === 8 && suback === "close")) socket.end();
}

// Whole packets: none that is sent here is longer than a chunk.
function eachPacket(socket: Socket, take: (packet: Buffer) => void): void {
  socket.on("data", (chunk) => {
    const framing = new Framing();
    for (let start = 0, at = 0; at < chunk.length; ) {
      at = framing.read(chunk, at);
      if (framing.passed_bytes > 0) continue;
      take(chunk.subarray(start, at));
      start = at;
    }
  });
}
