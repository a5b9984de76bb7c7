// The plant's newest values. PLCs that send each lamp with a time of its own make many readings a
// cycle: so each field's newest value of the last minutes counts, not the newest reading alone. A
// field that none of them has is null, and so is one whose newest value isn't believed: an older
// good value would hide a broken sensor.

import { COUNTER_TAGS, counterInOtherUnit } from "../../bwts/lamps/fields.ts";
import { gatheredValues } from "../../bwts/merge.ts";
import { type Doubt, doubts } from "../../bwts/plausible.ts";
import type { Reading, Value } from "../../bwts/reading.ts";
import { MINUTE_MS } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import { spansInForce } from "../sealed/spans.ts";
import { timeline, UNDAMAGED } from "../sealed/timeline.ts";

/** A field's newest value is looked for this far back, in at most so many readings. */
const BACK_MS = 15 * MINUTE_MS;
const READINGS_MAX = 64;

/** The newest value of each field, and its time; null where none has one. */
export interface NewestValues {
  /** Time of the newest reading. */
  readonly at_ms: number;
  readonly values: readonly Value[];
  readonly times: readonly (number | null)[];
  /** The newest values that aren't believed, and are null above. */
  readonly doubted: readonly DoubtedValue[];
}

/** A value that isn't believed, of the field with index `tag`. */
export interface DoubtedValue {
  readonly tag: number;
  readonly value: Value;
  readonly why: Doubt;
}

/** A number that came with the newest reading, or at most a silence before it. */
export function freshNumber(found: NewestValues, index: number, silence_ms: number): number | null {
  const value = found.values[index];
  return typeof value === "number" && isFresh(found, index, silence_ms) ? value : null;
}

/** True if a value is as new as the newest reading, but for a silence. */
export function isFresh(
  { at_ms, times }: NewestValues,
  index: number,
  silence_ms: number,
): boolean {
  const time_ms = times[index];
  return time_ms !== null && at_ms - time_ms <= silence_ms;
}

/** The newest values up to the reading at `at_ms`. */
export function newestValues(db: Connection, at_ms: number): NewestValues {
  const readings = [];
  for (const { block, from, to } of timeline(
    db,
    { start_ms: at_ms - BACK_MS, end_ms: at_ms },
    UNDAMAGED,
  ))
    for (let index = Math.max(from, to - READINGS_MAX); index < to; index += 1)
      readings.push(block.reading(index));
  const spans = spansInForce(db);
  const doubtsOf = new Map<Reading, ReadonlyMap<number, Doubt>>();
  const whyNot = (reading: Reading, index: number): Doubt | null => {
    const known = doubtsOf.get(reading) ?? (spans === null ? new Map() : doubts(reading, spans));
    doubtsOf.set(reading, known);
    return known.get(index) ?? null;
  };
  const newest = gatheredValues(
    readings.slice(-READINGS_MAX).reverse(),
    (reading, index) => whyNot(reading, index) === null,
  );
  const doubted = newest.flatMap(({ value, reading }, tag): DoubtedValue[] => {
    const why = reading === null ? null : whyNot(reading, tag);
    if (reading === null || why === null || value !== null) return [];
    return [{ tag, value: reading.values[tag], why }];
  });
  const values = newest.map(({ value }) => value);
  for (const { tag, value } of doubted.filter(isCounter)) values[tag] = value;
  return {
    at_ms,
    values,
    times: newest.map(({ reading }) => reading?.at_ms ?? null),
    doubted: doubted.filter((one) => !isCounter(one)),
  };
}

/** A lamp's counter in minutes or seconds, which is shown in hours when its unit is known. */
function isCounter({ tag, value, why }: DoubtedValue): boolean {
  return why === "implausible" && COUNTER_TAGS.includes(tag) && counterInOtherUnit(value) !== null;
}
