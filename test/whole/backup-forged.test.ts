// Backups that somebody has altered so that they look whole: what is refused for what it holds, and
// what only the hash of the file tells.

import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openWriter } from "../../src/sqlite/file/open.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";

const newFolder = foldersOfTests();

const ADDED_FILE =
  "insert into backup_file values ('update.json', x'7b7d', (select sha256 from backup_file))";
const OTHER_TOKEN = "update backup_file set content = x'6f74686572' where name = 'token'";
const ADDED_TRIGGER =
  "create trigger more after insert on audit begin delete from plant where id = new.id; end";

function statement(file: string, text: string): void {
  const db = openWriter(file);
  db.exec(`${text}; pragma wal_checkpoint(truncate)`);
  db.close();
}

/** A folder with data and a token's file, and a backup of it with the hash that was printed. */
async function backedUp() {
  const folder = newFolder();
  const run = (...args: readonly string[]) => runProgram({ args, folder });
  expect(await run("token", "add", "--name", "x", "--role", "viewer")).toMatchObject({ code: 0 });
  writeFileSync(path.join(folder, "data", "token"), "secret\n");
  const file = path.join(folder, "b.db");
  const made = await run("backup", file, "--json");
  return { folder, run, file, sha256: String(JSON.parse(made.stdout).sha256) };
}

test("files that no backup holds, a trigger, another token: refused", async () => {
  const { folder, run, file } = await backedUp();
  const before = readdirSync(path.join(folder, "data"));
  const cases: readonly [string, RegExp][] = [
    [ADDED_FILE, /was altered: it holds the file "update\.json", expected SIMULATED, /],
    [OTHER_TOKEN, /was altered: token isn't what was written/],
    [ADDED_TRIGGER, /the schema isn't what its migrations make: create trigger more/i],
  ];
  for (const [text, says] of cases) {
    const forged = path.join(folder, "forged.db");
    copyFileSync(file, forged);
    statement(forged, text);
    const { code, stdout, stderr } = await run("restore", forged);
    expect({ text, code, stdout, stderr }).toMatchObject({ code: 1, stdout: "" });
    expect(stderr).toMatch(says);
    expect(readdirSync(path.join(folder, "data"))).toEqual(before);
  }
});

test("with the hash that backup printed, restore takes no other file", async () => {
  const { run, file, sha256 } = await backedUp();
  const restore = (given: string) => run("restore", file, "--sha256", given);
  expect(await restore(sha256)).toMatchObject({ code: 0 });
  // A forger's file verifies; only its hash tells.
  statement(file, "update backup set system_id = 'BWTS-666'");
  const refused = await restore(sha256);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`expected ${sha256}: it isn't the file that was made`);
  expect(await restore("0815")).toMatchObject({ code: 2 });
});

test("a forged label is refused, and holds up no list, no check and no backup", async () => {
  const { folder, run, file } = await backedUp();
  const stick = path.join(folder, "data", "backup");
  mkdirSync(stick);
  const labels = [
    "made_ms = 9e15",
    "made_ms = 'x'",
    "made_ms = -1",
    "number = 'x'",
    "number = 9223372036854775807",
    "number = x'00'",
    "version = x'00'",
    "system_id = 1e999, damage = x'00'",
  ];
  for (const [at, label] of labels.entries()) {
    const forged = path.join(stick, `ballastd-${at}.db`);
    copyFileSync(file, forged);
    statement(forged, `update backup set ${label}`);
    const { code, stderr } = await run("restore", forged, "--try");
    expect({ label, code, stderr }).toMatchObject({ code: 1 });
    expect(stderr).toMatch(/the backup was altered/);
  }
  const highest = path.join(stick, "ballastd-highest.db");
  copyFileSync(file, highest);
  statement(highest, "update backup set number = 1000000000000");
  expect((await run("check", "--json")).stderr).toBe("");
  expect(await run("backup")).toMatchObject({ code: 0, stderr: "" });
  const { code, stdout } = await run("backup", "--list", "--json");
  expect(code).toBe(0);
  const listed: readonly { label: unknown }[] = JSON.parse(stdout);
  expect(listed).toHaveLength(labels.length + 2);
  expect(listed.filter(({ label }) => label === null)).toHaveLength(labels.length);
});
