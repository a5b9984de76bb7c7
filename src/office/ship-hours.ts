// The hours that a ship sent, as points of a curve, and days made from them. A day's mean weighs
// each hour by its number of readings; of a counter the day's last value counts.

import { AGGREGATED, AGGREGATES, TAGS } from "../bwts/tags.ts";
import { DAY_MS, floorTo, HOUR_MS, printTime } from "../ground/clock.ts";
import type { ClosedRange } from "../sqlite/file/query.ts";
import type { Office } from "./office.ts";
import { requireShip } from "./ship-detail.ts";

export interface HoursQuery {
  readonly ship: string;
  readonly range: ClosedRange;
  readonly interval: "hour" | "day";
  /** Indices into `AGGREGATED` of the wanted values. */
  readonly places: readonly number[];
}

/** A row of office.hour_values. */
interface HourValues {
  readonly start_ms: number;
  readonly count: number | null;
  readonly values: readonly (number | null)[];
}

/** The points in order of time; a time without an hour has none. */
export async function shipHours(office: Office, asked: HoursQuery): Promise<readonly object[]> {
  const { ship, range, interval, places } = asked;
  await requireShip(office, ship);
  const { start_ms, end_ms } = range;
  const told = await office.ask<HourValues>("office.hour_values", [
    ...[ship, keyOf(start_ms), keyOf(end_ms), places],
  ]);
  const hours = told.filter(isHour);
  const rows = interval === "hour" ? hours : daysOf(hours, places);
  return rows.map(({ start_ms, count, values }) => ({
    ...{ timestamp: printTime(start_ms), count },
    ...Object.fromEntries(
      places.map((place, position) => [TAGS[AGGREGATED[place]].name, values[position] ?? null]),
    ),
  }));
}

/** True for a possible hour: a ship with a stolen key may send anything. */
function isHour({ start_ms, count }: HourValues): boolean {
  return start_ms % HOUR_MS === 0 && (count ?? 0) >= 0;
}

/** Range of times whose keys of 13 digits sort in order of time: September 2001 to 2286. */
const KEY_MIN_MS = 1e12;
const KEY_MAX_MS = 1e13 - 1;
const keyOf = (at_ms: number) => `${Math.min(KEY_MAX_MS, Math.max(KEY_MIN_MS, at_ms))}`;

function daysOf(hours: readonly HourValues[], places: readonly number[]): readonly HourValues[] {
  const byDay = Map.groupBy(hours, ({ start_ms }) => floorTo(start_ms, DAY_MS));
  return [...byDay].map(([start_ms, day]) => ({
    start_ms,
    count: day.reduce((sum, { count }) => sum + (count ?? 0), 0),
    values: places.map((place, position) => {
      const known = day.flatMap(({ count, values }) => {
        const value = values[position] ?? null;
        return value === null || count === null ? [] : [{ value, count }];
      });
      return dayValue(known, AGGREGATES[place]);
    }),
  }));
}

interface Weighed {
  readonly value: number;
  readonly count: number;
}

function dayValue(known: readonly Weighed[], how: (typeof AGGREGATES)[number]): number | null {
  if (known.length === 0) return null;
  if (how === "last") return known.at(-1)?.value ?? null;
  if (how === "max") return Math.max(...known.map(({ value }) => value));
  const readings = known.reduce((sum, { count }) => sum + count, 0);
  const sum = known.reduce((all, { value, count }) => all + value * count, 0);
  return readings > 0 ? sum / readings : null;
}
