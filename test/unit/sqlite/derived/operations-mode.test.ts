// The mode that a PLC sends on change alone, before an operation that never tells it: it holds if
// it was told up to the start, and else nothing is judged by it.

import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../../src/ground/clock.ts";
import { type Rig, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import {
  eventsOfRun,
  idleReadings,
  judgedOperations,
  readingsOfRun,
} from "../../../rig/operations.ts";

const rigOf = rigsOfTests();
const RUN = { start_ms: AT_MS - 24 * HOUR_MS, minutes: 60 };
/** Between the limits of both modes: within for IMO, outside for USCG. */
const UV = 400;

/** Readings at rest, a minute apart, up to the start; those that `modeAt` names tell a mode. */
function beforeRun(minutes: number, modeAt: (minute: number) => string | null) {
  const readings = idleReadings(RUN.start_ms - minutes * MINUTE_MS, minutes);
  return readings.map((one, index) => {
    const mode = modeAt(minutes - index);
    return mode === null ? one : { ...one, COMPLIANCE_MODE: mode };
  });
}

const once = (mode: string, at: number) => (minute: number) => (minute === at ? mode : null);

/** A ship with the operation, whose readings tell no mode, after these. */
function shipAfter(before: ReturnType<typeof beforeRun>): Rig {
  const rig = rigOf();
  const { start, stop } = eventsOfRun(RUN);
  const readings = readingsOfRun({ ...RUN, at: () => ({ UVR_INTENSITY: UV }) }).map(
    ({ COMPLIANCE_MODE: _mode, ...one }) => ({ ...one, timestamp: one.timestamp }),
  );
  rig.store.commit([
    ...[...before, ...readings].map((one) => messageOf("telemetry", one)),
    ...[start, stop].map((one) => messageOf("events", one)),
  ]);
  return rig;
}

test.each([
  ["once, 90 minutes before", beforeRun(100, once("IMO", 90)), "within_limits", "IMO"],
  [
    "by two readings one after the other",
    beforeRun(100, (minute) => once("IMO", 36)(minute) ?? once("IMO", 35)(minute)),
    "within_limits",
    "IMO",
  ],
  ["once, as USCG", beforeRun(100, once("USCG", 90)), "outside_limits", "USCG"],
  [
    "changed before the start",
    beforeRun(100, (minute) => once("IMO", 90)(minute) ?? once("USCG", 5)(minute)),
    "outside_limits",
    "USCG",
  ],
  ["7 hours before", beforeRun(430, once("IMO", 420)), "cannot_tell", null],
  [
    "before a silence of 40 minutes",
    beforeRun(100, once("IMO", 90)).filter(
      ({ timestamp }) => Math.abs(RUN.start_ms - 40 * MINUTE_MS - timestamp) > 20 * MINUTE_MS,
    ),
    "cannot_tell",
    null,
  ],
  [
    "before a silence up to the start",
    beforeRun(100, once("IMO", 90)).filter(
      ({ timestamp }) => timestamp < RUN.start_ms - 40 * MINUTE_MS,
    ),
    "cannot_tell",
    null,
  ],
  [
    "in each reading, and then no more",
    beforeRun(100, (minute) => (minute > 60 ? "IMO" : null)),
    "cannot_tell",
    null,
  ],
  ["as a word that isn't known", beforeRun(100, once("D-2", 90)), "cannot_tell", null],
] as const)("a mode that is sent %s", (_, before, verdict, mode) => {
  const rig = shipAfter(before);
  const [one] = judgedOperations(rig);
  expect(one).toMatchObject({ verdict, mode });
  if (mode === null) expect(one.reasons.map(({ rule }) => rule)).toContain("no_mode");
});

test("a mode before the start that comes late judges the operation again", () => {
  const before = beforeRun(350, () => null);
  const rig = shipAfter(before);
  expect(judgedOperations(rig)).toMatchObject([{ verdict: "cannot_tell" }]);
  const timestamp = RUN.start_ms - 340 * MINUTE_MS + 1000;
  rig.store.commit([messageOf("telemetry", { timestamp, COMPLIANCE_MODE: "IMO" })]);
  expect(judgedOperations(rig)).toMatchObject([{ verdict: "within_limits", version: 2 }]);
});

test("a void of the mode before the start chooses no limit", () => {
  const before = beforeRun(350, (minute) => once("IMO", 320)(minute) ?? once("USCG", 90)(minute));
  const rig = shipAfter(before);
  expect(judgedOperations(rig)).toMatchObject([{ verdict: "outside_limits" }]);
  const at_ms = RUN.start_ms - 90 * MINUTE_MS;
  const by = { actor: "engineer", address: null, at_ms: AT_MS };
  rig.store.addVoid({ start_ms: at_ms - 1, end_ms: at_ms + 1, reason: "mode" }, by);
  expect(judgedOperations(rig)).toMatchObject([{ verdict: "cannot_tell", mode: null }]);
  rig.store.undoVoid(1, by);
  expect(judgedOperations(rig)).toMatchObject([{ verdict: "outside_limits" }]);
});
