// The six lines of the page System, made of an answer in which one fact after the other is missing,
// old, odd or bad: a line is well only with all its facts.

import { expect, test } from "vitest";
import { readClock, readSystem } from "../../../src/dashboard/system/facts.ts";
import { wellLines } from "../../../src/dashboard/system/well.ts";

const NOW_MS = Date.parse("2026-05-04T12:00:00Z");
const at = (hours_ago: number) => new Date(NOW_MS - hours_ago * 3_600_000).toISOString();

const SYSTEM = {
  ingest: {
    ...{ messages: 100, quarantined: 0, withheld: 0, repeated: 2 },
    ...{ messages_per_minute: 6, readings_per_minute: 6, over_seconds: 120 },
  },
  mqtt: { mode: "embedded", connected: true, clients: 1, problem: null, faults: {} },
  chain: { heads: [], damage_found: 0, proven: at(9) },
  database: { bytes: 1, readings: 100 },
  disk: { free_bytes: 9e9, warn_bytes: 2e9, stop_bytes: 1e9, problem: null, forecast: null },
  backup: { folder: null, keep_daily: 7, last: { made: at(10), file: "a.db", bytes: 5 } },
  jobs: [{ name: "proof", every_seconds: 5, last_success: at(0), failures: 0, problem: null }],
};
const CLOCK = { trusted: true, problem: null, offset_seconds: 0.2, steps: [] };

const partOf = <T>(value: T) => ({ known: { value }, problem: null });

function statesOf(system: object, clock: object = CLOCK): readonly string[] {
  const [facts, clocks] = [readSystem(system)?.value, readClock(clock)?.value];
  if (facts === undefined || clocks === undefined) throw new Error("expected a readable answer");
  return wellLines(partOf(facts), partOf(clocks), NOW_MS).map(({ state }) => state);
}

const ALL_WELL = ["well", "well", "well", "well", "well", "well"];

/** One part of the answer with other members, the line that it belongs to, and its state then. */
const SPOILT = [
  ["mqtt", { connected: false }, 0, "look"],
  ["mqtt", { problem: "port taken" }, 0, "look"],
  ["mqtt", { clients: 0 }, 0, "look"],
  ["mqtt", { clients: null }, 0, "unknown"],
  ["ingest", { messages_per_minute: 0 }, 0, "look"],
  ["ingest", { messages_per_minute: null }, 0, "unknown"],
  ["ingest", { quarantined: 3 }, 0, "look"],
  ["ingest", { withheld: 1 }, 0, "look"],
  ["ingest", { quarantined: "none" }, 0, "unknown"],
  ["chain", { proven: null }, 1, "unknown"],
  ["chain", { proven: at(40) }, 1, "look"],
  ["chain", { proven: at(-5) }, 1, "unknown"],
  ["chain", { damage_found: 2 }, 1, "look"],
  ["chain", { damage_found: null }, 1, "unknown"],
  ["disk", { problem: "read-only" }, 3, "look"],
  ["disk", { free_bytes: 1.5e9 }, 3, "look"],
  ["disk", { free_bytes: null }, 3, "unknown"],
  ["disk", { warn_bytes: null }, 3, "unknown"],
  [
    "disk",
    { forecast: { bytes_per_day: 1, basis_days: 3, basis_readings: 9, days_left: 20 } },
    ...[3, "look"],
  ],
  ["backup", { last: null }, 4, "look"],
  ["backup", { last: { made: at(80), file: "a.db", bytes: 5 } }, 4, "look"],
  ["backup", { last: { made: at(-80), file: "a.db", bytes: 5 } }, 4, "unknown"],
] as const;

test("each line is well when every fact that it needs is told, current and holds", () => {
  expect(statesOf(SYSTEM)).toEqual(ALL_WELL);
});

test.each(SPOILT)(
  "%s with %j isn't well, and no other line changes",
  (part, other, line, state) => {
    const given = { ...SYSTEM, [part]: { ...SYSTEM[part], ...other } };
    expect(statesOf(given)).toEqual(ALL_WELL.with(Number(line), String(state)));
  },
);

test("jobs that fail, hang, or aren't known aren't well", () => {
  const [job] = SYSTEM.jobs;
  const jobs = (...given: readonly object[]) => statesOf({ ...SYSTEM, jobs: given })[5];
  expect(jobs({ ...job, failures: 1, problem: "no room" })).toBe("look");
  expect(jobs({ ...job, last_success: at(1) })).toBe("unknown");
  expect(jobs({ ...job, last_success: null })).toBe("unknown");
  expect(jobs()).toBe("unknown");
});

test("a clock that isn't trusted, differs or isn't known isn't well", () => {
  const clocks = (other: object) => statesOf(SYSTEM, { ...CLOCK, ...other })[2];
  expect(clocks({ trusted: false })).toBe("look");
  expect(clocks({ problem: "set back" })).toBe("look");
  expect(clocks({ offset_seconds: -90 })).toBe("look");
  expect(clocks({ offset_seconds: null })).toBe("unknown");
});

test("nothing is well while the answer can't be asked for, though an old one is known", () => {
  const problem = { kind: "odd", path: "/api/system", status: null, message: null } as const;
  const lines = wellLines(
    { known: { value: SYSTEM }, problem },
    { known: null, problem: null },
    NOW_MS,
  );
  expect(new Set(lines.map(({ state }) => state))).toEqual(new Set(["unknown"]));
});
