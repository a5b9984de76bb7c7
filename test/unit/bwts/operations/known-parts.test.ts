// Operations of which the truth is known: the values of a scan come in several messages, some ms or
// a second apart. Nothing is missing, unless something is.

import { expect, test } from "vitest";
import { judged } from "../../../../src/bwts/judging/judge.ts";
import type { TagName } from "../../../../src/bwts/tags.ts";
import { moving } from "../../../rig/known-truths.ts";
import {
  AROUND,
  at,
  type PlantReading,
  runsOf,
  spanOf,
  steady,
} from "../../../rig/operation-plant.ts";

const [FROM_MS, TO_MS] = [at(10), at(12)];
const PARTS: readonly (readonly TagName[])[] = [
  ["PROCESS_STATE", "COMPLIANCE_MODE", "operation_type", "location"],
  ["UVR_INTENSITY", "UVR_POWER_OUTPUT"],
  ["SYS_FLOW_RATE", "SYS_PRESSURE"],
  ["SYS_TOTAL_BALLAST_VOL", "UVR_WATER_TEMP"],
];

interface Parts {
  readonly parts?: typeof PARTS;
  isLost?(minute: number, part: number): boolean;
  plantAt?(minute: number): object;
}

/** Without the readings for which `isLost`. */
function judgedInParts(
  [every_ms, apart_ms]: readonly [number, number],
  { parts: order = PARTS, isLost = () => false, plantAt = () => ({}) }: Parts = {},
) {
  const but = (at_ms: number) => {
    const minute = (at_ms - FROM_MS) / 60_000;
    return { ...moving(minute), UVR_INTENSITY: 600 + Math.sin(minute), ...plantAt(minute) };
  };
  const readings = steady({ from_ms: FROM_MS, to_ms: TO_MS - 5 * apart_ms, every_ms, but });
  const parts = readings.flatMap(({ at_ms, values }) =>
    order.flatMap((names, part): PlantReading[] => {
      if (isLost((at_ms - FROM_MS) / 60_000, part)) return [];
      const own = Object.fromEntries(names.map((name) => [name, values[name]]));
      return [{ at_ms: at_ms + part * apart_ms, values: own }];
    }),
  );
  return judged(spanOf(FROM_MS, TO_MS), runsOf(parts), AROUND);
}

test.each([
  [10_000, 5],
  [10_000, 310],
  [60_000, 1000],
  [1000, 250],
])("a scan each %i ms in parts %i ms apart is within limits", (...times) => {
  const { verdict, gaps, not_recorded } = judgedInParts(times);
  expect([verdict, gaps]).toEqual(["within_limits", []]);
  // The parts before the first flow.
  expect(not_recorded?.seconds).toBeLessThanOrEqual(2);
});

test("ten minutes without a part, or without all of them, can't be told", () => {
  const lost = (minute: number) => minute >= 60 && minute < 70;
  const times = [10_000, 5] as const;
  const found = [lost, (minute: number, part: number) => part === 1 && lost(minute)].map((isLost) =>
    judgedInParts(times, { isLost }),
  );
  expect(found.map(({ verdict }) => verdict)).toEqual(["cannot_tell", "cannot_tell"]);
  const long = found.map(({ reasons }) =>
    reasons.filter(({ seconds }) => seconds > 60).map(({ rule }) => rule),
  );
  expect(long).toEqual([["no_readings"], ["no_intensity"]]);
});

test("in the last scan of a warm-up no water moves, though the next one's state comes last", () => {
  const warming = { PROCESS_STATE: "WARMUP", SYS_FLOW_RATE: 0, UVR_INTENSITY: 0 };
  const whole = steady({ from_ms: FROM_MS, to_ms: FROM_MS + 2 * 60_000, every_ms: 60_000 });
  // The first scan that treats tells what has flowed since the one before it.
  const start_m3 = whole.at(-1)?.values.SYS_TOTAL_BALLAST_VOL;
  const plantAt = (minute: number) =>
    minute < 3 ? { ...warming, SYS_TOTAL_BALLAST_VOL: start_m3 } : {};
  const { verdict, reasons } = judgedInParts([60_000, 20], { parts: PARTS.toReversed(), plantAt });
  expect(verdict).toBe("within_limits");
  expect(reasons.map(({ rule }) => rule)).not.toContain("warmup_stopping");
});
