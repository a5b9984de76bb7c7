// The audit log in the database: a hash chain like that of events. An entry is written in the
// transaction of the change that it records, or on its own. A page reads newest first, a file
// oldest first.

import {
  AUDIT_KINDS,
  type AuditDetail,
  type AuditEntry,
  type AuditKind,
} from "../../bwts/audit.ts";
import { asText } from "../../bwts/reading.ts";
import { type AuditLink, auditHash, chainHead, EMPTY_CHAIN, moveHead } from "../file/hash-chain.ts";
import { wantHead } from "../file/ledger.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type ClosedRange, closed, type Newest, type PageText, pageText } from "../file/query.ts";
import { isBytes, isSameSegment, shownTime } from "../sealed/segment-proof.ts";

/** A stored entry of the audit log. */
export interface AuditRow extends AuditLink {
  readonly id: number;
  readonly hash: Uint8Array;
}

/** Appends the entry of an action, in the action's transaction. */
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
    if (link.kind === "export") wantHead(db, "export");
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
): PageText {
  const { kind, offset, limit } = query;
  const range = { ...closed(query.range), ...(kind === null ? {} : { kind }) };
  const [count, page] =
    kind === null
      ? (["audit.count", "audit.page"] as const)
      : (["audit.count_of_kind", "audit.page_of_kind"] as const);
  return db.transaction(() => {
    const total = prepare(db, count).get(range)?.count ?? 0;
    const rows = prepare<typeof page, AuditRow>(db, page).all({ ...range, offset, limit });
    const data = rows.map((row) => answerOf(db, row));
    return pageText(data, { offset, limit, total });
  })();
}

/** The form of an entry in answers and exports; a damaged one is shown as it is, and named. */
export function answerOf(db: Connection, row: AuditRow) {
  const detail = detailOf(row.detail);
  return {
    id: row.id,
    timestamp: shownTime(row.at_ms),
    clock_trusted: row.clock_trusted === 1,
    kind: AUDIT_KINDS.find((kind) => kind === row.kind) ?? "damaged",
    actor: asText(row.actor) ?? "",
    address: asText(row.address),
    detail: followsFromBefore(db, row) ? detail : { damaged: DAMAGED_ENTRY, ...detail },
    hash: isBytes(row.hash) ? Buffer.from(row.hash).toString("hex") : "",
  };
}

const DAMAGED_ENTRY = "this entry, or the hash of the one before it, isn't what was written";

function followsFromBefore(db: Connection, row: AuditRow): boolean {
  const { hash } =
    row.id === 1 ? EMPTY_CHAIN : (prepare(db, "audit.hash").get({ id: row.id - 1 }) ?? NO_ENTRY);
  return isEntryWhole(row, hash);
}

/** Stands for a missing entry: no entry has this hash as the one before. */
const NO_ENTRY = { hash: new Uint8Array() };

// Parses a detail. A tampered one is shown as text: its row must still be shown; `verify` reports
// the damage.
function detailOf(text: string): AuditDetail {
  try {
    return Object(JSON.parse(text));
  } catch {
    return { unreadable: text };
  }
}

/** Number of entries fetched at a time. */
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
