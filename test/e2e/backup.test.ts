// Backups of the built program while it receives, and what comes back of them: on the same machine,
// on a new one, and not at all where the file can't be trusted.

import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../src/ground/clock.ts";
import { removeUnwanted } from "../../src/jobs/backup.ts";
import { listBackups, makeBackup, stamp } from "../../src/sqlite/care/backup.ts";
import { openWriter } from "../../src/sqlite/file/open.ts";
import { type Appliance, pageThrough, startAppliance } from "../oracle/appliance.ts";
import { BY_COMMAND } from "../rig/command-user.ts";
import { rigsOfTests } from "../rig/database.ts";
import { fakeClock } from "../rig/fake-clock.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";
import { LONG, sized } from "../rig/scale.ts";

const newFolder = foldersOfTests();
const openRig = rigsOfTests();
const START_MS = Date.UTC(2026, 0, 1);
const ALWAYS = { start: "2000-01-01", end: "2030-01-01", limit: 10_000 };
const timeOf = (index: number) => new Date(START_MS + index * 1000).toISOString();

function messages(from: number, to: number) {
  return Array.from({ length: to - from }, (_, place) => {
    const reading = { timestamp: timeOf(from + place), UVR_INTENSITY: 500 + (place % 50) };
    return { kind: "telemetry", payload: JSON.stringify(reading) };
  });
}

/** Stored before a backup begins; twice as many more come while it is made. */
const EARLY = sized(1500, 5000);
const EVENT = {
  kind: "events",
  payload: JSON.stringify({ timestamp: timeOf(0), event_type: "PROCESS_START", data: { a: 1 } }),
};
const GARBAGE = { kind: "telemetry", payload: "{" };

async function timesOf(appliance: Appliance): Promise<readonly string[]> {
  return (await pageThrough(appliance, ALWAYS)).map(({ timestamp }) => String(timestamp));
}

const whole = foldersOfTests(afterAll)();
let times: readonly string[] = [];
beforeAll(async () => {
  await using appliance = await startAppliance({ folder: whole });
  await appliance.publish([...messages(0, 3000), EVENT, GARBAGE]);
  const file = path.join(whole, "stick.db");
  const made = await runProgram({ args: ["backup", file], folder: whole });
  expect(made).toMatchObject({ code: 0, stderr: "" });
  times = await timesOf(appliance);
  await appliance.program.stop("SIGTERM");
});

/** A folder with data and a backup of it, of an appliance that was stopped. */
function backedUp() {
  const folder = newFolder();
  cpSync(whole, folder, { recursive: true });
  return { folder, file: path.join(folder, "stick.db") };
}

describe("a backup made under load", () => {
  test("holds all that was acknowledged before it, and comes back on a new machine", async () => {
    const folder = newFolder();
    const file = path.join(folder, "stick.db");
    {
      await using appliance = await startAppliance({ folder });
      await appliance.publish([...messages(0, EARLY), EVENT, GARBAGE]);
      // Thousands more while it is made.
      const [made] = await Promise.all([
        runProgram({ args: ["backup", file], folder }),
        appliance.publish(messages(EARLY, 3 * EARLY)),
      ]);
      expect(made).toMatchObject({ code: 0, stderr: "" });
      const { data } = await auditOf(appliance, folder, "backup");
      // The daily one may be made meanwhile.
      expect(data).toContainEqual(
        expect.objectContaining({ kind: "backup", actor: expect.stringMatching(BY_COMMAND) }),
      );
    }
    const other = newFolder();
    const restored = await runProgram({ args: ["restore", file], folder: other });
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout).toMatch(/^restored: the backup of .* \(BWTS-001, by .*\)\nverified: /);
    expect(readFileSync(path.join(other, "data", "token"))).toEqual(
      readFileSync(path.join(folder, "data", "token")),
    );
    await using appliance = await startAppliance({ folder: other });
    const times = await timesOf(appliance);
    expect(times.length).toBeGreaterThanOrEqual(EARLY);
    expect(times).toEqual(times.map((_time, index) => timeOf(index)));
    expect(await appliance.json("/api/events?type=PROCESS_START")).toHaveLength(1);
    expect(await appliance.quarantine()).toMatchObject([{ payload: "{" }]);
    const { data } = await auditOf(appliance, other, "restore");
    expect(data).toMatchObject([{ kind: "restore", detail: { file: "stick.db" } }]);
    expect(await runProgram({ args: ["verify"], folder: other })).toMatchObject({ code: 0 });
  });
});

async function auditOf(appliance: Appliance, folder: string, kind: string) {
  const token = readFileSync(path.join(folder, "data", "token"), "utf8").trim();
  const answer = await fetch(`${appliance.url}/admin/audit?kind=${kind}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return answer.json();
}

describe("restore", () => {
  test("keeps what was there before aside, and what it kept can be restored", LONG, async () => {
    const { folder, file } = backedUp();
    {
      await using appliance = await startAppliance({ folder });
      await appliance.publish(messages(3000, 4000));
      // Killed: its last readings are in the write-ahead log only.
      await appliance.program.stop("SIGKILL");
    }
    expect(await runProgram({ args: ["restore", file], folder })).toMatchObject({ code: 0 });
    {
      await using appliance = await startAppliance({ folder });
      expect(await timesOf(appliance)).toEqual(times);
      await appliance.program.stop("SIGTERM");
    }
    const [kept] = readdirSync(path.join(folder, "data")).filter((name) =>
      name.startsWith("before-restore-"),
    );
    const database = path.join(folder, "data", kept, "ballastd.db");
    const again = await runProgram({ args: ["restore", database], folder });
    expect(again.stdout).toMatch(/^restored: a database that was copied by hand\n/);
    await using appliance = await startAppliance({ folder });
    expect(await timesOf(appliance)).toHaveLength(4000);
  });

  test("refuses while an instance runs, and --try doesn't", async () => {
    const { folder, file } = backedUp();
    await using appliance = await startAppliance({ folder });
    const refused = await runProgram({ args: ["restore", file], folder });
    expect(refused).toMatchObject({ code: 75 });
    expect(refused.stderr).toMatch(/another ballastd uses it; stop that one/);
    const tried = await runProgram({ args: ["restore", file, "--try"], folder });
    expect(tried).toMatchObject({ code: 0, stderr: "" });
    expect(tried.stdout).toMatch(/^would restore: /);
    await appliance.publish(messages(3000, 3001));
  });

  test("takes none of the files that can't be trusted, and leaves all as it was", async () => {
    const { folder, file } = backedUp();
    const other = newFolder();
    const damaged = (name: string, damage: (file: string) => void) => {
      const copy = path.join(other, name);
      copyFileSync(file, copy);
      damage(copy);
      return copy;
    };
    const half = readFileSync(file).length / 2;
    const cases: readonly [string, RegExp][] = [
      [path.join(other, "none.db"), /can't be read \(ENOENT\)/],
      [damaged("cut.db", (copy) => truncateSync(copy, half)), /is cut off: it has \d+ bytes of/],
      [damaged("empty.db", (copy) => truncateSync(copy, 0)), /is empty, expected a backup/],
      [damaged("text.db", (copy) => writeFileSync(copy, "hello\n".repeat(100))), /is no database/],
      [
        damaged("newer.db", (copy) => statement(copy, NEWER)),
        /schema 99 is newer than this program's/,
      ],
      [damaged("foreign.db", (copy) => statement(copy, FOREIGN)), /another program's database/],
      [damaged("altered.db", (copy) => statement(copy, ALTERED)), /segment 1: .*isn't the one/],
      [damaged("flipped.db", flipped), /damaged|can't be read|isn't the one|malformed/],
    ];
    const before = readFileSync(path.join(folder, "data", "ballastd.db"));
    for (const [bad, says] of cases) {
      const { code, stdout, stderr } = await runProgram({ args: ["restore", bad], folder });
      expect({ bad, stdout }).toEqual({ bad, stdout: "" });
      expect(code).toBeGreaterThan(0);
      expect(stderr).toMatch(says);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    }
    expect(readFileSync(path.join(folder, "data", "ballastd.db")).equals(before)).toBe(true);
    const left = readdirSync(path.join(folder, "data")).filter((name) => /restore/.test(name));
    expect(left).toEqual([]);
  });
});

const NEWER = "insert into schema_migration values (99, 'x', 'x', 0); pragma user_version = 99";
const FOREIGN = "pragma application_id = 7";
const ALTERED = "update segment set payload = payload || x'00' where id = 1";
function statement(file: string, text: string): void {
  const db = openWriter(file);
  db.exec(`${text}; pragma wal_checkpoint(truncate)`);
  db.close();
}

/** Bytes of many pages, behind the header. */
function flipped(file: string): void {
  const bytes = readFileSync(file);
  for (let at = 4096 + 50; at < bytes.length; at += 4096) bytes[at] ^= 0xff;
  writeFileSync(file, bytes);
}

describe("backup", () => {
  test("refuses to overwrite, to leave too little space, and to begin without data", async () => {
    const { folder, file } = backedUp();
    const again = await runProgram({ args: ["backup", file], folder });
    expect(again).toMatchObject({ code: 73 });
    expect(again.stderr).toMatch(/is there already; --force overwrites it/);
    const env = {
      BALLASTD_STORAGE_FREE_STOP: "8000000 GiB",
      BALLASTD_STORAGE_FREE_WARN: "8000000 GiB",
    };
    const full = await runProgram({ args: ["backup", path.join(folder, "b.db")], folder, env });
    expect(full).toMatchObject({ code: 74 });
    expect(full.stderr).toMatch(/[KMGT]iB are free, expected \d+ TiB/);
    expect(readdirSync(folder).filter((name) => name.startsWith("b.db"))).toEqual([]);
    const empty = newFolder();
    expect(await runProgram({ args: ["backup"], folder: empty })).toMatchObject({ code: 1 });
  });

  test("is made by itself when the last one is dated ahead", LONG, async () => {
    const folder = newFolder();
    const clock = fakeClock(folder);
    const files = () => readdirSync(path.join(folder, "data", "backup")).length;
    for (const [days, count] of [
      [400, 1],
      [0, 2],
    ]) {
      clock.set(days * 86_400);
      await using appliance = await startAppliance({ folder, env: clock.env });
      await appliance.publish(messages(0, 10));
      await appliance.program.stop("SIGTERM");
      await using again = await startAppliance({ folder, env: clock.env });
      await again.program.waitUntil(
        `${count} backups`,
        () => existsSync(path.join(folder, "data", "backup")) && files() === count,
      );
      await again.program.stop("SIGTERM");
    }
  });

  test("is made by itself once a day, is listed, and is for its owner alone", async () => {
    const folder = newFolder();
    {
      await using appliance = await startAppliance({ folder });
      await appliance.publish(messages(0, 10));
      await appliance.program.stop("SIGTERM");
    }
    await using appliance = await startAppliance({ folder });
    const backups = path.join(folder, "data", "backup");
    const made = () =>
      existsSync(backups) ? readdirSync(backups).filter((name) => name.endsWith("-daily.db")) : [];
    await appliance.program.waitUntil("a daily backup", () => made().length === 1);
    expect(statSync(path.join(backups, made()[0])).mode & 0o077).toBe(0);
    const { stdout } = await runProgram({ args: ["backup", "--list", "--json"], folder });
    const [listed] = JSON.parse(stdout);
    expect(listed).toMatchObject({ label: { reason: "daily", system_id: "BWTS-001" } });
    const { stdout: text } = await runProgram({ args: ["backup", "--list"], folder });
    expect(text).toMatch(/-daily\.db {2}\d+ bytes {2}.*BWTS-001 {2}daily, by /);
  });
});

test("daily backups rotate in the order in which they were made, by any clock", LONG, () => {
  const { dir } = openRig();
  const keep = { backup: { dir: path.join(dir, "backup"), keep_daily: 7, keep_weekly: 4 } };
  const right_ms = Date.UTC(2026, 4, 1);
  const clocks = [
    ...Array.from({ length: 30 }, (_, night) => right_ms + night * DAY_MS),
    ...Array.from({ length: 30 }, (_, night) => right_ms + (395 + night) * DAY_MS),
    ...Array.from({ length: 5 }, () => 0),
    ...Array.from({ length: 9 }, (_, night) => right_ms + (60 + night) * DAY_MS),
  ];
  const made: string[] = [];
  const make = (system_id: string, made_ms: number) => {
    const name = `ballastd-${system_id}-${stamp(made_ms + made.length * 1000)}-daily.db`;
    const output = path.join(keep.backup.dir, name);
    const label = { made_ms, version: "0", system_id, reason: "daily" };
    makeBackup({ dir, output, label, token_file: path.join(dir, "token"), floor_bytes: 0 });
    return output;
  };
  const other = make("BWTS-002", right_ms);
  for (const made_ms of clocks) {
    made.push(make("BWTS-001", made_ms));
    removeUnwanted(made.at(-1) ?? "", { ...keep, system_id: "BWTS-001" });
    const newest = made.slice(-7);
    expect(newest.filter((file) => !existsSync(file))).toEqual([]);
  }
  const kept = made.filter((file) => existsSync(file));
  // The newest seven, and of the four latest weeks the last: two are among those.
  expect(kept.map((file) => made.length - made.indexOf(file))).toEqual([
    21, 14, 7, 6, 5, 4, 3, 2, 1,
  ]);
  expect(existsSync(other)).toBe(true);
  expect(listBackups(keep.backup.dir)[0]).toMatchObject({ file: made.at(-1) });
});
