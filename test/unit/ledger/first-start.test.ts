// A first start whose machine stops within its first second, between stating the key of the ledger
// and noting it: nothing was signed, so nothing was replaced.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readKeyStatement } from "../../../src/ledger/key-statement.ts";
import { verifyChains } from "../../../src/sqlite/care/verify.ts";
import { prepare } from "../../../src/sqlite/file/open.ts";
import { replacedHistories } from "../../../src/sqlite/records/replaced-database.ts";
import { type Rig, rigsOfTests } from "../../rig/database.ts";
import { grownHead, signerOf, UNNAMED } from "../../rig/ledger-signer.ts";

const rigOf = rigsOfTests();

const reasonsOf = ({ db }: Rig) =>
  prepare(db, "ledger.statements")
    .all({ kind: "key" })
    .map(({ content }) => readKeyStatement(content ?? ""))
    .map(({ reason, follows }) => [reason, follows]);

test("a first start that is cut between key and note is a first start again, no copy", async () => {
  const rig = rigOf();
  const unpowered = signerOf(rig, UNNAMED, () => {
    throw new Error("the power is cut");
  });
  await expect(unpowered.sign("start")).rejects.toThrow("the power is cut");
  const key_file = path.join(rig.dir, "ledger-key.pem");
  const note = path.join(rig.dir, "ledger-signed.json");
  renameSync(`${key_file}.next`, key_file);
  expect(existsSync(note)).toBe(false);
  rig.close();
  const again = rigOf({}, rig.dir);
  await grownHead(again, 1, "start");
  expect(reasonsOf(again)).toEqual([
    ["first start", null],
    ["first start", null],
  ]);
  expect(replacedHistories(again.db)).toEqual([]);
  expect(verifyChains(again.db, () => {}).problem).toBeNull();

  // With a signed head, a folder without its note holds a copy.
  rmSync(note);
  await grownHead(again, 1);
  expect(reasonsOf(again).at(-1)).toEqual(["the database was restored or copied", null]);
  expect(replacedHistories(again.db)).toHaveLength(1);
});

test("one that is cut between note and first head goes on under its origin", async () => {
  const rig = rigOf();
  await grownHead(rig, 1, "start");
  const note = path.join(rig.dir, "ledger-signed.json");
  const unused = { ...JSON.parse(readFileSync(note, "utf8")), size: 0, root: "" };
  // With a head in the database somebody has altered the note.
  writeFileSync(note, JSON.stringify(unused));
  await grownHead(rig, 1);
  expect(reasonsOf(rig).at(-1)?.[0]).toBe("another tree of 0 leaves was signed here");

  const cut = rigOf();
  await grownHead(cut, 1, "start");
  const own = path.join(cut.dir, "ledger-signed.json");
  const told = { ...JSON.parse(readFileSync(own, "utf8")), size: 0, root: "" };
  writeFileSync(own, JSON.stringify(told));
  cut.db.exec("delete from ledger_head");
  await grownHead(cut, 1, "start");
  expect(reasonsOf(cut)).toEqual([["first start", null]]);
  expect(replacedHistories(cut.db)).toEqual([]);
});
