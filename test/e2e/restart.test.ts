// The built program ended in the midst of its work, and started again: what it has acknowledged is
// there, once, and buckets agree with readings. And the starts that must be refused.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newestSchema } from "../../src/sqlite/file/migrate.ts";
import { openWriter, prepare } from "../../src/sqlite/file/open.ts";
import { type Appliance, pageThrough, publishAll, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { expectedRows, rowProblems } from "../rig/grouping.ts";
import { listProblems, openLogbook, printed, type Value } from "../rig/logbook.ts";
import { runProgram, startProgram } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";
import { receiveAt } from "../rig/received.ts";
import { LONG, sized } from "../rig/scale.ts";

// Across the leap day, a reading every 30 seconds.
const FIRST_MS = Date.UTC(2024, 1, 28, 22);
const STEP_MS = 30_000;
const ALWAYS = { start: "2000-01-01", end: "2030-01-01", limit: 10_000 };
const newFolder = foldersOfTests();

/** The PLC's messages for a number: a reading, and every fifth time an event too. */
function messagesOf(number: number) {
  const { at_ms, fields } = statementOf(number);
  const timestamp = printed(at_ms);
  const event = { timestamp, event_type: "ALARM_TRIGGERED", data: { number } };
  return [
    { kind: "telemetry", payload: JSON.stringify({ timestamp, ...Object.fromEntries(fields) }) },
    ...(hasEvent(number) ? [{ kind: "events", payload: JSON.stringify(event) }] : []),
  ];
}

const hasEvent = (number: number) => number % 5 === 0;

const withEvent = (numbers: Iterable<number>) =>
  [...numbers].filter(hasEvent).sort((a, b) => a - b);

function statementOf(number: number) {
  const fields = new Map<string, Value>([
    ["UVR_INTENSITY", 500 + (number % 100)],
    ["LAMP_03_RUNTIME", number / 7],
    ["LAMP_03_STATUS", number % 3 === 0 ? "FAILED" : "ACTIVE"],
  ]);
  return { at_ms: FIRST_MS + number * STEP_MS, fields };
}

type Ending = "SIGKILL" | "SIGTERM";

/** Publishes until the program is ended; returns the numbers that were acknowledged. */
async function publishUntilEnded(
  appliance: Appliance,
  work: { numbers: readonly number[]; ending: Ending; after: number },
): Promise<readonly number[]> {
  const { numbers, ending, after } = work;
  const client = await appliance.connect();
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  const acknowledged = new Set<number>();
  const exit = appliance.program.ended;
  const left = numbers.toReversed();
  const sendNext = (): void => {
    const number = left.pop();
    if (number === undefined) return;
    publishAll(client, messagesOf(number)).then(
      () => {
        acknowledged.add(number);
        if (acknowledged.size === after) void appliance.program.stop(ending);
        sendNext();
      },
      () => null, // cut off with the connection
    );
  };
  // No more are under way, so that some are left whenever it ends.
  for (let sent = 0; sent < 300; sent += 1) sendNext();
  await closed;
  expect(acknowledged.size).toBeGreaterThanOrEqual(after);
  if (ending === "SIGKILL") expect(acknowledged.size).toBeLessThan(numbers.length);
  expect(await exit).toEqual(
    ending === "SIGKILL" ? { code: null, signal: "SIGKILL" } : { code: 0, signal: null },
  );
  return [...acknowledged];
}

/** Holds all that is stored against what was sent; returns the numbers of the readings. */
async function checkedNumbers(appliance: Appliance): Promise<readonly number[]> {
  const answered = await pageThrough(appliance, ALWAYS);
  const numbers = answered.map(
    ({ timestamp }) => (Date.parse(String(timestamp)) - FIRST_MS) / STEP_MS,
  );
  const logbook = openLogbook("BWTS-001");
  for (const number of numbers) logbook.note(statementOf(number));
  expect(listProblems(logbook.readings(), answered)).toEqual([]);
  for (const interval of ["hour", "day"] as const) {
    const rows = await appliance.json(
      `/api/telemetry/aggregated?interval=${interval}&startDate=2000-01-01`,
    );
    expect(rowProblems(expectedRows(logbook.readings(), interval), rows)).toEqual([]);
  }
  return numbers;
}

async function eventNumbers(appliance: Appliance): Promise<readonly number[]> {
  const events: { data: { number?: number } }[] = await appliance.json("/api/events?limit=10000");
  // Without ballastd's own alert that the PLC's clock is years behind.
  return events.flatMap(({ data }) => data.number ?? []).sort((a, b) => a - b);
}

test.each(sized<Ending[]>(["SIGKILL"], ["SIGKILL", "SIGTERM"]))(
  "after %s in the midst of publishing all that was acknowledged is there, nothing twice",
  async (ending) => {
    const random = printedRandom(ending);
    const folder = newFolder();
    const known = new Set<number>();
    let appliance = await startAppliance({ folder });
    for (let round = 0; round < 2; round += 1) {
      const inOrder = [...Array(1200).keys()].map((index) => 800 * round + index);
      const numbers = random.chance(0.5) ? inOrder : random.shuffled(inOrder);
      const after = random.between(1, 400);
      const acknowledged = await publishUntilEnded(appliance, { numbers, ending, after });
      const next = await startAppliance({ folder });
      for (const number of acknowledged) known.add(number);
      const [stored, events] = [await checkedNumbers(next), await eventNumbers(next)];
      expect([...known].filter((number) => !stored.includes(number))).toEqual([]);
      expect(withEvent(known).filter((number) => !events.includes(number))).toEqual([]);
      expect(events).toEqual([...new Set(events)]);
      // The PLC sends all of it again, what it has seen acknowledged too.
      await next.publish(numbers.flatMap(messagesOf));
      for (const number of numbers) known.add(number);
      expect(await checkedNumbers(next)).toEqual([...known].sort((a, b) => a - b));
      expect(await eventNumbers(next)).toEqual(withEvent(known));
      expect(await next.quarantine()).toEqual([]);
      appliance = next;
    }
    await appliance[Symbol.asyncDispose]();
  },
);

interface RefusedStart {
  readonly folder: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A start that must be refused: its exit code and the one line that isn't the log's. */
async function refusedStart({ args = ["serve"], ...options }: RefusedStart) {
  const { code, stdout, stderr } = await runProgram({ args, ...options });
  const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  expect({ stdout, lines: lines.length }, stderr).toEqual({ stdout: "", lines: 1 });
  return { code, line: lines[0] };
}

describe("one ship", () => {
  const one = foldersOfTests(afterAll)();
  let first: Appliance;
  beforeAll(async () => {
    first = await startAppliance({ folder: one });
  });
  afterAll(() => first[Symbol.asyncDispose]());

  test("a second instance on the same folder is refused, and the first goes on", async () => {
    const { code, line } = await refusedStart({ folder: one });
    expect(code).toBe(75);
    expect(line).toMatch(/^ballastd: .*another ballastd uses it.*storage\.dir/);
    await first.publish(messagesOf(0));
    expect(await checkedNumbers(first)).toEqual([0]);
  });

  test("a signal that comes twice, as timeout(1) sends it, is one request to end", async () => {
    const { program } = first;
    // While it is stopped both are kept, so that they reach it together.
    for (const signal of ["SIGSTOP", "SIGTERM", "SIGINT", "SIGCONT"] as const)
      process.kill(program.pid, signal);
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.stderr()).toContain("everything received is stored");
  });

  test("simulated and real data never mix: each refuses the other's folder", async () => {
    await first.program.stop("SIGTERM");
    const env = { BALLASTD_STORAGE_DIR: path.join(one, "data") };
    const demo = await refusedStart({ folder: one, args: ["demo"], env });
    expect(demo).toMatchObject({ code: 78, line: expect.stringContaining("real data") });
    const folder = newFolder();
    await using simulated = startProgram({ args: ["demo"], folder });
    await simulated.waitForOutput(/^data: .*SIMULATED/m);
    expect(await simulated.stop("SIGTERM")).toEqual({ code: 0, signal: null });
    const serve = await refusedStart({
      folder,
      env: { BALLASTD_STORAGE_DIR: path.join(folder, "demo-data") },
    });
    expect(serve).toMatchObject({ code: 78, line: expect.stringContaining("storage.dir") });
  });
});

test("a stop soon after the start doesn't wait until all stored is proven", LONG, async () => {
  await using appliance = await startAppliance({ env: { BALLASTD_LOG_LEVEL: "debug" } });
  const { program } = appliance;
  // The proof begins with the other jobs, and takes eight seconds at least.
  await program.waitForOutput(/"job":"tidy",.*job done/);
  expect(await program.stop("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(program.stderr()).not.toContain('"job":"proof"');
});

test("a newer database, a development version's, or none at all is refused", LONG, async () => {
  const folder = newFolder();
  {
    await using appliance = await startAppliance({ folder });
    await appliance.publish(messagesOf(0));
    await appliance.program.stop("SIGTERM");
  }
  const file = path.join(folder, "data", "ballastd.db");
  const change = (text: string, of = file) => new Database(of).exec(text).close();
  // As a newer program leaves it: its number stands in the head of the file, too.
  change("insert into schema_migration values (999, 'later', 'x', 0); pragma user_version = 999");
  const { code, line } = await refusedStart({ folder });
  expect(code).toBe(78);
  expect(line).toMatch(/^ballastd: .*999.*newer/);
  change(`delete from schema_migration where number > 9; pragma user_version = ${newestSchema()}`);
  // As a version in development made it, whose first migration was another one.
  const development = path.join(newFolder(), "data", "ballastd.db");
  mkdirSync(path.dirname(development));
  copyFileSync(file, development);
  change(
    "update schema_migration set checksum = ''; drop table mark; drop table bucket",
    development,
  );
  const before = readFileSync(development);
  const elsewhere = path.dirname(path.dirname(development));
  const advice =
    /a version in development made it .* export its readings with that version.* import them/;
  expect(await refusedStart({ folder: elsewhere })).toMatchObject({
    code: 78,
    line: expect.stringMatching(advice),
  });
  const sql = ["sql", "select count(*) from reading('2026-05-01', '2026-05-31')"];
  const commands = [["check"], ["salvage"], ["verify"], ["export", "--format", "ndjson"], sql];
  for (const args of [...commands, ["restore", development, "--try"]]) {
    const { code, stdout, stderr } = await runProgram({ args, folder: elsewhere });
    expect({ args, isRefused: code !== 0 }).toEqual({ args, isRefused: true });
    // A backup of such a database is refused too.
    expect(stdout).not.toContain("ballastd restore");
    expect(stdout + stderr).toMatch(advice);
  }
  expect(readFileSync(development).equals(before)).toBe(true);
  {
    await using again = await startAppliance({ folder });
    expect(await checkedNumbers(again)).toEqual([0]);
  }
  const other = newFolder();
  mkdirSync(path.join(other, "data"));
  writeFileSync(path.join(other, "data", "ballastd.db"), "no database".repeat(1000));
  expect((await refusedStart({ folder: other })).code).toBe(74);
});

test("a clock behind the newest receipt on disk is not trusted, and so it says", LONG, async () => {
  const folder = newFolder();
  const trusted = async (appliance: Appliance) =>
    JSON.parse((await appliance.get("/readyz")).text).clock.trusted;
  {
    await using appliance = await startAppliance({ folder });
    expect(await trusted(appliance)).toBe(true);
    await appliance.publish(messagesOf(0));
    expect(await trusted(appliance)).toBe(true);
    await appliance.program.stop("SIGTERM");
  }
  const tomorrow_ms = Date.now() + 86_400_000;
  receiveAt(path.join(folder, "data", "ballastd.db"), tomorrow_ms);
  await using appliance = await startAppliance({ folder });
  expect(await trusted(appliance)).toBe(false);
  // The PLC's clock may well be right: its times are no longer held against ours.
  const payload = `{"timestamp":${tomorrow_ms},"SYS_PRESSURE":4}`;
  await appliance.publish([{ kind: "telemetry", payload }]);
  expect(await trusted(appliance)).toBe(false);
  expect(await appliance.json("/api/telemetry/latest")).toMatchObject({ SYS_PRESSURE: 4 });
});

test("a folder that can't be made, under /proc too, is named with its setting", async () => {
  const folder = newFolder();
  for (const dir of [path.join(folder, "ballastd.toml"), "/proc/nowhere/ballastd"]) {
    const refused = await refusedStart({ folder, env: { BALLASTD_STORAGE_DIR: dir } });
    expect(refused.code).toBe(73);
    expect(refused.line).toMatch(/storage\.dir/);
  }
});

test("a writer's commits are durable, also on a file that is in WAL already", () => {
  const file = path.join(newFolder(), "ballastd.db");
  for (let opening = 0; opening < 3; opening += 1) {
    const db = openWriter(file);
    expect(prepare(db, "schema.synchronous").get({})).toEqual({ synchronous: 2 });
    db.close();
  }
});
