// The spans in force, stored as marks: stored hours and days were made with them, and a reader
// takes both from one snapshot. Only ends that differ from the catalogue's are stored, and the
// catalogue's checksum. A database without it is of a version that believed every value.

import { crc32 } from "node:zlib";
import { ownSpans, type Spans, spansOf } from "../../bwts/plausible.ts";
import { type Span, TAGS } from "../../bwts/tags.ts";
import { putMark } from "../file/mark.ts";
import { type Connection, memo, prepare } from "../file/open.ts";

const CATALOGUE = "span.catalogue";
/** Version of the rules besides spans: codes of broken wires, words of quality. */
const RULES = 1;

const ends = ["low", "high"] as const;
const markName = (end: "low" | "high", field: string) => `span.${end}.${field}`;

/** The catalogue's spans, from which the marks store the differences. */
const usual = spansOf({ flow_max_imo: 1000 });
const usualSum = crc32(JSON.stringify([RULES, usual]));

interface KnownSpans {
  readonly key: string;
  readonly spans: Spans | null;
}
const byConnection = new WeakMap<Connection, KnownSpans>();

/** The spans in force, the same array while they don't change; null: every value is believed. */
export function spansInForce(db: Connection): Spans | null {
  return memo(db, "spans", () => {
    const marks = prepare(db, "mark.spans").all({});
    const key = marks.map(({ name, value }) => `${name} ${value}`).join();
    const known = byConnection.get(db);
    if (known?.key === key) return known.spans;
    const spans = spansFrom(new Map(marks.map(({ name, value }) => [name, value])));
    byConnection.set(db, { key, spans });
    return spans;
  });
}

function spansFrom(marks: ReadonlyMap<string, number>): Spans | null {
  if (!marks.has(CATALOGUE)) return null;
  return TAGS.map(({ name }, tag): Span | null => {
    const span = usual[tag];
    if (span === null) return null;
    const [low, high] = ends.map((end, at) => marks.get(markName(end, name)) ?? span[at]);
    return [low, high];
  });
}

/** True if hours and days were made with another catalogue, so that any may differ. */
export function areSpansOld(db: Connection): boolean {
  return prepare(db, "mark.at").get({ name: CATALOGUE })?.value !== usualSum;
}

/** Stores the spans, in the transaction that recomputes hours and days. */
export function putSpans(db: Connection, spans: Spans): void {
  for (const { name } of prepare(db, "mark.spans").all({}))
    prepare(db, "mark.remove").run({ name });
  putMark(db, CATALOGUE, usualSum);
  for (const [field, ...span] of ownSpans(spans))
    for (const [at, end] of ends.entries()) putMark(db, markName(end, field), span[at]);
}
