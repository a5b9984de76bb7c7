// Moves the chains of a damaged database into a new one, link by link in their order. Up to the
// first gap every link keeps its number and its hash; after it the links are chained anew, since
// they can't name lost ones. A segment with a damaged payload keeps its header, as an expired one
// does: the chain continues through it, and the header shows how many readings are lost.

import { DamagedError } from "../../codec/bytes.ts";
import { openSegment, readSegmentHead, type Segment } from "../../codec/segment-reader.ts";
import { auditHash, chainHead, eventHash, moveHead, segmentHash } from "../file/hash-chain.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type AuditRow, openAuditLog } from "../records/audit.ts";
import { ENCODERS, encoded } from "../sealed/seal-rows.ts";
import { newestReceiptIn, putPlace } from "../sealed/segment-list.ts";
import { thinCell, thinned } from "../sealed/thin-part.ts";
import type { FoundSegment, Harvest } from "./found-rows.ts";
import { between, type Loss } from "./loss.ts";
import { type SegmentLink, segmentFault } from "./segment-content.ts";
import { identityOfRow } from "./verify.ts";

const START = new Uint8Array(32);

/** Takes over the segments, also those without payload; returns the losses. */
export function takeSegments(db: Connection, harvest: Harvest): readonly Loss[] {
  const { segments, raw_from_ms } = harvest;
  const losses: Loss[] = [];
  let last: SegmentLink | null = null;
  let last_id = 0;
  for (const id of ascending(segments)) {
    const hashes = id === 1 ? [START] : (segments.get(id - 1) ?? []).map(({ hash }) => hash);
    const best = bestSegment(segments.get(id) ?? [], hashes);
    if (best === null) continue;
    const { link, isWhole } = best;
    losses.push(...missing("segment", { after: last_id, before: id, ...times(last, link) }));
    addSegment(db, isWhole ? link : { ...link, payload: null });
    if (!isWhole && link.last_ms >= raw_from_ms) losses.push(lostPayload(link));
    last = link;
    last_id = id;
  }
  const before = (harvest.heads.get("segment")?.count ?? 0) + 1;
  return [...losses, ...missing("segment", { after: last_id, before, ...times(last, null) })];
}

function times(before: SegmentLink | null, after: SegmentLink | null) {
  return between(before?.last_ms ?? null, after?.first_ms ?? null);
}

function ascending(rows: ReadonlyMap<number, unknown>): readonly number[] {
  return [...rows.keys()].filter((id) => id > 0).sort((one, other) => one - other);
}

/** The missing links between two numbers, if there are any. */
function missing(
  what: "segment" | "event" | "audit",
  gap: { readonly after: number; readonly before: number } & Pick<Loss, "from" | "to">,
): readonly Loss[] {
  const [first, last] = [gap.after + 1, gap.before - 1];
  if (first > last) return [];
  const name = first === last ? String(first) : `${first} to ${last}`;
  const { from, to } = gap;
  return [{ what, name, readings: null, from, to, why: "can't be read, or proves to be damaged" }];
}

interface Best {
  readonly link: SegmentLink;
  /** True if the segment's readings can be taken over, or have expired. */
  readonly isWhole: boolean;
}

/**
 * The best proven state of a segment: chained to one of `hashes`, those of the link before, and
 * with readings. If the link before is lost, the content decides. Null if no state is proven.
 */
function bestSegment(found: readonly FoundSegment[], hashes: readonly Uint8Array[]): Best | null {
  let best: Best | null = null;
  for (const { read } of found) {
    const row = read();
    const link = row && withHeader(row);
    if (link === null || !(hashes.length === 0 || isChained(link, hashes))) continue;
    const fault = segmentFault(link);
    if (fault === null && link.payload !== null) return { link, isWhole: true };
    if (fault === null || hashes.length > 0) best = { link, isWhole: false };
  }
  return best;
}

/**
 * The link with count and times from its header, so that a damaged column beside it loses no
 * reading.
 */
function withHeader(link: SegmentLink): SegmentLink {
  try {
    const { count, first_ms, last_ms } = readSegmentHead(link.header);
    return { ...link, count, first_ms, last_ms };
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    return link;
  }
}

function isChained(link: SegmentLink, hashes: readonly Uint8Array[]): boolean {
  return hashes.some(
    (previous) => Buffer.compare(segmentHash({ ...link, previous }), link.hash) === 0,
  );
}

function lostPayload({ id, count, first_ms, last_ms }: SegmentLink): Loss {
  const why = "its payload isn't the one that was sealed";
  return {
    what: "segment",
    name: String(id),
    readings: count,
    ...between(first_ms, last_ms),
    why,
  };
}

function addSegment(db: Connection, link: SegmentLink): void {
  const head = chainHead(db, "segment");
  const { header, payload_hash } = link;
  const hash = segmentHash({ header, payload_hash, previous: head.hash });
  const id = head.count + 1;
  const segment = link.payload === null ? null : openSegment({ header, payload: link.payload });
  const thin = segment === null ? null : thinOf(segment, payload_hash);
  prepare(db, "segment.add").run({ ...link, id, hash, thin });
  const newest_received_ms = segment === null ? 0 : newestReceiptIn(segment);
  // The list of segments counts only readings that are present.
  putPlace(db, { ...link, id, count: segment?.count ?? 0, newest_received_ms });
  moveHead(db, "segment", { count: id, hash }, readSegmentHead(header));
}

function thinOf(segment: Segment, payload_hash: Uint8Array): Uint8Array {
  const few = thinned(segment.count, segment.reading);
  const bytes = encoded(few, ENCODERS, () => {});
  return thinCell(few, bytes, payload_hash);
}

/** Takes over the events, each proven by its identity; returns the losses. */
export function takeEvents(db: Connection, { events, heads }: Harvest): readonly Loss[] {
  const add = prepare(db, "event.add");
  return takeLinks("event", { rows: events, count: heads.get("event")?.count ?? 0 }, (found) => {
    const row = found.find((one) => {
      const identity = identityOfRow(one);
      return identity !== null && Buffer.compare(identity, one.identity) === 0;
    });
    if (row === undefined) return false;
    const head = chainHead(db, "event");
    const hash = eventHash(row, head.hash);
    if (add.run({ ...row, hash }).changes > 0)
      moveHead(db, "event", { count: head.count + 1, hash });
    return true;
  });
}

/**
 * Takes over the entries of the audit log, each checked against the one before; returns the losses.
 */
export function takeAudit(db: Connection, { audit, heads }: Harvest): readonly Loss[] {
  const log = openAuditLog(db);
  let previous: { readonly id: number; readonly hashes: readonly Uint8Array[] } = {
    id: 0,
    hashes: [START],
  };
  return takeLinks("audit", { rows: audit, count: heads.get("audit")?.count ?? 0 }, (found) => {
    const { id } = found[0];
    // The first entry after a gap has no entry to be checked against.
    const isFirst = id !== previous.id + 1;
    const row = isFirst ? found[0] : found.find((one) => follows(one, previous.hashes));
    previous = { id, hashes: found.map(({ hash }) => hash) };
    if (row !== undefined) log.takeOver(row);
    return row !== undefined;
  });
}

/** Calls `take` with the states of each link in order; returns refused links and gaps as losses. */
function takeLinks<Row extends { readonly at_ms: number }>(
  what: "event" | "audit",
  { rows, count }: { readonly rows: ReadonlyMap<number, readonly Row[]>; readonly count: number },
  take: (found: readonly Row[]) => boolean,
): readonly Loss[] {
  const losses: Loss[] = [];
  let last: { readonly id: number; readonly at_ms: number | null } = { id: 0, at_ms: null };
  for (const id of ascending(rows)) {
    const found = rows.get(id) ?? [];
    if (!take(found)) continue;
    const { at_ms } = found[0];
    losses.push(...missing(what, { after: last.id, before: id, ...between(last.at_ms, at_ms) }));
    last = { id, at_ms };
  }
  const rest = { after: last.id, before: count + 1, ...between(last.at_ms, null) };
  return [...losses, ...missing(what, rest)];
}

function follows(row: AuditRow, previous: readonly Uint8Array[]): boolean {
  return previous.some((hash) => Buffer.compare(auditHash(row, hash), row.hash) === 0);
}
