// The audit log in the database: a hash chain like that of events. An entry is written in the
// transaction of the change that it records, or on its own. A page reads newest first, a file
// oldest first.

import type { AuditDetail, AuditEntry, AuditKind } from "../../bwts/audit.ts";
import { printTime } from "../../ground/clock.ts";
import { type AuditLink, auditHash, chainHead, moveHead } from "../file/hash-chain.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type ClosedRange, closed, type Newest } from "../file/query.ts";
import { isBytes, isSameSegment } from "../sealed/segment-proof.ts";

/** A stored entry. */
export interface AuditRow extends AuditLink {
  readonly id: number;
  readonly hash: Uint8Array;
}

/** Appends the entry of an act, in its transaction. */
export type Append = (entry: AuditEntry) => void;

export interface AuditLog {
  /** Appends an entry, in the caller's transaction. */
  add(entry: AuditEntry, receipt: { readonly clock_trusted: boolean }): void;
  /** Appends an entry of another database unchanged, in the caller's transaction. */
  takeOver(link: AuditLink): void;
}

export function openAuditLog(db: Connection): AuditLog {
  const add = prepare(db, "audit.add");
  const append = (link: AuditLink) => {
    const head = chainHead(db, "audit");
    const next = { count: head.count + 1, hash: auditHash(link, head.hash) };
    add.run({ ...link, id: next.count, hash: next.hash });
    moveHead(db, "audit", next);
  };
  return {
    add({ at_ms, kind, actor, address, detail }, receipt) {
      const clock_trusted = receipt.clock_trusted ? 1 : 0;
      append({ at_ms, clock_trusted, kind, actor, address, detail: JSON.stringify(detail) });
    },
    takeOver: append,
  };
}

/** True if the entry is unchanged since it was written after the entry with the hash `previous`. */
export function isEntryWhole(row: AuditRow, previous: Uint8Array): boolean {
  return (
    isBytes(previous) && isBytes(row.hash) && isSameSegment(auditHash(row, previous), row.hash)
  );
}

/** A page of the log, newest first, and the number of all entries. */
export function auditPageJson(
  db: Connection,
  query: Newest & { readonly kind: AuditKind | null; readonly offset: number },
): string {
  const { kind, offset, limit } = query;
  const range = { ...closed(query.range), ...(kind === null ? {} : { kind }) };
  const [count, page] =
    kind === null
      ? (["audit.count", "audit.page"] as const)
      : (["audit.count_of_kind", "audit.page_of_kind"] as const);
  return db.transaction(() => {
    const total = prepare(db, count).get(range)?.count ?? 0;
    const rows = prepare<typeof page, AuditRow>(db, page).all({ ...range, offset, limit });
    const pagination = { offset, limit, total, hasMore: offset + limit < total };
    return JSON.stringify({ data: rows.map(answerOf), pagination });
  })();
}

/** The form of an entry in answers and exports. */
export function answerOf(row: AuditRow) {
  return {
    id: row.id,
    timestamp: printTime(row.at_ms),
    clock_trusted: row.clock_trusted === 1,
    kind: row.kind,
    actor: row.actor,
    address: row.address,
    detail: detailOf(row.detail),
    hash: Buffer.from(row.hash).toString("hex"),
  };
}

// A tampered row must still be shown; `verify` reports what is broken.
function detailOf(text: string): AuditDetail {
  try {
    return Object(JSON.parse(text));
  } catch {
    return { unreadable: text };
  }
}

/** Entries fetched at a time. */
const PAGE = 200;

/** The entries of a range in the order of writing. */
export function* auditRows(db: Connection, range: ClosedRange): Generator<AuditRow> {
  const page = prepare(db, "audit.chain");
  for (let id = 0; ; ) {
    const rows = page.all({ id, limit: PAGE });
    for (const row of rows) if (row.at_ms >= range.start_ms && row.at_ms <= range.end_ms) yield row;
    const last = rows.at(-1);
    if (last === undefined) return;
    ({ id } = last);
  }
}

/** The latest start or end of a run; null before the first. */
export function lastRun(db: Connection): { kind: AuditKind; at_ms: number } | null {
  return (
    prepare<"audit.last_run", { kind: AuditKind; at_ms: number }>(db, "audit.last_run").get({}) ??
    null
  );
}
