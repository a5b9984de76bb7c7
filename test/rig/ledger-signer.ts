// The signer of a rig's ledger, in this process, and entries of the audit log that make it grow.

import { type HeadReason, openSigner } from "../../src/app/control/signer.ts";
import { BY_SELF } from "../../src/bwts/audit.ts";
import { ledgerNow, storeHead, storeKey } from "../../src/sqlite/records/ledger-heads.ts";
import type { Rig } from "./database.ts";
import { AT_MS, RECEIVED_MS } from "./decoding.ts";

export const UNNAMED = { imo: "", vessel: "", system: "BWTS-001" };

/** `onKey` is called when the key's statement is stored. */
export function signerOf({ db, dir }: Rig, ship = UNNAMED, onKey = () => {}, at_ms = RECEIVED_MS) {
  return openSigner({
    ...{ dir, ship, now_ms: () => at_ms, onOrigin: () => {} },
    ledger: {
      now: async (before) => ledgerNow(db, before),
      storeKey: async (statement) => {
        storeKey(db, statement);
        onKey();
      },
      storeHead: async (head) => storeHead(db, head),
    },
  });
}

/** Stores entries of the audit log, and signs a head. */
export function grownHead(rig: Rig, entries: number, reason: HeadReason = "stop") {
  for (let at = 0; at < entries; at += 1)
    rig.store.audit([{ ...BY_SELF, at_ms: AT_MS, kind: "login", detail: { at } }], RECEIVED_MS);
  return signerOf(rig).sign(reason);
}

/** Number of the documents that the ledger sends ashore: statements that a signed head has. */
export function ledgerDocumentsAboard(db: Rig["db"]): number {
  const heads = db.prepare("select id from ledger_head").all();
  const statements = db
    .prepare(
      `select id from ledger where content is not null
        and id <= (select coalesce(max(size), 0) from ledger_head)`,
    )
    .all();
  return heads.length + statements.length;
}
