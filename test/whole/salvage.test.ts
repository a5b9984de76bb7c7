// A database that is damaged all the same: the program refuses it with what to type, `salvage`
// makes a new one by one command, and every reading is either there as it was or named as lost. The
// damage is done to a real data folder at seeded random places.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageThrough, startAppliance } from "../oracle/appliance.ts";
import { BY_COMMAND } from "../rig/command-user.ts";
import { changed, DAMAGES } from "../rig/damages.ts";
import { asExpected, expectedRows, rowProblems } from "../rig/grouping.ts";
import { printed, readingProblems } from "../rig/logbook.ts";
import { runProgram, startProgram } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";
import { until } from "../rig/until.ts";
import { EVENTS, makeVoyageFolders, type VoyageFolders } from "../rig/voyage-folders.ts";

const PAGE = 4096;
const ALWAYS = { start: "2000-01-01", end: "2030-01-01", limit: 10_000 };

let folders: VoyageFolders;
beforeAll(async () => {
  folders = await makeVoyageFolders();
});
afterAll(() => folders.remove());

interface Loss {
  readonly what: string;
  readonly readings: number | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** Salvages, starts, and holds what is there against what was sent; returns what was said. */
async function salvaged(folder: string, { mayBePartial = false } = {}) {
  const run = await runProgram({ args: ["salvage", "--json"], folder });
  expect(run.code, run.stderr).toBe(0);
  const said: { problem: string | null; kept: string[]; losses?: Loss[] } = JSON.parse(run.stdout);
  const started_ms = Date.now();
  await using appliance = await startAppliance({ folder });
  const answered = await pageThrough(appliance, ALWAYS);
  const expected = new Map(
    folders.logbook.readings().map((reading) => [printed(reading.at_ms), reading]),
  );
  const there = new Set(answered.map(({ timestamp }) => String(timestamp)));
  expect(there.size).toBe(answered.length);
  const wrong = answered.flatMap((reading) => {
    const right = expected.get(String(reading.timestamp));
    return right === undefined
      ? [`${reading.timestamp}: was never sent`]
      : readingProblems(right, reading);
  });
  // The last of three messages to a reading may have been in a log that is gone.
  const stated = wrong.filter((problem) => !(mayBePartial && /got (null|undefined)/.test(problem)));
  expect(stated.slice(0, 5)).toEqual([]);
  const missing = [...expected.keys()].filter((timestamp) => !there.has(timestamp));
  for (const interval of ["hour", "day"] as const) {
    const range = "startDate=2000-01-01&endDate=2030-01-01";
    const rows = await appliance.json(`/api/telemetry/aggregated?interval=${interval}&${range}`);
    expect(rowProblems(expectedRows(answered.map(asExpected), interval), rows)).toEqual([]);
  }
  const events = await appliance.json("/api/events?limit=10000");
  // A tree that was begun anew lacks the heads of before until the start has signed one.
  if (said.losses?.length !== 0)
    await until("a head that is signed by this start", async () => {
      const { status, text } = await appliance.get("/api/ledger/head");
      return status === 200 && Date.parse(JSON.parse(text).timestamp) >= started_ms;
    });
  await appliance.program.stop("SIGTERM");
  const verify = await runProgram({ args: ["verify"], folder });
  expect(verify.code, verify.stdout + verify.stderr).toBe(0);
  return { said, missing, events: events.length };
}

/** The missing readings that no loss covers by its times. */
function unnamed(missing: readonly string[], losses: readonly Loss[]): readonly string[] {
  const kinds = ["segment", "readings", "day", "log"];
  const named = losses.filter(({ what }) => kinds.includes(what));
  return missing.filter(
    (at) =>
      !named.some(({ from, to }) => (from === null || from <= at) && (to === null || at <= to)),
  );
}

/** The first entry of a kind in the audit log. */
async function auditEntry(folder: string, kind: string): Promise<ReturnType<typeof JSON.parse>> {
  const { stdout } = await runProgram({
    args: ["export", "--audit", "--format", "ndjson"],
    folder,
  });
  const entries = stdout.trim().split("\n");
  return entries.map((line) => JSON.parse(line)).find((entry) => entry.kind === kind);
}

async function refused(folder: string) {
  const { code, stderr } = await runProgram({ args: ["serve"], folder });
  expect(code).toBe(74);
  expect(stderr).toMatch(/^ballastd: database .* can't be trusted, .*ballastd salvage/m);
}

/** A start on a damaged folder runs, or refuses with the command; it never crashes. */
async function startOutcome(folder: string): Promise<"runs" | "refused"> {
  await using program = startProgram({ args: ["serve"], folder });
  const started = program.waitForOutput(/^MQTT: /m).then(
    () => true,
    () => false,
  );
  if (await started) {
    await program.stop("SIGTERM");
    return "runs";
  }
  const { code, signal } = await program.ended;
  expect({ code, signal }, program.stderr()).toEqual({ code: 74, signal: null });
  expect(program.stderr()).toMatch(REFUSAL);
  return "refused";
}

const REFUSAL = /^ballastd: database .* can't be trusted, .*type `ballastd salvage`/m;

test("a whole database is left alone, and salvaged elsewhere holds the same", async () => {
  const { folder, file } = folders.copyOf(folders.stopped);
  const before = readFileSync(file);
  const run = await runProgram({ args: ["salvage"], folder });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing to salvage") });
  expect(readFileSync(file).equals(before)).toBe(true);
  const to = await runProgram({ args: ["salvage", "--json", "--to", "data/other.db"], folder });
  expect(JSON.parse(to.stdout)).toMatchObject({ losses: [], events: EVENTS });
  expect(readFileSync(file).equals(before)).toBe(true);
  writeFileSync(file, readFileSync(path.join(folder, "data", "other.db")));
  const { missing } = await salvaged(folder);
  expect(missing).toEqual([]);
});

test.each(DAMAGES)("$title: it is refused or it runs, and what is lost is named", async (given) => {
  const random = printedRandom(given.title);
  const { folder, file } = folders.copyOf(folders[given.of]);
  given.damage(file, random, folders);
  const found = folders.copyOf(folder);
  const outcome = await startOutcome(found.folder);
  if (given.isRefused !== null) expect(outcome).toBe(given.isRefused ? "refused" : "runs");
  // A refusal changes nothing.
  if (outcome === "refused" && existsSync(file))
    expect(readFileSync(found.file).equals(readFileSync(file))).toBe(true);
  const damaged = existsSync(file) ? readFileSync(file) : null;
  const { said, missing } = await salvaged(folder, { mayBePartial: given.of === "killed" });
  expect(missing.length).toBeLessThanOrEqual(given.lost_max);
  if (outcome === "refused") {
    expect(said.problem).not.toBeNull();
    expect(unnamed(missing, said.losses ?? [])).toEqual([]);
    const kept = said.kept.find((name) => !name.endsWith("-wal")) ?? "";
    if (damaged !== null) expect(readFileSync(kept).equals(damaged)).toBe(true);
  }
});

test("the audit log says that a salvage was, and what the heads were", async () => {
  const { folder, file } = folders.copyOf(folders.stopped);
  const verify = await runProgram({ args: ["verify", "--json"], folder });
  const { segment_head } = JSON.parse(verify.stdout);
  changed(file, (bytes) => bytes.fill(0, 0, PAGE));
  await salvaged(folder);
  const entry = await auditEntry(folder, "salvage");
  expect(entry).toMatchObject({
    actor: expect.stringMatching(BY_COMMAND),
    detail: { heads_before: { segment: segment_head }, heads_after: { segment: segment_head } },
  });
  const lost = entry.detail.losses.map(({ what }: { what: string }) => what);
  expect(lost).toEqual(["table", "ledger", "readings"]);
});

test("a salvage that was cut off is made again, or ends if it was complete", async () => {
  const { folder, file } = folders.copyOf(folders.stopped);
  changed(file, (bytes) => bytes.fill(0, 0, PAGE));
  writeFileSync(`${file}.salvaging`, "half");
  await refused(folder);
  const to = await runProgram({ args: ["salvage", "--to", path.join(folder, "new.db")], folder });
  expect(to.code, to.stderr).toBe(0);
  writeFileSync(`${file}.salvaged`, readFileSync(path.join(folder, "new.db")));
  await refused(folder);
  const { missing } = await salvaged(folder);
  expect(missing).toEqual([]);
});

test("a log that is gone after a run that was cut off is written into the audit log", async () => {
  // A log that is copied into the file at the moment of the kill can't be spared; the log of a
  // start holds too little for that.
  const { folder, file } = folders.copyOf(folders.stopped);
  await using killed = await startAppliance({ folder });
  await killed.program.stop("SIGKILL");
  rmSync(`${file}-wal`);
  await using appliance = await startAppliance({ folder });
  await appliance.program.stop("SIGTERM");
  expect(await auditEntry(folder, "unclean_stop")).toMatchObject({
    detail: { write_ahead_log: "missing" },
  });
});
