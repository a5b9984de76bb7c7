// A ship's raw readings of some days as a file, CSV or Parquet, from segments whose hashes are
// recomputed. They are of the line that the ship continued last, read a day at a time, so that
// memory doesn't grow with the range. Missing segments are counted in a header. A segment that
// differs from what the ship sealed cuts the file off, because a shortened file would look
// complete.

import { DAY_MS, floorTo, printTime } from "../ground/clock.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import type { Reply } from "../http/route.ts";
import { COLUMNS } from "../sqlite/exchange/export-columns.ts";
import { csvHead, csvLine } from "../sqlite/exchange/export-csv.ts";
import { openParquet } from "../sqlite/exchange/export-parquet.ts";
import type { ClosedRange } from "../sqlite/file/query.ts";
import type { Block, BlockStretch } from "../sqlite/sealed/block.ts";
import { runsOf } from "../sqlite/sealed/sweep.ts";
import { openLineReader } from "./line-reader.ts";
import type { Office } from "./office.ts";
import { type ShoreSegment, shoreLines } from "./segments.ts";
import { requireShip } from "./ship-detail.ts";

export const FILE_TYPES = {
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
} as const;
export type ShipFileFormat = keyof typeof FILE_TYPES;

export interface ReadingsRange {
  readonly ship: string;
  readonly range: ClosedRange;
  readonly format: ShipFileFormat;
}

/** Header with the number of the range's segments whose payload is missing. */
const LACKING = "Ballastd-Segments-Lacking";

export async function shipReadings(office: Office, asked: ReadingsRange): Promise<Reply> {
  const { ship, range, format } = asked;
  await requireShip(office, ship);
  const [line] = await shoreLines(office, ship);
  const within = line.segments.filter((segment) => isWithin(segment, range));
  const here = within.filter(({ is_here }) => is_here);
  const days = [range.start_ms, range.end_ms].map((at_ms) => printTime(at_ms).slice(0, 10));
  return {
    kind: "chunks",
    type: FILE_TYPES[format],
    headers: {
      "Content-Disposition": `attachment; filename="${ship}-${days.join("-to-")}.${format}"`,
      [LACKING]: String(within.length - here.length),
    },
    chunks: format === "csv" ? csv(office, asked, here) : parquet(office, asked, here),
  };
}

function isWithin({ first_ms, last_ms }: ShoreSegment, { start_ms, end_ms }: ClosedRange): boolean {
  return first_ms <= end_ms && last_ms >= start_ms;
}

type FileChunks = AsyncGenerator<Uint8Array<ArrayBuffer>>;

/** Approximate size of a chunk of lines, in characters; maximum size of a chunk of bytes. */
const CHUNK = 128 * 1024;

async function* csv(
  office: Office,
  asked: ReadingsRange,
  segments: readonly ShoreSegment[],
): FileChunks {
  const encoder = new TextEncoder();
  let text = csvHead(COLUMNS);
  for await (const { block, from, to } of stretches(office, asked, segments))
    for (let index = from; index < to; index += 1) {
      text += csvLine(block.reading(index), COLUMNS);
      if (text.length < CHUNK) continue;
      yield encoder.encode(text);
      text = "";
    }
  yield encoder.encode(text);
}

async function* parquet(
  office: Office,
  asked: ReadingsRange,
  segments: readonly ShoreSegment[],
): FileChunks {
  const file = openParquet(
    COLUMNS,
    segments.reduce((sum, { count }) => sum + count, 0),
  );
  for await (const { block, from, to } of stretches(office, asked, segments)) {
    file.add(Array.from({ length: to - from }, (_, index) => block.reading(from + index)));
    yield* pieces(file.taken());
  }
  file.finish();
  yield* pieces(file.taken());
}

/** The bytes in chunks that a slow client can take within the time limit for one. */
function* pieces(bytes: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.slice(at, at + CHUNK);
}

async function* stretches(
  office: Office,
  { ship, range }: ReadingsRange,
  segments: readonly ShoreSegment[],
): AsyncGenerator<BlockStretch & { readonly block: Block }> {
  const reader = openLineReader(office, ship, (problem) => {
    throw new Failure(EXIT.failed, `${ship}: ${problem}`);
  });
  for (let day_ms = floorTo(range.start_ms, DAY_MS); day_ms <= range.end_ms; day_ms += DAY_MS) {
    const day = {
      start_ms: Math.max(day_ms, range.start_ms),
      end_ms: Math.min(day_ms + DAY_MS - 1, range.end_ms),
    };
    const sources = await reader.sources(segments.filter((segment) => isWithin(segment, day)));
    yield* runsOf(sources, day);
  }
}
