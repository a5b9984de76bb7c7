// The Modbus TCP server with sockets of its own: exact answers and exceptions, pieces and lots of
// requests, and clients that are slow, too many, or no Modbus clients at all.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ALERTS } from "../../../src/bwts/present/alert.ts";
import {
  LARGEST_NUMBER,
  REGISTERS,
  type ShipFacts,
  UNKNOWN_NUMBER,
} from "../../../src/scada/modbus-registers.ts";
import { type ModbusServer, openModbus } from "../../../src/scada/modbus-server.ts";
import { SILENT } from "../../rig/http-server-rig.ts";
import { PATIENCE_MS } from "../../rig/patience.ts";
import { printedRandom } from "../../rig/random.ts";

const open = { source: "ballastd", priority: "warning", isShelved: false } as const;
const FACTS: ShipFacts = {
  ...{ running_s: 65_536.9, received_age_s: 70_000, reading_age_s: -3, isTreating: false },
  ...{ intensity_w_m2: 648.54, flow_m3_h: Number.NaN, lamps_out: null },
  alerts: [
    { ...open, code: "LAMP_FAILED", alert_state: "acknowledged" },
    { ...open, code: "LAMP_FAILED", alert_state: "rectified" },
    { ...open, code: "NO_DATA", alert_state: "unacknowledged", isShelved: true },
    { ...open, source: "plc", code: "NO_DATA", priority: "alarm", alert_state: "unacknowledged" },
  ],
};

/** The first address after the last one. */
const END = Math.max(...REGISTERS.map(({ address }) => address)) + 1;

const warned: unknown[] = [];
const log = { ...SILENT, warn: (...given: unknown[]) => void warned.push(given) };
let server: ModbusServer;
beforeAll(async () => {
  const listen = [{ host: "127.0.0.1", port: 0 }];
  const facts = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return FACTS;
  };
  server = await openModbus({ listen, missing: "refuse", facts, log, slow_ms: 1500 });
});
afterAll(() => server.close());

async function opened(): Promise<Socket> {
  const port = Number(server.addresses()[0].split(":")[1]);
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => null);
  await once(socket, "connect");
  return socket;
}

/** A request of a read: transaction, unit and function are told apart in the answer. */
function read(first: number, count: number, code = 3, transaction = 0x1234): Buffer {
  const request = Buffer.from([0, 0, 0, 0, 0, 6, 9, code, 0, 0, 0, 0]);
  request.writeUInt16BE(transaction, 0);
  request.writeUInt16BE(first, 8);
  request.writeUInt16BE(count, 10);
  return request;
}

/** `count` bytes that come on `socket`. */
async function bytesFrom(socket: Socket, count: number): Promise<Buffer> {
  let all = Buffer.alloc(0);
  while (all.length < count) {
    const [chunk] = await once(socket, "data", { signal: AbortSignal.timeout(PATIENCE_MS) });
    all = Buffer.concat([all, chunk]);
  }
  return all;
}

async function asked(request: Buffer, length: number): Promise<string> {
  const socket = await opened();
  socket.write(request);
  const answer = await bytesFrom(socket, length);
  socket.destroy();
  return answer.toString("hex");
}

test("registers are words, high byte first, unknown ones ffff, large ones fffe", async () => {
  const words = [
    ...[1, 3, 1, 1, 2, 0, LARGEST_NUMBER, 0, 0, 6485, UNKNOWN_NUMBER, UNKNOWN_NUMBER, 1], // 0 to 12
  ].map((word) => word.toString(16).padStart(4, "0"));
  for (const code of [3, 4])
    expect(await asked(read(0, 13, code), 9 + 26)).toBe(
      `1234 0000 001d 09 0${code} 1a ${words.join("")}`.replaceAll(" ", ""),
    );
  const states = await asked(read(20, 21), 9 + 42);
  const failed = REGISTERS.findIndex(({ name }) => name === "LAMP_FAILED") - 13;
  const silent = REGISTERS.findIndex(({ name }) => name === "NO_DATA") - 13;
  const word = (place: number) => Number.parseInt(states.slice(18 + 4 * place, 22 + 4 * place), 16);
  expect([word(0), word(failed), word(silent), word(1)]).toEqual([1, 3, 4, 0]);
});

test("each code has a register, and no two registers share an address or a name", () => {
  const names = REGISTERS.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(ALERTS)));
  expect(new Set(REGISTERS.map(({ address }) => address)).size).toBe(REGISTERS.length);
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  ["another function", read(0, 1, 1), "8101"],
  ["a write", Buffer.from("00010000000601060000ffff", "hex"), "8601"],
  ["function 0", Buffer.from("00010000000209" + "00", "hex"), "8001"],
  ["function 255", Buffer.from("00010000000209" + "ff", "hex"), "ff01"],
  ["an address after the last one", read(END, 1), "8302"],
  ["a range with a hole", read(12, 9), "8302"],
  ["the last address of all", read(65_535, 125, 4), "8402"],
  ["no registers", read(0, 0), "8303"],
  ["126 registers", read(0, 126), "8303"],
  ["a request without a count", Buffer.from("000100000004090300" + "00", "hex"), "8303"],
  ["a request with bytes left over", Buffer.from("00010000000709030000000100", "hex"), "8303"],
])("%s is an exception", async (_what, request, expected) => {
  expect((await asked(request, 9)).slice(14)).toBe(expected);
});

test("requests in pieces and in lots are answered in their order", async () => {
  const socket = await opened();
  for (const byte of read(0, 1)) {
    socket.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await bytesFrom(socket, 11)).toString("hex")).toBe("1234000000050903020001");
  const count = 200;
  socket.write(Buffer.concat(Array.from({ length: count }, (_, place) => read(0, 1, 3, place))));
  const answers = await bytesFrom(socket, 11 * count);
  const places = Array.from({ length: count }, (_, place) => answers.readUInt16BE(11 * place));
  expect(places).toEqual(places.map((_, place) => place));
  socket.destroy();
});

test("a client that closes its side gets every answer first", async () => {
  const socket = await opened();
  socket.end(Buffer.concat([read(0, 1), read(0, 1), read(0, 1).subarray(0, 7)]));
  let all = "";
  for await (const chunk of socket) all += chunk.toString("hex");
  expect(all).toBe("1234000000050903020001".repeat(2));
});

test("what isn't Modbus, and what isn't whole in time, is cut", async () => {
  const random = printedRandom("modbus");
  for (const foreign of [
    "GET / HTTP/1.1\r\n\r\n",
    "000100010006",
    "000100000001",
    "0001000000ff",
  ]) {
    const socket = await opened();
    socket.write(Buffer.from(foreign, foreign.startsWith("0") ? "hex" : "latin1"));
    socket.resume();
    await once(socket, "close", { signal: AbortSignal.timeout(PATIENCE_MS) });
  }
  const half = await opened();
  half.write(read(0, 1).subarray(0, 11));
  half.resume();
  await once(half, "close", { signal: AbortSignal.timeout(PATIENCE_MS) });
  for (let count = 0; count < 300; count += 1) {
    const socket = await opened();
    const length = random.between(0, 300);
    const bytes = Array.from({ length }, () => random.between(0, 255));
    socket.end(
      random.chance(0.5) ? Buffer.from(bytes) : Buffer.concat([read(0, 13), Buffer.from(bytes)]),
    );
    if (random.chance(0.3)) socket.resetAndDestroy();
  }
  expect(await asked(read(0, 1), 11)).toBe("1234000000050903020001");
});

test("at the limit the oldest connection makes room, and the log names it", async () => {
  const many: Socket[] = [];
  for (let count = 0; count < 40; count += 1) many.push(await opened());
  expect(await asked(read(0, 1), 11)).toBe("1234000000050903020001");
  const remote = expect.stringMatching(/^127\.0\.0\.1:\d+$/);
  expect(warned.at(-1)).toEqual(["a Modbus connection was cut: too many", { remote }]);
  for (const socket of many) socket.destroy();
});
