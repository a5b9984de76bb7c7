// The Debian package and the archive beside the executable that TEST_PROGRAM names: what is in
// them, and that what they say of the program is what the program does.

import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SHELLS } from "../../../src/cli/words.ts";
import { CONFIG_KEYS } from "../../../src/config/config.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { completed } from "../../rig/completed.ts";
import { EXECUTABLE, runProgram, temporaryFolder } from "../../rig/program.ts";

// systemd.exec(5): from 0, all shut, to 10.
const EXPOSURE_MAX = 1.5;

const out = path.dirname(EXECUTABLE ?? "");
let tree = "";
beforeAll(() => {
  tree = temporaryFolder();
  const [deb] = fs.readdirSync(out).filter((name) => name.endsWith("_amd64.deb"));
  run("dpkg-deb", "--extract", path.join(out, `${deb}`), tree);
  run("dpkg-deb", "--control", path.join(out, `${deb}`), path.join(tree, "DEBIAN"));
});
afterAll(() => fs.rmSync(tree, { recursive: true, force: true }));

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  expect(status, `${command} ${args.join(" ")}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

const read = (name: string) => fs.readFileSync(path.join(tree, name));

test("every file has the sum that is written down for it", () => {
  const listed = read("DEBIAN/md5sums").toString();
  expect(listed).toMatch(/ {2}opt\/ballastd\/versions\/[0-9.]+\/ballastd\n/);
  run("sh", "-c", `cd ${tree} && md5sum --check --strict --quiet DEBIAN/md5sums`);
  expect(read("DEBIAN/conffiles").toString()).toBe("/etc/ballastd/ballastd.toml\n");
});

test("the configuration names every key, with the default that the program has", () => {
  const text = read("etc/ballastd/ballastd.toml").toString();
  const set = { storage: { dir: "/var/lib/ballastd" } };
  const installed = loadConfig({ file: path.join(tree, "etc/ballastd/ballastd.toml"), env: {} });
  expect(installed.config).toMatchObject(set);
  const keys = CONFIG_KEYS.map(({ name }) => name);
  expect([...text.matchAll(/^#?([a-z_]+) = /gm)].map(([, name]) => name)).toEqual([
    "version",
    ...keys,
  ]);
  const all = path.join(tree, "all.toml");
  fs.writeFileSync(all, text.replace(/^#([a-z_]+ = )/gm, "$1"));
  expect(loadConfig({ file: all, env: {} }).config).toEqual(installed.config);
});

test("the manual has each command's help, and shells complete commands and options", async () => {
  const manual = gunzipSync(read("usr/share/man/man1/ballastd.1.gz")).toString();
  const { stdout } = await runProgram({ args: ["--help"] });
  const commands = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
  for (const name of commands) expect(manual).toContain(`.SH ${name?.toUpperCase()}\n`);
  const scripts = {
    bash: "usr/share/bash-completion/completions/ballastd",
    zsh: "usr/share/zsh/vendor-completions/_ballastd",
    fish: "usr/share/fish/vendor_completions.d/ballastd.fish",
  };
  for (const shell of SHELLS) {
    const offered = (...words: string[]) =>
      completed(shell, path.join(tree, scripts[shell]), ...words);
    expect(offered("ver")).toEqual(["verify", "version"]);
    expect(offered("rec")).toEqual(["reconcile", "record-book"]);
    expect(offered("export", "--col")).toEqual(["--columns"]);
  }
});

test("the manual's pages are installed, and what they link to lies beside them", () => {
  const folder = path.join(tree, "usr/share/doc/ballastd");
  const pages = fs.readdirSync(folder).filter((name) => name.endsWith(".md"));
  const docs = fs.readdirSync("docs").filter((name) => name.endsWith(".md"));
  expect(pages).toEqual(docs);
  const links = pages.flatMap((page) => [
    ...read(`usr/share/doc/ballastd/${page}`)
      .toString()
      .matchAll(/\]\((?!https?:)([^)#\s]+)/g),
  ]);
  expect(links).not.toEqual([]);
  for (const [, link] of links)
    expect(fs.existsSync(path.join(folder, `${link}`)), link).toBe(true);
});

test("the service is as shut as it can be, and that of a second system is another's alone", () => {
  const units = path.join(tree, "usr/lib/systemd/system");
  for (const unit of ["ballastd.service", "ballastd@.service"]) {
    const args = ["security", "--offline=true", `--threshold=${EXPOSURE_MAX * 10}`];
    run("systemd-analyze", ...args, path.join(units, unit));
  }
  const own = fs.readFileSync(path.join(units, "ballastd.service"), "utf8").split("\n");
  const other = fs.readFileSync(path.join(units, "ballastd@.service"), "utf8").split("\n");
  const settings = (lines: readonly string[]) => lines.filter((line) => /^[A-Z]/.test(line));
  const changed = settings(other).filter((line) => !own.includes(line));
  expect(changed).toEqual([
    "Description=Monitor of the ballast water treatment (%i)",
    "ExecStartPre=+-/opt/ballastd/take-settings /etc/ballastd/%i.toml",
    "ExecStart=/opt/ballastd/current/ballastd serve --recovery --config /etc/ballastd/%i.toml",
    "StateDirectory=ballastd-%i",
    "CacheDirectory=ballastd-%i",
    "RuntimeDirectory=ballastd-%i",
    "WorkingDirectory=/var/lib/ballastd-%i",
    "Environment=HOME=/var/lib/ballastd-%i",
    "Environment=PKG_NATIVE_CACHE_PATH=/var/cache/ballastd-%i",
    "Environment=NODE_COMPILE_CACHE=/var/cache/ballastd-%i",
  ]);
});

test("without dpkg its own script installs it, keeps a configuration, and takes it away", () => {
  const [archive] = fs.readdirSync(out).filter((name) => name.endsWith("_linux-x64.tar.gz"));
  const [unpacked, target] = [path.join(tree, "archive"), path.join(tree, "target")];
  fs.mkdirSync(unpacked);
  run("tar", "--strip-components=1", "-xzf", path.join(out, `${archive}`), "-C", unpacked);
  const found = () => fs.readdirSync(target, { recursive: true, encoding: "utf8" });
  run(path.join(unpacked, "install"), "--root", target);
  const config = path.join(target, "etc/ballastd/ballastd.toml");
  fs.writeFileSync(config, "# ours\n");
  run(path.join(unpacked, "install"), "--root", target);
  expect(fs.readFileSync(config, "utf8")).toBe("# ours\n");
  const program = path.join(target, "opt/ballastd/current/ballastd");
  expect(fs.statSync(program).mode & 0o777).toBe(0o755);
  expect(run(program, "version")).toMatch(/^ballastd /);
  expect(found()).toContain("usr/local/share/doc/ballastd/operating.md");
  run(path.join(unpacked, "uninstall"), "--root", target);
  expect(found().filter((name) => /ballastd/.test(name))).toEqual([
    "etc/ballastd",
    "etc/ballastd/ballastd.toml",
  ]);
  run(path.join(unpacked, "uninstall"), "--root", target, "--purge");
  expect(found().filter((name) => /ballastd/.test(name))).toEqual([]);
});

test("what is shipped is listed for scanners, with versions and hashes", () => {
  const bom = JSON.parse(read("usr/share/doc/ballastd/ballastd.cdx.json").toString());
  const names = bom.components.map(({ name }: { name: string }) => name);
  for (const name of ["node", "better-sqlite3", "sqlite", "aedes", "preact"])
    expect(names).toContain(name);
  expect(names).not.toContain("vitest");
});
