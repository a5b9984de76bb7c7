// Readings and parts of readings, written with the catalogue's names.

import type { Reading, ReadingPart, Scalar, Value } from "../../src/bwts/reading.ts";
import { TAGS, tagIndex } from "../../src/bwts/tags.ts";

export type Named = Readonly<Record<string, Scalar>>;

/** A part that says `named`; names that the catalogue doesn't know are unknown tags. */
export function partOf(at_ms: number, named: Named): ReadingPart {
  const values: Value[] = TAGS.map(() => null);
  const extra = new Map<string, Scalar>();
  for (const [name, value] of Object.entries(named)) {
    const index = tagIndex(name);
    if (index === null) extra.set(name, value);
    else values[index] = value;
  }
  return { at_ms, values, extra, timed_by_receipt: false };
}

/** A reading of `named` alone: nothing derived. */
export function readingOf(at_ms: number, named: Named): Reading {
  const { values, extra } = partOf(at_ms, named);
  return { at_ms, received_ms: at_ms, clock_trusted: true, values, extra, derived: 0 };
}

/** A reading by name: catalogue fields, then unknown tags, in alphabetical order. */
export function namesOf(
  reading: Pick<Reading, "values" | "extra">,
): Readonly<Record<string, Value>> {
  const known = reading.values.flatMap((value, index): [string, Value][] =>
    value === null ? [] : [[TAGS[index].name, value]],
  );
  return Object.fromEntries([...known, ...reading.extra].sort(([a], [b]) => (a < b ? -1 : 1)));
}
