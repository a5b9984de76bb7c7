// Takes over the ledger of a damaged database: the leaves in their order, each recomputed from its
// link or statement, if every link was taken over unchanged. Otherwise the new tree remains, which
// was made link by link when the chains were taken over, kind by kind. The next head compares
// either tree with the one signed before, and gets a new origin if they differ.

import { DamagedError } from "../../codec/bytes.ts";
import { HASH_BYTES, sha256 } from "../../codec/merkle.ts";
import { messageOf } from "../../ground/errors.ts";
import { leafHash } from "../../ledger/merkle-proof.ts";
import { CHAINS, chainHead } from "../file/hash-chain.ts";
import { appendLeaf, leafText, leavesOf, STATEMENT_KINDS } from "../file/ledger.ts";
import { type Connection, prepare } from "../file/open.ts";
import { restateVerdicts } from "../records/give-out.ts";
import { addHead } from "../records/head-rows.ts";
import { keyStatements } from "../records/key-statements.ts";
import { type LeafRow, openLinkLeaves } from "../records/leaf-proof.ts";
import { faultyOperations } from "../records/operation-faults.ts";
import { restoreOperations } from "../records/operation-rows.ts";
import { faultyHeads, headRows } from "../records/verify-ledger.ts";
import { isBytes } from "../sealed/segment-proof.ts";
import type { Loss } from "./loss.ts";
import { isDamagedFile } from "./trust.ts";

/** Thrown if the old tree can't be continued, so that a new one begins. */
class Anew extends Error {}

/** Takes over the leaves, after the chains and the other tables; returns the losses. */
export function takeLedger(db: Connection, from: Connection | null): readonly Loss[] {
  try {
    if (from === null) throw new Anew("its table can't be read");
    // In a savepoint: undoing it brings back the new tree.
    db.transaction(() => takeLeaves(db, from))();
    return [...dropFaultyHeads(db), ...mendOperations(db)];
  } catch (error) {
    if (!(error instanceof Anew || error instanceof DamagedError) && !isDamagedFile(error))
      throw error;
    const why = `${messageOf(error)}; a new tree begins, and its first head says so`;
    restateVerdicts(db);
    return [{ ...loss, name: null, why }, ...dropFaultyHeads(db), ...mendOperations(db)];
  }
}

const loss = { what: "ledger", readings: null, from: null, to: null } as const;

/** Number of leaves fetched at a time. */
const PAGE = 500;

function takeLeaves(db: Connection, from: Connection): void {
  const linkLeaf = openLinkLeaves(db);
  const page = prepare(from, "ledger.page");
  prepare(db, "ledger.clear").run({});
  prepare(db, "chain.remove").run({ chain: "ledger" });
  let last = 0;
  for (let rows = page.all({ id: 0, limit: PAGE }); rows.length > 0; ) {
    for (const row of rows) {
      if (row.id !== last + 1) throw new Anew(`leaf ${last + 1} is missing`);
      const leaf = madeAgain(row, linkLeaf);
      if (leaf === null) throw new Anew(`leaf ${row.id} isn't what was written`);
      appendLeaf(db, row, leaf, isStatement(row) ? row.content : null);
      last = row.id;
    }
    rows = page.all({ id: last, limit: PAGE });
  }
  const count = chainHead(from, "ledger").count;
  if (count !== last) throw new Anew(`leaf ${last + 1} is missing: the head counts ${count}`);
  const lacking = CHAINS.find((chain) => chainHead(db, chain).count !== leavesOf(db, chain));
  if (lacking !== undefined) throw new Anew(`a leaf of ${lacking} is missing`);
  // Throws for a statement that contradicts the keys although its hash is right: the tree can't be
  // continued then either.
  keyStatements(db);
}

const isStatement = (row: LeafRow) => STATEMENT_KINDS.some((kind) => kind === row.kind);

/**
 * The leaf's text, recomputed from its link or statement; null if it contradicts the stored text or
 * hash.
 */
function madeAgain(row: LeafRow, linkLeaf: (row: LeafRow) => string | null): string | null {
  const leaf = isStatement(row)
    ? leafText(row, sha256(Buffer.from(String(row.content))))
    : linkLeaf(row);
  if (leaf === null || leaf === row.leaf) return leaf;
  const { nodes } = row;
  const isSame = isBytes(nodes) && leafHash(leaf).equals(nodes.subarray(0, HASH_BYTES));
  return isSame ? leaf : null;
}

/** Removes faulty heads; the others are numbered without gaps. Returns the losses. */
function dropFaultyHeads(db: Connection): readonly Loss[] {
  const faulty = [...faultyHeads(db)];
  const rows = [...headRows(db)];
  prepare(db, "ledger_head.clear").run({});
  prepare(db, "chain.remove").run({ chain: "head" });
  for (const row of rows) if (!faulty.some((one) => one.row.id === row.id)) addHead(db, row);
  return faulty.map(({ row, fault }) => ({ ...loss, name: `head ${row.id}`, why: fault }));
}

/** Recomputes rows of operations that are missing or contradict the ledger. Returns the losses. */
function mendOperations(db: Connection): readonly Loss[] {
  const faulty = [...faultyOperations(db)].filter(({ isThere }) => isThere);
  for (const { id, version } of faulty)
    if (version === null) prepare(db, "operation.remove").run({ id });
    else prepare(db, "operation.remove_version").run({ operation_id: id, version });
  restoreOperations(db);
  return faulty.map(({ fault }) => ({ ...loss, what: "table", name: "operation", why: fault }));
}
