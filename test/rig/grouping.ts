// GROUP BY, recomputed: what hours, days and months of readings come to.

import { AGGREGATED, LAMP_NUMBERS, TAGS } from "../../src/bwts/tags.ts";
import {
  type ExpectedReading,
  isNear,
  isWithinSpan,
  mean,
  printed,
  type Value,
} from "./logbook.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export type Interval = "hour" | "day";

/** Both ends included. */
export interface Span {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** An aggregated row as it must be answered: its members in order. */
export type ExpectedRow = ReadonlyMap<string, number | string | null>;

const aggregated = AGGREGATED.map((index) => TAGS[index]);

export function within<Timed extends { readonly at_ms: number }>(
  items: readonly Timed[],
  { start_ms, end_ms }: Span,
): readonly Timed[] {
  return items.filter(({ at_ms }) => at_ms >= start_ms && at_ms <= end_ms);
}

/** Items by the start of their hour or day, ascending. */
export function grouped<Timed extends { readonly at_ms: number }>(
  items: readonly Timed[],
  interval: Interval,
): readonly [start_ms: number, items: readonly Timed[]][] {
  const width_ms = interval === "hour" ? HOUR_MS : DAY_MS;
  const groups = Map.groupBy(items, ({ at_ms }) => Math.floor(at_ms / width_ms) * width_ms);
  return [...groups].sort(([a], [b]) => a - b);
}

/** The rows of the readings given, which are in time order. */
export function expectedRows(
  readings: readonly ExpectedReading[],
  interval: Interval,
): readonly ExpectedRow[] {
  return grouped(readings, interval).map(([start_ms, group]) => {
    const row = new Map<string, number | string | null>([["timestamp", printed(start_ms)]]);
    for (const { name, aggregate } of aggregated) {
      const values = numbersOf(group, name);
      if (values.length === 0) row.set(name, null);
      else if (aggregate === "max") row.set(name, Math.max(...values));
      else if (aggregate === "last") row.set(name, values[values.length - 1]);
      else row.set(name, mean(values));
    }
    return row.set("recordCount", group.length);
  });
}

/** The readings' plausible values of `name`, in their order; means of lamps are of such. */
export function numbersOf(readings: readonly ExpectedReading[], name: string): readonly number[] {
  return readings
    .map(({ members, derived }) =>
      name === LAMP_MEAN && derived.has(name)
        ? mean(LAMPS.flatMap((lamp) => plausible(lamp, members.get(lamp))))
        : members.get(name),
    )
    .flatMap((value) => plausible(name, value));
}

const LAMP_MEAN = "AVG_LAMP_EFFICIENCY";
const LAMPS = LAMP_NUMBERS.map((number) => `LAMP_${number}_EFFICIENCY`);

/** The value alone if a plant can have it, else nothing. */
const plausible = (name: string, value: unknown): readonly number[] =>
  typeof value === "number" && isWithinSpan(name, value) ? [value] : [];

const isMean = new Map(aggregated.map(({ name, aggregate }) => [name, aggregate === "mean"]));

/** The problems with answered rows; the first few suffice. */
export function rowProblems(
  expected: readonly ExpectedRow[],
  answered: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  const starts = (timestamps: readonly unknown[]) => timestamps.join(" ");
  const expectedStarts = starts(expected.map((row) => row.get("timestamp")));
  const answeredStarts = starts(answered.map((row) => row.timestamp));
  if (expectedStarts !== answeredStarts)
    return [`got buckets ${answeredStarts}, expected ${expectedStarts}`];
  return expected
    .flatMap((row, index) => {
      const { timestamp, ...members } = answered[index];
      const keys = ["timestamp", ...Object.keys(members)].join();
      const wrong = [...row].filter(([name, value]) =>
        isMean.get(name) === true
          ? !isNear(value, answered[index][name], { absolute: 1e-4, relative: 1e-9 })
          : !Object.is(value, answered[index][name]),
      );
      return [
        ...(keys === [...row.keys()].join() ? [] : [`${timestamp}: members ${keys}`]),
        ...wrong.map(
          ([name, value]) =>
            `${timestamp} ${name}: got ${answered[index][name]}, expected ${value}`,
        ),
      ];
    })
    .slice(0, 5);
}

/** An answered reading as what its hour and day are summed up from. */
export function asExpected(reading: Readonly<Record<string, unknown>>): ExpectedReading {
  const members = Object.entries(reading).filter((member): member is [string, Value | null] =>
    ["number", "string", "boolean", "object"].includes(typeof member[1]),
  );
  return {
    at_ms: Date.parse(String(reading.timestamp)),
    members: new Map(members),
    unknown: new Map(),
    derived: new Set(),
  };
}
