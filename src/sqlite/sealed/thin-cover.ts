// Covers a range with consecutive stretches: rows of thinned blocks that stand for known readings,
// and readings elsewhere. A row's stretch reaches to the next row. Rows that the range cuts, or
// that have hot readings in their stretch (late ones, or further fields of a sealed one), are
// covered by the level below, and so are stretches without a block.

import type { Connection } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { countedPieces, countOf } from "./counts.ts";
import { hotReadings, hotWithin } from "./hot.ts";
import { openThin, type ThinBlock, thinSpans } from "./thin-blocks.ts";
import { type BlockRun, rawFrom, timeline } from "./timeline.ts";

/** `count` consecutive readings. */
export type Cover =
  | {
      /** Rows `from` to `to` (excluded); the first of them is the first reading. */
      readonly block: ThinBlock;
      readonly from: number;
      readonly to: number;
      readonly count: number;
    }
  | { readonly block: null; readonly runs: Iterable<BlockRun>; readonly count: number };

type ThinRows = Extract<Cover, { readonly block: ThinBlock }>;
type Part = ThinRows | (ClosedRange & { readonly block: null });

/**
 * Covers a range with blocks of `level` and lower ones; its last part isn't rows. To be called in a
 * transaction; the result is valid as of then.
 */
export function covered(db: Connection, range: ClosedRange, level: number): readonly Cover[] {
  const kept = { ...range, start_ms: Math.max(range.start_ms, rawFrom(db)) };
  const parts = joined(withoutLastRow([...partsOf(db, kept, level)]));
  return parts.map((part) =>
    part.block === null
      ? { block: null, count: countOf(countedPieces(db, part)), runs: timeline(db, part) }
      : part,
  );
}

function* partsOf(db: Connection, range: ClosedRange, level: number): Generator<Part> {
  if (range.start_ms > range.end_ms) return;
  if (level < 0) {
    yield { ...range, block: null };
    return;
  }
  let { start_ms } = range;
  for (const span of thinSpans(db, level, range)) {
    const block = openThin(db, span);
    if (block === null) continue;
    yield* partsOf(db, { start_ms, end_ms: span.start_ms - 1 }, level - 1);
    const end_ms = Math.min(span.end_ms, range.end_ms);
    yield* rowParts(db, block, {
      start_ms: Math.max(span.start_ms, range.start_ms),
      end_ms,
    });
    start_ms = end_ms + 1;
  }
  yield* partsOf(db, { start_ms, end_ms: range.end_ms }, level - 1);
}

/** A range inside a block's stretch. */
function* rowParts(db: Connection, block: ThinBlock, range: ClosedRange): Generator<Part> {
  const rows = block.at_ms.length;
  const isBroken = brokenRows(db, block, range);
  const endOf = (row: number) => (row + 1 < rows ? block.at_ms[row + 1] - 1 : block.end_ms);
  let row = rowAt(block, range.start_ms);
  const last = rowAt(block, range.end_ms);
  while (row <= last) {
    const from = row;
    while (row <= last && isBroken[row] === isBroken[from]) row += 1;
    if (isBroken[from] === 0)
      yield { block, from, to: row, count: block.ranks[row] - block.ranks[from] };
    else {
      const start_ms = Math.max(range.start_ms, block.at_ms[from]);
      const end_ms = Math.min(range.end_ms, endOf(row - 1));
      yield* partsOf(db, { start_ms, end_ms }, block.level - 1);
    }
  }
}

/** By row: 1 if the row stands for more or fewer readings than those up to the next row. */
function brokenRows(db: Connection, block: ThinBlock, range: ClosedRange): Uint8Array {
  const broken = new Uint8Array(block.at_ms.length);
  const first = rowAt(block, range.start_ms);
  if (block.at_ms[first] < range.start_ms) broken[first] = 1;
  if (range.end_ms < block.end_ms) broken[rowAt(block, range.end_ms)] = 1;
  const hot = hotReadings(db);
  const { from, to } = hotWithin(hot, range);
  for (let place = from; place < to; place += 1) broken[rowAt(block, hot.block.at_ms(place))] = 1;
  return broken;
}

/** The last row at or before an instant of the block's stretch. */
function rowAt({ at_ms }: ThinBlock, instant_ms: number): number {
  let low = 0;
  let high = at_ms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at_ms[middle] <= instant_ms) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The last row also stands for the last reading, which must be in the answer itself. */
function withoutLastRow(parts: readonly Part[]): readonly Part[] {
  const last = parts.at(-1);
  if (last === undefined || last.block === null) return parts;
  const { block, from } = last;
  const to = last.to - 1;
  const rest = { block: null, start_ms: block.at_ms[to], end_ms: block.end_ms };
  const rows = { block, from, to, count: block.ranks[to] - block.ranks[from] };
  return [...parts.slice(0, -1), ...(to > from ? [rows] : []), rest];
}

/** Joins consecutive parts without rows. */
function joined(parts: readonly Part[]): readonly Part[] {
  const found: Part[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (part.block !== null || last === undefined || last.block !== null) found.push(part);
    else found.splice(-1, 1, { ...last, end_ms: part.end_ms });
  }
  return found;
}
