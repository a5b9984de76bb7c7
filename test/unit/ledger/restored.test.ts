// Histories that aren't the one signed here, though no signature shows it: a restore of a backup
// from which no signed head is missing, and signed heads that somebody took away.

import { rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { compareSignedHead } from "../../../src/app/control/signed-file.ts";
import { BY_SELF } from "../../../src/bwts/audit.ts";
import { sha256 } from "../../../src/codec/merkle.ts";
import { HOUR_MS } from "../../../src/ground/clock.ts";
import { verifyChains } from "../../../src/sqlite/care/verify.ts";
import { EMPTY_CHAIN } from "../../../src/sqlite/file/hash-chain.ts";
import { replacedHistories } from "../../../src/sqlite/records/replaced-database.ts";
import { rigsOfTests } from "../../rig/database.ts";
import { RECEIVED_MS } from "../../rig/decoding.ts";
import { grownHead, signerOf } from "../../rig/ledger-signer.ts";

const rigOf = rigsOfTests();

test("a restore is told, once, and by a clock that was ahead when its time has come", async () => {
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

test.each([
  ["all, with the note of the last one", 5, "the database was restored or copied"],
  ["all but the first", 4, "3 of 4 signed heads were taken away"],
])("heads that were taken away are told: %s", async (_, gone, reason) => {
  const rig = rigOf();
  for (const why of ["start", "export", "stop", "stop", "stop"] as const)
    await grownHead(rig, 1, why);
  const [{ checkpoint } = { checkpoint: "" }] = rig.db
    .prepare<[], { checkpoint: string }>("select checkpoint from ledger_head where id = 1")
    .all();
  const left = 5 - gone;
  const hash = left === 0 ? EMPTY_CHAIN.hash : sha256(Buffer.from(checkpoint));
  rig.db.exec(`delete from ledger_head where id > ${left}`);
  rig.db.prepare("update chain_head set count = ?, hash = ? where chain = 'head'").run(left, hash);
  if (left === 0) rmSync(path.join(rig.dir, "ledger-signed.json"));
  else
    expect(compareSignedHead(rig.db, rig.dir).problem).toBe(
      "3 of 4 heads signed here aren't stored",
    );
  await grownHead(rig, 1, "start");
  await grownHead(rig, 1, "start");
  expect(replacedHistories(rig.db)).toMatchObject([{ reason }]);
  expect(verifyChains(rig.db, () => {}).problem).toBeNull();
});
