// Turns hot rows into a segment, in one transaction: the rows are encoded, compared with the
// result, chained to the segment before, and removed, and the sums are updated.

import type { Reading } from "../../bwts/reading.ts";
import { encodePlainSegment, encodeSegment, type SegmentBytes } from "../../codec/segment.ts";
import { differenceFrom } from "../../codec/segment-check.ts";
import { readSegmentHead } from "../../codec/segment-reader.ts";
import { messageOf } from "../../ground/errors.ts";
import { chainHead, hashOf, moveHead, segmentHash } from "../file/hash-chain.ts";
import { type Connection, prepare, write } from "../file/open.ts";
import type { Portion } from "./seal-portion.ts";
import { newestReceipt, putPlace } from "./segment-list.ts";
import { addSealed } from "./sums.ts";
import { thinCell, thinned } from "./thin-part.ts";
import { isVoided, voidedSpans } from "./voids.ts";

/** Encoders of a segment; each is tried if the one before failed. */
export type Encoders = readonly ((readings: readonly Reading[]) => SegmentBytes)[];

export const ENCODERS: Encoders = [encodeSegment, encodePlainSegment];

/** Seals hot rows, which must be all rows between the first and the last of them. */
export function sealRows(
  db: Connection,
  { rows, readings }: Portion,
  { encoders, report }: { encoders: Encoders; report: (problem: string) => void },
): void {
  const voided = voidedSpans(db);
  const visible = readings.filter(({ at_ms }) => !isVoided(voided, at_ms));
  const distinct = new Set(
    rows.filter(({ supersedes }) => supersedes === 0).map(({ at_ms }) => at_ms),
  );
  const { header, payload } = encoded(readings, encoders, report);
  const payload_hash = hashOf(payload);
  const few = thinned(readings.length, (index) => readings[index]);
  // A fault of an encoder was reported above.
  const quiet = () => {};
  const thin = thinCell(few, encoded(few, encoders, quiet), payload_hash);
  const range = { start_ms: rows[0].at_ms, end_ms: rows[rows.length - 1].at_ms };
  write(db, () => {
    insertSegment(db, { ...range, header, payload, payload_hash, thin, readings });
    prepare(db, "reading.remove").run(range);
    addSealed(db, visible, distinct);
  });
}

/** The bytes of the first encoder whose segment restores the same readings. Throws if none does. */
export function encoded(
  readings: readonly Reading[],
  encoders: Encoders,
  report: (problem: string) => void,
): SegmentBytes {
  for (const encode of encoders) {
    try {
      const bytes = encode(readings);
      const difference = differenceFrom(bytes, readings);
      if (difference === null) return bytes;
      report(`a segment differs from the sealed readings: ${difference}`);
    } catch (error) {
      report(`a segment can't be made: ${messageOf(error)}`);
    }
  }
  throw new Error(`${readings.length} readings from ${readings[0].at_ms} on can't be sealed`);
}

function insertSegment(
  db: Connection,
  segment: {
    readonly start_ms: number;
    readonly end_ms: number;
    readonly header: Uint8Array;
    readonly payload: Uint8Array;
    readonly payload_hash: Uint8Array;
    readonly thin: Uint8Array;
    readonly readings: readonly Reading[];
  },
): void {
  const { header, payload, payload_hash, thin, readings } = segment;
  const head = chainHead(db, "segment");
  const hash = segmentHash({ header, payload_hash, previous: head.hash });
  const id = head.count + 1;
  const { start_ms: first_ms, end_ms: last_ms } = segment;
  const span = { id, first_ms, last_ms, count: readings.length };
  const newest_received_ms = newestReceipt(readings.map(({ received_ms }) => received_ms));
  putPlace(db, { ...span, newest_received_ms });
  prepare(db, "segment.add").run({
    ...span,
    thin,
    header,
    payload,
    payload_hash,
    hash,
  });
  moveHead(db, "segment", { count: id, hash }, readSegmentHead(header));
}
