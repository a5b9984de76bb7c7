// `ballastd config set` under hard circumstances: several at a time, kills, a disk that is full or
// read-only, and an account that may not write or lays a link.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, inject, test } from "vitest";
import { configurationFile } from "../../scripts/package/configuration-file.ts";
import { configCommands, ONLY_FILE } from "../rig/config-command.ts";
import { PROGRAM, runProgram, startProgram } from "../rig/program.ts";

const openFile = configCommands(configurationFile());

test("of changes that are made at once none is lost", async () => {
  const { folder, file, config, tables } = openFile();
  const names = ["uv_imo", "uv_uscg", "flow_max_imo", "cip_hours", "beyond_seconds", "dp_alarm"];
  const ended = await Promise.all(
    names.map((name, at) => config("set", `limits.${name}`, `${at + 11}`)),
  );
  expect(ended.map(({ code }) => code)).toEqual(names.map(() => 0));
  expect(tables().limits).toEqual(Object.fromEntries(names.map((name, at) => [name, at + 11])));
  expect(readdirSync(folder).filter((name) => name.startsWith("ballastd.toml"))).toEqual([
    ...["ballastd.toml", path.basename(`${file}.before`)],
  ]);
});

test("a command killed while it writes leaves the file before, or the one after", async () => {
  const { folder, file, config, read } = openFile();
  const before = read();
  for (let turn = 0; turn < 12; turn += 1) {
    const args = ["config", "set", "limits.uv_imo", `${300 + turn}`];
    await using program = startProgram({ args, folder, env: ONLY_FILE });
    // Killed at another write each time.
    const killed = Promise.withResolvers<void>();
    let writes = 0;
    const watcher = watch(folder, (_, name) => {
      writes += name?.startsWith("ballastd.toml") ? 1 : 0;
      if (writes > turn / 2) killed.resolve();
    });
    await Promise.race([program.ended, killed.promise]);
    await program.stop("SIGKILL");
    watcher.close();
    const [, value = "none"] = /^uv_imo = (3\d\d)$/m.exec(read()) ?? [];
    expect(read().replace(`\nuv_imo = ${value}\n`, "\n#uv_imo = 252\n")).toBe(before);
    expect(value === "none" || Number(value) <= 300 + turn).toBe(true);
  }
  writeFileSync(`${file}.0123456789ab.part`, "left by a kill");
  expect((await config("set", "limits.uv_imo", "400")).code).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(["ballastd.toml", "ballastd.toml.before"]);
});

/** Runs the command on a small disk; the file is copied onto it, and printed at the end. */
function onDisk(
  file: string,
  { size, prepare }: { readonly size: string; readonly prepare: string },
) {
  expect(inject("bundleProblem")).toBeNull();
  const small = path.join(path.dirname(file), "small");
  mkdirSync(small);
  const script =
    'mount -t tmpfs -o size="$1" small "$2" && cp "$3" "$2/c.toml" && cd "$2" && shift 3 && ' +
    `${prepare}; code=0; "$@" || code=$?; ls | xargs; cat c.toml; exit $code`;
  const command = [process.execPath, PROGRAM, "config", "set", "limits.uv_imo", "300"];
  const args = ["--mount", "sh", "-c", script, "sh", size, small, file, ...command];
  const env = { PATH: process.env.PATH, BALLASTD_CONFIG: "c.toml" };
  return spawnSync("unshare", args, { env, encoding: "utf8" });
}

test.each([
  ["read-only", { size: "64k", prepare: 'mount -o remount,ro "$PWD"' }, "EROFS", ""],
  ["full at once", { size: "8k", prepare: "true" }, "ENOSPC", ""],
  ["full at the second file", { size: "16k", prepare: "true" }, "ENOSPC", " c.toml.before"],
])("on a disk that is %s nothing is changed", (_, disk, code, left) => {
  expect(process.getuid?.(), "mounting needs root: run the tests as root, or with sudo").toBe(0);
  const { file, read } = openFile();
  const { status, stdout, stderr } = onDisk(file, disk);
  expect({ status, stderr }).toEqual({
    ...{
      status: 74,
      stderr: expect.stringMatching(`c\\.toml can't be replaced \\(${code}.*nothing`),
    },
  });
  expect(stdout).toBe(`c.toml${left}\n${read()}`);
});

test("who may not write is told, and the service's account lays no link for root", async () => {
  const { folder, file, read } = openFile();
  chmodSync(folder, 0o755);
  chmodSync(file, 0o666);
  const before = read();
  const through = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
  const args = ["config", "set", "limits.uv_imo", "300"];
  expect(await runProgram({ args, folder, through })).toMatchObject({
    ...{ code: 77, stdout: "", stderr: expect.stringMatching(/can't be replaced .*nothing was/) },
  });
  // Root's file, named by a link in the account's folder.
  const data = path.join(folder, "data");
  mkdirSync(data);
  chownSync(data, 65_534, 65_534);
  chmodSync(file, 0o600);
  const link = path.join(data, "link.toml");
  symlinkSync(file, link);
  const env = { BALLASTD_CONFIG: link, BALLASTD_STORAGE_DIR: data };
  expect(await runProgram({ args, folder, env })).toMatchObject({
    ...{ code: 78, stdout: "", stderr: expect.stringContaining("can't be read (EACCES)") },
  });
  expect(read()).toBe(before);
});
