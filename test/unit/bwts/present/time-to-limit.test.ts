// The time to the limit and the operation's volume, against figures that were worked out by hand
// and by a program that shares no code with these.

import { describe, expect, test } from "vitest";
import { finishOf, volumeOf } from "../../../../src/bwts/present/operation.ts";
import {
  hoursToLimit,
  type IntensityPoint,
  intensityLine,
} from "../../../../src/bwts/present/time-to-limit.ts";

const START_MS = Date.UTC(2026, 4, 1);
const MINUTE_MS = 60_000;

/** Every five minutes. */
const points = (values: readonly number[], power: (index: number) => number | null = () => null) =>
  values.map(
    (intensity_w_m2, index): IntensityPoint => ({
      ...{ at_ms: START_MS + index * 5 * MINUTE_MS, intensity_w_m2, power_pct: power(index) },
    }),
  );

const SCATTER = [0.6, -1.1, 0.4, 1.7, -0.3, -0.9, 1.2, 0.1, -40, 0.8, -0.5, 0.2];
/** 12 W/m2 an hour down to 400, with scatter and one reading in a backflush. */
const falling = SCATTER.map((off, index) => 400 - 12 * ((index - 11) / 12) + off);

describe("the time to the limit", () => {
  test("of a straight fall of 10 W/m2 an hour from 500 is 24.8 h to 252, without a doubt", () => {
    const values = Array.from({ length: 13 }, (_, index) => 500 + (12 - index) * (10 / 12));
    const line = intensityLine(points(values));
    const found = line === null ? null : hoursToLimit(line, 252);
    const near = expect.closeTo(24.8, 9);
    expect(found).toEqual({ hours: near, low_h: near, high_h: near });
  });

  test("has the slope of Theil, and the interval of Sen", () => {
    const line = intensityLine(points(falling));
    expect(line).toMatchObject({
      ...{ points: 12, slope: expect.closeTo(-12.578181818, 6) },
      ...{ slope_low: expect.closeTo(-15.6, 6), slope_high: expect.closeTo(-10.4, 6) },
    });
    expect(line === null ? null : hoursToLimit(line, 380)).toEqual({
      hours: expect.closeTo(1.585031801, 6),
      low_h: expect.closeTo(1.173076923, 6),
      high_h: expect.closeTo(1.983974359, 6),
    });
  });

  test("isn't told where the interval of the slope holds no fall", () => {
    const flat = intensityLine(points(SCATTER.map((off) => 400 + off)));
    expect(flat === null ? null : hoursToLimit(flat, 252)).toBe("no_fall");
    const rising = intensityLine(points(falling.toReversed()));
    expect(rising === null ? null : hoursToLimit(rising, 252)).toBe("no_fall");
  });

  test("isn't told below the limit, nor from few readings or half an hour of them", () => {
    const line = intensityLine(points(falling));
    expect(line === null ? null : hoursToLimit(line, 400)).toBe("at_limit");
    expect(intensityLine(points(falling.slice(0, 7)))).toBeNull();
    const close = points(falling).map((point, index) => ({
      ...point,
      at_ms: START_MS + index * 2 * MINUTE_MS,
    }));
    expect(intensityLine(close)).toBeNull();
    expect(intensityLine([])).toBeNull();
  });

  test("rests on readings with the lamps' present power alone", () => {
    const dimmed = [...Array.from({ length: 12 }, () => 700), ...falling];
    const line = intensityLine(points(dimmed, (index) => (index < 12 ? 95 : 70)));
    expect(line).toMatchObject({ points: 12, slope: expect.closeTo(-12.578181818, 6) });
  });

  test("of a second's readings takes medians of a minute", () => {
    const each = Array.from({ length: 3600 }, (_, second) => ({
      ...{ at_ms: START_MS + second * 1000, power_pct: null },
      intensity_w_m2: 400 - second / 360 + (second % 2 === 0 ? 5 : -5),
    }));
    const line = intensityLine(each);
    expect(line?.points).toBeLessThanOrEqual(61);
    expect(line?.slope).toBeCloseTo(-10, 1);
  });
});

describe("the volume of an operation", () => {
  const at = (minute: number) => START_MS + minute * MINUTE_MS;
  const gap_ms = 15 * MINUTE_MS;

  test("is what the totaliser ran on by, else the flow over time, else not known", () => {
    const told = [0, 3, 6, 9].map((minute) => {
      return { at_ms: at(minute), total_m3: 5000 + minute * 10, flow_m3_h: 600 + minute * 20 };
    });
    expect(volumeOf(told, gap_ms)).toEqual({ volume_m3: 90, by: "totaliser" });
    const reset = told.with(2, { ...told[2], total_m3: 3 });
    // (600 + 660) / 2 x 3 min, and so on.
    expect(volumeOf(reset, gap_ms)).toEqual({ volume_m3: expect.closeTo(103.5, 9), by: "flow" });
    const blind = told.map((one) => ({ ...one, total_m3: null, flow_m3_h: null }));
    expect(volumeOf(blind, gap_ms)).toBeNull();
    expect(volumeOf(told.slice(0, 1), gap_ms)).toBeNull();
  });

  test("isn't made up over a gap in the flow", () => {
    const flow = [0, 3, 60, 63].map((minute) => ({
      ...{ at_ms: at(minute), total_m3: null, flow_m3_h: 600 },
    }));
    expect(volumeOf(flow, gap_ms)).toBeNull();
  });
});

test("an operation can be finished if light lasts and no lamp fails in what is left of it", () => {
  const asked: Parameters<typeof finishOf>[0] = {
    verdict: "within_limit",
    ...{ left_m3: 3000, flow_m3_h: 600, failing: () => [] },
    toLimit: { hours: 8, low_h: 6, high_h: 10 },
  };
  expect(finishOf(asked)).toMatchObject({ hours_left: 5, can_finish: "yes" });
  const risky = finishOf({ ...asked, failing: (hours) => (hours >= 5 ? [3] : []) });
  expect(risky).toMatchObject({ can_finish: "perhaps", lamps_at_risk: [3] });
  expect(finishOf({ ...asked, failing: (hours) => (hours > 5 ? [3] : []) }).can_finish).toBe("yes");
  expect(finishOf({ ...asked, left_m3: 4200 }).can_finish).toBe("perhaps");
  expect(finishOf({ ...asked, left_m3: 6600 }).can_finish).toBe("no");
  expect(finishOf({ ...asked, toLimit: "below_limit" }).can_finish).toBe("no");
  expect(finishOf({ ...asked, toLimit: "at_limit" }).can_finish).toBe("perhaps");
  expect(finishOf({ ...asked, toLimit: "no_fall" }).can_finish).toBe("yes");
  expect(finishOf({ ...asked, toLimit: "too_few" }).can_finish).toBe("unknown");
  expect(finishOf({ ...asked, verdict: "not_judged" }).can_finish).toBe("unknown");
  expect(finishOf({ ...asked, verdict: "below_limit" }).can_finish).toBe("no");
  const unknown = finishOf({ ...asked, flow_m3_h: 0 });
  expect(unknown).toMatchObject({ hours_left: null, can_finish: "unknown" });
});
