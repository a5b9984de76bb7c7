// Documents of the ledger that are sent ashore: its signed heads, each with the kinds of the leaves
// since the head before, and its statements. From them and the links the office rebuilds the tree.
// The key of each is its own SHA-256, so that it never changes there. They form two series, with
// ascending numbers; damaged documents are left out.

import type {
  DocumentKind,
  HeadDocument,
  Report,
  StatementDocument,
} from "../../bwts/documents/document.ts";
import { verdictColumns } from "../../bwts/documents/verdict-document.ts";
import { sha256 } from "../../codec/merkle.ts";
import { packStatement } from "../../codec/packed-statement.ts";
import { readCheckpoint } from "../../ledger/checkpoint.ts";
import { isSameHash } from "../../ledger/merkle-proof.ts";
import { BadNote } from "../../ledger/note.ts";
import { withoutDamage } from "../file/damage.ts";
import {
  leafText,
  ledgerRoot,
  ledgerSize,
  STATEMENT_KINDS,
  type StatementKind,
} from "../file/ledger.ts";
import { type Connection, prepare, type RowOf } from "../file/open.ts";

export const LEDGER_SERIES = ["head", "statement"] as const;
export type LedgerSeries = (typeof LEDGER_SERIES)[number];

/** The newest number of each series; 0 without any. */
export type LedgerNumbers = Readonly<Record<LedgerSeries, number>>;

/** Number and key of a document. */
type DocumentLocator = readonly [number: number, key: string];
export type LedgerLocators = Readonly<Record<LedgerSeries, readonly DocumentLocator[]>>;

export interface LedgerDocument {
  readonly kind: DocumentKind;
  readonly key: string;
  readonly body: object;
  /** The document's number in its series. */
  readonly revision: number;
}

const KINDS = JSON.stringify(STATEMENT_KINDS);

/**
 * The newest numbers to send. Only statements included in a signed head count, because nothing else
 * proves them ashore.
 */
export function ledgerNumbers(db: Connection): LedgerNumbers {
  const size = signedSize(db);
  const newest = STATEMENT_KINDS.map(
    (kind) => prepare(db, "shore.statement_newest").get({ kind, size })?.id ?? 0,
  );
  return {
    head: prepare(db, "shore.ledger_head_newest").get({})?.id ?? 0,
    statement: Math.max(...newest),
  };
}

/** Number of leaves of the newest signed head. */
const signedSize = (db: Connection) => prepare(db, "ledger_head.newest").get({})?.size ?? 0;

/** The part of the report about the ledger's documents that the shore has. */
export function ledgerReport(db: Connection, has: LedgerNumbers): NonNullable<Report["ledger"]> {
  const checkpoint = prepare(db, "shore.ledger_head_before").get({ id: has.head })?.checkpoint;
  const head = checkpoint === undefined ? null : treeHead(checkpoint);
  const newest = (kind: StatementKind) => newestOf(db, kind, has.statement);
  return [
    head?.size ?? 0,
    head === null ? "" : Buffer.from(head.root).toString("base64"),
    has.head,
    [newest("key"), newest("head"), newest("verdict"), newest("given")],
  ];
}

/** The newest number of a kind among the first `size` leaves. */
const newestOf = (db: Connection, kind: StatementKind, size: number) =>
  prepare(db, "shore.statement_newest").get({ kind, size })?.number ?? 0;

/**
 * A summary of the box's documents: of each series the newest, then those 1, 2, 4 ... before it.
 */
export function ledgerLocators(db: Connection): LedgerLocators {
  const newest = ledgerNumbers(db);
  const of = (series: LedgerSeries) => {
    const found = new Map<number, string>();
    for (let back = 0; back < newest[series]; back = back === 0 ? 1 : back * 2) {
      const at = locatorAt(db, series, newest[series] - back);
      if (at !== null) found.set(...at);
    }
    return [...found];
  };
  return { head: of("head"), statement: of("statement") };
}

/** Number and key of the newest document up to `id`; null if there is none. */
function locatorAt(db: Connection, series: LedgerSeries, id: number): [number, string] | null {
  if (series === "head") {
    const head = prepare(db, "shore.ledger_head_before").get({ id });
    return head === undefined ? null : [head.id, keyOfHead(head.checkpoint)];
  }
  const statement = prepare(db, "shore.statement_before").get({ id, kinds: KINDS });
  return statement === undefined ? null : [statement.id, String(statement.leaf)];
}

const keyOfHead = (checkpoint: unknown) => sha256(Buffer.from(String(checkpoint))).toString("hex");

export interface LedgerQuery {
  readonly series: LedgerSeries;
  /** Number of the document before the first requested one. */
  readonly after: number;
  readonly limit: number;
}

/** The next documents of a series, and the number up to which the answer is complete. */
export function ledgerDocuments(db: Connection, { series, after: id, limit }: LedgerQuery) {
  return db.transaction(() => {
    const isHead = series === "head";
    const heads = isHead
      ? prepare<"shore.ledger_heads", LedgerHeadRow>(db, "shore.ledger_heads").all({ id, limit })
      : [];
    const asked = { id, limit, kinds: KINDS, size: signedSize(db) };
    const said = isHead ? [] : prepare(db, "shore.statements").all(asked);
    return {
      upto: [...heads, ...said].at(-1)?.id ?? null,
      documents: [
        ...heads.flatMap((row) => withoutDamage(db, () => headDocument(db, row)) ?? []),
        ...said.flatMap(statementDocument),
      ] satisfies LedgerDocument[],
    };
  })();
}

/** Numbers of documents that the shore lacks: of signed heads, or of one kind of statement. */
export type LedgerHole = readonly [kind: string, first: number, last: number];

/** Name of signed heads in a LedgerHole. */
export const SIGNED_HEAD = "signed head";

/**
 * Holes at the end of each series: from the newest number there, up to the documents that the shore
 * is known to have had. They were removed there.
 */
export function ledgerEnds(
  db: Connection,
  has: LedgerNumbers,
  newest: Readonly<Record<string, number>>,
): readonly LedgerHole[] {
  const sent = STATEMENT_KINDS.map((kind) => [kind, newestOf(db, kind, has.statement)] as const);
  return [[SIGNED_HEAD, has.head] as const, ...sent].flatMap(([series, last]): LedgerHole[] => {
    const there = newest[series] ?? 0;
    return last > there ? [[series, there + 1, last]] : [];
  });
}

/**
 * The documents of a hole from its first number on, and the number up to which the answer is
 * complete.
 */
export function ledgerHole(db: Connection, [kind, first, last]: LedgerHole, limit: number) {
  return db.transaction(() => {
    const upto = Math.min(last, first + limit - 1);
    const documents: LedgerDocument[] = [];
    if (kind === SIGNED_HEAD) {
      const page = prepare<"shore.ledger_heads", LedgerHeadRow>(db, "shore.ledger_heads");
      const rows = page.all({ id: first - 1, limit }).filter(({ id }) => id <= upto);
      for (const row of rows)
        documents.push(...(withoutDamage(db, () => headDocument(db, row)) ?? []));
    } else
      for (const row of prepare(db, "shore.statements_of").all({ kind, first, last: upto }))
        documents.push(...statementDocument(row));
    return { upto, documents };
  })();
}

interface LedgerHeadRow extends RowOf<"shore.ledger_heads"> {
  readonly before: string | null;
}

function headDocument(db: Connection, row: LedgerHeadRow): LedgerDocument[] {
  const head = treeHead(row.checkpoint);
  if (head === null) return [];
  const before = row.before === null ? null : treeHead(row.before);
  // Only the head is known of a tree that a salvage couldn't keep.
  const isOfTree = isHeadOfTree(db, head);
  const isGrown = before !== null && before.size <= head.size && isHeadOfTree(db, before);
  const body: HeadDocument = {
    ...{ checkpoint: row.checkpoint, at_ms: row.at_ms, reason: row.reason },
    after: isOfTree && isGrown ? keyOfHead(row.before) : null,
    leaves: isOfTree ? leafOrder(db, isGrown ? before.size : 0, head.size) : null,
  };
  return [{ kind: "head", key: keyOfHead(row.checkpoint), body, revision: row.id }];
}

function treeHead(checkpoint: unknown) {
  try {
    return readCheckpoint(String(checkpoint));
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    return null;
  }
}

function isHeadOfTree(db: Connection, { size, root }: { size: number; root: Uint8Array }): boolean {
  return size <= ledgerSize(db) && isSameHash(ledgerRoot(db, size), root);
}

/** Maximum length of the kinds of leaves, in characters: a document may have 256 KiB. */
const ORDER_MAX = 200_000;

/**
 * The kinds of the leaves from `first` to `last`, such as `audit 3 event 1`; null if the text is
 * too long.
 */
function leafOrder(db: Connection, first: number, last: number): string | null {
  const runs: { kind: string; count: number }[] = [];
  for (const { kind } of prepare(db, "shore.ledger_order").iterate({ first, last })) {
    const run = runs.at(-1);
    if (run?.kind === kind) run.count += 1;
    else runs.push({ kind, count: 1 });
  }
  const text = runs.map(({ kind, count }) => `${kind} ${count}`).join(" ");
  return text.length > ORDER_MAX ? null : text;
}

function statementDocument(row: RowOf<"shore.statements">): LedgerDocument[] {
  const { id, kind, number, leaf } = row;
  const content = String(row.content);
  if (leaf !== leafText({ kind, number }, sha256(Buffer.from(content)))) return [];
  const columns = kind === "verdict" ? verdictColumns(content) : null;
  if (columns === null) {
    const body: StatementDocument = { content };
    return [{ kind: "statement", key: leaf, body, revision: id }];
  }
  const statement = packStatement(content);
  return [{ kind: "verdict", key: leaf, body: { ...columns, statement }, revision: id }];
}
