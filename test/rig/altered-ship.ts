// A ship's file that somebody owns who hasn't the key: operations judged and given out, voids,
// heads, settings. And the ways in which such hands rewrite it with every hash behind.

import { cpSync } from "node:fs";
import path from "node:path";
import { compareSignedHead } from "../../src/app/control/signed-file.ts";
import { sha256 } from "../../src/codec/merkle.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/ground/clock.ts";
import { verifyChains } from "../../src/sqlite/care/verify.ts";
import { EMPTY_CHAIN } from "../../src/sqlite/file/hash-chain.ts";
import { appendLeaf, leafText } from "../../src/sqlite/file/ledger.ts";
import { type Connection, databaseFile, openWriter } from "../../src/sqlite/file/open.ts";
import { EVER } from "../../src/sqlite/file/query.ts";
import { type StoredRow, withRowChecksum } from "../../src/sqlite/file/row-checksum.ts";
import { giveOut } from "../../src/sqlite/records/give-out.ts";
import { type VersionRow, verdictStatement } from "../../src/sqlite/records/operation-rows.ts";
import { openRig, type Rig, temporaryFolder } from "./database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "./decoding.ts";
import { LAMP_CONFIG } from "./fleet.ts";
import { signerOf } from "./ledger-signer.ts";
import {
  eventsOfRun,
  idleReadings,
  judgedOperations,
  type Ran,
  readingsOfRun,
} from "./operations.ts";

const BY = { actor: "engineer", address: null, at_ms: AT_MS };
const SHIP = { imo: "9074729", vessel: "MV Example", system: "BWTS-001" };

export interface AlteredShip {
  /** The folder as it was left. */
  readonly dir: string;
  /** As it was before the last operation but one was judged: the older file. */
  readonly older: string;
}

/** Commits the events of a run of 60 minutes, its readings, and some at rest after it. */
export function commitRun(rig: Rig, run: Ran): void {
  const { start, stop } = eventsOfRun(run);
  const idle = idleReadings(run.start_ms + 61 * MINUTE_MS, 5);
  const events = [start, stop].map((one) => messageOf("events", one));
  const readings = [...readingsOfRun(run), ...idle].map((one) => messageOf("telemetry", one));
  rig.store.commit([...events, ...readings]);
}

/** Voids readings and events of the run 20 hours ago, takes the latter back, seals and judges. */
export function correct(rig: Rig): void {
  const span = { start_ms: AT_MS - 20 * HOUR_MS, end_ms: AT_MS - 20 * HOUR_MS + 9 * MINUTE_MS };
  rig.store.addVoid({ ...span, reason: "sensor" }, BY);
  rig.store.addVoid({ ...span, what: "events", reason: "twice" }, BY);
  rig.store.undoVoid(2, BY);
  while (rig.store.sealOld(RECEIVED_MS + 240 * HOUR_MS));
  judgedOperations(rig);
}

/** Builds the folder; copies of it are altered. */
export async function shipFolder(): Promise<AlteredShip> {
  const rig = openRig();
  // The repair that follows a start, which notes the version of the rules.
  while (rig.store.sealFull());
  const signer = signerOf(rig, SHIP);
  const started = (at_ms: number, uv_imo: number) => {
    const settings = [
      { key: "limits.uv_imo", value: uv_imo, isSecret: false },
      { key: "system.id", value: "BWTS-001", isSecret: false },
    ];
    const now = { now_ms: at_ms, isLogMissing: false };
    rig.store.beginRun({ at_ms, detail: {}, settings }, now);
  };
  started(AT_MS - 60 * HOUR_MS, 250);
  started(AT_MS - 50 * HOUR_MS, 252);
  await signer.sign("start");
  const operate = (hours: number) => {
    const run = {
      ...{ start_ms: AT_MS - hours * HOUR_MS, minutes: 60 },
      // The second one is below its limit for half of its time.
      at: (minute: number) => (hours === 30 && minute > 30 ? { UVR_INTENSITY: 120 } : {}),
    };
    commitRun(rig, run);
  };
  operate(40);
  const older = copyOf(rig.dir, rig.db);
  for (const hours of [30, 20, 10]) operate(hours);
  judgedOperations(rig);
  rig.db.transaction(() => giveOut(rig.db, { ids: [1, 2], range: EVER }, AT_MS))();
  await signer.sign("print");
  correct(rig);
  await signer.sign("export");
  await signer.sign("stop");
  const dir = copyOf(rig.dir, rig.db);
  rig.close();
  return { dir, older };
}

function copyOf(dir: string, db: Connection): string {
  db.pragma("wal_checkpoint(truncate)");
  const to = temporaryFolder();
  cpSync(dir, to, { recursive: true });
  return to;
}

/** Opens a copy of the folder to be altered. */
export function alteredCopy(ship: string): { readonly dir: string; readonly db: Connection } {
  const dir = temporaryFolder();
  cpSync(ship, dir, { recursive: true });
  return { dir, db: openWriter(databaseFile(dir)) };
}

/** Puts the database of another folder in place of that of an open copy. */
export function putInPlace({ dir, db }: ReturnType<typeof alteredCopy>, other: string): Connection {
  db.close();
  for (const end of ["", "-wal", "-shm"])
    cpSync(path.join(other, `ballastd.db${end}`), path.join(dir, `ballastd.db${end}`), {
      force: true,
    });
  return openWriter(databaseFile(dir));
}

/** The words of `ballastd verify`: the problem, and the list of what isn't proven. */
export function told(db: Connection, dir: string) {
  const { problem, not_proven, judged } = verifyChains(db, () => {}, { judging: LAMP_CONFIG });
  const lost = problem === null ? compareSignedHead(db, dir).problem : null;
  return { judged, problem: problem ?? lost, listed: not_proven.join("; ") };
}

/** Alters rows, and makes their checksums anew. */
export function resum(db: Connection, table: string, where: string, columns: StoredRow): void {
  const key = table === "mark" ? "name" : table === "setting" ? "key" : "rowid";
  const rows = db.prepare<[], StoredRow>(`select ${key} as place, * from ${table} where ${where}`);
  for (const { place, ...row } of rows.all()) {
    const { checksum, ...rest } = { ...row, ...columns };
    const now = checksum === undefined ? rest : withRowChecksum(rest);
    const set = Object.keys(now).map((name) => `${name} = $${name}`);
    db.prepare(`update ${table} set ${set.join(", ")} where ${key} = $place`).run({
      ...now,
      place,
    });
  }
}

export interface Stated {
  readonly kind: string;
  readonly number: number;
  readonly leaf: string;
  readonly content: string | null;
}

/** Makes the whole tree anew of its texts, some changed or left out, and drops the heads. */
export function rewriteLedger(db: Connection, change: (row: Stated) => Stated | null): void {
  const rows = db.prepare<[], Stated>("select kind, number, leaf, content from ledger order by id");
  // A head that was given out can't be stated any more.
  const all = rows.all().flatMap((row) => (row.kind === "head" ? [] : (change(row) ?? [])));
  db.exec(
    "delete from ledger; delete from ledger_head; delete from mark where name like 'ledger%'",
  );
  const { count, hash } = EMPTY_CHAIN;
  const reset = db.prepare("update chain_head set count = ?, hash = ? where chain = ?");
  for (const chain of ["ledger", "head"]) reset.run(count, hash, chain);
  const numbers = new Map<string, number>();
  for (const { kind, leaf, content } of all) {
    const number = (numbers.get(kind) ?? 0) + 1;
    numbers.set(kind, number);
    const [, , ...rest] = leaf.split(" ");
    appendLeaf(db, { kind, number }, [kind, number, ...rest].join(" "), content);
  }
}

/** The newest version of an operation. */
export function newestVersion(db: Connection, id: number): VersionRow {
  const row = db
    .prepare<[number], VersionRow>(
      "select * from operation_version where operation_id = ? order by version desc limit 1",
    )
    .get(id);
  if (row === undefined) throw new Error(`operation ${id}: there is none`);
  return row;
}

/** Rewrites a verdict's record, its statement, all hashes, and drops the heads. */
export function rewriteVerdict(
  db: Connection,
  id: number,
  columns: { readonly [name: string]: StoredRow[string] | object },
  beside: Partial<Pick<VersionRow, "because" | "made_ms">> = {},
): void {
  const { checksum: _, ...row } = newestVersion(db, id);
  const record: StoredRow = { ...JSON.parse(row.record), ...columns };
  const verdict = record.verdict === null ? null : String(record.verdict);
  const altered = { ...row, ...beside, verdict, record: JSON.stringify(record) };
  resum(db, "operation_version", `operation_id = ${id} and version = ${row.version}`, altered);
  const times = {
    start_ms: Date.parse(String(record.start)),
    end_ms: Date.parse(String(record.end)),
  };
  const { operation_type = null, location = null } = record;
  resum(db, "operation", `id = ${id}`, { verdict, ...times, operation_type, location });
  const content = verdictStatement(altered);
  rewriteLedger(db, (one) =>
    one.kind === "verdict" && one.number === row.ledger_number
      ? { ...one, content, leaf: leafText(one, sha256(Buffer.from(content))) }
      : one,
  );
}

/** Takes an operation away with all that tells of it, in rows and in the tree. */
export function eraseOperation(db: Connection, id: number): void {
  const numbers = db
    .prepare<[number], { ledger_number: number }>(
      "select ledger_number from operation_version where operation_id = ?",
    )
    .all(id)
    .map(({ ledger_number }) => ledger_number);
  db.exec(`delete from operation where id = ${id};
    delete from operation_version where operation_id = ${id}`);
  for (const gone of numbers.sort((one, other) => other - one))
    for (const { rowid, ...row } of db
      .prepare<[number], StoredRow>(
        "select rowid, * from operation_version where ledger_number > ? order by ledger_number",
      )
      .all(gone))
      resum(db, "operation_version", `rowid = ${rowid}`, {
        ledger_number: Number(row.ledger_number) - 1,
        given_out_ms: null,
      });
  rewriteLedger(db, (one) =>
    one.kind === "given" || (one.kind === "verdict" && numbers.includes(one.number)) ? null : one,
  );
  db.exec("update operation_version set given_out_ms = null");
  resum(db, "operation_version", "true", {});
}

/** Alterations by a statement, of a mark, and by rows of a table that nothing proves. */
export const exec = (sql: string) => (db: Connection) => void db.exec(sql);
export const mark = (name: string, value: number) => (db: Connection) => {
  db.prepare("insert or replace into mark (name, value) values (?, ?)").run(name, value);
  resum(db, "mark", `name = '${name}'`, { checksum: 0 });
};
export const emptyRows = (table: string, columns: string, values: string) =>
  exec(`insert into ${table} (${columns}) values (${values})`);
