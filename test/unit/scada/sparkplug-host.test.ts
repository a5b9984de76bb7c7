// STATE of the host application: late messages of an earlier session change nothing, and a clock
// that was wrong keeps no host out.

import { expect, test } from "vitest";
import { HostState } from "../../../src/scada/host-state.ts";

const NOW_MS = Date.UTC(2026, 4, 1);
const AHEAD_MS = Date.UTC(2100, 0);

function openState() {
  let now_ms = NOW_MS;
  const state = new HostState("scada", { now_ms: () => now_ms });
  return {
    state,
    later() {
      now_ms += 60_000;
    },
    say(online: boolean, timestamp: number) {
      expect(state.hear(Buffer.from(JSON.stringify({ online, timestamp })))).toBe(true);
      return state.isOnline;
    },
  };
}

test("a late death or birth of an earlier session is passed over", () => {
  const { say } = openState();
  expect(say(true, NOW_MS - 1000)).toBe(true);
  expect(say(true, NOW_MS - 500)).toBe(true);
  expect(say(false, NOW_MS - 1000)).toBe(true);
  expect(say(false, NOW_MS - 500)).toBe(false);
  expect(say(true, NOW_MS - 1000)).toBe(false);
  expect(say(true, NOW_MS)).toBe(true);
});

test("a host whose clock stood in 2100 is heard again once it is right", () => {
  const { say, later } = openState();
  expect(say(true, AHEAD_MS)).toBe(true);
  expect(say(false, AHEAD_MS)).toBe(false);
  later();
  expect(say(true, NOW_MS + 30_000)).toBe(true);
  expect(say(false, NOW_MS + 30_000)).toBe(false);
});

test("with a new connection the broker's state counts, whatever was told before", () => {
  const { state, say } = openState();
  expect(say(true, NOW_MS)).toBe(true);
  state.forget();
  expect(state.isOnline).toBe(false);
  expect(say(true, NOW_MS - 5000)).toBe(true);
  expect(state.hear(Buffer.from("{"))).toBe(false);
});
