// The sealed readings of a range as rows of their segments, in the order of an export's lines: the
// data from which a proof of these lines is made.

import { JsonWriter } from "../../codec/json-writer.ts";
import { lineWriter } from "../../codec/line.ts";
import { hashOfLeaf } from "../../codec/merkle.ts";
import { openSegment } from "../../codec/segment-reader.ts";
import { stretchPath } from "../../ledger/merkle-proof.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { provenBytes } from "../sealed/segment-proof.ts";
import { runsOf } from "../sealed/sweep.ts";
import { partsOf, SEALED } from "../sealed/timeline.ts";

/** Consecutive rows of a segment. */
export interface SegmentRows {
  readonly segment: number;
  readonly from: number;
  readonly count: number;
  /** The hashes that lead from these rows to the segment's root. */
  readonly path: readonly Uint8Array[];
}

interface SealedRun extends SegmentRows {
  /** The lines of the rows, with their line ends. */
  readonly lines: readonly Uint8Array[];
}

/** The runs of a range's visible sealed readings. Throws a DamagedError for a damaged segment. */
export function* sealedRuns(db: Connection, range: ClosedRange): Generator<SealedRun> {
  let open: OpenLines = { segment: 0, lines: [], hashes: [] };
  for (const { segment, from, to } of runs(db, range)) {
    if (open.segment !== segment) open = openLines(db, segment);
    const { lines, hashes } = open;
    const path = stretchPath(hashes, { from, to });
    const end = Buffer.from("\n");
    const shown = lines.slice(from, to).map((line) => Buffer.concat([line, end]));
    yield { segment, from, count: to - from, path, lines: shown };
  }
}

function* runs(db: Connection, range: ClosedRange) {
  for (const part of partsOf(db, range, SEALED)) {
    const sources = part.sources.map(({ open, span, ...source }) => ({
      ...source,
      open: () => {
        const run = open();
        if (run === null || span === null) return null;
        const { count, at_ms } = run.block;
        return { ...run, block: { count, at_ms, segment: span.id } };
      },
    }));
    for (const { block, from, to } of runsOf(sources, part.range))
      yield { segment: block.segment, from, to };
  }
}

/** The lines of a segment, without their line ends, and the hashes of these leaves. */
interface OpenLines {
  readonly segment: number;
  readonly lines: readonly Buffer[];
  readonly hashes: readonly Buffer[];
}

function openLines(db: Connection, id: number): OpenLines {
  const { header, payload } = provenBytes(id, prepare(db, "segment.bytes").get({ id }));
  if (payload === null) return { segment: id, lines: [], hashes: [] };
  const segment = openSegment({ header, payload });
  const write = lineWriter(segment);
  const out = new JsonWriter();
  const lines = Array.from({ length: segment.count }, (_, row) => {
    out.clear();
    write(row, out);
    return Buffer.from(out.written);
  });
  return { segment: id, lines, hashes: lines.map(hashOfLeaf) };
}

/** Number of a range's readings that aren't sealed yet. */
export function unsealedIn(db: Connection, range: ClosedRange): number {
  return prepare(db, "ledger.unsealed").get(range)?.count ?? 0;
}
