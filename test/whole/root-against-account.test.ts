// Attacks of another account, in a stranger's hands, on a command of root's: named pipes at which
// an open waits for ever, a program behind the control socket, and a folder of root's in one of its
// own, which it can exchange at any moment.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, lchownSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import { foldersOfTests } from "../rig/folders.ts";
import { give, OWNER, openMachine, stateOf } from "../rig/taken-account.ts";

const newFolder = foldersOfTests();

beforeAll(() => {
  expect(inject("bundleProblem")).toBeNull();
  expect(process.getuid?.(), "these tests are about root: run them as root, or with sudo").toBe(0);
});

/** The commands that open each name. */
const PIPES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "ballastd.db": [["check"], ["backup", "b.db", "--force"], ["restore", "good.db"]],
  "ballastd.db-journal": [["check"], ["token", "list"], ["verify"], ["salvage"]],
  "ballastd.db-wal": [["check"], ["export"]],
  token: [["check"], ["restore", "good.db"]],
  "ship.json": [["restore", "good.db"]],
  "lock.db": [["token", "add", "--name", "x", "--role", "viewer"]],
};

test("no named pipe in the folder holds up what root types", () => {
  const { at, dir, run } = openMachine(newFolder());
  cpSync(dir, at("whole"), { recursive: true });
  for (const [name, commands] of Object.entries(PIPES))
    for (const args of commands) {
      rmSync(dir, { recursive: true });
      cpSync(at("whole"), dir, { recursive: true });
      rmSync(path.join(dir, name), { force: true });
      expect(spawnSync("mkfifo", [path.join(dir, name)]).status).toBe(0);
      give(dir);
      const { status, stderr } = run(args);
      // Null: it was killed, for it hadn't ended by itself.
      expect({ name, args, status, stderr }).not.toMatchObject({ status: null });
      expect(stderr).not.toMatch(/\n {4}at /);
    }
});

/** Answers each request with the line, escape sequences and all. */
const IMPOSTOR = `require("node:net").createServer((socket) => {
  socket.on("error", () => {}).on("data", () => socket.write(process.argv[2] + "\\n"));
}).listen(process.argv[1], () => console.log("up"));`;

const CLEAR = "\u001b[2J\u009b2J\u202e";
const LIES = [
  JSON.stringify({ problem: CLEAR }),
  JSON.stringify({ result: { ready: CLEAR } }),
  `{ no JSON ${CLEAR}`,
  JSON.stringify({
    result: {
      ...{ version: CLEAR, pid: 1, uptime_s: 1, metrics: "", log: [CLEAR], problems: [] },
      readiness: { ready: false, reasons: [CLEAR], jobs: [{ name: CLEAR, problem: CLEAR }] },
    },
  }),
];

test("what answers in the instance's place moves no cursor and holds nothing up", async () => {
  const { dir, run } = openMachine(newFolder());
  for (const lie of LIES) {
    const socket = path.join(dir, "control.sock");
    rmSync(socket, { force: true });
    const impostor = spawn(process.execPath, ["-e", IMPOSTOR, socket, lie], {
      uid: OWNER,
      gid: OWNER,
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await once(impostor.stdout, "data");
      for (const args of [
        ["check"],
        ["check", "--json"],
        ["support", "s.zip", "--force"],
        ["log"],
        ["log", "--level", "debug"],
        ["token", "add", "--name", "x", "--role", "viewer"],
        ["backup", "b.db", "--force"],
        ["export", "--output", "x.csv", "--force"],
        ["map", "try", "--seconds", "1"],
      ]) {
        const { status, stdout, stderr } = run(args);
        expect({ lie, args, status, stderr }).not.toMatchObject({ status: null });
        expect((stdout + stderr).replaceAll("\n", ""), args.join(" ")).not.toMatch(
          /\p{Cc}|\p{Cf}/u,
        );
        expect(stderr, args.join(" ")).not.toMatch(/\n {4}at /);
      }
    } finally {
      impostor.kill();
      await once(impostor, "exit");
    }
  }
});

test("a folder of root's within one of the account's is entered with the account's rights", () => {
  const { at, run } = openMachine(newFolder());
  mkdirSync(at("disk"));
  mkdirSync(at("disk", "data"));
  lchownSync(at("disk"), OWNER, OWNER);
  const inside = at("disk", "data");
  const before = stateOf(inside);
  for (const args of [["restore", "good.db"], ["token", "list"], ["serve"]]) {
    const { status, stderr } = run(args, { BALLASTD_STORAGE_DIR: inside });
    expect({ args, status, stderr }).not.toMatchObject({ status: 0 });
    expect({ args, state: stateOf(inside) }).toEqual({ args, state: before });
  }
  chownSync(inside, OWNER, OWNER);
  expect(run(["restore", "good.db"], { BALLASTD_STORAGE_DIR: inside }).status).toBe(0);
});

test("a token's folder that can't be made ends the restore", () => {
  const { run } = openMachine(newFolder());
  const { status, stderr } = run(["restore", "good.db"], {
    BALLASTD_AUTH_TOKEN_FILE: "/proc/none/token",
  });
  expect(status).toBe(74);
  expect(stderr).toMatch(/can't be restored/);
});

test("an update.json of another shape is told in words", () => {
  const { dir, run } = openMachine(newFolder());
  writeFileSync(path.join(dir, "update.json"), '{ "state": "trial" }');
  give(dir);
  const { status, stderr } = run(["rollback"]);
  expect(status).toBe(78);
  expect(stderr).toMatch(/update\.json: can't be read \(from: [^{}]+\); remove it$/m);
});
