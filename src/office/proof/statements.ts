// Checks the statements of a ship's ledger at the office: each must match its key, and the columns
// of a verdict must match its statement. Numbers rise without gaps.

import { isDeepStrictEqual } from "node:util";
import { StatementDocument } from "../../bwts/documents/document.ts";
import { VerdictDocument, verdictColumns } from "../../bwts/documents/verdict-document.ts";
import { sha256 } from "../../codec/merkle.ts";
import { unpackStatement } from "../../codec/packed-statement.ts";
import { messageOf } from "../../ground/errors.ts";
import { type KeyStatement, readKeyStatement, shipOfVerdict } from "../../ledger/key-statement.ts";
import { BadNote } from "../../ledger/note.ts";
import { STATEMENT_KINDS } from "../../sqlite/file/ledger.ts";
import type { Office } from "../office.ts";
import { missingNumbers } from "./ledger-cover.ts";
import type { LeavesAshore } from "./ledger-tree.ts";

/** A statement about a key, and its number. */
export type NumberedKey = KeyStatement & { readonly number: number };

export interface StatementsAshore {
  readonly keys: readonly NumberedKey[];
  /** The texts of the statements' leaves. */
  readonly leaves: readonly string[];
  /**
   * Number of verdicts and keys that don't name the ship: from an older ballastd, or without IMO
   * number.
   */
  readonly unnamed: number;
  /** The highest number of each kind. */
  readonly newest: ReadonlyMap<string, number>;
  /** The office's marks on verdicts that were proven before, by leaf. */
  readonly marked: ReadonlyMap<string, number>;
}

/** A row of office.statements. */
interface StatementRow {
  readonly key: string;
  readonly kind: string;
  readonly body: unknown;
  readonly proven: number | null;
}

/** Adds the ship's statements to the leaves; returns what was found. */
export async function takeStatements(
  office: Office,
  ship: string,
  { leaves, found }: { readonly leaves: LeavesAshore; readonly found: (fault: string) => void },
): Promise<StatementsAshore> {
  const keys = new Map<string, NumberedKey>();
  const taken = new Set<string>();
  const marked = new Map<string, number>();
  let unnamed = 0;
  const named = (imo: string | null, name: string) => {
    if (imo === null) unnamed += 1;
    else if (imo !== ship) found(`${name}: is of the ship ${imo}`);
  };
  const numbers = new Map<string, number[]>(STATEMENT_KINDS.map((kind) => [kind, []]));
  for (const row of await office.ask<StatementRow>("office.statements", [ship])) {
    const { key: leaf, proven } = row;
    const content = contentOf(row);
    const [, kind, number, hash] = /^([a-z]+) ([1-9]\d{0,8}) ([0-9a-f]{64})$/.exec(leaf) ?? [];
    if (content === null || hash !== sha256(Buffer.from(content)).toString("hex")) {
      found(`the statement ${leaf.slice(0, 30)} isn't what its key names`);
      continue;
    }
    leaves.statement({ leaf, content });
    const imo = kind === "verdict" ? shipOfVerdict(content) : null;
    if (kind === "verdict") named(imo, `verdict ${number}`);
    taken.add(leaf);
    numbers.get(kind)?.push(Number(number));
    if (proven !== null) marked.set(leaf, Math.max(proven, marked.get(leaf) ?? 0));
    if (kind !== "key") continue;
    try {
      const said = readKeyStatement(content);
      named(said.ship?.imo ?? null, `key ${number}`);
      keys.set(leaf, { ...said, number: Number(number) });
    } catch (error) {
      if (!(error instanceof BadNote)) throw error;
      found(`key ${number}: ${messageOf(error)}`);
    }
  }
  for (const [kind, known] of numbers) missingNumbers(kind, known).forEach(found);
  const newest = new Map([...numbers].map(([kind, known]) => [kind, Math.max(0, ...known)]));
  return { keys: [...keys.values()], leaves: [...taken], newest, marked, unnamed };
}

/** The statement in a document; null without one, or if a verdict's columns contradict it. */
function contentOf({ key, kind, body }: StatementRow): string | null {
  if (kind === "statement") {
    const { data } = StatementDocument.safeParse(body);
    const isVerdict = key.startsWith("verdict ") && verdictColumns(data?.content ?? "") !== null;
    return isVerdict ? null : (data?.content ?? null);
  }
  const { data } = VerdictDocument.safeParse(body);
  if (data === undefined) return null;
  const { statement, ...columns } = data;
  const content = unpackStatement(statement);
  return content !== null && isDeepStrictEqual(verdictColumns(content), columns) ? content : null;
}
