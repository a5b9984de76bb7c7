// The commands that root types, over the data folder of an account that is in a stranger's hands:
// every name in it that a command may open is a link out of it, in turn. Nothing outside may be
// changed, read out or run, and nothing in the folder may come to belong to root.

import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import { openWriter } from "../../src/sqlite/file/open.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { startProgram } from "../rig/program.ts";
import {
  fillRoot,
  give,
  namesIn,
  OWNER,
  openMachine,
  SECRET,
  stateOf,
} from "../rig/taken-account.ts";

const newFolder = foldersOfTests();

beforeAll(() => {
  expect(inject("bundleProblem")).toBeNull();
  expect(process.getuid?.(), "these tests are about root: run them as root, or with sudo").toBe(0);
});

/** Names in the data folder that some command opens, makes or removes. */
const NAMES = [
  "token",
  "token.part",
  "SIMULATED",
  "ship.json",
  "mqtt-session.json",
  "update.json",
  "update.json.part",
  "lock.db",
  "lock.db-journal",
  "ballastd.db",
  "ballastd.db-wal",
  "ballastd.db-shm",
  "ballastd.db-journal",
  "ballastd.db.salvaging",
  "ballastd.db.salvaged",
  "ballastd.db.salvaging.work",
  "restore.part",
  "restore.part-journal",
  "restore.part-wal",
  "reserve",
  "control.sock",
  "native",
  "backup",
  "backup/ballastd-BWTS-001-x.db",
] as const;
const TARGETS = ["shadow", "root.db", "folder", "nothing-yet"] as const;

/** Root's commands; each leaves the machine usable for the next. */
const COMMANDS: readonly (readonly string[])[] = [
  ["restore", "good.db"],
  ["restore", "good.db", "--try"],
  ["restore", "../data/backup/ballastd-BWTS-001-x.db"],
  ["backup"],
  ["backup", "made/"],
  ["backup", "../data/b.db", "--force"],
  ["backup", "--list"],
  ["salvage"],
  ["salvage", "--to", "new.db"],
  ["token", "add", "--name", "new", "--role", "viewer"],
  ["token", "list"],
  ["export", "--output", "all.csv", "--force"],
  ["export", "--output", "../data/token", "--force"],
  ["verify"],
  ["check"],
  ["support", "s.zip", "--force"],
  ["log"],
  ["config", "show"],
  ["config", "set", "limits.uv_imo", "300", "--config", "../data/token"],
  ["quarantine", "list"],
  ["void", "list"],
  ["lamp", "list"],
  ["import", "../data/token"],
  ["rollback", "--old-data"],
  ["update", "../data/token", "--unsigned"],
  ["update", "--instead-of", "1.0.0"],
];

/** The names of a seed's turn, each a link to some target: soft, hard or on the way to a folder. */
function plant(dir: string, root: string, turn: number): readonly string[] {
  return NAMES.filter((_, place) => (place + turn) % 3 === 0).map((name, place) => {
    const target = path.join(root, TARGETS[(place + turn) % TARGETS.length]);
    const file = path.join(dir, name);
    rmSync(file, { recursive: true, force: true });
    if (!existsSync(path.dirname(file))) {
      mkdirSync(path.dirname(file));
      chownSync(path.dirname(file), OWNER, OWNER);
    }
    const isHard = turn % 2 === 1 && existsSync(target) && lstatSync(target).isFile();
    if (isHard) linkSync(target, file);
    else {
      symlinkSync(target, file);
      lchownSync(file, OWNER, OWNER);
    }
    return `${name} -> ${path.basename(target)}${isHard ? " (hard)" : ""}`;
  });
}

test("no command of root's follows a link that is planted in the folder", () => {
  const { at, dir, run, marker } = openMachine(newFolder());
  const whole = at("whole");
  cpSync(dir, whole, { recursive: true });
  fillRoot(at("root"), at("stick", "good.db"));
  let planted = 0;
  const turns = [...COMMANDS.keys(), ...COMMANDS.keys()];
  turns.forEach((place, turn) => {
    const args = COMMANDS[place];
    rmSync(dir, { recursive: true, force: true });
    cpSync(whole, dir, { recursive: true });
    give(dir);
    // In the second round other names, and hard links where they were soft.
    const links = plant(dir, at("root"), turn < COMMANDS.length ? turn : turn + 1);
    planted += links.length;
    const outside = () => [...stateOf(at("root")), ...stateOf(at("prefix")), ...stateOf(at("etc"))];
    const before = outside();
    const { status, stdout, stderr } = run(args);
    const said = { args, links, status, stdout, stderr };
    expect({ ...said, outside: outside() }).toEqual({ ...said, outside: before });
    expect(stdout + stderr, args.join(" ")).not.toContain(SECRET);
    expect(existsSync(marker)).toBe(false);
    expect(readable(dir), args.join(" ")).not.toContain(SECRET);
    expect(rootsIn(dir, links), args.join(" ")).toEqual([]);
    // It died of nothing but what it found.
    expect(stderr).not.toMatch(/\n {4}at /);
  });
  expect(planted).toBeGreaterThanOrEqual(350);
});

/** All that the account can read in its folder, as text. */
function readable(dir: string): string {
  return namesIn(dir)
    .map((name) => path.join(dir, name))
    .filter((file) => lstatSync(file).isFile() && lstatSync(file).uid === OWNER)
    .map((file) => readFileSync(file, "latin1"))
    .join("\n");
}

/** Files that came to belong to root in the folder, beside the planted hard links. */
function rootsIn(dir: string, links: readonly string[]): readonly string[] {
  const hard = links.filter((link) => link.endsWith("(hard)")).map((link) => link.split(" ")[0]);
  return namesIn(dir).filter(
    (name) => lstatSync(path.join(dir, name)).uid !== OWNER && !hard.includes(name),
  );
}

test("what the commands are for works in that folder, and is the account's afterwards", () => {
  const { at, dir, run } = openMachine(newFolder());
  const works = (...args: readonly string[]) => {
    const { status, stdout, stderr } = run(args);
    expect({ args, status, stderr }).toMatchObject({ args, status: 0 });
    return stdout;
  };
  works("restore", "good.db");
  works("backup");
  works("backup", "made.db");
  works("export", "--output", "all.csv");
  works("export", "--output", "all.sqlite");
  works("support", "s.zip");
  works("salvage", "--to", "new.db");
  works("token", "add", "--name", "other", "--role", "viewer");
  works("verify");
  expect(works("token", "list")).toMatch(/^other /m);
  const [kept] = readdirSync(dir).filter((name) => name.startsWith("before-restore-"));
  works("restore", path.join(dir, kept, "ballastd.db"));
  expect(rootsIn(dir, [])).toEqual([]);
  for (const name of ["made.db", "all.csv", "all.sqlite", "s.zip", "new.db"])
    expect(lstatSync(at("stick", name)).uid).toBe(0);
});

test("what root starts by hand on that folder runs as its owner, for good", async () => {
  const { dir } = openMachine(newFolder());
  const env = { BALLASTD_STORAGE_DIR: dir };
  await using program = startProgram({ args: ["serve"], env });
  await program.waitForOutput(/^MQTT: /m);
  const status = readFileSync(`/proc/${program.pid}/status`, "utf8");
  expect(status).toMatch(new RegExp(`^Uid:(\\s${OWNER}){4}$`, "m"));
  expect(await program.stop("SIGTERM")).toMatchObject({ code: 0 });
  expect(rootsIn(dir, [])).toEqual([]);
});

test("a forged update.json runs nothing, and leads no link out of the installed versions", () => {
  const { at, dir, run, marker } = openMachine(newFolder());
  for (const from of ["../../../evil", "../../evil", "1.0.0/../../../evil", "1.0.0"]) {
    const forged = { state: "done", from, to: "0.1.0", schema: 0, attempts: 0, reason: "" };
    writeFileSync(
      path.join(dir, "update.json"),
      JSON.stringify({ ...forged, order: null, prefix: at("evil") }, null, 2),
    );
    give(dir);
    const { stdout, stderr } = run(["rollback", "--old-data"]);
    expect(stdout + stderr).not.toBe("");
    expect(readlinkSync(at("prefix", "current"))).toBe("versions/1.0.0");
    expect(run(["update", "--instead-of", from]).status).not.toBe(0);
    expect(existsSync(marker)).toBe(false);
  }
  expect(readdirSync(at("prefix", "versions"))).toEqual(["1.0.0"]);
});

test("a data folder that is itself a link is entered with the rights of who laid it", () => {
  const { at, dir, run } = openMachine(newFolder());
  renameSync(dir, at("away"));
  mkdirSync(dir);
  chownSync(dir, OWNER, OWNER);
  fillRoot(at("root"), at("stick", "good.db"));
  const inside = path.join(dir, "inside");
  symlinkSync(at("root", "folder"), inside);
  lchownSync(inside, OWNER, OWNER);
  const before = stateOf(at("root"));
  for (const args of [["restore", "good.db"], ["backup"], ["token", "list"], ["salvage"]]) {
    const { status, stdout, stderr } = run(args, { BALLASTD_STORAGE_DIR: inside });
    expect({ args, status, stdout, stderr }).not.toMatchObject({ status: 0 });
    expect(stateOf(at("root"))).toEqual(before);
  }
});

test("a name that was forged in the database moves no cursor", () => {
  const { dir, run } = openMachine(newFolder());
  const db = openWriter(path.join(dir, "ballastd.db"));
  db.exec("update token set name = 'mate' || char(27) || '[2J'");
  db.close();
  give(dir);
  expect(run(["token", "list"]).stdout).toMatch(/^mate\\u001b\[2J {2}viewer /m);
});

test("the audit log names who typed a command, and behind root who asked for it", () => {
  const { run } = openMachine(newFolder());
  const sudo = { SUDO_UID: "1000", SUDO_USER: "chief" };
  expect(run(["token", "add", "--name", "b", "--role", "viewer"], sudo).status).toBe(0);
  const forged = { SUDO_UID: "1000", SUDO_USER: "x\n{}" };
  expect(run(["token", "revoke", "b"], forged).status).toBe(0);
  const { stdout } = run(["export", "--audit", "--format", "ndjson"]);
  const actors = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind.startsWith("token_"))
    .map(({ actor }) => actor);
  expect(actors).toEqual([
    "local:root(0)",
    "local:root(0) by sudo of chief(1000)",
    "local:root(0) by sudo of user(1000)",
  ]);
});
