// A server with the shore's key that speaks PostgreSQL's protocol and means harm: it lets the ship
// log in and gives to each of her statements the answer that the test chooses.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Pair } from "./certificates.ts";

/** Writes the answer to a statement, which may be the first of its session. */
type Answer = (write: (bytes: Buffer) => void, isFirst: boolean) => void;

export interface HostileServer {
  readonly port: number;
  /** Sessions that logged in. */
  sessions(): number;
  /** Statements that were answered. */
  statements(): number;
  say(answer: Answer): void;
  /** Ends all sessions. */
  cut(): void;
  close(): void;
}

/** A message of the protocol. */
export function message(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

export const int16 = (value: number) => Buffer.from([(value >> 8) & 255, value & 255]);
export const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

/** A description of columns, of text if it isn't said. */
export function described(names: readonly string[], types: readonly number[] = []): Buffer {
  const column = (name: string, place: number) => {
    const type = int32(types[place] ?? 25);
    return Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), type, NO_TYPE]);
  };
  return message("T", int16(names.length), ...names.map(column));
}
const NO_TYPE = Buffer.concat([int16(-1), int32(-1), int16(0)]);

/** A row of texts. */
export function row(values: readonly string[]): Buffer {
  const parts = values.map((value) => [int32(Buffer.byteLength(value)), Buffer.from(value)]);
  return message("D", int16(values.length), ...parts.flat());
}

/** An error, or a notice by "N". */
export function said(type: "E" | "N", code: string, text: string): Buffer {
  const field = (name: string, value: string) => Buffer.from(`${name}${value}\0`);
  const fields = [field("S", "ERROR"), field("C", code), field("M", text), Buffer.from("\0")];
  return message(type, ...fields);
}

export const PREPARED = Buffer.concat([message("1"), message("2")]);
export const ENDED = Buffer.concat([message("C", Buffer.from("SELECT 1\0")), ready()]);
export function ready(): Buffer {
  return message("Z", Buffer.from("I"));
}

export async function openHostileServer({ cert, key }: Pair): Promise<HostileServer> {
  const own = { cert: readFileSync(cert), key: readFileSync(key) };
  let answer: Answer = () => {};
  const counted = { sessions: 0, statements: 0 };
  const open = new Set<Socket>();
  const serve = (socket: TLSSocket) => {
    let asked = 0;
    eachMessage(socket, (type) => {
      if (type === "") {
        counted.sessions += 1;
        socket.write(Buffer.concat([message("R", int32(0)), ready()]));
      } else if (type === "S") {
        asked += 1;
        counted.statements += 1;
        answer((bytes) => void (socket.writable && socket.write(bytes)), asked === 1);
      }
    });
  };
  const server = createServer((raw) => {
    open.add(raw);
    raw.on("error", () => {}).on("close", () => open.delete(raw));
    raw.once("data", () => {
      raw.write("S");
      const options = { isServer: true, requestCert: true, rejectUnauthorized: false };
      const socket = new TLSSocket(raw, { ...own, ...options });
      socket.on("error", () => {});
      serve(socket);
    });
  });
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    sessions: () => counted.sessions,
    statements: () => counted.statements,
    say: (given) => {
      answer = given;
    },
    cut,
    close() {
      cut();
      server.close();
    },
  };
}

/** The types of the client's messages; "" for the first, which has none. */
function eachMessage(socket: TLSSocket, heard: (type: string) => void): void {
  let bytes = Buffer.alloc(0);
  let isFirst = true;
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (bytes.length < head + 4) return;
      const length = head + bytes.readInt32BE(head);
      if (bytes.length < length) return;
      const type = bytes.toString("latin1", 0, head);
      bytes = bytes.subarray(length);
      isFirst = false;
      heard(type);
    }
  });
}
