// Answers under way, as whoever shares them with a greedy client notices: a slow tablet keeps its
// own, and what costs the readers much isn't made for each who asks.

import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { HEAVY } from "../../../src/http/turns.ts";
import { openHttpRig, openSocket, scriptedReaders, urlOf } from "../../rig/http-server-rig.ts";
import { until } from "../../rig/mqtt-receiver.ts";

const EXPORT = "GET /export/telemetry HTTP/1.1\r\nHost: ship\r\n\r\n";
const OTHER = "127.0.0.2";

/** Readers whose answers have no end; `begun` is how many were begun. */
function endlessReaders() {
  const state = { begun: 0 };
  const readers = scriptedReaders(async function* () {
    state.begun += 1;
    for (;;) yield "x".repeat(65_536);
  });
  return { readers, state };
}

test("a client that stalls loses nothing to one that could not have its turn", async () => {
  const { readers, state } = endlessReaders();
  const http = await openHttpRig({ readers });
  const tablet = (await openSocket(http)).pause();
  tablet.write(EXPORT);
  await until("the tablet to have its turn", () => state.begun === 1);
  // They take what they get, and more of them wait than the address may have turns.
  const greedy = await Promise.all(
    Array.from({ length: HEAVY.taken_max }, () => openSocket(http, OTHER)),
  );
  for (const socket of greedy) socket.pause().write(EXPORT);
  const taking = setInterval(() => greedy.forEach((socket) => void socket.read()), 100);
  await pause(HEAVY.slow_ms + 1500);
  let taken_bytes = 0;
  tablet.on("data", (chunk: Buffer) => {
    taken_bytes += chunk.length;
  });
  tablet.resume();
  await until("the tablet to go on", () => taken_bytes > 32 * 2 ** 20);
  clearInterval(taking);
  for (const socket of [tablet, ...greedy]) socket.destroy();
  await http.close();
});

test("those who wait and have gone take no place from those who come", async () => {
  const { readers } = endlessReaders();
  const http = await openHttpRig({ readers });
  const ask = async () => {
    const socket = await openSocket(http);
    socket.pause().write(EXPORT);
    return socket;
  };
  const all = await Promise.all(
    Array.from({ length: (HEAVY.taken_max + HEAVY.waiting_max) / 2 }, ask),
  );
  await pause(200);
  for (const socket of all.slice(HEAVY.taken_max / 2)) socket.destroy();
  await pause(200);
  const next = await ask();
  await pause(200);
  expect(next.bytesRead).toBe(0); // it waits; 503 would have come at once
  for (const socket of [next, ...all]) socket.destroy();
  await http.close();
});

const SHARED = ["/api/diagnosis", "/api/telemetry/latest", "/api/stats"];

test.concurrent.each(SHARED)(
  "%s is made once for all who ask, never before the question",
  async (path) => {
    let made = 0;
    const first_made = Promise.withResolvers<void>();
    const readers = scriptedReaders(async function* () {
      made += 1;
      const number = made;
      if (number === 1) await first_made.promise;
      yield JSON.stringify(number);
    });
    const http = await openHttpRig({ readers });
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(http)));
    const first = fetch(urlOf(http) + path);
    await until("the first to be made", () => made === 1);
    const others = sockets.map(async (socket) => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ship\r\nConnection: close\r\n\r\n`);
      let text = "";
      for await (const chunk of socket) text += chunk;
      return text.split("\r\n\r\n")[1];
    });
    await pause(1000);
    first_made.resolve();
    expect(await (await first).json()).toBe(1);
    expect(new Set(await Promise.all(others))).toEqual(new Set(["2"]));
    await http.close();
  },
);
