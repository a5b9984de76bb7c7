// The rules of sending, by a clock of the test: the window on lines of several kinds, a dead line,
// the rate, the day's budget, and the wait between attempts.

import { expect, test } from "vitest";
import { DAY_MS, SECOND_MS } from "../../../src/ground/clock.ts";
import { openTurns, PACE } from "../../../src/shore/backoff.ts";
import { openBudget } from "../../../src/shore/budget.ts";
import { type Flight, openWindow, WINDOW_MIN_BYTES } from "../../../src/shore/window.ts";

const SEGMENT = 59_000;

/** Sends segments over a line for a while; answers the part of the line that they used. */
function used(line: { readonly bytes_s: number; readonly round_trip_ms: number }): number {
  let now_ms = 0;
  const window = openWindow(() => now_ms);
  const hello = window.sent(500);
  now_ms = line.round_trip_ms;
  window.acknowledged(hello);
  const flying: { readonly flight: Flight; readonly due_ms: number }[] = [];
  let [free_ms, arrived] = [0, 0];
  const until_ms = 120 * line.round_trip_ms + (100 * SEGMENT * SECOND_MS) / line.bytes_s;
  while (now_ms < until_ms) {
    while (window.hasRoom()) {
      free_ms = Math.max(free_ms, now_ms) + (SEGMENT / line.bytes_s) * SECOND_MS;
      flying.push({ flight: window.sent(SEGMENT), due_ms: free_ms + line.round_trip_ms });
    }
    const [next] = flying.splice(0, 1);
    now_ms = next.due_ms;
    expect(window.isSilent()).toBe(false);
    window.acknowledged(next.flight);
    arrived += SEGMENT;
  }
  expect(window.size()).toBeGreaterThanOrEqual(WINDOW_MIN_BYTES);
  expect(window.size()).toBeLessThanOrEqual(2 * 1024 * 1024);
  return arrived / ((now_ms / SECOND_MS) * line.bytes_s);
}

test("the window fills lines of 64 kbit/s, 1 and 10 Mbit/s at 600 ms", () => {
  for (const bytes_s of [8000, 125_000, 1_250_000])
    expect(used({ bytes_s, round_trip_ms: 600 }), `${bytes_s}`).toBeGreaterThan(0.9);
});

test("a line is dead after 30 s, or after four times what was expected", () => {
  let now_ms = 0;
  const window = openWindow(() => now_ms);
  const hello = window.sent(500);
  now_ms = 600;
  window.acknowledged(hello);
  window.sent(500);
  now_ms = 29_000;
  expect(window.isSilent()).toBe(false);
  now_ms = 31_000;
  expect(window.isSilent()).toBe(true);
  const slow = openWindow(() => now_ms);
  const again = slow.sent(500);
  now_ms += 600;
  slow.acknowledged(again);
  // 59 kB at the slowest line of use take 29.5 s.
  slow.sent(SEGMENT);
  now_ms += 110_000;
  expect(slow.isSilent()).toBe(false);
  now_ms += 20_000;
  expect(slow.isSilent()).toBe(true);
});

test("the rate holds in the mean, and the budget ends with the day", () => {
  let steady_ms = 0;
  let limits = { max_kbit: 64, max_mb_day: 1 };
  const budget = openBudget(() => limits, {
    steady_ms: () => steady_ms,
    now_ms: () => steady_ms,
  });
  let sent = 0;
  while (steady_ms < 600 * SECOND_MS) {
    budget.take(SEGMENT);
    sent += SEGMENT;
    steady_ms += budget.wait_ms();
  }
  expect(Math.abs(sent / 600 - 8000)).toBeLessThan(200);
  budget.count(999_999);
  expect(budget.isUsedUp()).toBe(false);
  budget.count(1);
  expect(budget.isUsedUp()).toBe(true);
  steady_ms += DAY_MS;
  expect(budget.isUsedUp()).toBe(false);
  limits = { max_kbit: 0, max_mb_day: 0 };
  budget.take(1e9);
  expect([budget.wait_ms(), budget.isUsedUp()]).toEqual([0, false]);
});

test("attempts wait at random within 5 s to 10 min, after a round of all servers", () => {
  const failed = { isAnswered: false, isRefused: false, isSilent: false };
  const turns = openTurns(["a", "b"], PACE);
  const most_s = [5, 10, 20, 40, 80, 160, 320, 600, 600];
  for (const most of most_s) {
    expect([turns.url(), turns.next(failed), turns.url()]).toEqual(["a", 0, "b"]);
    const wait_ms = turns.next(failed);
    expect(wait_ms).toBeGreaterThanOrEqual(0);
    expect(wait_ms).toBeLessThan(most * SECOND_MS);
  }
  // The one that answered is tried first again, soon.
  turns.next(failed);
  expect(turns.next({ ...failed, isAnswered: true })).toBeLessThan(5 * SECOND_MS);
  expect(turns.url()).toBe("b");
  expect(turns.next({ ...failed, isRefused: true })).toBe(PACE.refused_ms);
});

test("several servers have 24 s together to connect; if all are silent, twice as long", () => {
  const limits_s = (urls: readonly string[], silent: readonly boolean[], rounds = 6) => {
    const turns = openTurns(urls, PACE);
    return Array.from({ length: rounds }, () => {
      const limit_s = turns.connect_max_ms() / SECOND_MS;
      for (const isSilent of silent) turns.next({ isAnswered: false, isRefused: false, isSilent });
      return limit_s;
    });
  };
  expect(limits_s(["a"], [true])).toEqual([90, 90, 90, 90, 90, 90]);
  // One that answers, if only that it is a standby, shows that the line isn't slow.
  expect(limits_s(["a", "b"], [true, false])).toEqual([12, 12, 12, 12, 12, 12]);
  expect(limits_s(["a", "b"], [true, true])).toEqual([12, 24, 48, 90, 90, 90]);
  expect(limits_s(["a", "b", "c"], [true, true, true], 2000).at(-1)).toBe(90);
  const turns = openTurns(["a", "b"], PACE);
  const failed = { isAnswered: false, isRefused: false, isSilent: true };
  turns.next(failed);
  turns.next(failed);
  turns.next({ ...failed, isAnswered: true, isSilent: false });
  expect(turns.connect_max_ms()).toBe(12 * SECOND_MS);
});
