// The four stories, by the facts that they are told with.

import { describe, expect, test } from "vitest";
import { LAMP_NUMBERS } from "../../../src/bwts/tags.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/ground/clock.ts";
import { CADENCE_MS } from "../../../src/simulator/ship.ts";
import { createStory, type StoryLetter } from "../../../src/simulator/story.ts";

const end_ms = Date.parse("2026-05-01T12:34:56.789Z");

function tell(letter: StoryLetter, seed = 1) {
  const story = createStory({ letter, seed, system_id: "BWTS-001", end_ms });
  const stretch = { from_ms: story.start_ms, to_ms: story.end_ms, cadence_ms: CADENCE_MS };
  const readings = [...story.readings(stretch)].map(({ at_ms, members }) => ({
    at_ms,
    minute: (at_ms - story.start_ms) / MINUTE_MS,
    members,
    value: (name: string) => Number(members[name]),
  }));
  const events = [...story.events(stretch)];
  const alarm = events.find(({ event_type }) => event_type === "ALARM_TRIGGERED");
  if (alarm === undefined) throw new Error(`story ${letter} has no alarm`);
  return { story, readings, events, alarm, count: story.countReadings(stretch) };
}

describe.each(["A", "B", "C", "D"] as const)("story %s", (letter) => {
  test("ends when it is told to end, with whole operations and one alarm", () => {
    for (const seed of [1, 2, 3]) {
      const { readings, events, count } = tell(letter, seed);
      expect(readings.at(-1)?.at_ms).toBe(end_ms);
      expect(events.at(-1)).toMatchObject({ at_ms: end_ms, event_type: "PROCESS_STOP" });
      expect(events[0]?.event_type).toBe("PROCESS_START");
      expect(events.filter(({ data }) => data.code !== undefined)).toHaveLength(1);
      expect(count).toBe(readings.length);
    }
  });

  test("is the same when it is told again", () => {
    expect(tell(letter).readings.map(({ members }) => members)).toEqual(
      tell(letter).readings.map(({ members }) => members),
    );
  });
});

test("A: intensity falls from 650 to 490 W/m2 in 3 hours, for two causes at once", () => {
  const { readings, alarm, story } = tell("A");
  const warm = readings.filter(({ minute }) => minute >= 6);
  const high = warm.findLast(({ minute }) => minute <= 20);
  const low = warm.find(({ minute }) => minute >= 200);
  expect(high?.value("UVR_INTENSITY")).toBeGreaterThan(640);
  expect(high?.value("UVR_INTENSITY")).toBeLessThan(660);
  expect(low?.value("UVR_INTENSITY")).toBeGreaterThan(483);
  expect(low?.value("UVR_INTENSITY")).toBeLessThan(497);
  for (const { value } of readings) {
    expect(value("LAMP_07_RUNTIME")).toBeGreaterThan(3000);
    expect(Math.floor(value("CIP_HOURS_SINCE_LAST") / 24)).toBe(47);
  }
  expect(low?.value("UVR_POWER_OUTPUT")).toBeGreaterThan(88);
  expect(alarm.data).toMatchObject({ code: "UV_LOW", parameter: "UVR_INTENSITY", limit: 530 });
  expect(readings[0]?.members.COMPLIANCE_MODE).toBe("USCG");
  const before = readings.findLast(({ at_ms }) => at_ms < alarm.at_ms - 5 * MINUTE_MS);
  expect(before?.value("UVR_INTENSITY")).toBeGreaterThan(530);
  expect(story.end_ms - story.start_ms).toBe(3.5 * HOUR_MS);
});

test("B: the filter goes from 0.3 to 1.2 bar in 40 minutes, with three backflushes", () => {
  const { readings, alarm } = tell("B");
  const clear = readings.filter(({ minute }) => minute >= 6 && minute <= 15);
  const clogged = readings.filter(({ minute }) => minute >= 55 && minute < 71);
  for (const { value } of clear) expect(value("FLT_DIFF_PRESSURE")).toBeCloseTo(0.3, 1);
  for (const { value } of clogged) expect(value("FLT_DIFF_PRESSURE")).toBeCloseTo(1.2, 1);
  const first = readings[0];
  const last = clogged.at(-1);
  expect(last?.value("FLT_BACKFLUSH_COUNT")).toBe((first?.value("FLT_BACKFLUSH_COUNT") ?? 0) + 3);
  const flushing = readings.map(({ members }) => members.FLT_BACKFLUSH_ACTIVE === true);
  const begun = flushing.filter((now, index) => now && flushing[index - 1] !== true);
  expect(begun).toHaveLength(3);
  expect(alarm.data).toMatchObject({ code: "FILTER_HIGH_DP", limit: 1, unit: "bar" });
  expect(alarm.data.value).toBeGreaterThan(1);
});

test("C: lamps 9 to 12, and no other, fall to 60 % power", () => {
  const { readings, alarm } = tell("C");
  const before = readings.findLast(({ at_ms }) => at_ms < alarm.at_ms);
  const after = readings.find(({ at_ms }) => at_ms >= alarm.at_ms);
  if (before === undefined || after === undefined) throw new Error("no readings");
  for (const [index, number] of LAMP_NUMBERS.entries()) {
    const share = after.value(`LAMP_${number}_POWER`) / before.value(`LAMP_${number}_POWER`);
    expect(share, `lamp ${number}`).toBeCloseTo(index >= 8 && index < 12 ? 0.6 : 1, 1);
  }
  expect(after.value("UVR_INTENSITY")).toBeLessThan(0.95 * before.value("UVR_INTENSITY"));
  expect(alarm.description).toContain("lamps 9 to 12");
  expect(alarm.data.code).toBe("LPS_FAULT");
});

test("D: a cleaning lies between two operations and the light is as low after it as before", () => {
  const { readings, events, alarm } = tell("D");
  const [start, stop] = events.filter(({ data }) => data.operation_type === "CIP");
  if (start === undefined || stop === undefined) throw new Error("no cleaning");
  expect([start.event_type, stop.event_type]).toEqual(["PROCESS_START", "PROCESS_STOP"]);
  const warm = readings.filter(({ members }) => members.PROCESS_STATE !== "WARMUP");
  const mean = (part: typeof warm) =>
    part.reduce((sum, { value }) => sum + value("UVR_INTENSITY"), 0) / part.length;
  const before = warm.filter(({ at_ms }) => at_ms < start.at_ms);
  const after = warm.filter(({ at_ms }) => at_ms > stop.at_ms);
  expect(before.length + after.length).toBe(warm.length);
  expect(Math.abs(mean(after) / mean(before) - 1)).toBeLessThan(0.01);
  expect(before[0]?.value("CIP_HOURS_SINCE_LAST")).toBeGreaterThan(700);
  expect(after[0]?.value("CIP_HOURS_SINCE_LAST")).toBeLessThan(1);
  expect(alarm.data.code).toBe("CIP_NO_RECOVERY");
  expect(alarm.at_ms).toBeGreaterThan(stop.at_ms);
});
