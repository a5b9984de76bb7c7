// Heads and statements that were altered in the database, and heads that aren't their signer's:
// they are named, and nothing is signed upon them.

import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { openSigner } from "../../../src/app/control/signer.ts";
import { BY_SELF } from "../../../src/bwts/audit.ts";
import {
  readCheckpoint,
  requireNoFork,
  signedCheckpoint,
  signerOfHead,
} from "../../../src/ledger/checkpoint.ts";
import { BadNote, publicBytes, signedNote } from "../../../src/ledger/note.ts";
import { verifyChains } from "../../../src/sqlite/care/verify.ts";
import { prepare } from "../../../src/sqlite/file/open.ts";
import { withRowChecksum } from "../../../src/sqlite/file/row-checksum.ts";
import { newestHead } from "../../../src/sqlite/records/given-heads.ts";
import { ledgerHeadsJson } from "../../../src/sqlite/records/ledger-answers.ts";
import { ledgerNow, storeHead, storeKey } from "../../../src/sqlite/records/ledger-heads.ts";
import { type Rig, rigsOfTests } from "../../rig/database.ts";
import { AT_MS, RECEIVED_MS } from "../../rig/decoding.ts";
import { UNNAMED } from "../../rig/ledger-signer.ts";

const rigOf = rigsOfTests();

const sign = ({ db, dir }: Rig) =>
  openSigner({
    ...{ dir, ship: UNNAMED, now_ms: () => RECEIVED_MS, onOrigin: () => {} },
    ledger: {
      now: async (before) => ledgerNow(db, before),
      storeKey: async (statement) => storeKey(db, statement),
      storeHead: async (head) => storeHead(db, head),
    },
  }).sign("stop");

const grow = ({ store }: Rig, count: number) => {
  for (let at = 0; at < count; at += 1)
    store.audit([{ ...BY_SELF, at_ms: AT_MS, kind: "login", detail: {} }], RECEIVED_MS);
};

test.each([
  ["update ledger set nodes = zeroblob(length(nodes)) where id = 6", "leaf 6 of the ledger"],
  ["update ledger set content = replace(content, 'first', 'worst') where id = 6", "leaf 6"],
  ["update ledger_head set checkpoint = 'x'", "the newest signed head: a note has an empty line"],
])("%s: nothing is signed, also not under a new origin", async (sql, problem) => {
  const rig = rigOf();
  grow(rig, 5);
  await sign(rig);
  grow(rig, 10);
  rig.db.exec(sql);
  await expect(sign(rig)).rejects.toThrow(
    expect.objectContaining({ name: "DamagedError", message: expect.stringContaining(problem) }),
  );
});

test("a head whose row names another origin is found, and one in another's name", async () => {
  const rig = rigOf();
  const { checkpoint, origin } = await sign(rig);
  const problem = () => verifyChains(rig.db, () => {}).problem;
  rig.db.exec("update ledger_head set origin = 'ballastd/OTHER/1'");
  expect(problem()).toBe("head 1 of the ledger: its row isn't what was stored");
  const { checksum: _, ...row } = prepare(rig.db, "ledger_head.after").all({ id: 0, limit: 1 })[0];
  prepare(rig.db, "ledger_head.clear").run({});
  prepare(rig.db, "ledger_head.add").run(withRowChecksum(row));
  expect(problem()).toBe("head 1 of the ledger: its row isn't what was signed");
  const { privateKey: secret } = generateKeyPairSync("ed25519");
  const signer = { name: "ballastd/OTHER/1", secret };
  const key = { name: signer.name, key: publicBytes(secret) };
  const borrowed = readCheckpoint(signedNote(readCheckpoint(checkpoint).note.text, [signer]));
  expect(() => signerOfHead(borrowed, [key])).toThrow(BadNote);
  const own = readCheckpoint(signedCheckpoint(borrowed, signer));
  expect(signerOfHead(own, [key])).toEqual(key);
  expect(() => requireNoFork([own, { ...own, root: Buffer.alloc(32) }])).toThrow("is a fork");
  expect(() => requireNoFork([own, own, { ...own, origin }])).not.toThrow();
});

test("a damaged head keeps no other from being listed, and no sheet from being made", async () => {
  const rig = rigOf();
  for (let at = 0; at < 3; at += 1) {
    grow(rig, 1);
    await sign(rig);
  }
  const listed = () => JSON.parse(ledgerHeadsJson(rig.db, { limit: 10, offset: 0 }).text);
  rig.db.exec("update ledger_head set checkpoint = 'x' where id = 2");
  expect(listed().data.map(({ size }: { size: number }) => size)).toEqual([4, 2]);
  expect(newestHead(rig.db)?.size).toBe(4);
  rig.db.exec("update ledger_head set checkpoint = 'x' where id = 3");
  expect(listed()).toMatchObject({ data: [{ size: 2 }], pagination: { total: 3 } });
  expect(newestHead(rig.db)).toBeNull();
});
