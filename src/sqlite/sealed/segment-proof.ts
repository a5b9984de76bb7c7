// Proves from a segment's row alone that the segment is unchanged: the payload by its hash, the
// header and that hash by the chain. Hashes are compared whenever a segment is opened, in a
// twentieth of the time of decoding: zstd doesn't detect a flipped bit, and a wrong value looks
// like any other. The other columns only repeat the header.

import { DamagedError } from "../../codec/bytes.ts";
import { readSegmentHead } from "../../codec/segment-reader.ts";
import { printTime } from "../../ground/clock.ts";
import { EMPTY_CHAIN, hashOf, segmentHash } from "../file/hash-chain.ts";

/** A segment, without its readings. */
export interface SegmentSpan {
  readonly id: number;
  readonly first_ms: number;
  readonly last_ms: number;
  readonly count: number;
}

/** A segment's row without its payload; cells of a damaged row may be of any type. */
export interface LinkRow extends SegmentSpan {
  readonly header: unknown;
  readonly payload_hash: unknown;
  readonly hash: unknown;
}

/** A row with its payload, and the hash of the segment before; null if that row is missing. */
export interface SealedRow extends LinkRow {
  readonly payload: unknown;
  readonly previous: unknown;
}

/** The proven bytes of a segment; `payload` is null if it has expired. */
export interface ProvenBytes {
  readonly header: Uint8Array;
  readonly payload: Uint8Array | null;
}

/** Thrown for a sealed segment whose bytes have changed. */
export class DamagedSegment extends DamagedError {
  readonly span: SegmentSpan;

  constructor(span: SegmentSpan, problem: string) {
    super(`${segmentName(span)}: ${problem}`);
    this.name = "DamagedSegment";
    this.span = span;
  }
}

/** The bytes of segment `id`. Throws a DamagedError if they aren't those that were sealed. */
export function provenBytes(id: number, row: SealedRow | undefined): ProvenBytes {
  if (row === undefined) throw new DamagedError("it is missing");
  const { header, payload, payload_hash, hash } = row;
  const previous = id === 1 ? EMPTY_CHAIN.hash : row.previous;
  if (!isBytes(header) || !isBytes(payload_hash) || !isBytes(hash))
    throw new DamagedError("its row isn't one of a segment");
  // If the segment before is gone, only the payload's hash can be checked.
  if (isBytes(previous) && !isSameSegment(segmentHash({ header, payload_hash, previous }), hash))
    throw new DamagedError("its hash doesn't follow from its header and the segment before");
  if (payload === null) return { header, payload };
  if (!isBytes(payload) || !isSameSegment(hashOf(payload), payload_hash))
    throw new DamagedError("its payload isn't the one that was sealed");
  return { header, payload };
}

/** The problem with a proven row's other columns, which answers don't use; null without one. */
export function columnsProblem(id: number, row: SealedRow): string | null {
  const head = headOf(id, row.header);
  return head !== null && isSaid(head, row) ? null : "its row differs from its header";
}

/** A segment's place in the list, and the problem with its row; null if there is none. */
export interface ListedSegment {
  /** Null if the row is damaged and has no times, or impossible ones. */
  readonly span: SegmentSpan | null;
  readonly problem: string | null;
}

/** Possible range of readings' times, which even a wrong clock doesn't leave. */
const TIMES_MS = { first: Date.UTC(2000, 0), last: Date.UTC(2300, 0) };

/**
 * The place of the segment after one with the hash `previous`. A proven header counts, whatever the
 * columns hold; otherwise the place covers the times of both.
 */
export function listedSegment(
  id: number,
  link: LinkRow,
  previous: Uint8Array | null,
): ListedSegment {
  const { header, payload_hash, hash } = link;
  const said = saidSpan(id, link);
  const head = headOf(id, header);
  if (head === null) return { span: said, problem: "its header can't be read" };
  const agrees = isSaid(head, link);
  const isProven =
    isBytes(header) && isBytes(payload_hash) && isBytes(hash) && previous !== null
      ? isSameSegment(segmentHash({ header, payload_hash, previous }), hash)
      : previous === null && agrees;
  if (isProven && agrees) return { span: head, problem: null };
  if (isProven) return { span: head, problem: "its row differs from its header" };
  const span = said && {
    id,
    first_ms: Math.min(said.first_ms, head.first_ms),
    last_ms: Math.max(said.last_ms, head.last_ms),
    count: said.count,
  };
  return { span, problem: "its hash doesn't follow from its header and the segment before" };
}

/** The place by the row's columns, whose cells may be of any type; null if they are impossible. */
function saidSpan(id: number, { first_ms, last_ms, count }: LinkRow): SegmentSpan | null {
  const areNumbers = [first_ms, last_ms, count].every(Number.isSafeInteger);
  const arePossible = first_ms >= TIMES_MS.first && first_ms <= last_ms && last_ms < TIMES_MS.last;
  return areNumbers && arePossible && count > 0 ? { id, first_ms, last_ms, count } : null;
}

/** A segment's name in messages. */
export function segmentName({ id, count, first_ms, last_ms }: SegmentSpan): string {
  const [from, to] = [printedTime(first_ms), printedTime(last_ms)];
  return `segment ${id} (${count} readings from ${from} to ${to})`;
}

/** A time as text; a damaged row may hold anything else, which is printed as it is. */
export function printedTime(at_ms: number): string {
  return isTime(at_ms) ? printTime(at_ms) : String(at_ms);
}

/** A time for an answer that needs one; the beginning of 1970 for a damaged row. */
export function shownTime(at_ms: number): string {
  return printTime(isTime(at_ms) ? at_ms : 0);
}

const isTime = (at_ms: unknown) => typeof at_ms === "number" && Math.abs(at_ms) <= 8.64e15;

function headOf(id: number, header: unknown): SegmentSpan | null {
  if (!isBytes(header)) return null;
  try {
    const { count, first_ms, last_ms } = readSegmentHead(header);
    return { id, count, first_ms, last_ms };
  } catch (error) {
    if (error instanceof DamagedError) return null;
    throw error;
  }
}

function isSaid(head: SegmentSpan, link: SegmentSpan): boolean {
  const { id, first_ms, last_ms, count } = head;
  return (
    link.id === id && link.first_ms === first_ms && link.last_ms === last_ms && link.count === count
  );
}

/** True if the cell is a blob; a cell of a damaged row may be of any type. */
export function isBytes(cell: unknown): cell is Uint8Array {
  return cell instanceof Uint8Array;
}

export function isSameSegment(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
