// Rows that somebody altered, removed or added by hand in a ship's database, each column in turn,
// and the checksum made again where there is one: verify names each, but for those that the ledger
// doesn't tell, and a salvage makes again what the ledger tells.

import { cpSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { BY_SELF } from "../../../src/bwts/audit.ts";
import { HOUR_MS } from "../../../src/ground/clock.ts";
import { salvage } from "../../../src/sqlite/care/salvage.ts";
import { verifyChains } from "../../../src/sqlite/care/verify.ts";
import { type Connection, databaseFile, openReader } from "../../../src/sqlite/file/open.ts";
import { EVER } from "../../../src/sqlite/file/query.ts";
import { type StoredRow, withRowChecksum } from "../../../src/sqlite/file/row-checksum.ts";
import { giveOut } from "../../../src/sqlite/records/give-out.ts";
import { commitRun, correct } from "../../rig/altered-ship.ts";
import { openRig, type Rig, rigsOfTests, temporaryFolder } from "../../rig/database.ts";
import { AT_MS, RECEIVED_MS } from "../../rig/decoding.ts";
import { foldersOfTests } from "../../rig/folders.ts";
import { signerOf } from "../../rig/ledger-signer.ts";
import { judgedOperations } from "../../rig/operations.ts";

const rigOf = rigsOfTests();
const newFolder = foldersOfTests(afterAll);

let made: string | null = null;

/** A copy of the ship that `fill` makes when the first is asked for. */
async function filled(): Promise<Rig> {
  made ??= await fill();
  const dir = temporaryFolder();
  cpSync(made, dir, { recursive: true });
  return rigOf({}, dir);
}

/** Three judged operations, one in two versions, two given out; voids, one undone; four heads. */
async function fill(): Promise<string> {
  const rig = openRig({}, newFolder());
  const signer = signerOf(rig);
  await signer.sign("start");
  for (const hours of [30, 20, 10])
    commitRun(rig, { start_ms: AT_MS - hours * HOUR_MS, minutes: 60 });
  judgedOperations(rig);
  rig.db.transaction(() => giveOut(rig.db, { ids: [1, 2], range: EVER }, AT_MS))();
  await signer.sign("print");
  correct(rig);
  await signer.sign("stop");
  await signer.sign("export");
  rig.close();
  return rig.dir;
}

const TABLES = [
  ...["ledger", "ledger_head", "operation", "operation_version", "event", "audit", "segment"],
  ...["chain_head", "void", "event_void"],
];

/** Nobody signed these: a change is found unless the checksum was made again. */
const UNSIGNED = [/^ledger_head \d+ (at_ms|reason) with its checksum$/];

const changed = (value: unknown): unknown => {
  if (value === null) return 7;
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return `${value}x`;
  const bytes = Buffer.from(value instanceof Uint8Array ? value : []);
  if (bytes.length > 0) bytes[bytes.length >> 1] ^= 1;
  return bytes;
};

const rowsOf = (db: Connection, table: string) =>
  db.prepare<[], StoredRow>(`select * from ${table} order by 1, 2`).all();

/** The ways of altering a row, each by its name. */
function* alterations(row: StoredRow): Generator<readonly [string, StoredRow | null]> {
  yield ["removed", null];
  const { checksum, ...rest } = row;
  for (const [column, value] of Object.entries(row)) {
    yield [column, { ...row, [column]: changed(value) }];
    if (checksum !== undefined && column !== "checksum")
      yield [`${column} with its checksum`, withRowChecksum({ ...rest, [column]: changed(value) })];
  }
}

function alter(db: Connection, table: string, row: StoredRow, to: StoredRow | null): void {
  const columns = Object.keys(row);
  const key = columns.map((name) => `${name} is $${name}`).join(" and ");
  db.prepare(`delete from ${table} where ${key}`).run(row);
  const values = columns.map((name) => `$${name}`).join(", ");
  if (to !== null) db.prepare(`insert or replace into ${table} values (${values})`).run(to);
}

test("each column of each row that was altered by hand is found and named", async () => {
  const { db } = await filled();
  expect(verifyChains(db, () => {}).problem).toBeNull();
  const missed: string[] = [];
  let count = 0;
  for (const table of TABLES)
    for (const row of rowsOf(db, table))
      for (const [how, to] of alterations(row)) {
        const name = `${table} ${String(Object.values(row)[0])} ${how}`;
        db.exec("begin");
        alter(db, table, row, to);
        const { problem } = verifyChains(db, () => {});
        db.exec("rollback");
        count += 1;
        if (problem === null && !UNSIGNED.some((known) => known.test(name))) missed.push(name);
      }
  expect(missed).toEqual([]);
  expect(count).toBeGreaterThan(400);
});

const RESUMMED = { of: "operation_version", verdict: "within_limits" };

test.each<readonly [string, (db: Connection) => void]>([
  ["a verdict altered", (db) => resummed(db, RESUMMED.of, 1, { verdict: "outside_limits" })],
  ["a reason altered", (db) => resummed(db, RESUMMED.of, 2, { because: "nothing" })],
  ["an operation's verdict altered", (db) => resummed(db, "operation", 1, { verdict: null })],
  ["an operation removed", (db) => remove(db, "operation", "operation_version")],
  ["a version removed", (db) => remove(db, "operation_version")],
  ["a giving out removed", (db) => resummed(db, RESUMMED.of, 1, { given_out_ms: null })],
  ["a giving out added", (db) => resummed(db, RESUMMED.of, 3, { given_out_ms: 7 })],
  ["a version's number taken", (db) => resummed(db, RESUMMED.of, 1, { ledger_number: 2 })],
  ["a void moved", (db) => void db.exec("update void set end_ms = end_ms + 3600000")],
  ["a void removed", (db) => void db.exec("delete from void")],
  ["a void undone", (db) => void db.exec("update void set undone_ms = 5")],
  ["a void added", (db) => void db.exec("insert into void select 9, 1, 2, 'x', 3, null")],
  ["a segment's count", (db) => void db.exec("update segment set count = count + 1")],
  ["a segment's time", (db) => void db.exec("update segment set last_ms = last_ms + 1")],
  ["a link's content", (db) => void db.exec("update ledger set content = 'x' where id = 3")],
  ["a head removed", (db) => void db.exec("delete from ledger_head where id = 2")],
  ["a head altered", (db) => void db.exec("update ledger_head set at_ms = 5 where id = 3")],
])("after %s, a salvage makes again what the ledger tells", async (_, damage) => {
  const { db, dir } = await filled();
  const told = (of: Connection) =>
    ["operation", "operation_version", "void", "event_void", "segment", "ledger"].map((table) =>
      rowsOf(of, table).map((row) => ({ ...row, checksum: 0 })),
    );
  const [before, heads] = [told(db), rowsOf(db, "ledger_head").length];
  damage(db);
  expect(verifyChains(db, () => {}).problem).not.toBeNull();
  db.close();
  const to = `${dir}/saved.db`;
  const facts = { problem: "damage", by: BY_SELF, now_ms: RECEIVED_MS, built_ms: 0 };
  salvage({ file: databaseFile(dir), to, ...facts });
  const saved = openReader(to);
  try {
    expect(verifyChains(saved, () => {}).problem).toBeNull();
    const after = told(saved);
    expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
    // The entry of the salvage comes after the tree as it was.
    expect(after[5].slice(0, before[5].length)).toEqual(before[5]);
    expect(heads - rowsOf(saved, "ledger_head").length).toBeLessThanOrEqual(1);
  } finally {
    saved.close();
  }
});

/** Alters columns of the row whose first column is `key`, with its checksum. */
function resummed(db: Connection, table: string, key: number, columns: StoredRow): void {
  const row = rowsOf(db, table).find((one) => Object.values(one)[0] === key) ?? {};
  const { checksum: _, ...rest } = { ...row, ...columns };
  alter(db, table, row, withRowChecksum(rest));
}

/** Removes all that is stored of an operation. */
function remove(db: Connection, ...tables: readonly string[]): void {
  for (const table of tables)
    db.prepare(
      `delete from ${table} where ${table === "operation" ? "id" : "operation_id"} = 2`,
    ).run();
}
