// All data for the office, as statements for a file: links with their payloads, alerts, hours,
// forecasts, a report. It begins where the office's data was last complete, as far as the database
// knows, or at the first link. It is read page by page beside a running service, without a
// snapshot, since a long one would keep the write-ahead log from being emptied.

import { createHash } from "node:crypto";
import type { DocumentKind } from "../bwts/documents/document.ts";
import { DAY_MS } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import {
  changedAlarms,
  changedHours,
  forecasts,
  isClockTrusted,
  newestHour,
  storedReport,
} from "../sqlite/answers/told-ashore.ts";
import { acknowledged } from "../sqlite/exchange/shore-backlog.ts";
import {
  LEDGER_SERIES,
  type LedgerNumbers,
  type LedgerSeries,
  ledgerDocuments,
  ledgerNumbers,
} from "../sqlite/exchange/shore-ledger.ts";
import {
  type Heads,
  type ShoreLink,
  shoreHeads,
  shoreLinks,
} from "../sqlite/exchange/shore-links.ts";
import {
  COMPLETE_HOURS,
  COMPLETE_LEDGER,
  COMPLETE_SEGMENTS,
} from "../sqlite/exchange/shore-noted.ts";
import { isDamage } from "../sqlite/file/damage.ts";
import { CHAINS, type ChainName } from "../sqlite/file/hash-chain.ts";
import type { Connection } from "../sqlite/file/open.ts";
import { documentStatement, linkStatement, type ShoreStatement } from "./statement.ts";

export interface Bundling {
  readonly now_ms: number;
  /** False if raw readings are never sent. */
  readonly isRaw: boolean;
  /** True for all data, including the part that the office has acknowledged. */
  readonly isAll: boolean;
}

/** Counts, which grow while the statements are consumed. */
export interface BundleCounts {
  /**
   * Numbers of the last links before the bundle's first, and the revision before its first hour.
   */
  readonly after: Heads & { readonly hours: number; readonly ledger: LedgerNumbers };
  readonly heads: Heads;
  payloads: number;
  documents: number;
  /** Damaged parts that are missing from the bundle. */
  readonly problems: string[];
}

/** The place where a bundle begins, with all counts at zero. */
export function beginBundle(db: Connection, { isAll, isRaw }: Bundling): BundleCounts {
  const number = (name: string) => (isAll ? 0 : acknowledgedAt(db, name).number);
  return {
    after: {
      segment: Math.min(number("segment"), isRaw ? number(COMPLETE_SEGMENTS) : Infinity),
      ...{ event: number("event"), audit: number("audit"), hours: number(COMPLETE_HOURS) },
      ledger: { head: number(COMPLETE_LEDGER.head), statement: number(COMPLETE_LEDGER.statement) },
    },
    heads: shoreHeads(db),
    ...{ payloads: 0, documents: 0, problems: [] },
  };
}

/** The office's acknowledgement of a chain; zeros without one. */
function acknowledgedAt(db: Connection, name: string) {
  return acknowledged(db).find(({ chain }) => chain === name) ?? { number: 0, at_ms: 0 };
}

/**
 * The statements in the order of a session: small ones first, so that importing them soon shows
 * most, and the report before the parts whose loss it would reveal.
 */
export function* bundledStatements(
  db: Connection,
  bundling: Bundling,
  bundled: BundleCounts,
): Generator<ShoreStatement> {
  for (const chain of ["event", "audit"] as const) yield* links(db, chain, { bundling, bundled });
  for (const statement of documents(db, bundling, bundled)) {
    bundled.documents += 1;
    yield statement;
  }
  yield* links(db, "segment", { bundling, bundled });
}

/** Number of segments with payloads in a page: some 3 MB. */
const LINKS = 50;

function* links(
  db: Connection,
  chain: ChainName,
  { bundling, bundled }: { readonly bundling: Bundling; readonly bundled: BundleCounts },
): Generator<ShoreStatement> {
  const withPayload = bundling.isRaw;
  const last = bundled.heads[chain];
  let most = LINKS;
  for (let after = bundled.after[chain]; after < last; ) {
    const limit = Math.min(most, last - after);
    let page: readonly ShoreLink[] = [];
    try {
      page = shoreLinks(db, { chain, after, limit, withPayload });
    } catch (error) {
      if (!isDamage(error)) throw error;
      // Read one by one, so that the file has all links before the damaged one.
      if (limit > 1) {
        most = 1;
        continue;
      }
      bundled.problems.push(`${chain} ${after + 1} to ${last}: ${messageOf(error)}`);
    }
    if (page.length === 0) return;
    for (const link of page) {
      after = link.number;
      const whole = wholeOrWithout(link, bundled);
      if (chain === "segment" && whole.payload !== null) bundled.payloads += 1;
      yield linkStatement(whole);
    }
  }
}

/** The link, without its payload if the readings are damaged: the office would refuse it. */
function wholeOrWithout(link: ShoreLink, { problems }: BundleCounts): ShoreLink {
  const { chain, payload, digest } = link;
  if (chain !== "segment" || payload === null || digest === null) return link;
  if (createHash("sha256").update(payload).digest().equals(digest)) return link;
  problems.push(`segment ${link.number}: its readings are damaged, the link goes without them`);
  return { ...link, payload: null };
}

/** Number of hours in a page: some 2 MB. */
const HOURS = 1000;

function* documents(
  db: Connection,
  { now_ms, isAll }: Bundling,
  bundled: BundleCounts,
): Generator<ShoreStatement> {
  const newest = newestHour(db);
  let revision = Math.max(now_ms, newest);
  const told = (kind: DocumentKind, document: { readonly key: string; readonly body: object }) => {
    revision += 1;
    return documentStatement(kind, { ...document, revision });
  };
  yield told("report", { key: "now", body: report(db, { now_ms, isAll }) });
  for (const series of LEDGER_SERIES) yield* ledgerStatements(db, series, bundled.after.ledger);
  const since_ms = isAll ? 0 : acknowledgedAt(db, COMPLETE_HOURS).at_ms - DAY_MS;
  for (const alarm of changedAlarms(db, since_ms, now_ms)) yield told("alarm", alarm);
  for (let after = bundled.after.hours; after < newest; ) {
    const page = changedHours(db, { revision: after, limit: HOURS });
    for (const hour of page) yield documentStatement("hour", hour);
    // A page is empty if all of its hours are damaged.
    after = page.at(-1)?.revision ?? newest;
  }
  for (const forecast of forecasts(db)) yield told("forecast", forecast);
}

/** Number of the ledger's documents in a page: some 300 kB. */
const DOCUMENTS = 500;

function* ledgerStatements(
  db: Connection,
  series: LedgerSeries,
  begin: LedgerNumbers,
): Generator<ShoreStatement> {
  const newest = ledgerNumbers(db)[series];
  for (let after = begin[series]; after < newest; ) {
    const page = ledgerDocuments(db, { series, after, limit: DOCUMENTS });
    for (const { kind, ...document } of page.documents) yield documentStatement(kind, document);
    after = page.upto ?? newest;
  }
}

/**
 * The report. In a file with all data it names nothing as acknowledged, since the file itself
 * brings all.
 */
function report(db: Connection, { now_ms, isAll }: Pick<Bundling, "now_ms" | "isAll">): object {
  const ashore = (name: string) => (isAll ? 0 : acknowledgedAt(db, name).number);
  return {
    ...storedReport(db, {
      head: ashore(COMPLETE_LEDGER.head),
      statement: ashore(COMPLETE_LEDGER.statement),
    }),
    at_ms: now_ms,
    ashore: Object.fromEntries(CHAINS.map((chain) => [chain, ashore(chain)])),
    // Nothing is left to send once the file is imported.
    backlog: { links: 0, bytes: 0, oldest_ms: null },
    clock: { trusted: isClockTrusted(db), offset_ms: null },
    line: null,
  };
}

/** A text for people, such as "12 segments (10 with readings), 3 events". */
export function bundledText({ after, heads, payloads, documents }: BundleCounts): string {
  const [segment, event, audit] = CHAINS.map((chain) => heads[chain] - after[chain]);
  return (
    `${segment} segments (${payloads} with readings), ${event} events, ` +
    `${audit} entries of the audit log, ${documents} documents`
  );
}
