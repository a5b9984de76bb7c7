// The parts that packing could break, each once through the executable: the files inside it (pages,
// SQL, licences), native code and threads of every command, arguments and exit codes. How the
// answers come about is tested with the bundle, which is the same code.

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { pageThrough, startAppliance } from "../../oracle/appliance.ts";
import { foldersOfTests } from "../../rig/folders.ts";
import { runProgram } from "../../rig/program.ts";

const newFolder = foldersOfTests();
const COUNT = 2500;
const ALWAYS = { start: "2000-01-01", end: "2030-01-01", limit: 10_000 };
const READINGS = Array.from({ length: COUNT }, (_, index) => ({
  timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
  UVR_INTENSITY: 600 + (index % 97),
  LAMP_03_STATUS: "ACTIVE",
}));
const SENT = [
  { kind: "telemetry", payload: JSON.stringify(READINGS) },
  { kind: "telemetry", payload: "{" },
  { kind: "events", payload: '{"timestamp":"2026-01-01","event_type":"PROCESS_START"}' },
];

/** Runs a command that must succeed; what it printed. */
async function ballastd(folder: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram({ args, folder });
  expect({ args, code, stderr }).toMatchObject({ args, code: 0 });
  return stdout;
}

test("it receives, answers, shows its pages, and takes commands beside it", async () => {
  const folder = newFolder();
  await using appliance = await startAppliance({ folder });
  await appliance.publish(SENT);
  expect(await pageThrough(appliance, ALWAYS)).toHaveLength(COUNT);
  expect(await appliance.json("/api/telemetry/latest")).toMatchObject(READINGS.at(-1) ?? {});
  expect(await appliance.json("/api/telemetry/aggregated?hours=1")).toMatchObject([
    { recordCount: COUNT },
  ]);
  for (const page of ["/", "/docs"]) {
    const { status, text } = await appliance.get(page);
    expect([status, text.slice(0, 15).toLowerCase()]).toEqual([200, "<!doctype html>"]);
  }
  expect(await appliance.json("/version")).toMatchObject({ node: process.versions.node });
  expect(await appliance.quarantine()).toMatchObject([{ payload: "{" }]);
  const exports = ["all.csv", "all.ndjson", "all.sqlite"];
  for (const file of exports) await ballastd(folder, "export", "--output", file);
  await ballastd(folder, "backup", "all.db");
  await ballastd(folder, "void", "--from", "2026-01-01", "--to", "2026-01-01", "--reason", "x");
  await ballastd(folder, "support", "all.zip");
  expect(await ballastd(folder, "verify")).toContain("the chains are whole");
  expect(await appliance.program.stop("SIGTERM")).toEqual({ code: 0, signal: null });

  const original = readFileSync(path.join(folder, "all.ndjson"));
  for (const file of exports) {
    const other = newFolder();
    await ballastd(other, "import", path.join(folder, file));
    await ballastd(other, "export", "--output", "again.ndjson");
    expect(readFileSync(path.join(other, "again.ndjson")).equals(original)).toBe(true);
  }
  const other = newFolder();
  await ballastd(other, "restore", path.join(folder, "all.db"));
  await ballastd(other, "salvage", "--to", "salvaged.db");
  expect(await ballastd(other, "verify")).toMatch(/with 2048 readings, 1 events, .*\nhead of/);
});

test("its arguments are those behind its name, its exit codes the program's", async () => {
  const help = await runProgram({ args: ["--help"] });
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toMatch(/^ {2}serve +\S/m);
  const ofServe = await runProgram({ args: ["serve", "--help"] });
  expect(ofServe.stdout).toMatch(/^usage: ballastd serve/);
  expect(await runProgram({ args: [] })).toMatchObject({ code: 2, stdout: "" });
  const unknown = await runProgram({ args: ["serve", "--no-such-option"] });
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toMatch(/^ballastd: .*--no-such-option.*\n$/);
  const version = await runProgram({ args: ["version", "--json"] });
  expect(JSON.parse(version.stdout)).toMatchObject({ node: process.versions.node });
});
