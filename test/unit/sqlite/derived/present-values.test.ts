// The present of a plant that sends fast, or its state on change: values are looked for far enough
// back, a state holds, and a good reading between bad ones is no good sign.

import { expect, test } from "vitest";
import { untreatedFor } from "../../../../src/bwts/present/moving-water.ts";
import { totaliserContradicts, wasOutside } from "../../../../src/bwts/present/steadiness.ts";
import { indexOfTag } from "../../../../src/bwts/tags.ts";
import { totaliserRises, withState } from "../../../../src/bwts/treating.ts";
import { MINUTE_MS, printTime, SECOND_MS } from "../../../../src/ground/clock.ts";
import { newestValues } from "../../../../src/sqlite/derived/newest-values.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { messageOf } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";

const rigOf = rigsOfTests();
const NEWEST_MS = Date.UTC(2026, 4, 1, 10);

/** The newest values after readings every `every_ms` for `long_ms`. */
function foundAfter(
  long_ms: number,
  every_ms: number,
  fieldsAt: (ago_ms: number) => Readonly<Record<string, string | number>>,
) {
  const { db, store } = rigOf();
  const agos = Array.from({ length: long_ms / every_ms + 1 }, (_, index) => index * every_ms);
  store.commit(
    agos.reverse().map((ago_ms) => {
      const timestamp = printTime(NEWEST_MS - ago_ms);
      return messageOf("telemetry", { timestamp, ...fieldsAt(ago_ms) });
    }),
  );
  return newestValues(db, NEWEST_MS);
}

test("a lamp that is sent every ten minutes stands beside a reading a second", () => {
  const lamp = indexOfTag("LAMP_07_STATUS");
  const found = foundAfter(14 * MINUTE_MS, SECOND_MS, (ago_ms) => ({
    PROCESS_STATE: "RUNNING",
    ...(ago_ms === 10 * MINUTE_MS && { LAMP_07_STATUS: "ACTIVE" }),
  }));
  expect(found.values[lamp]).toBe("ACTIVE");
  expect(found.times[lamp]).toBe(NEWEST_MS - 10 * MINUTE_MS);
});

test("a totaliser that rises at rest is seen at five readings a second", () => {
  const { readings } = foundAfter(2 * MINUTE_MS, 200, (ago_ms) => ({
    PROCESS_STATE: "IDLE",
    SYS_TOTAL_BALLAST_VOL: 140_000 - ago_ms / 6000,
  }));
  expect(totaliserRises(withState(readings), LAMP_CONFIG.limits)).toBe(true);
});

const seconds = (
  count: number,
  fieldsAt: (ago: number) => Readonly<Record<string, string | number>>,
) => {
  const { readings } = foundAfter(count * SECOND_MS, SECOND_MS, (ago_ms) =>
    fieldsAt(ago_ms / SECOND_MS),
  );
  return withState(readings);
};

test("a state that is sent once holds for the water that moves after it", () => {
  const first = (ago: number): Record<string, string> =>
    ago === 120 ? { PROCESS_STATE: "IDLE" } : {};
  const counted = seconds(120, (ago) => ({
    ...{ ...first(ago), SYS_FLOW_RATE: 0, SYS_TOTAL_BALLAST_VOL: 140_000 - ago / 5 },
  }));
  expect(totaliserRises(counted, LAMP_CONFIG.limits)).toBe(true);
  const flowing = seconds(120, (ago) => ({ ...first(ago), SYS_FLOW_RATE: 800 }));
  expect(untreatedFor(flowing, LAMP_CONFIG.limits, null)).toBe(2 * MINUTE_MS);
});

const treated = { PROCESS_STATE: "RUNNING", COMPLIANCE_MODE: "IMO", UVR_INTENSITY: 650 };

test.each([
  ["as the flow says", 800, 800, 0, false],
  ["as the flow says, in steps of 10 m3", 800, 800, 10, false],
  ["five times as fast", 800, 4000, 0, true],
  ["while hardly any flow is told", 21, 792, 0, true],
  ["by half as much, in steps of 1 m3", 800, 400, 1, true],
  ["not at all, as one that isn't connected", 800, 0, 0, false],
])("a totaliser rises %s", (_title, flow, rising, step, isContradicted) => {
  const readings = seconds(300, (ago) => {
    const total = 140_000 - (ago * rising) / 3600;
    const shown = step === 0 ? total : Math.floor(total / step) * step;
    return { ...treated, SYS_FLOW_RATE: flow, SYS_TOTAL_BALLAST_VOL: shown };
  });
  expect(totaliserContradicts(readings, LAMP_CONFIG.limits, "BALLAST")).toBe(isContradicted);
});

const idle = { PROCESS_STATE: "IDLE" };

test.each<[string, (ago: number) => Readonly<Record<string, string | number>>, boolean]>([
  ["light that holds", () => ({ ...treated, SYS_FLOW_RATE: 800 }), false],
  [
    "light below each second time",
    (ago) => ({ ...treated, UVR_INTENSITY: ago % 2 ? 200 : 650 }),
    true,
  ],
  [
    "light below a minute ago",
    (ago) => ({ ...treated, UVR_INTENSITY: ago >= 60 ? 200 : 650 }),
    false,
  ],
  ["standing water", () => ({ ...idle, SYS_FLOW_RATE: 0 }), false],
  [
    "water that moves each second time",
    (ago) => ({ ...idle, SYS_FLOW_RATE: ago % 2 ? 600 : 0 }),
    true,
  ],
  ["a totaliser that rises", (ago) => ({ ...idle, SYS_TOTAL_BALLAST_VOL: 9000 - ago / 5 }), true],
])("%s is steady or not", (_title, fieldsAt, isUnsteady) => {
  expect(wasOutside(seconds(100, fieldsAt), LAMP_CONFIG.limits, null)).toBe(isUnsteady);
});
