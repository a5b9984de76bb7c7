// The times of messages: every form that is read, what is refused, and what stands for none.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LAMP_NUMBERS } from "../../../src/bwts/tags.ts";
import { DAY_MS, printTime } from "../../../src/ground/clock.ts";
import { AT, AT_MS, decode, RECEIVED_MS, said } from "../../rig/decoding.ts";

describe("a time", () => {
  test.each([
    [AT, AT],
    ["2026-05-01T11:59:30+02:00", AT],
    ["2026-05-01 09:59:30", AT],
    [" 2026-05-01T09:59:30Z ", AT],
    [AT_MS, AT],
    [String(AT_MS), AT],
    [AT_MS + 0.9, AT],
    [AT_MS / 1000, AT],
    [String(AT_MS / 1000), AT],
    [`${AT_MS / 1000},5`, "2026-05-01T09:59:30.500Z"],
    [AT_MS / 1000 + 0.123, "2026-05-01T09:59:30.123Z"],
    [AT_MS / 1000 + 0.0019, "2026-05-01T09:59:30.001Z"],
    [946_684_800, "2000-01-01T00:00:00.000Z"],
    ["2000-01-01", "2000-01-01T00:00:00.000Z"],
    [RECEIVED_MS + 300_000, "2026-05-01T10:05:00.700Z"],
  ])("%j is %s", (timestamp, iso) => {
    const { readings, timed_by_receipt } = decode("telemetry", { timestamp, N: 1 });
    expect(readings.map(({ at_ms }) => printTime(at_ms))).toEqual([iso]);
    expect(timed_by_receipt).toBe(false);
  });

  test("of any millisecond is the same written as seconds, milliseconds and ISO", () => {
    const instant = fc.integer({ min: Date.UTC(2000, 0, 1), max: RECEIVED_MS });
    fc.assert(
      fc.property(instant, (at_ms) => {
        const forms = [at_ms, at_ms / 1000, String(at_ms / 1000), printTime(at_ms)];
        const items = forms.map((timestamp) => ({ timestamp }));
        const { readings } = decode("telemetry", items);
        expect(new Set(readings.map((part) => part.at_ms))).toEqual(new Set([at_ms]));
      }),
      { seed: 12 },
    );
  });

  test.each([
    ['"2026-02-30T00:00:00Z"', "bad_time"],
    ['"2026-05-01T24:00:00Z"', "bad_time"],
    ['"soon"', "bad_time"],
    ["true", "bad_time"],
    ["{}", "bad_time"],
    ["NaN", "bad_time"],
    ["1e999", "bad_time"],
    ["0", "bad_time"],
    ["-1", "bad_time"],
    ["946684799.999", "bad_time"],
    ['"1999-12-31T23:59:59.999Z"', "bad_time"],
    ["1e300", "bad_time"],
    ['"9999-12-31T23:59:59-01:00"', "bad_time"],
    [String(RECEIVED_MS + 300_001), "future"],
    ['"9999-12-31"', "future"],
  ])("of %s goes to quarantine as %s", (timestamp, reason) => {
    const decoded = decode("telemetry", `{"timestamp":${timestamp},"N":1}`);
    expect(decoded.rejects.map((reject) => reject.reason)).toEqual([reason]);
    expect(decoded.readings).toEqual([]);
  });

  test("ahead of a clock that isn't trusted is taken", () => {
    const timestamp = RECEIVED_MS + 365 * DAY_MS;
    const { readings } = decode("telemetry", { timestamp, N: 1 }, { clock_trusted: false });
    expect(readings.map(({ at_ms }) => at_ms)).toEqual([timestamp]);
  });

  test.each([{}, { timestamp: null }, { timestamp: "" }])(
    "absent in %j is that of receipt",
    (no) => {
      const decoded = decode("telemetry", { ...no, N: 1 });
      expect(decoded.timed_by_receipt).toBe(true);
      expect(decoded.readings.map(({ at_ms }) => printTime(at_ms))).toEqual([
        "2026-05-01T10:00:00.000Z",
      ]);
      expect(decoded.readings.map(said)).toEqual([{ N: 1, timestamp_source: "receipt" }]);
    },
  );

  test("absent in a retained message, which may be of any age, goes to quarantine", () => {
    const decoded = decode("telemetry", { N: 1 }, { retain: true });
    expect(decoded.rejects.map(({ reason }) => reason)).toEqual(["retained"]);
    expect(decoded.readings).toEqual([]);
    expect(decode("telemetry", { timestamp: AT, N: 1 }, { retain: true }).readings).toHaveLength(1);
  });

  test("of a reading is floored to the grid, that of an event isn't", () => {
    const timestamp = "2026-05-01T09:59:34.999Z";
    const grid = { merge_ms: 5000 };
    const kinds = ["telemetry", "lamps", ...LAMP_NUMBERS.map((lamp) => `lamps/${lamp}`)];
    for (const kind of kinds)
      expect(decode(kind, { timestamp, power: 1 }, grid).readings[0]?.at_ms).toBe(AT_MS);
    const event = { timestamp, event_type: "PROCESS_START" };
    expect(decode("events", event, grid).events[0]?.at_ms).toBe(Date.parse(timestamp));
  });
});
