// Answers with selected fields only, for curves: raw readings, or hours or days with mean, minimum
// and maximum. 24 months of one field are a hundredth of all fields. Fields with stored buckets are
// read from them; others are folded from the readings, whose other columns stay compressed.

import { aggregateOf, type FieldSum, NOTHING } from "../../bwts/bucket.ts";
import { AGGREGATED, TAGS } from "../../bwts/tags.ts";
import { valueJson } from "../../codec/json.ts";
import type { AnswerPiece, JsonWriter } from "../../codec/json-writer.ts";
import { floorTo, printTime } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import { type ClosedRange, closed, type Interval, type Range } from "../file/query.ts";
import { WIDTH_MS } from "../sealed/buckets.ts";
import { indexAt } from "../sealed/sweep.ts";
import { BELIEVED, type BlockRun, timeline } from "../sealed/timeline.ts";
import { rangedSums, sinceLatest } from "./ranges.ts";

/** Number of readings written in one step. */
const STEP_READINGS = 512;

/** Sums of some fields over an hour or a day. */
interface FieldBucket {
  readonly start_ms: number;
  count: number;
  /** Sums in the order of the requested fields. */
  readonly sums: readonly FieldSum[];
}

/**
 * Writes hours or days of the fields, which are indices into `TAGS`; without a range those up to
 * the latest.
 */
export function* aggregatedFields(
  db: Connection,
  asked: {
    readonly interval: Interval;
    readonly range: Range | null;
    readonly hours: number;
    readonly fields: readonly number[];
  },
  out: JsonWriter,
): Generator<AnswerPiece> {
  const range = asked.range === null ? sinceLatest(db, asked.hours) : closed(asked.range);
  if (range === null) return;
  const { fields, interval } = asked;
  const isStored = fields.every((field) => AGGREGATED.includes(field));
  const buckets = isStored
    ? storedSums(db, { range, interval, fields })
    : foldedSums(db, { range, interval, fields });
  for (const bucket of buckets) yield () => out.text(bucketJson(bucket, fields), 0);
}

interface FieldsAsked {
  readonly range: ClosedRange;
  readonly interval: Interval;
  readonly fields: readonly number[];
}

function* storedSums(
  db: Connection,
  { range, interval, fields }: FieldsAsked,
): Generator<FieldBucket> {
  const positions = fields.map((field) => AGGREGATED.indexOf(field));
  for (const { start_ms, bucket } of rangedSums(db, range, interval)) {
    const sums = positions.map((position) => bucket.fields[position]);
    yield { start_ms, count: bucket.count, sums };
  }
}

function* foldedSums(
  db: Connection,
  { range, interval, fields }: FieldsAsked,
): Generator<FieldBucket> {
  const width_ms = WIDTH_MS[interval];
  let open: FieldBucket | null = null;
  for (const run of timeline(db, range, BELIEVED))
    for (let from = run.from; from < run.to; ) {
      const start_ms = floorTo(run.block.at_ms(from), width_ms);
      const to = Math.min(run.to, indexAt(run.block, start_ms + width_ms));
      if (open !== null && open.start_ms !== start_ms) {
        yield open;
        open = null;
      }
      open ??= { start_ms, count: 0, sums: fields.map(emptySum) };
      open.count += to - from;
      for (const [index, field] of fields.entries())
        foldField({ ...run, from, to }, field, open.sums[index]);
      from = to;
    }
  if (open !== null) yield open;
}

function emptySum(): FieldSum {
  const [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return { n: 0, sum: 0, min, max, last: 0 };
}

function foldField({ block, from, to }: BlockRun, field: number, into: FieldSum): void {
  const valueAt = block.values(field);
  for (let index = from; index < to; index += 1) {
    const value = valueAt(index);
    if (typeof value !== "number") continue;
    into.n += 1;
    into.sum += value;
    if (value < into.min) into.min = value + 0;
    if (value > into.max) into.max = value + 0;
    into.last = value + 0;
  }
}

function bucketJson({ start_ms, count, sums }: FieldBucket, fields: readonly number[]): string {
  const members = fields.flatMap((field, index) => {
    const { name, aggregate } = TAGS[field];
    const sum = sums[index];
    const hasBand = sum.n > 0 && aggregate !== "last";
    return [
      memberJson(name, aggregateOf(sum, aggregate ?? "mean")),
      memberJson(`${name}_min`, hasBand ? sum.min : NOTHING),
      memberJson(`${name}_max`, hasBand ? sum.max : NOTHING),
    ];
  });
  return `{"timestamp":"${printTime(start_ms)}",${members.join(",")},"recordCount":${count}}`;
}

function memberJson(name: string, value: number): string {
  return `"${name}":${Number.isNaN(value) ? "null" : valueJson(value)}`;
}

/** Writes readings as objects with the fields only, which are indices into `TAGS`. */
export function* readingFields(
  runs: Iterable<BlockRun>,
  asked: { readonly fields: readonly number[]; readonly believed: boolean },
  out: JsonWriter,
): Generator<AnswerPiece> {
  for (const { block, from, to } of runs) {
    const shown = asked.believed ? block.believed() : block;
    const columns = asked.fields.map((field) => ({
      key: `,"${TAGS[field].name}":`,
      valueAt: shown.values(field),
    }));
    for (let start = from; start < to; start += STEP_READINGS) {
      const texts: string[] = [];
      for (let index = start; index < Math.min(to, start + STEP_READINGS); index += 1) {
        const members = columns.map(({ key, valueAt }) => key + valueJson(valueAt(index)));
        texts.push(`{"timestamp":"${printTime(block.at_ms(index))}"${members.join("")}}`);
      }
      yield () => out.text(texts.join(","), 0);
    }
  }
}
