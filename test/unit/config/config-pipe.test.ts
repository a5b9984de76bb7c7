// Names that lead to no file: a start must neither wait for ever nor fill the memory.

import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { readPassword } from "../../../src/app/secret-files.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { configFolder, refusal } from "../../rig/config-file.ts";

const { dir } = configFolder();

test("a pipe and an endless device are refused at once, and /dev/null has no keys", () => {
  const pipe = path.join(dir, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const odd of [pipe, "/dev/zero"])
    expect(refusal(() => loadConfig({ file: odd, env: {} }))).toContain("(is not a file)");
  const password = () => readPassword(pipe);
  expect(refusal(password)).toContain("(is not a file)");
  expect(loadConfig({ file: "/dev/null", env: {} }).config.system.vessel).toBe("");
});
