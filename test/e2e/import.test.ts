// `ballastd import` of what `ballastd export` wrote: what comes back out must be the same bytes.

import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";
import { LONG, sized } from "../rig/scale.ts";
import { applianceWith, trickyReadings } from "../rig/tricky-readings.ts";

const random = printedRandom("import");
/** In a run of everything some more than a segment has, as those of the executable are here. */
const readings = trickyReadings(random, sized(700, 2300));
const FILES = ["all.csv", "all.ndjson", "all.sqlite"];
/** For what isn't about the bytes. */
const FEW = 50;
const FIRST = "first.ndjson";
let original: Appliance;
/** All that the original has, as its page downloads it. */
let download: string;
beforeAll(async () => {
  original = await applianceWith(readings);
  for (const file of FILES) await run(original.program.folder, "export", "--output", file);
  const lines = readFileSync(exported("all.ndjson"), "utf8").split("\n");
  writeFileSync(exported(FIRST), `${lines.slice(0, FEW).join("\n")}\n`);
  download = (await original.get("/export/telemetry?format=ndjson")).text;
});
afterAll(() => original[Symbol.asyncDispose]());

const exported = (file: string) => path.join(original.program.folder, file);

const newFolder = foldersOfTests(afterAll);

async function run(folder: string, ...args: readonly string[]) {
  return runProgram({ args, folder });
}

async function imported(folder: string, file: string, said = "") {
  const { stdout, stderr, code } = await run(folder, "import", "--json", file);
  expect(stderr).toBe(said);
  return { code, ...JSON.parse(stdout) };
}

const ALL = { code: 0, stored: readings.length, same: 0, refused: 0, problems: [] };
const SAME = { ...ALL, stored: 0, same: readings.length };
const ALL_OF_FIRST = { ...ALL, stored: FEW };

describe.each(FILES)("%s", (file) => {
  test("comes back byte by byte from a fresh folder it was imported to, twice", async () => {
    const folder = newFolder();
    expect(await imported(folder, exported(file))).toEqual(ALL);
    expect(await imported(folder, exported(file))).toEqual(SAME);
    for (const other of sized([file], FILES)) {
      expect((await run(folder, "export", "--output", other)).code).toBe(0);
      const isSame = readFileSync(path.join(folder, other)).equals(readFileSync(exported(other)));
      expect(`${other} ${isSame}`).toBe(`${other} true`);
    }
  });
});

test.each(sized(FILES.slice(1, 2), FILES))(
  "%s changes nothing where it came from",
  async (file) => {
    const stored = async () => (await original.json("/readyz")).last_commit;
    expect(await imported(original.program.folder, exported(file))).toEqual(SAME);
    expect(await stored()).not.toBeNull();
    const after = await original.get("/export/telemetry?format=ndjson");
    expect(after.text === download).toBe(true);
  },
);

test("a line without an end isn't read on, and what stood before it is stored", async () => {
  const folder = newFolder();
  const zeros = await run(folder, "import", "--format", "ndjson", "/dev/zero");
  expect(zeros.stdout).toMatch(/^line 1: no end within \d+ bytes, expected at most 4194304: not/);
  expect(zeros.code).toBe(1);
  const [first] = readFileSync(exported("all.ndjson"), "utf8").split("\n", 1);
  const file = path.join(folder, "long.ndjson");
  writeFileSync(file, `${first}\n${" ".repeat(80 * 1024 * 1024)}\n${first}\n`);
  expect(await imported(folder, file)).toMatchObject({
    ...{ code: 1, stored: 1, refused: 1 },
    problems: [{ line: 2, problem: expect.stringContaining("not read on") }],
  });
});

describe("with an instance running", () => {
  test("goes through its control socket, which is its owner's alone", async () => {
    await using other = await startAppliance();
    const { folder } = other.program;
    expect(statSync(path.join(folder, "data", "control.sock")).mode & 0o777).toBe(0o600);
    expect(await imported(folder, exported("all.ndjson"))).toEqual(ALL);
    const answer = await other.get("/export/telemetry?format=ndjson");
    expect(answer.text === readFileSync(exported("all.ndjson"), "utf8")).toBe(true);
    const { last_reading } = await other.json("/readyz");
    expect(last_reading).toBe(readings[readings.length - 1].timestamp);
  });

  test("that was killed and left its socket, a new one starts and imports", LONG, async () => {
    const folder = newFolder();
    {
      await using killed = await startAppliance({ folder });
      await killed.program.stop("SIGKILL");
    }
    expect(await imported(folder, exported(FIRST))).toEqual(ALL_OF_FIRST);
    await using next = await startAppliance({ folder });
    const again = { ...ALL_OF_FIRST, stored: 0, same: FEW };
    expect(await imported(folder, exported(FIRST))).toEqual(again);
    expect(next.program.stderr()).not.toContain("control socket");
  });

  test("that is kept from answering is waited for, a pipe gets no word", LONG, async () => {
    await using other = await startAppliance();
    const { pid, folder } = other.program;
    process.kill(pid, "SIGSTOP");
    const asked = Promise.all([imported(folder, exported(FIRST)), run(folder, "log")]);
    // As on a busy machine; a person at a terminal is told after 5 s.
    await pause(12_000);
    process.kill(pid, "SIGCONT");
    const [stored, log] = await asked;
    expect(stored).toEqual(ALL_OF_FIRST);
    expect(log).toMatchObject({ code: 0, stderr: "" });
  });

  test("whose folder's path is too long for a socket says so and serves", LONG, async () => {
    const folder = newFolder();
    const dir = path.join(folder, "d".repeat(100));
    await using appliance = await startAppliance({
      folder,
      env: { BALLASTD_STORAGE_DIR: dir },
    });
    await appliance.program.waitForOutput(/no control socket: the path is too long/);
    expect((await appliance.get("/healthz")).status).toBe(200);
  });
});

test("a column that a CSV has twice ends the import before its first line", async () => {
  const folder = newFolder();
  const file = path.join(folder, "twice.csv");
  writeFileSync(file, "timestamp,SYS_PRESSURE,SYS_PRESSURE\n2026-03-01T00:00:00Z,1,2\n");
  const { code, stderr } = await run(folder, "import", file);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('line 1: got the column "SYS_PRESSURE" twice, expected each once'),
  ]);
  const { stdout } = await run(folder, "export");
  expect(stdout).not.toContain("2026-03-01");
});

test("a file that can't be read on is stored up to there, as the audit log counts", async () => {
  const folder = newFolder();
  const bytes = readFileSync(exported("all.sqlite"));
  const page = Math.floor(bytes.indexOf(readings[readings.length - 100].timestamp) / 4096) * 4096;
  writeFileSync(path.join(folder, "bad.sqlite"), bytes.fill(0xee, page, page + 4096));
  const { code, stderr } = await run(folder, "import", "bad.sqlite");
  const stored = Number(/malformed; before that, stored (\d+) readings/.exec(stderr)?.[1]);
  expect([code, stored % 500]).toEqual([1, 0]);
  const { stdout } = await run(folder, "export", "--format", "ndjson");
  expect(stdout.split("\n")).toHaveLength(stored + 1);
  expect((await run(folder, "export", "audit")).stdout).toContain(`""stored"":${stored},`);
});

describe("a line", () => {
  const at = (second: number) => `2026-03-01T00:00:0${second}.000Z`;
  const write = (folder: string, name: string, lines: readonly string[]) => {
    writeFileSync(path.join(folder, name), lines.join("\n"));
    return name;
  };

  test("that contradicts what is stored is named and not stored, the others are", async () => {
    const folder = newFolder();
    const first = write(folder, "first.ndjson", [
      `{"timestamp":"${at(1)}","UVR_INTENSITY":600,"location":"Oslo","X":"1"}`,
    ]);
    const second = write(folder, "second.ndjson", [
      `{"timestamp":"${at(1)}","UVR_INTENSITY":601,"SYS_PRESSURE":2}`,
      `{"timestamp":"${at(1)}","UVR_INTENSITY":600,"SYS_FLOW_RATE":50}`,
      `{"timestamp":"${at(2)}","UVR_INTENSITY":"602,5"}`,
      `{"timestamp":"${at(1)}","X":1}`,
    ]);
    expect(await imported(folder, first)).toMatchObject({ code: 0, stored: 1 });
    expect(await imported(folder, second)).toEqual({
      code: 1,
      stored: 2,
      same: 0,
      refused: 2,
      problems: [
        { line: 1, problem: "UVR_INTENSITY: got 601, stored 600" },
        { line: 4, problem: 'X: got 1, stored "1"' },
      ],
    });
    const args = ["--columns", "UVR_INTENSITY,SYS_PRESSURE,SYS_FLOW_RATE,month"];
    expect((await run(folder, "export", ...args)).stdout).toBe(
      "timestamp,UVR_INTENSITY,SYS_PRESSURE,SYS_FLOW_RATE,month\r\n" +
        `${at(1)},600,,50,3\r\n${at(2)},602.5,,,3\r\n`,
    );
  });

  test("that is no reading of this system is named with what was expected", async () => {
    const folder = newFolder();
    const file = write(folder, "bad.ndjson", [
      "nonsense",
      '{"UVR_INTENSITY":600}',
      '{"timestamp":"2026-02-30"}',
      `{"timestamp":"${at(1)}","system_id":"BWTS-002"}`,
      `{"timestamp":"${at(1)}","UVR_INTENSITY":"much"}`,
      '{"timestamp":"1999-12-31"}',
      '{"timestamp":"2999-12-31"}',
      `{"timestamp":"${at(1)}","received_at":"2999-01-01"}`,
      "",
      `{"timestamp":"${at(1)}","month":3,"LAMP_7_STATUS":"FAILED"}`,
    ]);
    const alike = "ballastd: unknown tags look like fields: LAMP_7_STATUS (LAMP_07_STATUS?)\n";
    const { problems, ...rest } = await imported(folder, file, alike);
    expect(rest).toEqual({ code: 1, stored: 1, same: 0, refused: 8 });
    const expected = [
      "got nonsense, expected a JSON object",
      "timestamp: is missing, expected ISO 8601",
      'timestamp: got "2026-02-30", expected ISO 8601',
      'system_id: got "BWTS-002", expected BWTS-001',
      'UVR_INTENSITY: got "much", expected a finite number',
      "timestamp: 1999-12-31T00:00:00.000Z is before 2000",
      "timestamp: 2999-12-31T00:00:00.000Z is ahead",
      "received_at: 2999-01-01T00:00:00.000Z is ahead",
    ];
    for (const [index, problem] of expected.entries()) {
      expect(problems[index]).toMatchObject({ line: index + 1 });
      expect(problems[index].problem.slice(0, problem.length)).toBe(problem);
    }
  });

  test("of CSV with a quote, or a cell too many, doesn't cost the others", async () => {
    const folder = newFolder();
    const file = write(folder, "odd.csv", [
      "\ufeffUVR_INTENSITY,timestamp,location,extra",
      `1,${at(1)},5" pipe,`,
      `2,${at(2)},a,,b`,
      `3,${at(3)},"two\nlines","{""a"":-0}"`,
      `4,${at(4)},b,oops`,
      `5,${at(5)},'=c,`,
      `6,${at(6)},"open`,
    ]);
    const { problems, ...rest } = await imported(folder, file);
    expect(rest).toEqual({ code: 1, stored: 2, same: 0, refused: 4 });
    expect(problems.map(({ line }: { line: number }) => line).sort()).toEqual([2, 3, 6, 8]);
    const { stdout } = await run(folder, "export", "--columns", "UVR_INTENSITY,location,extra");
    expect(stdout.split("\r\n").slice(1)).toEqual([
      `${at(3)},3,"two\nlines","{""a"":-0}"`,
      `${at(5)},5,'=c,`,
      "",
    ]);
  });

  test.each([
    ["no-time.csv", "location\nOslo", "line 1: expected names of columns by comma"],
    ["unknown.csv", "timestamp,oops\n", 'line 1: got the column "oops"'],
    [
      "text.sqlite",
      "not a database, not at all, by no means, whatever it says here",
      "text.sqlite",
    ],
  ])("isn't even looked for in %s", LONG, async (name, content, message) => {
    const folder = newFolder();
    const { code, stderr } = await run(folder, "import", write(folder, name, [content]));
    expect([code, stderr.slice(10, 10 + message.length)]).toEqual([1, message]);
  });
});
