// The backlog: all data that isn't ashore yet, by the shore's last report. Also the
// acknowledgements and the use of the link that the database keeps for people.

import { DAY_MS, floorTo } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { LedgerNumbers } from "./shore-ledger.ts";
import { type Heads, shoreHeads } from "./shore-links.ts";

/** The links that the shore has, and the runs of segments whose payloads it lacks. */
export interface ShoreHas {
  readonly links: Heads;
  readonly lacking: readonly (readonly [first: number, last: number])[];
  /** Revision up to which its hours are complete. */
  readonly hours: number;
  /** The newest documents of the ledger ashore; null if its older schema doesn't accept any. */
  readonly ledger: LedgerNumbers | null;
}

export interface Backlog {
  /** Numbers of links, of payloads whose links are ashore, and of hours. */
  readonly links: number;
  readonly payloads: number;
  readonly hours: number;
  readonly bytes: number;
  readonly oldest_ms: number | null;
}

/** The backlog for a shore that has `has`; `isRaw` if payloads are sent without a request. */
export function backlogOf(db: Connection, has: ShoreHas, isRaw: boolean): Backlog {
  const heads = shoreHeads(db);
  const sizes = (first: number, last: number) =>
    prepare<"shore.segment_sizes", Sizes>(db, "shore.segment_sizes").get({
      ...{ first, last, raw: isRaw ? 1 : 0 },
    }) ?? NONE;
  const fresh = sizes(has.links.segment + 1, heads.segment);
  const without = (isRaw ? has.lacking : []).map(([first, last]) => sizes(first, last));
  const event = prepare(db, "shore.event_oldest").get({ id: has.links.event })?.oldest_ms ?? null;
  const hours = prepare(db, "shore.hour_count").get({ revision: has.hours })?.count ?? 0;
  const oldest = [fresh, ...without.filter(({ payloads }) => payloads > 0)]
    .map(({ oldest_ms }) => oldest_ms)
    .concat(event)
    .filter((at_ms) => at_ms !== null);
  const records = heads.event - has.links.event + heads.audit - has.links.audit;
  return {
    links: heads.segment - has.links.segment + records,
    payloads: without.reduce((sum, { payloads }) => sum + payloads, 0),
    hours,
    bytes: [fresh, ...without].reduce((sum, { bytes }) => sum + bytes, 0) + records * RECORD_BYTES,
    oldest_ms: oldest.length === 0 ? null : Math.min(...oldest),
  };
}

interface Sizes {
  readonly links: number;
  readonly bytes: number;
  readonly payloads: number;
  readonly oldest_ms: number | null;
}

/** Approximate size of an event or an entry of the audit log on the link, in bytes. */
const RECORD_BYTES = 400;

const NONE: Sizes = { links: 0, bytes: 0, payloads: 0, oldest_ms: null };

/** Bytes sent and received, and sessions, of a day, and of its month so far. */
export function usageAt(db: Connection, now_ms: number) {
  const date = new Date(now_ms);
  const month_ms = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const day = prepare(db, "shore.usage").get({ day_ms: floorTo(now_ms, DAY_MS) });
  return {
    day: day ?? UNUSED,
    month: prepare(db, "shore.usage_since").get({ day_ms: month_ms }) ?? UNUSED,
  };
}

const UNUSED = { sent_bytes: 0, received_bytes: 0, sessions: 0 };

/** The last acknowledged link of each chain, also by earlier runs. */
export function acknowledged(db: Connection) {
  return prepare(db, "shore.acks").all({});
}
