// Work is shared among rounds of the event loop, in turn.

import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { openRounds } from "../../../src/http/rounds.ts";
import { exchange, openHttpRig } from "../../rig/http-server-rig.ts";

const round = () => performance.nodeTiming.uvMetricsInfo.loopCount;

test("what waits goes on in order, a few a round, and what left isn't called", async () => {
  const rounds = openRounds(3);
  const done: { index: number; round: number }[] = [];
  const parts = Array.from({ length: 10 }, (_, index) => () => {
    done.push({ index, round: round() });
  });
  for (const part of parts) rounds.later(part);
  rounds.forget(parts[4]);
  expect(done).toEqual([]);
  await expect.poll(() => done.length).toBe(9);
  expect(done.map(({ index }) => index)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9]);
  const first = done.map((one) => one.round - done[0].round);
  expect([...new Set(first)].length).toBe(3);
});

test("a round has room for a few parts, and the next one again", async () => {
  const rounds = openRounds(2);
  expect([rounds.hasRoom(), rounds.hasRoom(), rounds.hasRoom()]).toEqual([true, true, false]);
  await new Promise<void>((resolve) => rounds.later(resolve));
  expect(rounds.hasRoom()).toBe(true);
});

test("of the requests that wait on many connections four are begun in a round", async () => {
  const [connections, requests] = [40, 50];
  const http = await openHttpRig();
  const one = "GET /healthz HTTP/1.1\r\nHost: ship\r\n\r\n";
  const last = one.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
  const before = round();
  const answers = await Promise.all(
    Array.from({ length: connections }, () => exchange(http, one.repeat(requests - 1) + last)),
  );
  for (const { text } of answers) expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(requests);
  expect(round() - before).toBeGreaterThanOrEqual((connections * (requests - 1)) / 4);
  await http.close();
});
