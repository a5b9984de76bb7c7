// A database of every released version, kept as that version wrote it: the present program migrates
// each and answers all that is in it. Until 0.2.0 is released, `npm run fixture` makes it again
// when the first migration was changed.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { pageThrough, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";

const DATA = path.resolve(import.meta.dirname, "..", "data");
const RELEASED = readdirSync(DATA).filter((name) => name.endsWith(".db"));

const newFolder = foldersOfTests();

/** Offset of user_version in a database's header. */
const USER_VERSION_AT = 60;

function withUserVersion(database: Buffer, number: number): Buffer {
  database.writeUInt32BE(number, USER_VERSION_AT);
  return database;
}

test("there is a database of at least one version", () => {
  expect(RELEASED).not.toEqual([]);
});

test.each(RELEASED)("%s is opened, answered whole, and verifies", async (name) => {
  const folder = newFolder();
  mkdirSync(path.join(folder, "data"));
  const file = path.join(folder, "data", "ballastd.db");
  writeFileSync(file, withUserVersion(readFileSync(path.join(DATA, name)), 0));
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
  const ask = "select start, readings + not_sealed as n from reading_day order by start limit 1";
  const days = await runProgram({ args: ["sql", "--format", "json", ask], folder });
  expect(JSON.parse(days.stdout)).toEqual([{ start: "2026-01-01T00:00:00.000Z", n: 480 }]);
  const plan = "explain query plan select * from segment_time where first_ms between 1 and 2";
  const found = await runProgram({ args: ["sql", plan], folder });
  expect(found.stdout).toContain("SEARCH segment USING INDEX segment_by_start");
  const { schema } = JSON.parse((await runProgram({ args: ["version", "--json"] })).stdout);
  expect(check.stdout).toContain(`schema: user_version is ${schema},`);
  await appliance.program.stop("SIGTERM");
  expect(readFileSync(file).readUInt32BE(USER_VERSION_AT)).toBe(schema);
});
