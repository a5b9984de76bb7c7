// The counts of the last line of scripts/test, from reports as vitest writes them.

import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../rig/program.ts";
import { root } from "../../rig/sources.ts";

interface FileResult {
  readonly status: "passed" | "failed";
  readonly tests: readonly string[];
}

function count(...files: readonly FileResult[]): string {
  const folder = temporaryFolder();
  const report = path.join(folder, "report.json");
  const testResults = files.map(({ status, tests }) => ({
    status,
    assertionResults: tests.map((result) => ({ status: result })),
  }));
  writeFileSync(report, JSON.stringify({ testResults }));
  const script = path.join(root, "scripts", "count-tests.ts");
  const { stdout, stderr } = spawnSync(process.execPath, [script, report], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return `${stdout}${stderr}`;
}

test("each test counts once, whatever became of it", () => {
  const one: FileResult = { status: "passed", tests: ["passed", "skipped", "passed"] };
  const other: FileResult = { status: "failed", tests: ["passed", "failed", "todo", "pending"] };
  expect(count(one, other)).toBe("3 1 3\n");
});

test("a test file that can't be loaded is one failure", () => {
  expect(count({ status: "failed", tests: [] })).toBe("0 1 0\n");
});

test("a test file whose preparation failed is one failure beside its skipped tests", () => {
  expect(count({ status: "failed", tests: ["skipped", "skipped"] })).toBe("0 1 2\n");
});
