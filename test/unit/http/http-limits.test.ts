// The limits for one client, or for all of them: connections, large answers, bytes; those of time
// are in http-patience. Raw sockets, because no client library would behave like this.

import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { HEAVY, LIGHT } from "../../../src/http/turns.ts";
import type { Query } from "../../../src/sqlite/answers/queries.ts";
import {
  exchange,
  openHttpRig,
  openSocket,
  SILENT,
  scriptedReaders,
  TOKEN,
  urlOf,
} from "../../rig/http-server-rig.ts";
import { until } from "../../rig/mqtt-receiver.ts";

const END = "\r\nHost: ship\r\nConnection: close\r\n\r\n";
const TYPED = "Content-Type: application/json\r\n";
const POST = `POST /plants HTTP/1.1\r\nHost: ship\r\nAuthorization: Bearer ${TOKEN}\r\n${TYPED}`;
const HEAVY_PATHS = [
  "/export/telemetry",
  "/export/telemetry?startDate=2026-05-01&endDate=2026-05-31",
  "/api/telemetry/runtime-analysis",
  "/api/telemetry/history?hours=720",
  "/api/telemetry/aggregated?startDate=2020-01-01&endDate=2026-01-01",
  "/api/telemetry/aggregated?hours=87600",
  "/api/telemetry/chunked?startDate=2026-05-01&endDate=2026-05-02&limit=10000",
  "/api/health/aggregated?startDate=2020-01-01",
];
const LIGHT_PATHS = [
  "/api/stats",
  "/api/telemetry/latest",
  "/healthz",
  "/readyz",
  "/api/events",
  "/api/telemetry/aggregated",
  "/api/telemetry/history",
];

/** Readers whose large answers never end by themselves; `open` counts those under way. */
function endlessReaders() {
  const state = { open: 0, asked: 0 };
  const isLight = ({ name }: Query) => name === "latest" || name === "stats" || name === "events";
  const readers = scriptedReaders((query) => {
    if (isLight(query)) return ["[]"];
    if (query.name === "aggregated" && query.range === null && query.hours === 720) return ["[]"];
    if (query.name === "history" && query.hours === 24) return ["[]"];
    return endless();
  });
  async function* endless() {
    state.open += 1;
    state.asked += 1;
    try {
      for (;;) yield "x".repeat(65_536);
    } finally {
      state.open -= 1;
    }
  }
  return { readers, state };
}

/** One address has half of the turns and of the places to wait. */
const HEAVY_OWN = HEAVY.taken_max / 2;
const HEAVY_WAITING_OWN = HEAVY.waiting_max / 2;

describe("large answers", () => {
  test.each(HEAVY_PATHS)(
    "of %s a few are under way for an address, others wait, more are told to come back",
    async (path) => {
      const { readers, state } = endlessReaders();
      const http = await openHttpRig({ readers });
      const sockets: Socket[] = [];
      const ask = async () => {
        const socket = await openSocket(http);
        socket.pause().write(`GET ${path} HTTP/1.1${END}`);
        sockets.push(socket);
      };
      for (let asked = 0; asked < HEAVY_OWN + HEAVY_WAITING_OWN; asked += 1) await ask();
      await until("the first to be answered", () => state.open === HEAVY_OWN);
      const refused = await exchange(http, `GET ${path} HTTP/1.1${END}`);
      expect(refused.status).toBe(503);
      expect(refused.headers.get("retry-after")).toBe("1");
      expect(JSON.parse(refused.body).message).toContain("answers of this size are in progress");
      expect(state.open).toBe(HEAVY_OWN);
      for (const light of LIGHT_PATHS) expect((await fetch(urlOf(http) + light)).status).toBe(200);
      // Another address has turns of its own.
      const other = await openSocket(http, "127.0.0.2");
      other.pause().write(`GET ${path} HTTP/1.1${END}`);
      await until("another address to be answered", () => state.open === HEAVY_OWN + 1);
      other.destroy();
      // Whoever goes makes place for whoever waits.
      for (const socket of sockets.slice(0, HEAVY_OWN)) socket.destroy();
      await until("the next to be answered", () => state.asked >= 2 * HEAVY_OWN + 1);
      for (const socket of sockets) socket.destroy();
      await until("all to be given up", () => state.open === 0);
      await http.close();
    },
  );

  test("a hundred small questions at once are all answered", async () => {
    const http = await openHttpRig({ readers: scriptedReaders(() => ["[]"]) });
    const answers = Array.from({ length: 100 }, () => fetch(`${urlOf(http)}/api/events`));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    await http.close();
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test.each([
    ["nothing", () => {}],
    ["a byte now and then", (socket: Socket) => void socket.read(1)],
  ])("answers of which their clients take %s leave room for others", async (_what, read) => {
    const { readers } = endlessReaders();
    const warned: string[] = [];
    const log = { ...SILENT, warn: (message: string) => warned.push(message) };
    const http = await openHttpRig({ readers, log });
    const asked = Array.from({ length: LIGHT.taken_max + 5 }, () => openSocket(http));
    const sockets = await Promise.all(asked);
    for (const socket of sockets) socket.pause().write(`GET /api/health HTTP/1.1${END}`);
    const reading = setInterval(() => sockets.forEach(read), 200);
    await pause(500);
    // One that has to wait for more than ten seconds is 503.
    expect((await fetch(`${urlOf(http)}/api/events`)).status).toBe(200);
    clearInterval(reading);
    for (const socket of sockets) socket.destroy();
    await http.close();
    expect(warned.filter((message) => message.startsWith("an answer was cut"))).toHaveLength(1);
  });

  test("a reader that fails gives its turn back", async () => {
    const http = await openHttpRig({
      readers: {
        async ask() {
          throw new Error("no");
        },
      },
    });
    for (let asked = 0; asked < 3 * HEAVY.taken_max; asked += 1)
      expect((await fetch(`${urlOf(http)}/export/telemetry`)).status).toBe(500);
    await http.close();
  });
});

describe("connections", () => {
  test("2,000 that ask nothing leave room for one that asks", async () => {
    const http = await openHttpRig();
    const idle: Socket[] = [];
    for (let batch = 0; batch < 20; batch += 1) {
      idle.push(...(await Promise.all(Array.from({ length: 100 }, () => openSocket(http)))));
      // On a connection of its own: a kept one may be among those that are cut.
      expect((await exchange(http, `GET /healthz HTTP/1.1${END}`)).status).toBe(200);
    }
    const open = () => idle.filter((socket) => !socket.destroyed).length;
    for (const socket of idle) socket.resume();
    await until("the others to be cut", () => open() <= 500);
    for (const socket of idle) socket.destroy();
    await http.close();
  });

  test("an answer under way is not cut for others", async () => {
    const gate = Promise.withResolvers<void>();
    const readers = scriptedReaders(async function* () {
      yield "[1";
      yield ",2";
      await gate.promise;
      yield "]";
    });
    const http = await openHttpRig({ readers });
    const answer = await fetch(`${urlOf(http)}/api/health`);
    const idle = await Promise.all(Array.from({ length: 700 }, () => openSocket(http)));
    gate.resolve();
    expect(await answer.text()).toBe("[1,2]");
    for (const socket of idle) socket.destroy();
    await http.close();
  });

  test("addresses that hold all of them, with answers under way, make room", async () => {
    const gate = Promise.withResolvers<void>();
    const readers = scriptedReaders(async function* () {
      yield "[1";
      yield ",2";
      await gate.promise;
      yield "]";
    });
    const http = await openHttpRig({ readers, connections_max: 8 });
    const held = await Promise.all(
      Array.from({ length: 8 }, (_, place) => openSocket(http, `127.0.1.${1 + (place % 2)}`)),
    );
    for (const socket of held)
      socket.resume().write("GET /api/health HTTP/1.1\r\nHost: ship\r\n\r\n");
    await until("all to be asked", () => readers.asked.length === 8);
    const tablet = await fetch(`${urlOf(http)}/healthz`);
    expect(tablet.status).toBe(200);
    await until("one to be cut", () => held.some((socket) => socket.destroyed));
    expect(held.filter((socket) => socket.destroyed)).toHaveLength(1);
    gate.resolve();
    for (const socket of held) socket.destroy();
    await http.close();
  });
});

describe("requests that nobody waits for", () => {
  test.each([
    ["short", "GET /api/health HTTP/1.1\r\nHost: ship\r\n\r\n"],
    ["of 30 KB", `GET /api/health HTTP/1.1\r\nHost: ship\r\nX: ${"x".repeat(30_000)}\r\n\r\n`],
  ])("thousands that are %s are left in the network, and told of once", async (_what, request) => {
    const answered = Promise.withResolvers<void>();
    const readers = scriptedReaders(async function* () {
      await answered.promise;
      yield "[]";
    });
    const warned: unknown[] = [];
    const log = { ...SILENT, warn: (...given: unknown[]) => warned.push(given) };
    const http = await openHttpRig({ readers, log });
    const before_bytes = process.memoryUsage().rss;
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(http)));
    // 320 MB from one buffer of our own.
    const flood = Buffer.from(request.repeat(Math.ceil(16e6 / request.length)));
    for (const socket of sockets) socket.resume().write(flood);
    await pause(1000);
    expect(process.memoryUsage().rss - before_bytes).toBeLessThan(100e6);
    expect((await fetch(`${urlOf(http)}/healthz`)).status).toBe(200);
    await until("the word", () => warned.length > 0);
    expect(warned).toEqual([
      [expect.stringContaining("isn't read on"), expect.objectContaining({ address: "127.0.0.1" })],
    ]);
    // Waiting requests are answered all the same, in order, as soon as possible.
    let answers = 0;
    sockets[0].on("data", (chunk) => {
      answers += chunk.toString("latin1").split("HTTP/1.1 200").length - 1;
    });
    answered.resolve();
    await until("more answers than may wait at a time", () => answers > 40);
    for (const socket of sockets) socket.destroy();
    await http.close();
  });
});

describe("bytes", () => {
  test.each([
    ["65,536 bytes of body", 65_536, 200],
    ["65,537 bytes of body", 65_537, 413],
  ])("%s are answered by their size", async (_what, length, status) => {
    const http = await openHttpRig();
    const plant = '{"id": 1, "name": "a"}';
    const body = plant.padEnd(length);
    const head = `${POST}Content-Length: ${length}\r\nConnection: close\r\n\r\n`;
    expect((await exchange(http, head + body)).status).toBe(status);
    const chunk = `${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const chunked = `${POST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}`;
    expect((await exchange(http, chunked)).status).toBe(status);
    await http.close();
  });

  test("a body in pieces of one byte is refused before it is whole", async () => {
    const http = await openHttpRig();
    const head = `${POST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const blank = "1\r\n \r\n";
    const end = "2\r\n{}\r\n0\r\n\r\n";
    const few = await exchange(http, `${head}${blank.repeat(200)}${end}`);
    expect([few.status, few.body]).toEqual([400, expect.stringContaining("id: is missing")]);
    const many = await exchange(http, `${head}${blank.repeat(2000)}`);
    expect([many.status, many.body]).toEqual([400, expect.stringContaining("pieces were sent")]);
    await http.close();
  });

  test("unfinished bodies of an address hold 16 MiB at most, as long as they last", async () => {
    const http = await openHttpRig();
    const head = "POST /admin/reconcile HTTP/1.1\r\nHost: ship\r\nContent-Type: text/csv\r\n";
    const most = `${head}Content-Length: 1048576\r\n\r\n${"x".repeat(1_000_000)}`;
    const sockets = await Promise.all(Array.from({ length: 40 }, () => openSocket(http)));
    const answers: string[] = [];
    for (const socket of sockets) {
      socket.on("data", (chunk: Buffer) => answers.push(chunk.toString("latin1")));
      socket.write(most);
    }
    await until("those beyond it to be refused", () => answers.length >= 24);
    expect(answers.filter((answer) => !answer.includes(" 503 "))).toEqual([]);
    for (const socket of sockets) socket.destroy();
    const whole = `${head}Connection: close\r\nContent-Length: 1000000\r\n\r\n${"x".repeat(1e6)}`;
    await expect.poll(async () => (await exchange(http, whole)).status).not.toBe(503);
    await http.close();
  });

  test("a head beyond 32 KiB is 431 as soon as it is too long", async () => {
    const http = await openHttpRig();
    const head = (bytes: number) =>
      `GET /healthz HTTP/1.1\r\nHost: ship\r\nX: ${"x".repeat(bytes)}`;
    const fits = await exchange(http, `${head(31_000)}\r\nConnection: close\r\n\r\n`);
    const over = await exchange(http, head(33_000));
    await http.close();
    expect([fits.status, over.status]).toEqual([200, 431]);
  });
});
