// Collects, from the pages of a damaged database, the rows that prove themselves: readings by their
// checksum, segments and events by their hashes, audit entries by their chain, the quarantine by
// its hashes. A row deleted long ago but still on a free page does no harm: later states of a
// reading include all fields of earlier ones.

import { DAY_MS } from "../../ground/clock.ts";
import { CHAINS, type ChainHead } from "../file/hash-chain.ts";
import type { AuditRow } from "../records/audit.ts";
import { identityOf } from "../records/quarantine.ts";
import { isWholeReading, type ReadingRow } from "../sealed/block.ts";
import { decodeRow } from "../sealed/row.ts";
import { RAW_FROM } from "../sealed/timeline.ts";
import type { FoundRow, PageFile } from "./page-file.ts";
import type { PageValue } from "./page-rows.ts";
import type { SegmentLink } from "./segment-content.ts";
import type { EventLinkRow } from "./verify.ts";

/** The columns of the searched tables, in their order; the first is the row's id. */
export type TableColumns = ReadonlyMap<string, readonly string[]>;
export const HARVESTED = ["reading", "segment", "event", "audit", "quarantine"] as const;
type Harvested = (typeof HARVESTED)[number];

/** A segment, whose payload is read on demand. */
export interface FoundSegment {
  readonly id: number;
  readonly hash: Uint8Array;
  read(): SegmentLink | null;
}

export type NamedRow = Readonly<Record<string, PageValue>>;

/** Lost readings between two times; null for a side without a neighbour. */
export interface Gap {
  readonly after_ms: number | null;
  readonly before_ms: number | null;
  readonly readings: number;
}

export interface Harvest {
  /** The fullest state of each reading, by time. */
  readonly readings: Map<number, ReadingRow>;
  /** Damaged rows among unsealed readings; some of them may be old. */
  readonly gaps: Gap[];
  readonly segments: Map<number, FoundSegment[]>;
  readonly events: Map<number, EventLinkRow[]>;
  readonly audit: Map<number, AuditRow[]>;
  readonly quarantine: Map<number, NamedRow>;
  /** The head with the highest count found of each chain. */
  readonly heads: Map<string, ChainHead>;
  /** Time before which raw readings have expired; 0 if no row has it. */
  raw_from_ms: number;
}

const HASH_BYTES = 32;

/** A row whose shape differs from the expected one. */
class Unfit extends Error {}

export function emptyHarvest(): Harvest {
  return {
    readings: new Map(),
    gaps: [],
    segments: new Map(),
    events: new Map(),
    audit: new Map(),
    quarantine: new Map(),
    heads: new Map(),
    raw_from_ms: 0,
  };
}

/** Adds all rows on the pages to `into`. */
export function harvest(pages: PageFile, columns: TableColumns, into: Harvest): void {
  for (const { rows, isNewest } of pages.pages()) {
    const times = rows.map((row) => takeRow(row, columns, into));
    if (isNewest) takeGaps(times, into);
  }
}

/** Adds a row of any table; returns its time if it is a sound reading. */
function takeRow(found: FoundRow, columns: TableColumns, into: Harvest): number | null {
  const { rowid, cells } = found;
  if (rowid === null) {
    takeFact(cells, into);
    return null;
  }
  for (const table of HARVESTED) {
    const names = columns.get(table) ?? [];
    if (names.length !== cells.length || cells[0] !== null) continue;
    const read = segmentReader(found.again, names);
    fitting(() => take(table, { row: namedRow(names, rowid, cells), read }, into));
  }
  // A row of another table may have a reading's time as its id.
  const isReading = columns.get("reading")?.length === cells.length && cells[0] === null;
  return isReading && into.readings.has(rowid) ? rowid : null;
}

/**
 * Returns a function that rereads the segment's row; made here, so that it doesn't keep the row in
 * memory.
 */
function segmentReader(again: FoundRow["again"], names: readonly string[]): FoundSegment["read"] {
  return () => {
    const row = again();
    if (row === null || row.rowid === null) return null;
    const named = namedRow(names, row.rowid, row.cells);
    return fitting(() => segmentOf(named));
  };
}

/** Adds the damaged rows on a page of readings: their number, and the times of their neighbours. */
function takeGaps(times: readonly (number | null)[], into: Harvest): void {
  if (times.every((at_ms) => at_ms === null)) return;
  for (let at = 0; at < times.length; at += 1) {
    if (times[at] !== null) continue;
    const end = times.findIndex((at_ms, index) => index > at && at_ms !== null);
    const readings = (end < 0 ? times.length : end) - at;
    into.gaps.push({ after_ms: times[at - 1] ?? null, before_ms: times[end] ?? null, readings });
    at += readings - 1;
  }
}

/** Adds a chain's head, or the time before which readings have expired; both only ever advance. */
function takeFact([name, value, hash, ...more]: readonly PageValue[], into: Harvest): void {
  if (typeof name !== "string" || typeof value !== "number" || more.length > 0) return;
  if (hash === undefined && name === RAW_FROM && value % DAY_MS === 0)
    into.raw_from_ms = Math.max(into.raw_from_ms, value);
  if (
    !Buffer.isBuffer(hash) ||
    hash.length !== HASH_BYTES ||
    !CHAINS.some((chain) => chain === name)
  )
    return;
  if (value > (into.heads.get(name)?.count ?? 0)) into.heads.set(name, { count: value, hash });
}

interface Found {
  readonly row: NamedRow;
  readonly read: FoundSegment["read"];
}

function take(table: Harvested, { row, read }: Found, into: Harvest): void {
  switch (table) {
    case "reading":
      takeReading(readingRowOf(row), into);
      return;
    case "segment": {
      const { id, hash } = segmentOf(row);
      add(into.segments, id, { id, hash, read });
      return;
    }
    case "event": {
      const event = eventOf(row);
      add(into.events, event.id, event);
      return;
    }
    case "audit": {
      const entry = auditOf(row);
      add(into.audit, entry.id, entry);
      return;
    }
    case "quarantine": {
      const id = int(row.id);
      if (isWholeEntry(row) && !into.quarantine.has(id)) into.quarantine.set(id, row);
    }
  }
}

/** True if a quarantine entry's shape is right; more can't be checked without its payload. */
function isWholeEntry(row: NamedRow): boolean {
  const [reason, topic, identity] = [text(row.reason), text(row.topic), blob(row.identity)];
  const payload_bytes = int(row.payload_bytes);
  if (row.payload === null) return reason !== "" && identity.length === HASH_BYTES;
  return identityOf({ topic, payload: blob(row.payload), payload_bytes }, reason).equals(identity);
}

/**
 * Adds a reading. `supersedes` is tried with both values, since it may be the damaged column and is
 * recomputed.
 */
function takeReading(found: ReadingRow, { readings }: Harvest): void {
  const row = [0, 1].map((supersedes) => ({ ...found, supersedes })).find(isWholeReading);
  if (row === undefined) return;
  const known = readings.get(row.at_ms);
  if (known === undefined || fieldCount(row) > fieldCount(known)) readings.set(row.at_ms, row);
}

function fieldCount({ row }: ReadingRow): number {
  const { values, extra } = decodeRow(row);
  return values.filter((value) => value !== null).length + extra.size;
}

function add<Row>(rows: Map<number, Row[]>, id: number, row: Row): void {
  const known = rows.get(id) ?? [];
  known.push(row);
  rows.set(id, known);
}

function namedRow(names: readonly string[], rowid: number, cells: readonly PageValue[]): NamedRow {
  return Object.fromEntries(names.map((name, index) => [name, index === 0 ? rowid : cells[index]]));
}

function readingRowOf(row: NamedRow): ReadingRow {
  return {
    at_ms: int(row.at_ms),
    received_ms: int(row.received_ms),
    clock_trusted: int(row.clock_trusted),
    supersedes: int(row.supersedes),
    row: blob(row.row),
  };
}

function segmentOf(row: NamedRow): SegmentLink {
  return {
    id: int(row.id),
    first_ms: int(row.first_ms),
    last_ms: int(row.last_ms),
    count: int(row.count),
    payload_hash: blob(row.payload_hash),
    hash: blob(row.hash),
    header: blob(row.header),
    payload: row.payload === null ? null : blob(row.payload),
  };
}

function eventOf(row: NamedRow): EventLinkRow {
  return {
    id: int(row.id),
    at_ms: int(row.at_ms),
    event_type: text(row.event_type),
    description: text(row.description),
    data: text(row.data),
    source: text(row.source),
    received_ms: int(row.received_ms),
    clock_trusted: int(row.clock_trusted),
    identity: blob(row.identity),
    hash: blob(row.hash),
  };
}

function auditOf(row: NamedRow): AuditRow {
  return {
    id: int(row.id),
    at_ms: int(row.at_ms),
    clock_trusted: int(row.clock_trusted),
    kind: text(row.kind),
    actor: text(row.actor),
    address: row.address === null ? null : text(row.address),
    detail: text(row.detail),
    hash: blob(row.hash),
  };
}

function fitting<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unfit) return null;
    throw error;
  }
}

function int(cell: PageValue): number {
  if (typeof cell === "number" && Number.isSafeInteger(cell)) return cell;
  throw new Unfit();
}

function text(cell: PageValue): string {
  if (typeof cell === "string") return cell;
  throw new Unfit();
}

function blob(cell: PageValue): Buffer {
  if (Buffer.isBuffer(cell)) return cell;
  throw new Unfit();
}
