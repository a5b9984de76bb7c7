// The links of the three chains as they are sent ashore (docs/storage.md has the formulas): the
// shore recomputes each hash from these bytes.

import {
  auditContent,
  type ChainName,
  chainHead,
  EMPTY_CHAIN,
  eventFacts,
} from "../file/hash-chain.ts";
import { type Connection, prepare, type RowOf } from "../file/open.ts";
import type { AuditRow } from "../records/audit.ts";
import { provenData } from "../records/event-proof.ts";
import { identityText } from "../records/records.ts";

/** Arguments of `fleet.put_link`, after the instance number. */
export interface ShoreLink {
  readonly chain: ChainName;
  readonly number: number;
  readonly previous: Uint8Array;
  readonly hash: Uint8Array;
  readonly body: Uint8Array;
  readonly digest: Uint8Array | null;
  readonly payload: Uint8Array | null;
  /**
   * Size of the payload aboard, in bytes; a segment's link may be sent without it. Null: it has
   * expired.
   */
  readonly payload_bytes: number | null;
}

/** Number of a link, and its hash in hex. */
export type Locator = readonly [number: number, hash: string];

export type Locators = Readonly<Record<ChainName, readonly Locator[]>>;

/** Number of links of each chain. */
export type Heads = Readonly<Record<ChainName, number>>;

/** Maximum number of locators per chain that the shore accepts. */
const LOCATORS_MAX = 64;

export function shoreHeads(db: Connection): Heads {
  const count = (chain: ChainName) => chainHead(db, chain).count;
  return { segment: count("segment"), event: count("event"), audit: count("audit") };
}

/**
 * A summary of the box's links: of each chain the newest, the one before, then those 2, 4, 8 ...
 * before it, and the first; the same again down from `also`, for a closer look.
 */
export function locators(db: Connection, also: Partial<Heads>): Locators {
  return located(db, (chain) => {
    const { count } = chainHead(db, chain);
    const again = also[chain] ?? 0;
    const numbers = new Set([...steps(count), ...(again > 0 && again < count ? steps(again) : [])]);
    return [...numbers].slice(0, LOCATORS_MAX);
  });
}

/** One link of each chain, for a shore that is known to have these. */
export function locatorsAt(db: Connection, heads: Heads): Locators {
  return located(db, (chain) => [heads[chain]]);
}

function located(db: Connection, numbersOf: (chain: ChainName) => readonly number[]): Locators {
  const of = (chain: ChainName) =>
    numbersOf(chain).flatMap((number): readonly Locator[] => {
      const hash = hashAt(db, chain, number);
      return hash === null ? [] : [[number, Buffer.from(hash).toString("hex")]];
    });
  return { segment: of("segment"), event: of("event"), audit: of("audit") };
}

function steps(head: number): readonly number[] {
  if (head === 0) return [];
  const found = [head];
  for (let back = 1; head - back > 1; back *= 2) found.push(head - back);
  return head === 1 ? found : [...found, 1];
}

const HASHES = {
  segment: "segment.hash",
  event: "shore.event_hash",
  audit: "shore.entry_hash",
} as const;

function hashAt(db: Connection, chain: ChainName, id: number): Uint8Array | null {
  return prepare(db, HASHES[chain]).get({ id })?.hash ?? null;
}

export interface LinksQuery {
  readonly chain: ChainName;
  /** Number of the link before the first requested one. */
  readonly after: number;
  readonly limit: number;
  /** True to include the segments' payloads. */
  readonly withPayload: boolean;
}

/** The next links of a chain. Throws a DamagedError for a damaged one. */
export function shoreLinks(db: Connection, asked: LinksQuery): readonly ShoreLink[] {
  switch (asked.chain) {
    case "segment":
      return segmentLinks(db, asked);
    case "event":
      return eventLinks(db, asked);
    case "audit":
      return auditLinks(db, asked);
  }
}

interface SegmentRow extends RowOf<"shore.segments"> {
  readonly payload_bytes: number | null;
}

function segmentLinks(db: Connection, { after, limit, withPayload }: LinksQuery) {
  const page = prepare<"shore.segments", SegmentRow>(db, "shore.segments");
  const rows = page.all({ id: after, limit });
  return rows.map((row): ShoreLink => {
    const payload = withPayload ? shorePayload(db, row.id) : null;
    return {
      ...{ chain: "segment", number: row.id, hash: row.hash, body: row.header },
      previous: row.previous ?? EMPTY_CHAIN.hash,
      ...{ digest: row.payload_hash, payload: payload?.payload ?? null },
      payload_bytes: row.payload_bytes,
    };
  });
}

/** A segment's hash and its payload (null if it has expired); null if there is no such segment. */
export function shorePayload(db: Connection, id: number) {
  return prepare(db, "shore.payload").get({ id }) ?? null;
}

function eventLinks(db: Connection, { after, limit }: LinksQuery): readonly ShoreLink[] {
  const rows = prepare(db, "shore.events").all({ id: after, limit });
  return rows.map((row) => {
    const payload = Buffer.from(identityText({ ...row, data: provenData(row) }));
    return {
      ...{ chain: "event", number: row.id, hash: row.hash },
      previous: row.previous ?? EMPTY_CHAIN.hash,
      body: Buffer.from(eventFacts(row)),
      ...{ digest: row.identity, payload, payload_bytes: payload.length },
    };
  });
}

function auditLinks(db: Connection, { after, limit }: LinksQuery): readonly ShoreLink[] {
  const rows = prepare<"shore.entries", AuditRow & { readonly previous: Uint8Array | null }>(
    db,
    "shore.entries",
  ).all({ id: after, limit });
  return rows.map((row) => ({
    ...{ chain: "audit", number: row.id, hash: row.hash },
    previous: row.previous ?? EMPTY_CHAIN.hash,
    body: Buffer.from(auditContent(row)),
    ...{ digest: null, payload: null, payload_bytes: null },
  }));
}

/** Numbers of the segments that hold readings of a range, newest first. */
export function segmentsIn(
  db: Connection,
  range: { readonly start_ms: number; readonly end_ms: number },
): readonly number[] {
  return prepare(db, "shore.segments_in")
    .all(range)
    .map(({ id }) => id);
}
