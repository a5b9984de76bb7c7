// A database of every released version, kept as that version wrote it: the present program migrates
// each and answers all that is in it. Until the first release, `npm run fixture` makes the present
// version's again when the first migration was changed.

import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { pageThrough, startAppliance } from "./oracle/appliance.ts";
import { foldersOfTests } from "./support/folders.ts";
import { runProgram } from "./support/program.ts";

const DATA = path.resolve(import.meta.dirname, "data");
const RELEASED = readdirSync(DATA).filter((name) => name.endsWith(".db"));

const newFolder = foldersOfTests();

test("there is a database of at least one version", () => {
  expect(RELEASED).not.toEqual([]);
});

test.each(RELEASED)(
  "%s is opened, answered whole, and verifies",
  async (name) => {
    const folder = newFolder();
    mkdirSync(path.join(folder, "data"));
    copyFileSync(path.join(DATA, name), path.join(folder, "data", "ballastd.db"));
    await using appliance = await startAppliance({ folder });
    const readings = await pageThrough(appliance, {
      start: "2000-01-01",
      end: "2030-01-01",
      limit: 10_000,
    });
    expect(readings).toHaveLength(2500);
    for (const [index, reading] of readings.entries())
      expect(reading).toMatchObject({
        timestamp: new Date(Date.UTC(2026, 0, 1) + index * 180_000).toISOString(),
        UVR_INTENSITY: 500 + (index % 100) / 10,
      });
    expect(await appliance.json("/api/events")).toMatchObject([{ event_type: "PROCESS_START" }]);
    expect(await appliance.quarantine()).toHaveLength(1);
    const tokens = await runProgram({ args: ["token", "list"], folder });
    expect(tokens.stdout).toMatch(/^bridge {2}viewer/m);
    expect(await runProgram({ args: ["verify"], folder })).toMatchObject({ code: 0 });
    const check = await runProgram({ args: ["check", "--thorough"], folder });
    expect(check.stdout).toMatch(/^ok {7}buckets: /m);
  },
  60_000,
);
