// The runtime analysis: a limited number of readings, spread evenly over a range. A small range is
// answered in full. A large one is covered by the sparsest sufficient thinned blocks. Raw readings
// cover the rest (the ends of the range, hot readings among sealed ones, readings not thinned yet),
// and the answer is picked from both.

import type { JsonWriter } from "../../codec/json-writer.ts";
import type { Connection } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { countedPieces, countOf } from "../sealed/counts.ts";
import { LEVELS, pitchOf } from "../sealed/thin-blocks.ts";
import { type Cover, covered } from "../sealed/thin-cover.ts";
import { type BlockRun, timeline } from "../sealed/timeline.ts";
import { evenPicks } from "./even-picks.ts";

/** Writes one reading. */
type ReadingStep = () => void;

/**
 * At most `max` (2 or more) readings of a range, ascending: all of them, or the first, the last,
 * and others whose gaps, counted in readings, differ by at most a factor of 2. One snapshot, taken
 * at the first step, decides which readings belong to the range.
 */
export function* analysis(
  db: Connection,
  asked: AnalysisBounds,
  out: JsonWriter,
): Generator<ReadingStep> {
  const { runs, plan, total } = db.transaction(() => planOf(db, asked))();
  if (plan === null) yield* exactly(runs, { total, kept: Math.min(total, asked.max) }, out);
  else yield* planned(plan, out);
}

interface AnalysisBounds {
  readonly range: ClosedRange;
  readonly max: number;
}

interface AnalysisPlan {
  readonly covers: readonly Cover[];
  /** Numbers of the readings within the range, ascending. */
  readonly picks: Float64Array;
}

function planOf(db: Connection, asked: AnalysisBounds) {
  const total = countOf(countedPieces(db, asked.range));
  return { total, runs: timeline(db, asked.range), plan: thinnedPlan(db, asked, total) };
}

/** Null if thinned blocks don't help, or aren't where they should be. */
function thinnedPlan(
  db: Connection,
  { range, max }: AnalysisBounds,
  total: number,
): AnalysisPlan | null {
  const level = levelFor((total - 1) / (max - 1));
  if (level === null) return null;
  const covers = covered(db, range, level);
  if (covers.reduce((sum, { count }) => sum + count, 0) !== total) return null;
  if (covers.findLast(({ count }) => count > 0)?.block !== null) return null;
  const ranks = candidates(covers, Math.max(1, pitchOf(level) / RAW_PART));
  const picks = evenPicks(ranks, max);
  return picks === null ? null : { covers, picks: Float64Array.from(picks, (pick) => ranks[pick]) };
}

/** Candidates among readings that aren't thinned, for each row of the thinned level. */
const RAW_PART = 8;

/** The sparsest level with at least twice as many readings as the answer, one each `step`. */
function levelFor(step: number): number | null {
  for (let level = LEVELS - 1; level >= 0; level -= 1) if (pitchOf(level) <= 2 * step) return level;
  return null;
}

/** Numbers of the candidate readings: rows of blocks, and every `stride`-th of the others. */
function candidates(covers: readonly Cover[], stride: number): Float64Array {
  const ranks: number[] = [];
  let before = 0;
  for (const cover of covers) {
    if (cover.block === null)
      for (let place = 0; place < cover.count; place += stride) ranks.push(before + place);
    else {
      const { block, from, to } = cover;
      for (let row = from; row < to; row += 1)
        ranks.push(before + block.ranks[row] - block.ranks[from]);
    }
    before += cover.count;
  }
  if (ranks.at(-1) !== before - 1) ranks.push(before - 1);
  return Float64Array.from(ranks);
}

function* planned({ covers, picks }: AnalysisPlan, out: JsonWriter): Generator<ReadingStep> {
  const left = [...covers].reverse();
  let before = 0;
  let index = 0;
  // Popped, so that a block's memory can be freed after it is written.
  for (let cover = left.pop(); cover !== undefined; cover = left.pop()) {
    const end = before + cover.count;
    let upTo = index;
    while (upTo < picks.length && picks[upTo] < end) upTo += 1;
    const places = picks.slice(index, upTo).map((pick) => pick - before);
    if (cover.block === null) yield* placed(cover.runs, places, out);
    else {
      const { block, from } = cover;
      let row = from;
      for (const place of places) {
        while (block.ranks[row] - block.ranks[from] < place) row += 1;
        const found = row;
        yield () => block.writeAnalysis(found, out);
      }
    }
    before = end;
    index = upTo;
  }
}

/**
 * Without thinned blocks: the i-th pick is reading floor(i (n - 1) / (kept - 1)) of n. First and
 * last are kept, and the gaps differ by at most one.
 */
function exactly(
  runs: Iterable<BlockRun>,
  { total, kept }: { readonly total: number; readonly kept: number },
  out: JsonWriter,
): Generator<ReadingStep> {
  const numberOf = (index: number) =>
    kept < 2 ? index * total : Math.floor((index * (total - 1)) / (kept - 1));
  return placed(
    runs,
    Float64Array.from({ length: kept }, (_, index) => numberOf(index)),
    out,
  );
}

/** Writes the readings of `runs` at the ascending `places`. */
function* placed(
  runs: Iterable<BlockRun>,
  places: Float64Array,
  out: JsonWriter,
): Generator<ReadingStep> {
  let before = 0;
  let index = 0;
  for (const { block, from, to } of runs) {
    for (; index < places.length && places[index] < before + to - from; index += 1) {
      const place = from + places[index] - before;
      yield () => block.writeAnalysis(place, out);
    }
    before += to - from;
    if (index === places.length) return;
  }
}
