// A version that is run for an answer and gives none: the update must end, and say why.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { runVersion } from "../../../../src/app/control/run-version.ts";
import { foldersOfTests } from "../../../rig/folders.ts";

const newFolder = foldersOfTests();

function versionThat(does: string): string {
  const file = path.join(newFolder(), "ballastd");
  writeFileSync(file, `#!/bin/sh\n${does}\n`, { mode: 0o755 });
  return file;
}

test("a version that ignores SIGTERM is killed when its time is up", () => {
  const deaf = versionThat(`trap "" TERM; echo $$ > "$0.pid"; while :; do sleep 1; done`);
  expect(() => runVersion(deaf, ["restore"], { max_ms: 600 })).toThrow(
    "the new version can't do restore: it didn't end within 0.01 min and was killed",
  );
  expect(spawnSync("sh", ["-c", `kill -0 $(cat '${deaf}.pid')`]).status).not.toBe(0);
});

test("a version that fails is quoted, and one that a signal ends is named by it", () => {
  const failing = versionThat("echo no such table >&2; exit 3");
  expect(() => runVersion(failing, ["restore"])).toThrow(/can't do restore: no such table$/);
  const killed = versionThat("kill -9 $$");
  expect(() => runVersion(killed, ["version"], { who: "version 1.0.0" })).toThrow(
    /^version 1\.0\.0 can't do version: SIGKILL$/,
  );
});
