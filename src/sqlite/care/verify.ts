// Verifies the chains: every segment, event and audit entry, from the first link to the head. A
// segment is right if its payload has the chained hash, if that hash follows from the header and
// the segment before, and if all of its readings can be decoded and agree with its columns. An
// expired segment is verified by its header.

import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { lineRoot } from "../../codec/line.ts";
import type { Segment } from "../../codec/segment-reader.ts";
import { messageOf } from "../../ground/errors.ts";
import { rowsProblem } from "../derived/derived.ts";
import { withoutDamage } from "../file/damage.ts";
import {
  auditHash,
  type ChainHead,
  chainHead,
  EMPTY_CHAIN,
  eventHash,
  segmentHash,
} from "../file/hash-chain.ts";
import { damagedSchema } from "../file/migrate.ts";
import { type Connection, prepare, type RowOf } from "../file/open.ts";
import { eventData } from "../records/event-proof.ts";
import { eventIdentity } from "../records/records.ts";
import { voidsFault } from "../records/told-voids.ts";
import { missingHeads, verifyLedger } from "../records/verify-ledger.ts";
import { placeFault } from "../sealed/segment-list.ts";
import { isBytes, isSameSegment } from "../sealed/segment-proof.ts";
import { isDamagedThin } from "../sealed/thin-part.ts";
import { factFaults, notProven, strayPlaces } from "./facts.ts";
import { judgedAgain } from "./judged-again.ts";
import { Broken, checkContent, isPayload } from "./segment-content.ts";

/** The result. `problem` names the first broken link of each chain, and other faults. */
export interface VerifyResult {
  readonly segments: number;
  readonly expired: number;
  readonly readings: number;
  readonly events: number;
  readonly audit: number;
  /** Heads of the chains in hexadecimal, to compare with heads that were printed before. */
  readonly segment_head: string;
  readonly event_head: string;
  readonly audit_head: string;
  /** Number of leaves of the ledger, and their root; null if they are damaged. */
  readonly ledger: number;
  readonly ledger_root: string | null;
  /**
   * Number of operations that the readings judge as stored; null if operations weren't judged
   * again.
   */
  readonly judged: number | null;
  readonly problem: string | null;
  /** Unproven data in words. */
  readonly not_proven: readonly string[];
}

export interface VerifyProgress {
  readonly done: number;
  readonly total: number;
}

export interface EventLinkRow {
  readonly id: number;
  readonly at_ms: number;
  readonly event_type: string;
  readonly description: string;
  readonly data: string;
  readonly source: string;
  readonly received_ms: number;
  readonly clock_trusted: number;
  readonly identity: Uint8Array;
  readonly hash: Uint8Array;
}

/** Number of links fetched at a time. */
const PAGE = 16;

/** Maximum number of named operations among those that the readings judge differently. */
const JUDGED_NAMED_MAX = 5;

export interface VerifyOptions {
  /** Recomputes each segment's root, which takes ten times as long. */
  readonly withRoots?: boolean;
  /**
   * Configuration with which each operation is judged again; the schema is compared too. Null:
   * neither, as for a backup, which has an additional table.
   */
  readonly judging?: LampConfig | null;
}

/** Verifies the chains in one snapshot, with progress reports. Changes nothing. */
export function verifyChains(
  db: Connection,
  onProgress: (progress: VerifyProgress) => void,
  { withRoots = false, judging = null }: VerifyOptions = {},
): VerifyResult {
  return db.transaction(() => {
    const heads = {
      segment: chainHead(db, "segment"),
      event: chainHead(db, "event"),
      audit: chainHead(db, "audit"),
    };
    const links = heads.segment.count + heads.event.count + heads.audit.count;
    const total = links + chainHead(db, "ledger").count;
    const counts = { segments: 0, expired: 0, readings: 0, events: 0, audit: 0, ledger: 0 };
    const step = () => {
      const done = counts.segments + counts.events + counts.audit + counts.ledger;
      if (done % PAGE === 0 || done === total) onProgress({ done, total });
    };
    const problems: string[] = [];
    const beside: string[] = [];
    const walk = (chain: () => void) => {
      try {
        chain();
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        problems.push(error.message);
      }
    };
    walk(() =>
      walkSegments(db, heads.segment, (link, segment) => {
        if (withRoots && segment !== null && !isSameSegment(lineRoot(segment), segment.root))
          throw new Broken(`segment ${link.id}: its root doesn't follow from its readings`);
        if (isDamagedThin(link))
          beside.push(`segment ${link.id}: its thinned part isn't the one that was written`);
        const misplaced = placeFault(db, link, segment);
        if (misplaced !== null) beside.push(`segment ${link.id}: ${misplaced}`);
        counts.segments += 1;
        counts.expired += link.payload === null ? 1 : 0;
        counts.readings += link.count;
        step();
      }),
    );
    const counted = (chain: "events" | "audit" | "ledger") => () => {
      counts[chain] += 1;
      step();
    };
    walk(() => walkEvents(db, heads.event, counted("events")));
    walk(() => walkAudit(db, heads.audit, counted("audit")));
    const ledger = verifyLedger(db, counted("ledger"));
    if (ledger.problem !== null) problems.push(ledger.problem);
    problems.push(...beside.slice(0, 1));
    const rest = verifiedRest(db, judging);
    problems.push(...rest.problems);
    return {
      ...counts,
      segment_head: hex(heads.segment.hash),
      event_head: hex(heads.event.hash),
      audit_head: hex(heads.audit.hash),
      ledger: ledger.leaves,
      ledger_root: ledger.root,
      judged: rest.again?.judged ?? null,
      not_proven: [
        ...(rest.again?.not_judged ?? ["all verdicts: none was judged again"]),
        ...lostHeads(db, ledger.root !== null),
        ...notProven(db, { withRoots, limits: Object.keys(judging?.limits ?? {}) }),
      ],
      problem: problems.length === 0 ? null : problems.join("; "),
    };
  })();
}

/**
 * Verifies the schema, derived rows, voids, single facts, and all verdicts by judging them again.
 */
function verifiedRest(db: Connection, judging: LampConfig | null) {
  const again = judging === null ? null : judgedAgain(db, judging);
  // A foreign view or trigger could hide rows from every answer.
  const schema = judging === null ? null : damagedSchema(db);
  const derived = schema ?? rowsProblem(db) ?? voidsFault(db);
  const faults = again?.faults.slice(0, JUDGED_NAMED_MAX) ?? [];
  return {
    again,
    problems: [
      ...(derived === null ? [] : [derived]),
      ...strayPlaces(db),
      ...factFaults(db),
      ...faults,
    ],
  };
}

function lostHeads(db: Connection, isSound: boolean): readonly string[] {
  const lost = isSound ? (withoutDamage(db, () => missingHeads(db)) ?? 0) : 0;
  return lost === 0 ? [] : [`${lost} heads that were given out and aren't stored`];
}

function walkSegments(
  db: Connection,
  head: ChainHead,
  each: (link: RowOf<"segment.chain">, segment: Segment | null) => void,
): void {
  let previous = EMPTY_CHAIN;
  for (const link of links(db, "segment.chain")) {
    const name = `segment ${link.id}`;
    if (link.id !== previous.count + 1)
      throw new Broken(
        `segment ${previous.count + 1} is missing: ${name} follows ${previous.count}`,
      );
    if (link.payload !== null && !isPayload(link))
      throw new Broken(`${name}: its payload isn't the one that was sealed`);
    if (!isSameSegment(segmentHash({ ...link, previous: previous.hash }), link.hash))
      throw new Broken(`${name}: its hash doesn't follow from its header and the segment before`);
    const segment = checkContent(link, name);
    previous = { count: link.id, hash: link.hash };
    each(link, segment);
  }
  checkHead("segment", previous, head);
}

function walkEvents(db: Connection, head: ChainHead, each: () => void): void {
  let previous = EMPTY_CHAIN;
  for (const row of links(db, "event.chain")) {
    const name = `event ${row.id}`;
    checkNumber("event", row.id, previous);
    if (!isSameSegment(identityOf(row, name), row.identity))
      throw new Broken(`${name}: its content isn't the one that was stored`);
    if (!isSameSegment(eventHash(row, previous.hash), row.hash))
      throw new Broken(`${name}: its hash doesn't follow from its content and the event before`);
    previous = { count: row.id, hash: row.hash };
    each();
  }
  checkHead("event", previous, head);
}

function walkAudit(db: Connection, head: ChainHead, each: () => void): void {
  let previous = EMPTY_CHAIN;
  for (const row of links(db, "audit.chain")) {
    const name = `audit ${row.id}`;
    checkNumber("audit", row.id, previous);
    if (!isSameSegment(auditHash(row, previous.hash), row.hash))
      throw new Broken(`${name}: its hash doesn't follow from its content and the entry before`);
    previous = { count: row.id, hash: row.hash };
    each();
  }
  checkHead("audit", previous, head);
}

function identityOf(row: EventLinkRow, name: string): Uint8Array {
  try {
    return eventIdentity({ ...row, data: eventData(row.data) });
  } catch (error) {
    throw new Broken(`${name}: its content isn't the one that was stored (${messageOf(error)})`);
  }
}

/** The expected identity of a stored event; null if its data isn't what was stored. */
export function identityOfRow(row: EventLinkRow): Uint8Array | null {
  try {
    return identityOf(row, `event ${row.id}`);
  } catch (error) {
    if (error instanceof Broken) return null;
    throw error;
  }
}

function checkNumber(chain: string, id: number, { count }: ChainHead): void {
  if (id === count + 1) return;
  throw new Broken(`${chain} ${count + 1} is missing: ${chain} ${id} follows ${count}`);
}

function checkHead(chain: string, last: ChainHead, head: ChainHead): void {
  if (last.count !== head.count)
    throw new Broken(`${chain} ${last.count + 1} is missing: the head counts ${head.count}`);
  if (!isSameSegment(last.hash, head.hash))
    throw new Broken(`${chain} ${last.count}: the head has another hash than the last ${chain}`);
}

type ChainStatement = "segment.chain" | "event.chain" | "audit.chain";

/** The columns of each chain's rows that must be blobs; a damaged column may hold any type. */
const BLOBS: Readonly<Record<ChainStatement, readonly string[]>> = {
  "segment.chain": ["payload_hash", "hash", "header"],
  "event.chain": ["identity", "hash"],
  "audit.chain": ["hash"],
};

/** The rows of a chain, in their order. */
function links<Name extends ChainStatement>(db: Connection, name: Name): Iterable<RowOf<Name>>;
function* links(db: Connection, statement: ChainStatement): Generator<RowOf<ChainStatement>> {
  const page = prepare(db, statement);
  for (let id = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = page.all({ id, limit: PAGE });
    for (const row of rows) {
      const cells = new Map(Object.entries(row));
      const wrong = BLOBS[statement].find((name) => !isBytes(cells.get(name)));
      if (wrong !== undefined)
        throw new Broken(`${statement.split(".")[0]} ${row.id}: its ${wrong} isn't one`);
      yield row;
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    ({ id } = last);
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
