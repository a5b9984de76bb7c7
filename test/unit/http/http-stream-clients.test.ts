// The limits of /stream's clients, with sockets of their own: a client that takes nothing is cut
// and disturbs nobody, addresses have their share, and the ring keeps what it says.

import { createServer, type Server } from "node:http";
import { Session } from "node:inspector/promises";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openStream, STREAMS_ADDRESS_MAX, STREAMS_MAX } from "../../../src/http/stream.ts";
import type { KnownNews, News, NewsItem } from "../../../src/sqlite/answers/news.ts";
import { type EventStream, openEventStream } from "../../rig/event-stream.ts";
import { openHttpRig, SILENT, urlOf } from "../../rig/http-server-rig.ts";

const KNOWN: KnownNews = {
  ...{
    event_id: 0,
    operation_id: 0,
    alarm_id: 0,
    note_id: 0,
    alarms: new Map(),
    reading: "",
    health: "",
  },
  ...{ forecasts: [] },
};

let server: Server | null = null;
const opened: EventStream[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) one[Symbol.dispose]();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

/** A server of streams alone, told by `tell`; `?from` is the address that a client comes from. */
async function openRig() {
  const waiting: NewsItem[] = [];
  const cut: string[] = [];
  const facts = () => null;
  const timing = { beat_ms: 50, slow_ms: 300 };
  const stream = openStream({ now_ms: Date.now, facts, log: SILENT, ...timing });
  stream.begin(async (known): Promise<News> => {
    const items = known === null ? [] : waiting.splice(0);
    return { known: KNOWN, items, isMore: false, silence_ms: 120_000, reading_ms: null };
  });
  const listening = createServer(async (request, response) => {
    const address = new URL(`http://x${request.url}`).searchParams.get("from") ?? "";
    await stream.ready();
    const last_id = request.headers["last-event-id"]?.toString() ?? null;
    stream.open(response.writeHead(200), { address, last_id, onCut: () => cut.push(address) });
  }).listen(0, "127.0.0.1");
  server = listening;
  await new Promise((resolve) => listening.once("listening", resolve));
  const { port } = listening.address() as AddressInfo;
  return {
    stream,
    cut,
    tell(count: number, chars: number) {
      const data = "x".repeat(chars);
      for (let number = 0; number < count; number += 1)
        waiting.push({ type: "event", text: JSON.stringify({ number, data }) });
      stream.committed("present");
    },
    async connect(from: string, headers: Record<string, string> = {}) {
      const one = await openEventStream(`http://127.0.0.1:${port}/?from=${from}`, headers);
      opened.push(one);
      await one.waitFor(({ type }) => type === "beat");
      return one;
    },
  };
}

test("a client that takes nothing is cut, the others get everything", async () => {
  const { stream, cut, tell, connect } = await openRig();
  const [frozen, reading] = [await connect("10.0.0.1"), await connect("10.0.0.2")];
  frozen.freeze();
  const before = process.memoryUsage().arrayBuffers;
  // More than the sockets of this machine take in, and more than the ring keeps.
  for (let round = 1; round <= 7; round += 1) {
    tell(60, 50_000);
    await reading.waitFor(({ type }) => type === "event", 60 * round);
  }
  const numbers = reading.events.filter(({ type }) => type === "event").map(({ data }) => data);
  expect(numbers.map(({ number }) => number)).toEqual(
    Array.from({ length: 420 }, (_, place) => place % 60),
  );
  await expect.poll(() => stream.count()).toBe(1);
  expect(cut).toEqual(["10.0.0.1"]);
  // Counted after a collection: garbage isn't held.
  const session = new Session();
  session.connect();
  const held = async () => {
    await session.post("HeapProfiler.collectGarbage");
    return process.memoryUsage().arrayBuffers - before;
  };
  await expect.poll(held).toBeLessThan(40e6);
  session.disconnect();
  const back = await connect("10.0.0.1", { "Last-Event-ID": frozen.lastId() ?? "" });
  expect(back.events[0].type).toBe("resync");
});

test("each address has its share of the streams, and all together theirs", async () => {
  const { stream, connect } = await openRig();
  for (let count = 0; count < STREAMS_ADDRESS_MAX; count += 1) await connect("10.0.0.1");
  expect(stream.refusal("10.0.0.1")).toMatch(/32 streams from 10.0.0.1/);
  expect([stream.refusal("10.0.0.2"), stream.refusal("127.0.0.1")]).toEqual([null, null]);
  while (stream.count() < STREAMS_MAX) await connect("127.0.0.1");
  expect(stream.refusal("127.0.0.1")).toMatch(/100 streams are open/);
  opened[0][Symbol.dispose]();
  await expect.poll(() => stream.refusal("10.0.0.1")).toBeNull();
  stream.close();
  expect(stream.refusal("10.0.0.3")).toBe("no events are sent now");
  await expect.poll(() => stream.count()).toBe(0);
});

test("beyond what is kept, and beyond what came, an id is a resync", async () => {
  const { tell, connect } = await openRig();
  const reading = await connect("10.0.0.1");
  tell(1, 10);
  await reading.waitFor(({ type }) => type === "event");
  const first = reading.lastId() ?? "";
  tell(1000, 10);
  await reading.waitFor(({ type }) => type === "event", 1001);
  const kept = await connect("10.0.0.1", { "Last-Event-ID": first });
  const all = [...Array(1000).fill("event"), "beat"];
  expect(kept.events.slice(0, 1001).map(({ type }) => type)).toEqual(all);
  tell(1, 10);
  await reading.waitFor(({ type }) => type === "event", 1002);
  const [run] = first.split("-");
  for (const id of [first, `${run}-99999`, `0${run}-1`, `${run}-1e3`, `${run}--1`]) {
    const back = await connect("10.0.0.1", { "Last-Event-ID": id });
    expect(back.events.slice(0, 2).map(({ type }) => type)).toEqual(["resync", "beat"]);
  }
});

test("streams that wait for the first answer of the database count as open ones", async () => {
  const gate = Promise.withResolvers<void>();
  const stream = openStream({ now_ms: Date.now, facts: () => null, log: SILENT });
  stream.begin(async (): Promise<News> => {
    await gate.promise;
    return { known: KNOWN, items: [], isMore: false, silence_ms: 120_000, reading_ms: null };
  });
  const http = await openHttpRig({ stream });
  const leaving = new AbortController();
  const statuses: number[] = [];
  const asked = Array.from({ length: 270 }, () =>
    fetch(`${urlOf(http)}/stream`, { signal: leaving.signal }).then(
      ({ status }) => statuses.push(status),
      () => null,
    ),
  );
  const refused = () => statuses.filter((status) => status === 503);
  await expect.poll(refused).toHaveLength(270 - STREAMS_MAX);
  gate.resolve();
  await Promise.all(asked);
  expect(stream.count()).toBe(STREAMS_MAX);
  expect(refused()).toHaveLength(270 - STREAMS_MAX);
  leaving.abort();
  await expect.poll(() => stream.refusal("127.0.0.1")).toBeNull();
  await http.close();
});
