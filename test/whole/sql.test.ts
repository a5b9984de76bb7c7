// `ballastd sql` of the built program: the readings it shows against those that an export writes,
// the queries of the manual against a recomputation, what it refuses, and how it ends.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TAGS } from "../../src/bwts/tags.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { EXECUTABLE, PROGRAM, runProgram } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";
import { payloadOf, trickyReadings } from "../rig/tricky-readings.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const random = printedRandom("sql");
const EXACT = 1e-9;

type Row = Readonly<Record<string, unknown>>;

let appliance: Appliance;
beforeAll(async () => {
  appliance = await startAppliance();
  // Two operations in May, 300 readings in January that are hard to print, unknown tags in May.
  const url = `mqtt://127.0.0.1:${appliance.mqtt_port}`;
  const ship = ["--months", "1", "--to", "2026-05-25", "--cadence", "180", "--speed", "max"];
  expect(await runProgram({ args: ["simulate", "--url", url, ...ship] })).toMatchObject({
    code: 0,
  });
  const odd = trickyReadings(random, 300).map(payloadOf);
  const tagged = Array.from({ length: 40 }, (_, index) =>
    JSON.stringify({ timestamp: Date.UTC(2026, 4, 2, 0, index), X_PUMP: index, X_MODE: "a" }),
  );
  await appliance.publish([...odd, ...tagged].map((payload) => ({ kind: "telemetry", payload })));
  const span = ["--from", "2026-05-02T00:10Z", "--to", "2026-05-02T00:14Z", "--reason", "test"];
  expect(await command("void", ...span)).toMatchObject({ code: 0 });
});
afterAll(() => appliance[Symbol.asyncDispose]());

function command(...args: readonly string[]) {
  return runProgram({ args, folder: appliance.program.folder });
}

/** Runs the program by a line of the shell, in which "$@" stands for it and its arguments. */
function shell(line: string, ...args: readonly string[]) {
  const { folder } = appliance.program;
  return runProgram({ args: ["sql", ...args], folder, through: ["sh", "-c", line, "sh"] });
}

async function rows(statement: string): Promise<readonly Row[]> {
  const { code, stdout, stderr } = await command("sql", "--format", "json", statement);
  expect({ code, stderr }, statement).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function exported(...args: readonly string[]): Promise<readonly Row[]> {
  const { stdout } = await command("export", ...args, "--format", "ndjson");
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("the table of readings", () => {
  const JANUARY = ["--from", "2026-01-01", "--to", "2026-01-31"];

  test("has every value of an export, and the unknown tags", async () => {
    const [shown, expected] = await Promise.all([
      rows("select * from reading('2026-01-01', '2026-01-31')"),
      exported("telemetry", ...JANUARY),
    ]);
    expect(shown).toHaveLength(expected.length);
    for (const [index, line] of expected.entries()) {
      for (const { name, type } of TAGS) {
        const value = typeof line[name] === "boolean" ? Number(line[name]) : (line[name] ?? null);
        // SQLite's integers have no negative zero.
        const stored = type === "integer" && value === 0 ? 0 : value;
        expect(shown[index][name], name).toBe(stored);
      }
      expect(shown[index].at_ms).toBe(Date.parse(String(line.timestamp)));
    }
    const extras = shown.filter(({ extra }) => extra !== null);
    expect(extras.length).toBeGreaterThan(0);
  });

  test("hides voided readings, and ends a range with the day of a date", async () => {
    const counted = await rows(
      `select count(*) as all_, sum(timestamp between '2026-05-02T00:10' and '2026-05-02T00:15') as
       hidden, (select count(*) from reading('2026-01-01', '2026-01-01')) as day,
       (select count(*) from reading(null, '2026-01-01T00:00:00Z')) as none from reading`,
    );
    const all = await exported("telemetry");
    const day = all.filter(({ timestamp }) => String(timestamp).startsWith("2026-01-01"));
    expect(counted).toEqual([{ all_: all.length, hidden: 0, day: day.length, none: 0 }]);
  });

  test("leaves no column empty that a statement uses without naming it after select", async () => {
    const [first] = await rows(`with r as (select -- a comment
      /* another */ * from reading('2026-05-01', '2026-05-31')) select r.SYSTEM_ID as id,
      UVR_INTENSITY * 2 as twice from r where "FLT_DIFF_PRESSURE" > 0 order by at_ms limit 1`);
    const line = (await exported("telemetry", "--from", "2026-05-01")).find(
      ({ FLT_DIFF_PRESSURE }) => Number(FLT_DIFF_PRESSURE) > 0,
    );
    expect(first).toEqual({ id: "BWTS-001", twice: 2 * Number(line?.UVR_INTENSITY) });
  });
});

describe("the queries of docs/operating.md", () => {
  const [, section = ""] = readFileSync(path.join(root, "docs/operating.md"), "utf8").split(
    "\n## Ask by SQL\n",
  );
  const queries = [...section.split("\n## ")[0].matchAll(/```sql\n([\s\S]*?)```/g)].map(
    ([, query]) => query,
  );
  let may: readonly Row[] = [];
  let answers: readonly (readonly Row[])[] = [];
  beforeAll(async () => {
    may = await exported("telemetry", "--from", "2026-05-01", "--to", "2026-05-31");
    const all = queries.join("").replaceAll("'", String.raw`'\''`);
    const { stdout } = await shell(`printf '%s' '${all}' | "$@"`, "--format", "json");
    answers = stdout.split(/^(?=\[)/m).map((list) => JSON.parse(list));
  });
  const running = () => may.filter((line) => line.PROCESS_STATE === "RUNNING");
  const light = (lines: readonly Row[]) =>
    lines.map((line) => line.UVR_INTENSITY).filter((value) => typeof value === "number");
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;

  test("are six", () => expect([queries.length, answers.length]).toEqual([6, 6]));

  test("sum up the light", async () => {
    const [answer] = answers[0];
    const lines = running();
    expect(lines.length).toBeGreaterThan(1000);
    expect(answer.readings).toBe(lines.length);
    expect(answer.lowest).toBe(Math.min(...light(lines)));
    expect(answer.mean).toBeCloseTo(mean(light(lines)), 6);
  });

  test("list the operations", async () => {
    const groups = Map.groupBy(may, (line) => `${line.operation_type} ${line.location}`);
    const expected = [...groups.values()].map((lines) => ({
      operation_type: lines[0].operation_type ?? null,
      location: lines[0].location ?? null,
      first: lines[0].timestamp,
      last: lines.at(-1)?.timestamp,
      readings: lines.length,
    }));
    expect(answers[1]).toEqual(expected);
  });

  test("find the dimmest hours", async () => {
    const groups = Map.groupBy(running(), (line) => String(line.timestamp).slice(0, 13));
    const expected = [...groups]
      .map(([hour, lines]) => ({
        hour,
        light: mean(light(lines)),
        pressure: Math.max(...lines.map((line) => Number(line.FLT_DIFF_PRESSURE))),
      }))
      .sort((one, other) => one.light - other.light)
      .slice(0, 10);
    const answer = answers[2];
    expect(answer.map(({ hour, pressure }) => ({ hour, pressure }))).toEqual(
      expected.map(({ hour, pressure }) => ({ hour, pressure })),
    );
    for (const [index, { light: found }] of answer.entries())
      expect(Math.abs(Number(found) - expected[index].light)).toBeLessThan(EXACT * 1000);
  });

  test("show each event with the light before it", async () => {
    const lines = may;
    const events = await exported("events", "--from", "2026-05-01", "--to", "2026-05-31");
    const answer = answers[3];
    expect(answer.length).toBeGreaterThan(5);
    expect(answer.map(({ at, event_type }) => ({ at, event_type }))).toEqual(
      events.map(({ timestamp, event_type }) => ({ at: timestamp, event_type })),
    );
    for (const row of answer) {
      const end_ms = Date.parse(String(row.at));
      const before = lines.filter(({ timestamp }) => {
        const at_ms = Date.parse(String(timestamp));
        return at_ms >= end_ms - 3_600_000 && at_ms <= end_ms;
      });
      const values = light(before);
      if (values.length === 0) expect(row.light).toBeNull();
      else expect(row.light).toBeCloseTo(mean(values), 6);
    }
  });

  test("name the unknown tags", async () => {
    // Five of the 40 are voided.
    expect(answers[4]).toEqual([
      { tag: "X_MODE", readings: 35, lowest: "a", highest: "a" },
      { tag: "X_PUMP", readings: 35, lowest: 0, highest: 39 },
    ]);
  });
});

test("a fault is one line and an exit code", async () => {
  const faults: readonly (readonly [readonly string[], RegExp])[] = [
    [["select * from token"], /^ballastd: token: can't be read, it holds hashes of secrets/],
    [["select x from reading"], /^ballastd: no such column: x; \.schema TABLE lists/],
    [["select :name"], /missing named parameters?; expected values in place of parameters$/im],
    [["select * from pragma_optimize"], /this prompt only reads, and this would write$/m],
    [[" -- nothing"], /the statement is empty/],
    [["select", "1"], /got 2 statements, expected one, in quotes/],
    [["--format", "xml", "select 1"], /--format xml: expected table, csv, json/],
    [["--timeout", "0", "select 1"], /--timeout 0: expected 1 to 86400 seconds/],
    [[".tables x"], /\.tables x: expected \.tables, \.schema TABLE, \.help or \.quit/],
    [[".schema x"], /\.schema x: expected a table or view that \.tables lists/],
  ];
  for (const [args, message] of faults) {
    const { code, stderr } = await command("sql", ...args);
    expect(code, args.join(" ")).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  }
});

test("prints as a table, as CSV and as JSON", async () => {
  const statement =
    "select 1 as a, 2 as a, 2.50 as b, null as c, x'00ff' as d, 'a,' || char(10, 27) as e";
  const outputs = {
    table:
      "a  a  b    c     d     e\n-  -  ---  ----  ----  --------------\n" +
      "1  2  2.5  null  00ff  a,\\u000a\\u001b\n(1 row)\n",
    csv: 'a,a,b,c,d,e\r\n1,2,2.5,,00ff,"a,\n\u001b"\r\n',
    json: '[{"a":1,"a:2":2,"b":2.5,"c":null,"d":"00ff","e":"a,\\n\\u001b"}]\n',
  };
  for (const [format, text] of Object.entries(outputs))
    expect((await command("sql", "--format", format, statement)).stdout).toBe(text);
  const numbers = "select 9007199254740993 as n, 9e999 as i";
  const { stdout } = await command("sql", "--format", "json", `${numbers}; ${numbers} where 0`);
  expect(stdout).toBe('[{"n":9007199254740993,"i":null}]\n[]\n');
});

test("a pipe's statements run one after the other, as far as the first that fails", async () => {
  const lines = "-- first\nselect 1 as a; select ';' as b,\n 2 as c;\n.quit\nselect 3;";
  const format = ["--format", "csv"];
  const good = await shell(`printf '%s' "${lines}" | "$@"`, ...format);
  expect(good).toMatchObject({ code: 0, stdout: "a\r\n1\r\nb,c\r\n;,2\r\n", stderr: "" });
  const bad = await shell(`printf '%s' "select 1 as a; select x; select 2" | "$@"`, ...format);
  expect(bad).toMatchObject({ code: 2, stdout: "a\r\n1\r\n" });
  const tables = await command("sql", ".tables");
  expect(tables.stdout).toMatch(/^reading\(FROM, TO\)\n[\s\S]*^main\.reading$/m);
  expect((await command("sql", ".schema event")).stdout).toMatch(/^create table event \(/im);
  expect((await command("sql", ".schema reading")).stdout).toMatch(
    /^UVR_INTENSITY {2}number, W\/m2/m,
  );
});

const ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) ";

test("a statement is bounded in time and memory, and its output may go unread", async () => {
  const fails = async (run: ReturnType<typeof command>, message: RegExp) =>
    expect(await run).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  const sum = `${ENDLESS} select sum(x) from c`;
  const late = /(more than 1 s of processor time|longer than 10 s, .* was ended); see --ti/;
  await fails(command("sql", "--timeout", "1", sum), late);
  await fails(command("sql", "select hex(zeroblob(400000000))"), /256 MiB/);
  await fails(command("sql", `${ENDLESS} select x from c order by -x`), /256 MiB/);
  const children = "/proc/$!/task/$!/children";
  const kill = `"$@" & until c=$(grep . ${children}); do sleep 0.1; done; kill -9 $c; wait $!`;
  await fails(shell(kill, sum), /^ballastd: the statement was ended from outside \(SIGKILL\)/);
  const cut = await shell(`"$@" | head -n 2`, "--format", "csv", `${ENDLESS} select x from c`);
  expect(cut).toMatchObject({ code: 0, stdout: "x\r\n1\r\n", stderr: "" });
});

test("at the prompt Ctrl-C ends a statement, or a line, and the prompt goes on", async () => {
  const program = EXECUTABLE ?? `${process.execPath} ${PROGRAM}`;
  const { folder } = appliance.program;
  const env = { ...process.env, BALLASTD_CONFIG: path.join(folder, "ballastd.toml"), TERM: "dumb" };
  const child = spawn("script", ["-qec", `${program} sql`, "/dev/null"], { cwd: folder, env });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const type = async (text: string, answer: RegExp) => {
    output = "";
    child.stdin.write(text);
    await expect.poll(() => output).toMatch(answer);
  };
  const prompt = String.raw`ballastd> [^\n]*$`;
  await expect.poll(() => output).toMatch(/ballastd> /);
  await type("select 40 + 2 as\n", /\.\.\.> /);
  await type("n;\n", new RegExp(String.raw`42\s+\(1 row\)\s[\s\S]*${prompt}`));
  await type(`${ENDLESS} select sum(x) from c;\n`, /from c;\s/);
  await type("\u0003", new RegExp(String.raw`the statement was ended\s[\s\S]*${prompt}`));
  await type("select nonsense\u0003", new RegExp(String.raw`nonsense\s[\s\S]*${prompt}`));
  await type("select x;\n", new RegExp(String.raw`no such column: x[\s\S]*${prompt}`));
  await type("select 6 * 7 as n;\n", /42\s+\(1 row\)/);
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdin.write(".quit\n");
  expect(await ended).toBe(0);
});

test("works on a stopped instance", async () => {
  const before = await rows("select count(*) as n from reading");
  await appliance.program.stop("SIGTERM");
  expect(await rows("select count(*) as n from reading")).toEqual(before);
});
