// The plant's newest values. PLCs that send each lamp with a time of its own make many readings per
// cycle: so the newest value of each field in the last minutes counts, not the newest reading
// alone. A field without a value is null, and so is one whose newest value isn't believed: an older
// good value would hide a broken sensor. A value is present only if no newer reading of the same
// kind lacks it.

import { COUNTER_TAGS, counterInOtherUnit } from "../../bwts/light/lamp-fields.ts";
import { gatheredValues } from "../../bwts/merge.ts";
import { believed, type Doubt, doubts } from "../../bwts/plausible.ts";
import type { PresentValue } from "../../bwts/present/lacking.ts";
import { median } from "../../bwts/ranks.ts";
import type { Reading, Value } from "../../bwts/reading.ts";
import { indexOfTag, lampTags } from "../../bwts/tags.ts";
import { PLANT_FIELDS } from "../../bwts/treating.ts";
import { MINUTE_MS } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import { spansInForce } from "../sealed/spans.ts";
import { timeline, UNDAMAGED } from "../sealed/timeline.ts";

/** Maximum time, and number of readings, in which a field's newest value is searched. */
const BACK_MS = 15 * MINUTE_MS;
const READINGS_MAX = 1000;

/** The newest value of each field, and its time; null if there is none. */
export interface NewestValues {
  /** Time of the newest reading. */
  readonly at_ms: number;
  readonly values: readonly Value[];
  readonly times: readonly (number | null)[];
  /** The newest values that aren't believed; they are null in `values`. */
  readonly doubted: readonly DoubtedValue[];
  /** The readings searched, newest first, without values that aren't believed. */
  readonly readings: readonly Reading[];
}

/** A value that isn't believed, of the field with index `tag`. */
export interface DoubtedValue {
  readonly tag: number;
  readonly value: Value;
  readonly why: Doubt;
}

/**
 * A present number: from the newest reading of its kind, at most `silence_ms` older than the newest
 * reading.
 */
export function toldNumber(found: NewestValues, index: number, silence_ms: number): PresentValue {
  const doubt = found.doubted.find(({ tag }) => tag === index)?.why ?? null;
  const value = found.values[index];
  const isOfNow = isFresh(found, index, silence_ms) && !isLeftOut(found, index);
  if (!isOfNow || doubt !== null || typeof value !== "number")
    return { value: null, doubt: isOfNow ? doubt : null };
  return { value, doubt: null };
}

const FAILED_COUNT = indexOfTag("FAILED_LAMP_COUNT");
const STATUSES = lampTags("STATUS");
/** Fields of words, which a plant sends with each reading, or only on change. */
const HELD = [indexOfTag("PROCESS_STATE"), indexOfTag("COMPLIANCE_MODE"), ...STATUSES];
/**
 * Maximum number of readings with a word that is sent only on change, if no two consecutive ones
 * repeat it.
 */
const ON_CHANGE_MAX = 4;
/**
 * Number of its own usual cadences after which a word counts as lost, as when an operation is
 * judged.
 */
const CADENCES = 5;

/**
 * The newest values, but null for a word that was sent steadily and is no longer sent, and for a
 * failed count of 0 if a lamp's status was lost so.
 */
export function withoutLost(found: NewestValues, silence_ms: number): NewestValues {
  const values = [...found.values];
  for (const tag of HELD) {
    const known = found.readings.filter((one) => one.values[tag] !== null);
    const last_ms = known[0]?.at_ms;
    const isRow = found.readings.some(
      ({ values: is }, place) =>
        is[tag] !== null && is[tag] === found.readings[place + 1]?.values[tag],
    );
    if (last_ms === undefined || !(isRow || known.length > ON_CHANGE_MAX)) continue;
    const steps = known.slice(1).map(({ at_ms }, place) => known[place].at_ms - at_ms);
    const lost_ms = Math.max(silence_ms, CADENCES * median(steps));
    if (found.at_ms - last_ms <= lost_ms) continue;
    values[tag] = null;
    if (STATUSES.includes(tag) && values[FAILED_COUNT] === 0) values[FAILED_COUNT] = null;
  }
  return { ...found, values };
}

/** True if a newer reading of the same kind lacks the field. */
function isLeftOut({ readings, times }: NewestValues, index: number): boolean {
  const place = readings.findIndex(({ at_ms }) => at_ms === times[index]);
  // Readings are of the same kind if they have one of these fields in common.
  const kinds = PLANT_FIELDS.filter(
    (kind) => kind !== index && readings[place]?.values[kind] !== null,
  );
  return readings
    .slice(0, Math.max(0, place))
    .some(({ values }) => kinds.some((kind) => values[kind] !== null));
}

/** True if a value is at most a silence older than the newest reading. */
function isFresh({ at_ms, times }: NewestValues, index: number, silence_ms: number): boolean {
  const time_ms = times[index];
  return time_ms !== null && at_ms - time_ms <= silence_ms;
}

/** The newest values up to the reading at `at_ms`, from readings received since `since_ms`. */
export function newestValues(db: Connection, at_ms: number, since_ms = 0): NewestValues {
  const readings: Reading[] = [];
  for (const { block, from, to } of timeline(
    db,
    { start_ms: at_ms - BACK_MS, end_ms: at_ms },
    UNDAMAGED,
  ))
    for (let index = Math.max(from, to - READINGS_MAX); index < to; index += 1)
      if (since_ms === 0 || block.received_ms(index) >= since_ms)
        readings.push(block.reading(index));
  const spans = spansInForce(db);
  const doubtsOf = new Map<Reading, ReadonlyMap<number, Doubt>>();
  const whyNot = (reading: Reading, index: number): Doubt | null => {
    const known = doubtsOf.get(reading) ?? (spans === null ? new Map() : doubts(reading, spans));
    doubtsOf.set(reading, known);
    return known.get(index) ?? null;
  };
  const newestFirst = readings.slice(-READINGS_MAX).reverse();
  const newest = gatheredValues(newestFirst, (reading, index) => whyNot(reading, index) === null);
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
    readings: newestFirst.map((one) => (spans === null ? one : believed(one, spans))),
  };
}

/**
 * True for a lamp's counter in minutes or seconds, which is shown in hours once its unit is known.
 */
function isCounter({ tag, value, why }: DoubtedValue): boolean {
  return why === "implausible" && COUNTER_TAGS.includes(tag) && counterInOtherUnit(value) !== null;
}
