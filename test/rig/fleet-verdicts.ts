// Judgements of operations in a rig's database, each with its statement of the ledger, as the
// derivation stores them.

import { Operation } from "../../src/bwts/operations/operation.ts";
import { OPERATION_EXAMPLE } from "../../src/bwts/operations/operation-example.ts";
import { write } from "../../src/sqlite/file/open.ts";
import { addVersion } from "../../src/sqlite/records/operation-rows.ts";
import type { Rig } from "./database.ts";

/** Stores versions that differ from the example by what is given. */
export function judgeOperations(
  { db }: Rig,
  versions: readonly (Partial<Operation> & { because: string })[],
) {
  for (const { because, ...changed } of versions) {
    const { versions: _, ...record } = Operation.parse({ ...OPERATION_EXAMPLE, ...changed });
    write(db, () =>
      addVersion(db, record, { made_ms: Date.parse("2026-05-02T00:00:00Z"), because }),
    );
  }
}
