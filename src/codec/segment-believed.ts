// The believed values of a segment (bwts/plausible.ts), column by column. A column in which all
// values are plausible and of good quality, as nearly all are, is found by its extremes, and then
// costs nothing a row.

import { derivedFromLamps, FROM_LAMPS, isDerivedField } from "../bwts/merge.ts";
import { BESIDE_QUALITY, isPlausible, plausibleValue, type Spans } from "../bwts/plausible.ts";
import { isGoodTag } from "../bwts/quality.ts";
import { qualifiedBy } from "../bwts/quality-names.ts";
import type { Value } from "../bwts/reading.ts";
import { type Span, TAGS } from "../bwts/tags.ts";
import { type Column, valueAt, valuesOf } from "./column.ts";
import { unscaled } from "./decimal.ts";
import type { Segment } from "./segment-reader.ts";

/** Gives the believed value of a field at a row; null where all values are believed. */
export type BelievedValues = (tag: number) => ((row: number) => Value) | null;

/** The believed values of `segment` under `spans`. */
export function believedValues(segment: Segment, spans: Spans): BelievedValues {
  const qualities = qualitiesOf(segment);
  const known = new Map<number, ReturnType<BelievedValues>>();
  const believedOf = (tag: number) => {
    const found = known.get(tag);
    if (found !== undefined) return found;
    const sources = FROM_LAMPS.get(tag);
    const own = ownValues(tag);
    const made = sources === undefined ? own : lampsValues(tag, sources, own);
    known.set(tag, made);
    return made;
  };
  /** The believed values by the field's own span and quality. */
  const ownValues = (tag: number): ReturnType<BelievedValues> => {
    const column = segment.column(tag);
    const span = spans[tag];
    const isBad = qualities(tag);
    if (isBad === null && isAllPlausible(column, span)) return null;
    const value = valuesOf(column);
    return (row) => {
      const raw = value(row);
      return isPlausible(raw, span) && isBad?.(row) !== true ? raw : null;
    };
  };
  /** Derives a field from lamps again if one of them isn't believed. */
  const lampsValues = (
    tag: number,
    sources: readonly number[],
    own: ReturnType<BelievedValues>,
  ): ReturnType<BelievedValues> => {
    const doubtful = sources.some((source) => believedOf(source) !== null);
    if (!doubtful) return own;
    const raws = sources.map((source) => valuesOf(segment.column(source)));
    const lamps = sources.map((source, index) => believedOf(source) ?? raws[index]);
    const value = own ?? valuesOf(segment.column(tag));
    const values = new Array<Value>(TAGS.length).fill(null);
    return (row) => {
      let isWhole = true;
      for (const [index, source] of sources.entries()) {
        values[source] = lamps[index](row);
        if (values[source] !== raws[index](row)) isWhole = false;
      }
      if (isWhole || !isDerivedField(segment.derived(row), tag)) return value(row);
      return plausibleValue(derivedFromLamps(tag, values), tag, spans);
    };
  };
  return believedOf;
}

/** Returns a function that gives a field's test for rows of bad quality; null without such rows. */
function qualitiesOf(segment: Segment): (tag: number) => ((row: number) => boolean) | null {
  const told = segment.extraNames.flatMap((name, position) => {
    const qualified = qualifiedBy(name);
    return qualified === null ? [] : [{ name, position, qualified }];
  });
  if (told.length === 0) return () => null;
  const bad = told.flatMap(({ name, position, qualified }) => {
    const column = segment.extra(position);
    const isGood = (row: number) => {
      const quality = valueAt(column, row);
      return quality === null || isGoodTag(name, quality);
    };
    const isAllGood = Array.from({ length: column.count }, (_, row) => row).every(isGood);
    return isAllGood ? [] : [{ qualified, isBad: (row: number) => !isGood(row) }];
  });
  return (tag) => {
    const own = bad.filter(({ qualified }) =>
      qualified === "all" ? !BESIDE_QUALITY.has(tag) : qualified.includes(tag),
    );
    return own.length === 0 ? null : (row) => own.some(({ isBad }) => isBad(row));
  };
}

/** True if the extremes are plausible, and no value can be the code of a broken wire. */
function isAllPlausible(column: Column, span: Span | null): boolean {
  if (span === null) return true;
  const { integers, doubles, decimal } = column;
  if (doubles.length > 0) return false;
  if (integers.length === 0) return true;
  let [low, high] = [integers[0], integers[0]];
  for (let row = 1; row < integers.length; row += 1) {
    const value = integers[row];
    if (value < low) low = value;
    else if (value > high) high = value;
  }
  const [lowest, highest] = [unscaled(low, decimal), unscaled(high, decimal)];
  const isWithoutCodes = highest < 32767 && lowest > -32768;
  return isWithoutCodes && isPlausible(lowest, span) && isPlausible(highest, span);
}
