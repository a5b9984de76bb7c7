// The runtime analysis: a limited number of readings, spread evenly over a range. A small range is
// answered in full. From a large one, only readings in the thinned parts of their segments are
// picked, so that few bytes are opened: first their numbers, from the counts of segments alone,
// then the readings.

import { writeAnalysis } from "../../codec/json.ts";
import type { JsonWriter } from "../../codec/json-writer.ts";
import type { Connection } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import type { Block, BlockStretch } from "../sealed/block.ts";
import { evenPicks } from "../sealed/even-picks.ts";
import type { TimedRun } from "../sealed/sweep.ts";
import { THIN_PITCH, THIN_PITCHES } from "../sealed/thin-part.ts";
import { type UnopenedReadings, unopenedTimeline } from "../sealed/timeline.ts";

/** Writes some readings, with commas between them. */
type ReadingsStep = () => void;

interface AnalysisBounds {
  readonly range: ClosedRange;
  readonly max: number;
}

/**
 * At most `max` (2 or more) readings of a range, ascending: all of them, or the first, the last,
 * and others whose gaps, counted in readings, differ by at most a factor of 2. One snapshot, taken
 * at the first step, decides which readings belong to the range.
 */
export function* analysis(
  db: Connection,
  { range, max }: AnalysisBounds,
  out: JsonWriter,
): Generator<ReadingsStep> {
  const { runs, picks } = db.transaction(() => {
    const walk = unopenedTimeline(db, range);
    const stretches = Array.from(walk(), ({ from, to }) => ({ from, to }));
    return { runs: walk(), picks: picksOf(stretches, max) };
  })();
  let before = 0;
  let index = 0;
  for (const run of runs) {
    const { from, to } = run;
    const places: number[] = [];
    for (; index < picks.length && picks[index] < before + to - from; index += 1)
      places.push(from + picks[index] - before);
    if (places.length > 0) yield* written(run, places, out);
    if (index === picks.length) return;
    before += to - from;
  }
}

/** Numbers of the readings to answer with, among all in the `stretches`; ascending. */
function picksOf(stretches: readonly BlockStretch[], max: number): ArrayLike<number> {
  const total = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  if (total <= max) return Float64Array.from({ length: total }, (_, index) => index);
  const stride = strideFor((total - 1) / (max - 1));
  const ranks = stride === null ? null : candidates(stretches, stride);
  const picks = ranks === null ? null : evenPicks(ranks, max);
  if (ranks !== null && picks !== null) return picks.map((pick) => ranks[pick]);
  return Float64Array.from({ length: max }, (_, index) =>
    Math.floor((index * (total - 1)) / (max - 1)),
  );
}

/**
 * The distance of candidates within a segment if one reading in `step` is picked; null if the
 * thinned parts have fewer than half as many.
 */
function strideFor(step: number): number | null {
  if (THIN_PITCH > 2 * step) return null;
  let stride = THIN_PITCH;
  while (2 * stride <= step) stride *= 2;
  return stride;
}

/** Numbers of the candidates: the first reading, the last, and each `stride`-th of a segment. */
function candidates(stretches: readonly BlockStretch[], stride: number): Float64Array {
  const ranks = [0];
  let before = 0;
  for (const { from, to } of stretches) {
    for (let place = Math.ceil(from / stride) * stride; place < to; place += stride)
      if (before + place > from) ranks.push(before + place - from);
    before += to - from;
  }
  if (ranks.at(-1) !== before - 1) ranks.push(before - 1);
  return Float64Array.from(ranks);
}

/**
 * Minimum number of a block's readings for which its columns are prepared; fewer are faster value
 * by value.
 */
const PREPARED_MIN = 24;

/** Number of readings a step writes: a step of its own for each made a third of all garbage. */
const STEP_READINGS = 64;

function* written(
  { block }: TimedRun<UnopenedReadings>,
  places: readonly number[],
  out: JsonWriter,
): Generator<ReadingsStep> {
  const thinned = THIN_PITCHES.find((pitch) => places.every((place) => place % pitch === 0));
  const thin = thinned === undefined ? null : block.thinned(thinned);
  const found = thin ?? block.whole();
  if (found === null) return;
  const pitch = thin === null ? 1 : (thinned ?? 1);
  const write = writerOf(found, places.length, out);
  for (let from = 0; from < places.length; from += STEP_READINGS) {
    const to = Math.min(from + STEP_READINGS, places.length);
    yield () => {
      for (let at = from; at < to; at += 1) {
        if (at > from) out.text(",", 0);
        write(places[at] / pitch);
      }
    };
  }
}

function writerOf(block: Block, count: number, out: JsonWriter): (index: number) => void {
  return count < PREPARED_MIN
    ? (index) => writeAnalysis(block.analysed(index), out)
    : (index) => block.writeAnalysis(index, out);
}
