// A void through the built program: with it, every answer is that of an appliance which never got
// those readings; after an undo, every answer is what it was; and verify covers all of it
// throughout.

import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Appliance, type Sent, startAppliance } from "../oracle/appliance.ts";
import { BY_COMMAND } from "../rig/command-user.ts";
import { jobsRan } from "../rig/job-runs.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";
import { sized } from "../rig/scale.ts";

const FIRST_MS = Date.UTC(2026, 3, 30, 18);
const STEP_MS = 20_000;
const COUNT = sized(2200, 3000);
const FROM = "2026-05-01T00:07:00Z";
const TO = "2026-05-01T03:30:00Z";

function readingAt(number: number): Sent {
  const timestamp = new Date(FIRST_MS + number * STEP_MS).toISOString();
  const isTreating = number % 700 < 500;
  return {
    kind: "telemetry",
    payload: JSON.stringify({
      timestamp,
      PROCESS_STATE: isTreating ? "RUNNING" : "IDLE",
      UVR_INTENSITY: 600 + (number % 50),
      SYS_FLOW_RATE: isTreating ? 800 : 0,
      LAMP_03_RUNTIME: number / 180,
    }),
  };
}

const all = Array.from({ length: COUNT }, (_, number) => readingAt(number));
const isHidden = ({ payload }: Sent) => {
  const at_ms = Date.parse(JSON.parse(String(payload)).timestamp);
  return at_ms >= Date.parse(FROM) && at_ms <= Date.parse(TO);
};

const dates = "startDate=2026-04-30&endDate=2026-05-01T02:11:11Z";
// Answers that jobs make come first: the others needn't be asked before these are as expected.
const ASKED = [
  "/api/health?limit=1000",
  "/api/health/aggregated?interval=day",
  // Before the last reading, after which a gap opens when the run has lasted for minutes.
  "/api/gaps?endDate=2026-05-01T10:00Z",
  "/api/stats",
  "/api/telemetry/latest",
  "/api/telemetry/history?hours=11",
  "/api/telemetry/aggregated?interval=hour&hours=200",
  "/api/telemetry/aggregated?interval=day&startDate=2026-01-01",
  `/api/telemetry/aggregated?interval=hour&${dates}`,
  `/api/telemetry/chunked?${dates}&offset=900&limit=400`,
  `/api/telemetry/runtime-analysis?${dates}`,
  "/export/telemetry?format=csv&columns=UVR_INTENSITY,LAMP_03_RUNTIME",
];

async function* asked(appliance: Appliance): AsyncGenerator<string> {
  for (const path of ASKED) {
    const { status, text } = await appliance.get(path);
    yield `${path} ${status} ${text}`;
  }
  yield (await appliance.json("/readyz")).last_reading;
}

async function answers(appliance: Appliance): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const answer of asked(appliance)) all.push(answer);
  return all;
}

async function isAnsweredAs(appliance: Appliance, expected: readonly string[]): Promise<boolean> {
  let index = 0;
  for await (const answer of asked(appliance)) {
    if (answer !== expected[index]) return false;
    index += 1;
  }
  return true;
}

/** Scores and gaps are made by jobs, some seconds later. */
async function settledAs(appliance: Appliance, expected: readonly string[]): Promise<void> {
  await appliance.program
    .waitUntil("equal answers", () => isAnsweredAs(appliance, expected))
    .catch(async () => expect(await answers(appliance)).toEqual(expected));
}

/** The answers when scores and gaps are made of all that was sent. */
async function settled(appliance: Appliance): Promise<readonly string[]> {
  await jobsRan(appliance, ["health", "gaps"]);
  return answers(appliance);
}

const ballastd = async (appliance: { program: { folder: string } }, ...args: string[]) => {
  const { code, stdout, stderr } = await runProgram({ args, folder: appliance.program.folder });
  expect({ code, stderr: stderr.replaceAll(/^exported .*\n/gm, "") }).toEqual({
    code: 0,
    stderr: "",
  });
  return stdout;
};

test("what is hidden is in no answer, and an undo brings all of it back", async () => {
  await using without = await startAppliance();
  await without.publish(all.filter((sent) => !isHidden(sent)));
  await using appliance = await startAppliance();
  const late = all.filter((sent, number) => isHidden(sent) && number % 7 === 0);
  await appliance.publish(all.filter((sent) => !late.includes(sent)));
  await using whole = await startAppliance();
  await whole.publish(all);
  const [expected, before] = await Promise.all([settled(without), settled(whole)]);
  const reason = "the UV sensor was being calibrated";
  const span = ["--from", FROM, "--to", TO];
  const made = await ballastd(appliance, "void", ...span, "--reason", reason, "--json");
  const hidden = all.filter(isHidden).length - late.length;
  expect(JSON.parse(made)).toEqual({ id: 1, readings: hidden });
  await settledAs(appliance, expected);

  // Later readings for the span are hidden too; all of them are written and verified on demand.
  await appliance.publish(late);
  await settledAs(appliance, expected);
  const [listed] = JSON.parse(await ballastd(appliance, "void", "list", "--json"));
  expect(listed).toMatchObject({ id: 1, reason, readings: hidden + late.length });
  const lines = async (...options: string[]) =>
    (await ballastd(appliance, "export", "--format", "ndjson", ...options)).trim().split("\n")
      .length;
  expect(await lines()).toBe(COUNT - hidden - late.length);
  expect(await lines("--with-voided")).toBe(COUNT);
  await marksTheHidden(appliance, hidden + late.length);
  expect(JSON.parse(await ballastd(appliance, "verify", "--json")).problem).toBeNull();

  // Again after a restart, and undone with nothing running.
  const { folder } = appliance.program;
  await appliance.program.stop("SIGTERM");
  {
    await using again = await startAppliance({ folder });
    await settledAs(again, expected);
    await again.program.stop("SIGTERM");
  }
  await ballastd(appliance, "void", "undo", "1");
  const audit = await ballastd(appliance, "export", "--audit", "--format", "ndjson");
  const kinds = audit
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === "void");
  expect(kinds).toMatchObject([
    { actor: expect.stringMatching(BY_COMMAND), detail: { id: 1, reason, readings: hidden } },
    {
      actor: expect.stringMatching(BY_COMMAND),
      detail: { id: 1, undone: true },
    },
  ]);
  await using undone = await startAppliance({ folder });
  await settledAs(undone, before);
});

describe("asked for what can't be as said, a ship", () => {
  let appliance: Appliance;
  beforeAll(async () => {
    appliance = await startAppliance();
  });
  afterAll(() => appliance[Symbol.asyncDispose]());

  test("refuses what can't be hidden with what is expected", async () => {
    const { folder } = appliance.program;
    const refused = async (...args: string[]) => {
      const { code, stderr } = await runProgram({ args: ["void", ...args], folder });
      return [code, stderr];
    };
    const day = ["--from", "2026-05-01", "--to", "2026-05-01"];
    expect(await refused(...day)).toEqual([2, expect.stringContaining("--reason")]);
    expect(await refused("--from", "2026-05-01")).toEqual([2, expect.stringContaining("--to")]);
    const backwards = ["--from", "2026-05-02", "--to", "2026-05-01", "--reason", "x"];
    expect(await refused(...backwards)).toEqual([2, expect.stringContaining("--from")]);
    const long = ["--from", "2026-05-01", "--to", "2026-07-01", "--reason", "x"];
    expect(await refused(...long)).toEqual([1, expect.stringContaining("31 days")]);
    expect(await refused("undo", "7")).toEqual([1, expect.stringContaining("void list")]);
    expect(await refused("undo", "x")).toEqual([2, expect.stringContaining("number")]);
    expect(await refused("hide")).toEqual([2, expect.stringContaining("list or undo")]);
  });

  test("cuts an end that lies ahead and says so, in text and as JSON", async () => {
    const { folder } = appliance.program;
    const hide = (to: string, ...more: readonly string[]) =>
      runProgram({
        args: ["void", "--from", "2026-01-01", "--to", to, "--events", "--reason", "x", ...more],
        folder,
      });
    const ahead = await hide("2999-01-01");
    expect(ahead.stdout).toMatch(
      /^void 1: 0 events are hidden\nits end lies ahead and was cut to 20\d\d-\S+Z: what comes later is shown\n$/,
    );
    expect(JSON.parse((await hide("2999-01-01", "--json")).stdout).cut_to).toMatch(/^20\d\d-.*Z$/);
    expect((await hide("2026-01-02")).stdout).toBe("void 3: 0 events are hidden\n");
  });
});

/** Each format of an export says which readings are hidden, and import takes those that aren't. */
async function marksTheHidden(appliance: Appliance, hidden: number): Promise<void> {
  const { folder } = appliance.program;
  const other = temporaryFolder();
  for (const format of ["csv", "ndjson", "sqlite"]) {
    const file = path.join(folder, `all.${format}`);
    const columns = ["--columns", "UVR_INTENSITY"];
    await ballastd(appliance, "export", "--with-voided", ...columns, "--output", file);
    const { stdout, stderr } = await runProgram({
      args: ["import", file, "--json"],
      folder: other,
    });
    const { stored, same, refused, problems } = JSON.parse(stdout);
    expect({ taken: stored + same, refused }, stderr).toEqual({
      taken: COUNT - hidden,
      refused: hidden,
    });
    expect(problems[0].problem).toMatch(/^voided: got true/);
    if (format === "sqlite") continue;
    const marks = readFileSync(file, "utf8").match(/,true\r\n|"voided":true\}\n/g) ?? [];
    expect(marks).toHaveLength(hidden);
  }
  const args = ["export", "--format", "ndjson"];
  const { stdout } = await runProgram({ args, folder: other });
  expect(stdout.trim().split("\n")).toHaveLength(COUNT - hidden);
  rmSync(other, { recursive: true });
}
