// Operations of which the truth is known: a plant takes in 800 m3/h and says something else now and
// then. Minutes are counted from the start.

import { expect, test } from "vitest";
import { judged } from "../../src/bwts/judging/judge.ts";
import { printTime } from "../../src/ground/clock.ts";
import { AROUND, at, type PlantReading, runsOf, spanOf, steady } from "./operation-plant.ts";

type Values = PlantReading["values"];
export type KnownReason = readonly [rule: string, from_min: number, to_min: number];
export type Truth = readonly [
  title: string,
  /** Cadence in seconds, length in minutes. */
  plant: readonly [every_s: number, minutes: number],
  /** The values that differ; null: no reading. */
  but: (minute: number) => Values | null,
  verdict: "within_limits" | "outside_limits" | "cannot_tell",
  reasons: readonly KnownReason[],
  volume_m3?: number | null,
];

const MIN_MS = 60_000;
/** Three hours of a reading a minute. */
export const HOUR: readonly [number, number] = [60, 180];

export const during = (minute: number, from: number, to: number) => minute >= from && minute < to;
export const when =
  (from: number, to: number, values: Values, others: Values = {}) =>
  (minute: number): Values =>
    during(minute, from, to) ? values : others;
export const always = (values: Values) => () => values;
/** The totaliser of a constant flow. */
export const total = (minute: number, flow = 800) => ({
  SYS_TOTAL_BALLAST_VOL: 5000 + (flow * minute) / 60,
});
/** Values that move to the digit. */
export const moving = (minute: number): Values => ({
  UVR_WATER_TEMP: 20 + Math.sin(minute),
  SYS_PRESSURE: 3 + Math.cos(minute),
});

/** A test of each. */
export function testTruths(truths: readonly Truth[]): void {
  for (const [title, [every_s, minutes], but, verdict, reasons, volume_m3] of truths)
    test(`${title}: ${verdict}`, () => {
      const [from_ms, to_ms] = [at(10), at(10, minutes)];
      const minuteOf = (at_ms: number) => (at_ms - from_ms) / MIN_MS;
      const readings = steady({
        ...{ from_ms, to_ms, every_ms: every_s * 1000 },
        but: (at_ms) => but(minuteOf(at_ms)),
      });
      const found = judged(spanOf(from_ms, to_ms), runsOf(readings), AROUND);
      const told = found.reasons.map(({ rule, start, end }) => [rule, start, end]);
      const time = (minute: number) => printTime(from_ms + Math.round(minute * MIN_MS));
      expect(told).toEqual(reasons.map(([rule, from, to]) => [rule, time(from), time(to)]));
      expect(found.verdict).toBe(verdict);
      if (volume_m3 === null) expect(found.volume_m3).toBeNull();
      else if (volume_m3 !== undefined) expect(found.volume_m3).toBeCloseTo(volume_m3, 6);
    });
}
