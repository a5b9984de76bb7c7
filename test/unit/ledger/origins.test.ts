// Signed heads over the fortunes of an installation: restored, copied, put back, its key lost or
// exchanged. One origin never signs two different trees of one size, and each new one names the
// head that it continues.

import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { BY_SELF } from "../../../src/bwts/audit.ts";
import { HOUR_MS } from "../../../src/ground/clock.ts";
import { readCheckpoint } from "../../../src/ledger/checkpoint.ts";
import { readKeyStatement } from "../../../src/ledger/key-statement.ts";
import { consistencyPath, isConsistent, rootAt } from "../../../src/ledger/merkle-proof.ts";
import { publicBytes, verifiedBy } from "../../../src/ledger/note.ts";
import { verifyChains } from "../../../src/sqlite/care/verify.ts";
import { nodesOf } from "../../../src/sqlite/file/ledger.ts";
import { databaseFile, prepare } from "../../../src/sqlite/file/open.ts";
import { dueHead } from "../../../src/sqlite/records/ledger-heads.ts";
import { type Rig, rigsOfTests, temporaryFolder } from "../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../rig/decoding.ts";
import { signerOf } from "../../rig/ledger-signer.ts";

const rigOf = rigsOfTests();

const grow = ({ store }: Rig, count = 1, why = "x") => {
  for (let at = 0; at < count; at += 1)
    store.audit([{ ...BY_SELF, at_ms: AT_MS, kind: "login", detail: { why } }], RECEIVED_MS);
};

const statementsOf = ({ db }: Rig) =>
  prepare(db, "ledger.statements")
    .all({ kind: "key" })
    .map(({ id, content }) => ({ index: id - 1, ...readKeyStatement(content ?? "") }));

/** The rig again, from its folder or from another one. */
function reopened(rig: Rig, dir = rig.dir): Rig {
  rig.close();
  return rigOf({}, dir);
}

const DATABASE = path.basename(databaseFile(""));
const files = (dir: string) =>
  ["ledger-key.pem", "ledger-signed.json", "instance"].map((name) => path.join(dir, name));

/** A copy of the database alone, as a backup is. */
function backedUp(rig: Rig): string {
  const file = path.join(temporaryFolder(), DATABASE);
  rig.store.tidy();
  cpSync(databaseFile(rig.dir), file);
  return file;
}

/** The database exchanged for another file. */
function putBack(rig: Rig, backup: string): Rig {
  rig.close();
  for (const end of ["", "-wal", "-shm"]) rmSync(databaseFile(rig.dir) + end, { force: true });
  cpSync(backup, databaseFile(rig.dir));
  return rigOf({}, rig.dir);
}

test("the first head makes the key, and each later one has the same origin", async () => {
  const rig = rigOf();
  grow(rig, 3);
  const signer = signerOf(rig);
  const first = await signer.sign("start");
  grow(rig);
  const [second, third] = await Promise.all([signer.sign("stop"), signer.sign("print")]);
  expect([first, second, third].map(({ size }) => size)).toEqual([4, 5, 5]);
  expect(new Set([first, second, third].map(({ origin }) => origin)).size).toBe(1);
  expect(first.origin).toMatch(/^ballastd\/BWTS-001\/[0-9a-f]{16}$/);
  for (const file of files(rig.dir)) expect(statSync(file).mode & 0o777, file).toBe(0o600);
  // The printed head is an entry of the ledger.
  const [given] = prepare(rig.db, "ledger.statements").all({ kind: "head" });
  expect(given.content).toContain(`head given out: print\n`);
  expect(given.content).toContain(`size 5\n`);
  expect(statementsOf(rig)).toMatchObject([
    { before: null, continues: null, follows: null, reason: "first start" },
  ]);
  expect(verifyChains(rig.db, () => {}).problem).toBeNull();

  const [{ key }] = statementsOf(rig);
  const [old, grown] = [first, third].map(({ checkpoint }) => readCheckpoint(checkpoint));
  for (const head of [old, grown]) expect(verifiedBy(head.note, [key])).toEqual(key);
  const proof = consistencyPath(nodesOf(rig.db), old.size, grown.size);
  const sizes = { before: old.size, size: grown.size };
  expect(isConsistent({ ...sizes, root_before: old.root, root: grown.root, path: proof })).toBe(
    true,
  );
});

test("heads are due after a stop, an export and a day, and not without anything new", async () => {
  const rig = rigOf();
  const now_ms = RECEIVED_MS;
  const signer = signerOf(rig);
  grow(rig);
  expect(dueHead(rig.db, now_ms)).toBe("daily");
  await signer.sign("daily");
  grow(rig);
  expect(dueHead(rig.db, now_ms)).toBeNull();
  expect(dueHead(rig.db, now_ms + 86_400_000)).toBe("daily");
  const stop = { timestamp: AT_MS, event_type: "PROCESS_STOP", data: {} };
  rig.store.commit([messageOf("events", stop)]);
  expect(dueHead(rig.db, now_ms)).toBe("stop");
  rig.store.audit([{ ...BY_SELF, at_ms: AT_MS, kind: "export", detail: {} }], now_ms);
  expect(dueHead(rig.db, now_ms)).toBe("export");
  await signer.sign("export");
  expect(dueHead(rig.db, now_ms + 1000)).toBeNull();
  // A program that exports each minute.
  rig.store.audit([{ ...BY_SELF, at_ms: AT_MS, kind: "export", detail: {} }], now_ms);
  expect(dueHead(rig.db, now_ms + 60_000)).toBeNull();
  rig.store.commit([messageOf("events", { ...stop, data: { second: true } })]);
  expect(dueHead(rig.db, now_ms + 60_000)).toBe("stop");
  expect(dueHead(rig.db, now_ms + HOUR_MS)).toBe("export");
  expect(dueHead(rig.db, now_ms - 1)).toBe("export");
});

test("a rotated key is signed by the old one, and a cut between the two does no harm", async () => {
  const rig = rigOf();
  const signer = signerOf(rig);
  const first = await signer.sign("start");
  const key_file = path.join(rig.dir, "ledger-key.pem");
  const old_pem = readFileSync(key_file);
  const second = await signer.rotate();
  expect(second.origin).toBe(first.origin);
  const [one, two] = statementsOf(rig);
  expect(two).toMatchObject({ before: one.key, isSignedBefore: true, reason: "rotated" });
  expect(verifiedBy(readCheckpoint(second.checkpoint).note, [two.key])).toEqual(two.key);
  expect(verifyChains(rig.db, () => {}).problem).toBeNull();
  // Cut off before the new key took its place.
  renameSync(key_file, `${key_file}.next`);
  writeFileSync(key_file, old_pem);
  expect((await signer.sign("stop")).origin).toBe(first.origin);
  // Cut off before the statement was stored.
  writeFileSync(`${key_file}.next`, old_pem);
  expect((await signer.sign("stop")).origin).toBe(first.origin);
  expect(existsSync(`${key_file}.next`)).toBe(false);
  expect(statementsOf(rig)).toHaveLength(2);
});

test("an older database put back gets an origin that names both heads", async () => {
  let rig = rigOf();
  await signerOf(rig).sign("start");
  const backup = backedUp(rig);
  grow(rig, 2, "gone");
  const last = await signerOf(rig).sign("stop");
  rig = putBack(rig, backup);
  // Grown beyond the size that was signed, with other leaves.
  grow(rig, 9, "others");
  const head = await signerOf(rig).sign("start");
  expect(head.origin).not.toBe(last.origin);
  const [first, second] = statementsOf(rig);
  expect(second).toMatchObject({
    reason: `another tree of ${last.size} leaves was signed here`,
    key: { key: first.key.key },
    isSignedBefore: true,
    continues: { origin: last.origin, size: second.index },
    follows: { origin: last.origin, size: last.size },
  });
  expect(second.continues?.root).toEqual(rootAt(nodesOf(rig.db), second.index));
  expect(await signerOf(rig).sign("stop")).toMatchObject({ origin: head.origin });
  rig = putBack(rig, backup);
  expect((await signerOf(rig).sign("start")).origin).not.toBe(head.origin);
  expect(statementsOf(rig).at(-1)?.reason).toBe("another database was put in its place");
});

test("a backup restored on two machines at once makes two origins and two keys", async () => {
  const rig = rigOf();
  grow(rig, 5);
  const first = await signerOf(rig).sign("start");
  const backup = backedUp(rig);
  const boxes = [temporaryFolder(), temporaryFolder()].map((dir) => {
    cpSync(backup, databaseFile(dir));
    return rigOf({}, dir);
  });
  const heads = await Promise.all(boxes.map((box) => signerOf(box).sign("start")));
  const origins = new Set([first, ...heads].map(({ origin }) => origin));
  expect(origins.size).toBe(3);
  for (const box of boxes)
    expect(statementsOf(box)[1]).toMatchObject({
      reason: "the key before is lost",
      isSignedBefore: false,
      continues: { origin: first.origin, size: 6 },
    });
  const keys = boxes.map((box) => Buffer.from(statementsOf(box)[1].key.key).toString("hex"));
  expect(new Set(keys).size).toBe(2);
});

test("a folder copied with its key to another machine gets a key of its own", async () => {
  const rig = rigOf();
  grow(rig, 2);
  const first = await signerOf(rig).sign("start");
  const dir = temporaryFolder();
  rig.store.tidy();
  cpSync(rig.dir, dir, { recursive: true });
  const instance = path.join(dir, "instance");
  const { machine: _, ...known } = JSON.parse(readFileSync(instance, "utf8"));
  writeFileSync(instance, JSON.stringify({ ...known, machine: "another" }));
  const copy = rigOf({}, dir);
  const head = await signerOf(copy).sign("start");
  expect(head.origin).not.toBe(first.origin);
  const [one, two] = statementsOf(copy);
  expect(two).toMatchObject({
    reason: "the folder was copied to another machine",
    isSignedBefore: true,
  });
  expect(two.key.key).not.toEqual(one.key.key);
  expect((await signerOf(rig).sign("stop")).origin).toBe(first.origin);
});

test("a foreign key that was put into the folder signs nothing", async () => {
  const rig = rigOf();
  await signerOf(rig).sign("start");
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  writeFileSync(path.join(rig.dir, "ledger-key.pem"), pem);
  await signerOf(rig).sign("stop");
  const [, { key, isSignedBefore }] = statementsOf(rig);
  expect(isSignedBefore).toBe(false);
  expect(Buffer.from(key.key).equals(publicBytes(privateKey))).toBe(false);
});

test("a copy whose first statement can't be stored still gets a key of its own", async () => {
  const rig = rigOf();
  grow(rig, 2);
  const first = await signerOf(rig).sign("start");
  const file = path.join(rig.dir, "instance");
  const known = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...known, machine: "another" }));
  const full = "begin select raise(abort, 'full'); end";
  rig.db.exec(`create trigger full before insert on ledger ${full}`);
  await expect(signerOf(rig).sign("start")).rejects.toThrow("full");
  rig.db.exec("drop trigger full");
  const head = await signerOf(rig).sign("start");
  expect(head.origin).not.toBe(first.origin);
  const [one, two] = statementsOf(rig);
  expect(two.reason).toBe("the folder was copied to another machine");
  expect(two.key.key).not.toEqual(one.key.key);
});

test.each([
  ["the key is lost", ["ledger-key.pem"], "the key before is lost"],
  [
    "the note of what was signed is lost",
    ["ledger-signed.json"],
    "the database was restored or copied",
  ],
])("when %s, a new origin says so", async (_, lost, reason) => {
  let rig = rigOf();
  const first = await signerOf(rig).sign("start");
  for (const name of lost) rmSync(path.join(rig.dir, name));
  rig = reopened(rig);
  const head = await signerOf(rig).sign("start");
  expect(head.origin).not.toBe(first.origin);
  expect(statementsOf(rig).at(-1)).toMatchObject({ reason, continues: { origin: first.origin } });
  expect(verifyChains(rig.db, () => {}).problem).toBeNull();
});

test("a key that others may read is closed to them, and one that is no file is named", async () => {
  const rig = rigOf();
  const first = await signerOf(rig).sign("start");
  const file = path.join(rig.dir, "ledger-key.pem");
  chmodSync(file, 0o644);
  expect((await signerOf(rig).sign("stop")).origin).toBe(first.origin);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  rmSync(file);
  execFileSync("mkfifo", [file]);
  await expect(signerOf(rig).sign("stop")).rejects.toThrow(`${file}: is not a file`);
});

test("a damaged tree isn't signed, and a tree begun anew names the head that is lost", async () => {
  let rig = rigOf();
  grow(rig, 6);
  const first = await signerOf(rig).sign("start");
  rig.db.exec("update ledger set nodes = zeroblob(length(nodes)) where id = 7");
  await expect(signerOf(rig).sign("stop")).rejects.toThrow("leaf 7 of the ledger");
  rig.db.exec("delete from ledger; delete from chain_head where chain = 'ledger'");
  rig = reopened(rig);
  await signerOf(rig).sign("start");
  expect(statementsOf(rig)).toMatchObject([
    {
      ...{ reason: "the tree begins anew", continues: null, before: null },
      follows: { origin: first.origin, size: first.size },
    },
  ]);
});
