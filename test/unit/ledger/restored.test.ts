// A restore of a backup from which no signed head is missing: what wasn't signed yet is gone all
// the same, as an operation that ran.

import { expect, test } from "vitest";
import { BY_SELF } from "../../../src/bwts/audit.ts";
import { HOUR_MS } from "../../../src/ground/clock.ts";
import { verifyChains } from "../../../src/sqlite/care/verify.ts";
import { replacedHistories } from "../../../src/sqlite/records/replaced-database.ts";
import { rigsOfTests } from "../../rig/database.ts";
import { RECEIVED_MS } from "../../rig/decoding.ts";
import { grownHead, signerOf } from "../../rig/ledger-signer.ts";

const rigOf = rigsOfTests();

test("it is told, once, and by a clock that was ahead when its time has come", async () => {
  const rig = rigOf();
  await grownHead(rig, 3);
  const restored_ms = RECEIVED_MS + HOUR_MS;
  const entry = { ...BY_SELF, at_ms: restored_ms, kind: "restore" as const, detail: {} };
  rig.store.audit([entry], restored_ms);
  const signAt = (at_ms: number) => signerOf(rig, undefined, undefined, at_ms).sign("start");
  await signAt(RECEIVED_MS + 1);
  expect(replacedHistories(rig.db)).toEqual([]);
  await signAt(restored_ms + 1);
  await signAt(restored_ms + 2);
  expect(replacedHistories(rig.db)).toMatchObject([
    { reason: "the database was restored from a backup", lost_size: null },
  ]);
  expect(verifyChains(rig.db, () => {}).problem).toBeNull();
});
