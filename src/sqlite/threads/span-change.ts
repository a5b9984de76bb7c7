// Puts spans into force at a start. If they change which values are believed, the stored hours and
// days are recomputed in the same transaction, and data derived from these readings becomes due: so
// both agree at every commit, also after an upgrade from a version that believed every value.

import { doubts, isPlausible, type Spans } from "../../bwts/plausible.ts";
import { qualifiedBy } from "../../bwts/quality-names.ts";
import { type Span, TAGS } from "../../bwts/tags.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../ground/clock.ts";
import type { DueList } from "../derived/due.ts";
import { type Connection, prepare, write } from "../file/open.ts";
import { areSpansOld, putSpans, spansInForce } from "../sealed/spans.ts";
import { sumDayAgain, sumHourAgain } from "../sealed/sums.ts";
import { TAG_NAMES_MAX } from "../sealed/tag-names.ts";
import { type BlockRun, STORED_UNDAMAGED, timeline } from "../sealed/timeline.ts";

const ALWAYS = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };

/** Puts `spans` into force; returns the number of readings whose believed values change. */
export function changeSpans(db: Connection, spans: Spans, due: Pick<DueList, "changed">): number {
  const before = areSpansOld(db) ? null : spansInForce(db);
  if (before !== null && spans.every((span, tag) => isSame(span, before[tag]))) return 0;
  return write(db, () => {
    const instants = [...changedInstants(db, before, spans)];
    putSpans(db, spans);
    for (const start_ms of startsOf(instants, HOUR_MS)) sumHourAgain(db, start_ms);
    for (const start_ms of startsOf(instants, DAY_MS)) sumDayAgain(db, start_ms);
    due.changed({ of: "readings", instants });
    return instants.length;
  });
}

function isSame(one: Span | null, other: Span | null): boolean {
  return one?.[0] === other?.[0] && one?.[1] === other?.[1];
}

function startsOf(instants: readonly number[], width_ms: number): ReadonlySet<number> {
  return new Set(instants.map((at_ms) => floorTo(at_ms, width_ms)));
}

/** The times of readings with a value that only one of the two spans believes. */
function* changedInstants(db: Connection, before: Spans | null, after: Spans): Generator<number> {
  const names = prepare(db, "tag.names").all({});
  // If the maximum number of names is stored, one may be missing there.
  const mayHave =
    names.length >= TAG_NAMES_MAX || names.some(({ name }) => qualifiedBy(name) !== null);
  const hasQuality = before === null && mayHave;
  for (const run of timeline(db, ALWAYS, STORED_UNDAMAGED))
    if (hasQuality) yield* doubted(run, after);
    else yield* differing(run, before, after);
}

/** The times of readings with any doubt, after a version that ignored quality. */
function* doubted({ block, from, to }: BlockRun, after: Spans): Generator<number> {
  for (let index = from; index < to; index += 1)
    if (doubts(block.reading(index), after).size > 0) yield block.at_ms(index);
}

function* differing(
  { block, from, to }: BlockRun,
  before: Spans | null,
  after: Spans,
): Generator<number> {
  const differs = new Uint8Array(to - from);
  for (const [tag, { span }] of TAGS.entries()) {
    const [then, now] = [before?.[tag] ?? null, after[tag]];
    if (span === null || isSame(then, now)) continue;
    const value = block.values(tag);
    for (let index = from; index < to; index += 1) {
      const found = value(index);
      if (isPlausible(found, then) !== isPlausible(found, now)) differs[index - from] = 1;
    }
  }
  for (let place = 0; place < differs.length; place += 1)
    if (differs[place] === 1) yield block.at_ms(from + place);
}
