// The program's reports to systemd: the real program, with a systemd-notify on its path that
// records each of its calls.

import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openSupervisor } from "../../src/app/recovery/supervisor.ts";
import { openLog } from "../../src/ground/log.ts";
import { type Program, startProgram, temporaryFolder } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";
import { until } from "../rig/until.ts";

const WATCHDOG_MS = 900;

interface Supervised extends AsyncDisposable {
  readonly program: Program;
  /** The calls of systemd-notify so far, one a line. */
  said(): readonly string[];
}

/** A folder with a systemd-notify in it, and what that was told so far, a line a call. */
function notifyFolder() {
  const folder = temporaryFolder();
  const heard = path.join(folder, "heard");
  const notify = path.join(folder, "systemd-notify");
  writeFileSync(notify, `#!/bin/sh\necho "$@" >> ${heard}\n`);
  chmodSync(notify, 0o755);
  const said = () => (existsSync(heard) ? readFileSync(heard, "utf8").trimEnd().split("\n") : []);
  return { folder, said, PATH: `${folder}:${process.env.PATH}` };
}

function startSupervised(
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = ["serve"],
  config = "",
): Supervised {
  const { folder, said, PATH } = notifyFolder();
  writeFileSync(path.join(folder, "ballastd.toml"), config);
  const program = startProgram({
    args,
    folder,
    env: {
      NOTIFY_SOCKET: path.join(folder, "nobody-listens"),
      WATCHDOG_USEC: String(WATCHDOG_MS * 1000),
      PATH,
      ...env,
    },
  });
  return {
    program,
    said,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const signs = (said: readonly string[]) => said.filter((line) => line === "WATCHDOG=1").length;

/** The reports beside signs of life. Each is a process, and may outlive the program. */
const words = (said: readonly string[]) => said.filter((line) => line.startsWith("--"));

/** The count once it has stayed for `quiet_ms`: a few that were on their way may still arrive. */
async function settled(count: () => number, quiet_ms: number): Promise<number> {
  let before = count();
  const isQuiet = async () => {
    await sleep(quiet_ms);
    const isSame = count() === before;
    before = count();
    return isSame;
  };
  await until("quiet", isQuiet, () => `${count()}`);
  return before;
}

test("it is ready when all is open, gives signs of life, and says that it stops", async () => {
  await using supervised = startSupervised();
  const { program, said } = supervised;
  await program.waitUntil("three signs of life", () => signs(said()) >= 3);
  expect(program.stdout()).toMatch(/^MQTT: /m);
  expect(words(said())).toEqual(["--ready"]);
  expect(await program.stop("SIGTERM")).toEqual({ code: 0, signal: null });
  await expect.poll(() => words(said())).toEqual(["--ready", "--stopping"]);
});

test("a process that is stopped gives no sign of life until it goes on", async () => {
  await using supervised = startSupervised();
  const { program, said } = supervised;
  await program.waitUntil("a sign of life", () => signs(said()) >= 1);
  process.kill(program.pid, "SIGSTOP");
  const before = await settled(() => signs(said()), 2 * WATCHDOG_MS);
  process.kill(program.pid, "SIGCONT");
  await program.waitUntil("another sign of life", () => signs(said()) > before);
});

test("a disk too full to store anything is no reason to be started again", LONG, async () => {
  const env = {
    BALLASTD_STORAGE_FREE_STOP: String(2 ** 50),
    BALLASTD_STORAGE_FREE_WARN: String(2 ** 50),
  };
  await using supervised = startSupervised(env);
  const { program, said } = supervised;
  await program.waitUntil("three signs of life", () => signs(said()) >= 3);
  const [, port] = await program.waitForOutput(/^web: http:\/\/127\.0\.0\.1:(\d+)\//m);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503);
});

test("recovery is ready and lives, until what was wrong is mended", async () => {
  await using supervised = startSupervised({}, ["serve", "--recovery"], '[log]\nlevel = "loud"\n');
  const { program, said } = supervised;
  await program.waitUntil("three signs of life", () => signs(said()) >= 3);
  expect(program.stdout()).toMatch(/^RECOVERY: .*log\.level/m);
  writeFileSync(path.join(program.folder, "ballastd.toml"), "# mended\n");
  await program.waitForOutput(/^MQTT: /m);
  const before = signs(said());
  await program.waitUntil("more signs of life", () => signs(said()) > before + 1);
  expect(await program.stop("SIGTERM")).toEqual({ code: 0, signal: null });
  await expect.poll(() => words(said())).toEqual(["--ready", "--ready", "--stopping"]);
});

test("another process's watchdog is none of its business", LONG, async () => {
  await using supervised = startSupervised({ WATCHDOG_PID: "1" });
  const { program, said } = supervised;
  await program.waitUntil("that it is ready", () => said().includes("--ready"));
  await sleep(2 * WATCHDOG_MS);
  expect(signs(said())).toBe(0);
});

test("a thread that never answers ends the signs of life", async () => {
  const { folder, said, PATH } = notifyFolder();
  const path_before = process.env.PATH;
  process.env.PATH = PATH;
  let isHung = false;
  const env = { NOTIFY_SOCKET: "nobody-listens", WATCHDOG_USEC: String(WATCHDOG_MS * 1000) };
  const log = openLog("error");
  const supervisor = openSupervisor(env, () => log);
  supervisor.ready(() => (isHung ? new Promise(() => {}) : Promise.resolve()));
  try {
    await expect.poll(() => signs(said())).toBeGreaterThan(0);
    isHung = true;
    await settled(() => signs(said()), 2 * WATCHDOG_MS);
  } finally {
    process.env.PATH = path_before;
    supervisor.stopping();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a start that takes long asks for more time until it is ready", LONG, async () => {
  const { folder, said, PATH } = notifyFolder();
  const path_before = process.env.PATH;
  process.env.PATH = PATH;
  const log = openLog("error");
  const supervisor = openSupervisor({ NOTIFY_SOCKET: "nobody-listens" }, () => log);
  const asked = () => said().filter((line) => line.startsWith("EXTEND_TIMEOUT_USEC=")).length;
  try {
    supervisor.starting(50);
    await expect.poll(asked).toBeGreaterThan(1);
    supervisor.ready(async () => {});
    await expect.poll(said).toContain("--ready");
    await settled(asked, 500);
  } finally {
    process.env.PATH = path_before;
    supervisor.stopping();
    rmSync(folder, { recursive: true, force: true });
  }
});
