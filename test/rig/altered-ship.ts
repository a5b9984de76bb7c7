// A ship's file that somebody owns who hasn't the key: operations judged and given out, voids, heads,
// settings, late data. And the ways in which such hands rewrite it with every hash behind.

import { copyFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { sha256 } from "../../src/codec/merkle.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/ground/clock.ts";
import { EMPTY_CHAIN } from "../../src/sqlite/file/hash-chain.ts";
import { appendLeaf, leafText } from "../../src/sqlite/file/ledger.ts";
import { type Connection, databaseFile, openWriter } from "../../src/sqlite/file/open.ts";
import { EVER } from "../../src/sqlite/file/query.ts";
import { type StoredRow, withRowChecksum } from "../../src/sqlite/file/row-checksum.ts";
import { giveOut } from "../../src/sqlite/records/give-out.ts";
import { type VersionRow, verdictStatement } from "../../src/sqlite/records/operation-rows.ts";
import { openRig, temporaryFolder } from "./database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "./decoding.ts";
import { signerOf } from "./ledger-signer.ts";
import { eventsOfRun, idleReadings, judgedOperations, readingsOfRun } from "./operations.ts";

const BY = { actor: "engineer", address: null, at_ms: AT_MS };

/** Builds the file; returns the path of a copy of it without a log. */
export async function shipFile(): Promise<string> {
  const rig = openRig();
  const signer = signerOf(rig);
  const settings = [
    { key: "limits.uv_imo", value: 252, isSecret: false },
    { key: "system.id", value: "BWTS-001", isSecret: false },
  ];
  const started = (at_ms: number, uv_imo: number) =>
    rig.store.beginRun(
      { at_ms, detail: {}, settings: [{ ...settings[0], value: uv_imo }, settings[1]] },
      { now_ms: at_ms, isLogMissing: false },
    );
  started(AT_MS - 60 * HOUR_MS, 250);
  started(AT_MS - 50 * HOUR_MS, 252);
  await signer.sign("start");
  for (const hours of [40, 30, 20, 10]) {
    const run = {
      ...{ start_ms: AT_MS - hours * HOUR_MS, minutes: 60 },
      // The second one is outside its limit for half of its time.
      at: (minute: number) => (hours === 30 && minute > 30 ? { UVR_INTENSITY: 120 } : {}),
    };
    const { start, stop } = eventsOfRun(run);
    const idle = idleReadings(run.start_ms + 61 * MINUTE_MS, 5);
    const events = [start, stop].map((one) => messageOf("events", one));
    const readings = [...readingsOfRun(run), ...idle].map((one) => messageOf("telemetry", one));
    rig.store.commit([...events, ...readings]);
  }
  judgedOperations(rig);
  rig.db.transaction(() => giveOut(rig.db, { ids: [1, 2], range: EVER }, AT_MS))();
  await signer.sign("print");
  const span = { start_ms: AT_MS - 20 * HOUR_MS, end_ms: AT_MS - 20 * HOUR_MS + 9 * MINUTE_MS };
  rig.store.addVoid({ ...span, reason: "sensor" }, BY);
  rig.store.addVoid({ ...span, what: "events", reason: "twice" }, BY);
  rig.store.undoVoid(2, BY);
  while (rig.store.sealOld(RECEIVED_MS + 240 * HOUR_MS));
  judgedOperations(rig);
  await signer.sign("stop");
  await signer.sign("export");
  rig.db.pragma("wal_checkpoint(truncate)");
  const copy = path.join(temporaryFolder(), "ship.db");
  copyFileSync(databaseFile(rig.dir), copy);
  rig.close();
  return copy;
}

/** Opens a copy of the file to be altered. */
export function alteredCopy(file: string): { readonly dir: string; readonly db: Connection } {
  const dir = temporaryFolder();
  copyFileSync(file, databaseFile(dir));
  return { dir, db: openWriter(databaseFile(dir)) };
}

/** Alters rows, and makes their checksums anew. */
export function resum(db: Connection, table: string, where: string, columns: StoredRow): void {
  const rows = db.prepare<[], StoredRow>(`select rowid as place, * from ${table} where ${where}`);
  for (const { place, ...row } of rows.all()) {
    const { checksum, ...rest } = { ...row, ...columns };
    const now = checksum === undefined ? rest : withRowChecksum(rest);
    const set = Object.keys(now).map((name) => `${name} = $${name}`);
    db.prepare(`update ${table} set ${set.join(", ")} where rowid = $place`).run({ ...now, place });
  }
}

interface Stated {
  readonly kind: string;
  readonly number: number;
  readonly leaf: string;
  readonly content: string | null;
}

/** Makes the whole tree anew of its texts, some changed or left out, and drops heads behind it. */
export function rewriteLedger(
  db: Connection,
  change: (row: Stated) => Stated | null,
  heads = "size >= 0",
): void {
  const rows = db.prepare<[], Stated>("select kind, number, leaf, content from ledger order by id");
  const all = rows.all().flatMap((row) => change(row) ?? []);
  db.exec("delete from ledger");
  const { count, hash } = EMPTY_CHAIN;
  db.prepare("update chain_head set count = ?, hash = ? where chain = 'ledger'").run(count, hash);
  for (const { kind, number, leaf, content } of all)
    appendLeaf(db, { kind, number }, leaf, content);
  db.exec(`delete from ledger_head where ${heads}`);
  const left = db.prepare<[], { id: number; checkpoint: string }>(
    "select id, checkpoint from ledger_head order by id desc limit 1",
  );
  const last = left.get();
  db.prepare("update chain_head set count = ?, hash = ? where chain = 'head'").run(
    last?.id ?? 0,
    last === undefined ? hash : sha256(Buffer.from(last.checkpoint)),
  );
}

/** Rewrites a verdict's record, its statement, all hashes, and drops the heads. */
export function rewriteVerdict(
  db: Connection,
  id: number,
  change: (record: Record<string, unknown>) => object,
): void {
  const row = db
    .prepare<[number], VersionRow>(
      "select * from operation_version where operation_id = ? order by version desc limit 1",
    )
    .get(id);
  if (row === undefined) throw new Error(`operation ${id}: there is none`);
  const record: Record<string, unknown> = JSON.parse(row.record);
  const now = { ...record, ...change(record) };
  const { verdict = null, end = null } = { ...now };
  const text = JSON.stringify(now);
  const { checksum: _, ...rest } = row;
  const altered = { ...rest, verdict: verdict === null ? null : String(verdict), record: text };
  const where = `operation_id = ${id} and version = ${row.version}`;
  resum(db, "operation_version", where, altered);
  const end_ms = Date.parse(String(end));
  resum(db, "operation", `id = ${id}`, { verdict: altered.verdict, end_ms });
  const content = verdictStatement(altered);
  rewriteLedger(db, (one) =>
    one.kind === "verdict" && one.number === row.ledger_number
      ? { ...one, content, leaf: leafText(one, sha256(Buffer.from(content))) }
      : one,
  );
}

/** Opens a file without ballastd's rules, for what it would refuse. */
export const rawly = (dir: string) => new Database(databaseFile(dir));
