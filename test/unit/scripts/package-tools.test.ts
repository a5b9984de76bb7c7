// Packing without its tools: all that lack are named in one sentence, before anything is built.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { foldersOfTests } from "../../rig/folders.ts";

const ROOT = path.resolve(import.meta.dirname, "..", "..", "..");
const newFolder = foldersOfTests(afterAll);

const withoutTools = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [path.join(ROOT, "scripts", script), ...args], {
    ...{ cwd: ROOT, encoding: "utf8", env: { PATH: newFolder() } },
  });

test("a package without its tools is refused at once, by all their names", () => {
  const { status, stderr, stdout } = withoutTools("package.ts");
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toBe(
    "missing: x86_64-linux-gnu-strip, aarch64-linux-gnu-strip, dpkg-deb, tar, gzip; " +
      "install with: sudo apt-get install " +
      "binutils-x86-64-linux-gnu binutils-aarch64-linux-gnu dpkg tar gzip\n",
  );
});

test("an executable for one processor needs that one's tool alone", () => {
  const { status, stderr } = withoutTools("build.ts", "--cpu", "arm64");
  expect(status).toBe(1);
  expect(stderr).toBe(
    "missing: aarch64-linux-gnu-strip; install with: " +
      "sudo apt-get install binutils-aarch64-linux-gnu\n",
  );
});

test.each([
  ["package.ts", ["--help"], "Unknown option '--help'"],
  ["package.ts", ["--cpu", "pdp11"], "--cpu pdp11: expected x64 or arm64"],
  ["package.ts", ["--sign-key", "/nothing"], "ENOENT: no such file or directory, open '/nothing'"],
  ["build.ts", ["--cpu", "pdp11"], "--cpu pdp11: expected x64 or arm64"],
  ["sign-update.ts", [], "expected --key FILE, or --unsigned, and one executable"],
])("%s %j is refused with a sentence and the usage", (script, args, sentence) => {
  const { status, stderr } = withoutTools(script, ...args);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^.*\n\nusage: npm run /);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toMatch(/^ +at /m);
});
