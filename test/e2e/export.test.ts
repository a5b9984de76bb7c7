// `ballastd export` and /export/telemetry of the built program, against what was published.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Appliance } from "../oracle/appliance.ts";
import { readParquet } from "../rig/parquet.ts";
import { runProgram } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";
import { LONG } from "../rig/scale.ts";
import { applianceWith, type TrickyReading, trickyReadings } from "../rig/tricky-readings.ts";

const random = printedRandom("export");
// More than are sealed together, so that both sealed and hot ones are among them.
const readings = trickyReadings(random, 2300);
let appliance: Appliance;
beforeAll(async () => {
  appliance = await applianceWith(readings);
});
afterAll(() => appliance[Symbol.asyncDispose]());

const inFolder = (name: string) => path.join(appliance.program.folder, name);

function exportWith(...args: readonly string[]) {
  return runProgram({ args: ["export", ...args], folder: appliance.program.folder });
}

function ndjsonOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** Unknown tags stand among the members, or in `extra` where their names are taken. */
function sent(line: Readonly<Record<string, unknown>>, name: string): unknown {
  const { extra } = line;
  return typeof extra === "object" && extra !== null && Object.hasOwn(extra, name)
    ? new Map(Object.entries(extra)).get(name)
    : line[name];
}

function differences(line: Readonly<Record<string, unknown>>, reading: TrickyReading) {
  return [...reading.fields]
    .filter(([name, value]) => !Object.is(sent(line, name), value))
    .map(([name, value]) => `${reading.timestamp} ${name}: ${String(sent(line, name))} ${value}`);
}

describe("an export beside the running instance", () => {
  test("has every reading in order, and every value bit for bit", async () => {
    const { stdout, stderr, code } = await exportWith("--format", "ndjson");
    expect([code, stderr]).toEqual([0, `exported ${readings.length} readings\n`]);
    const lines = ndjsonOf(stdout);
    expect(lines.map(({ timestamp }) => timestamp)).toEqual(
      readings.map(({ timestamp }) => timestamp),
    );
    expect(lines.flatMap((line, index) => differences(line, readings[index]))).toEqual([]);
    expect(lines.flatMap((line) => Object.values(line))).not.toContain(null);
  });

  test("keeps formulas from spreadsheets and leaves nothing else quoted without need", async () => {
    const { stdout } = await exportWith("--columns", "location");
    const formulas = stdout.match(/^[^,\n]*,"?(?:[=+\-@\t]|\r(?!\n))/gm) ?? [];
    expect(formulas).toEqual([]);
    expect(stdout.startsWith("timestamp,location\r\n")).toBe(true);
    expect(stdout).toContain(",007\r\n");
    expect(stdout).toContain(",'=1+1\r\n");
    expect(stdout).toContain(",'''=1\r\n");
    expect(stdout).toContain(',"a ""word"", and a comma"\r\n');
  });

  test("ends after the day of a date, and holds both ends of a range", async () => {
    const [first, , third] = readings;
    const args = ["--format", "ndjson", "--from", first.timestamp, "--to", third.timestamp];
    expect(ndjsonOf((await exportWith(...args)).stdout)).toHaveLength(3);
    const day = await exportWith("--format", "ndjson", "--to", "2026-01-01");
    const inDay = readings.filter(({ timestamp }) => timestamp < "2026-01-02");
    expect(ndjsonOf(day.stdout)).toHaveLength(inDay.length);
  });

  test("as SQLite is a table that sqlite3 reads, with the catalogue's types", async () => {
    const { code } = await exportWith("--output", "all.sqlite");
    expect(code).toBe(0);
    const ask = (sql: string) =>
      execFileSync("sqlite3", [inFolder("all.sqlite"), sql], { encoding: "utf8" }).trim();
    expect(ask("select count(*), min(timestamp) from reading")).toBe(
      `${readings.length}|${readings[0].timestamp}`,
    );
    expect(ask("pragma journal_mode")).toBe("delete");
    expect(ask("select type from pragma_table_info('reading') where name='UVR_INTENSITY'")).toBe(
      "REAL",
    );
    expect(Number(ask("select count(*) from reading where UVR_INTENSITY > 0"))).toBe(
      readings.filter(({ fields }) => Number(fields.get("UVR_INTENSITY") ?? 0) > 0).length,
    );
  });

  test("as Parquet has every value of NDJSON in columns of the catalogue's types", async () => {
    const { stderr } = await exportWith("--output", "all.parquet");
    expect(stderr).toBe(`exported ${readings.length} readings to all.parquet\n`);
    const bytes = readFileSync(inFolder("all.parquet"));
    const { schema, rows } = await readParquet(bytes);
    expect(schema.get("timestamp")).toBe("INT64 TIMESTAMP_MILLIS");
    expect(schema.get("UVR_INTENSITY")).toBe("DOUBLE ");
    expect(schema.get("FLT_BACKFLUSH_COUNT")).toBe("INT64 ");
    expect(schema.get("LAMP_16_STATUS")).toBe("BYTE_ARRAY UTF8");
    expect(schema.get("FLT_BACKFLUSH_ACTIVE")).toBe("BOOLEAN ");
    const lines = ndjsonOf((await exportWith("--format", "ndjson")).stdout);
    expect(rows.length).toBe(lines.length);
    const columns = [...schema.keys()].filter((name) => name !== "extra");
    // An integer has no negative zero.
    const expected = (name: string, value: unknown) =>
      value === 0 && schema.get(name) === "INT64 " ? 0 : (value ?? null);
    const differing = rows.flatMap((row, index) =>
      columns
        .filter((name) => !Object.is(row[name], expected(name, lines[index][name])))
        .map((name) => `${row.timestamp} ${name}: ${row[name]}, ${lines[index][name]}`),
    );
    expect(differing).toEqual([]);
    expect(
      rows.flatMap(({ extra }) => (extra === null ? [] : [JSON.parse(String(extra))])),
    ).toEqual(
      ndjsonOf((await exportWith("--format", "ndjson", "--columns", "extra")).stdout)
        .map(({ timestamp, extra, ...tags }) => ({ ...tags, ...Object(extra) }))
        .filter((tags) => Object.keys(tags).length > 0),
    );
    // Over HTTP and again: the same bytes.
    const url = `${appliance.url}/export/telemetry?format=parquet`;
    const answer = await fetch(url);
    expect(answer.headers.get("Content-Type")).toBe("application/vnd.apache.parquet");
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    const size = await fetch(url.replace("telemetry?", "estimate?"));
    expect(await size.json()).toMatchObject({ bytes: bytes.length, exact: true });
    const odd = await fetch(url.replace("telemetry?", "estimate?kind=events&"));
    expect([odd.status, (await fetch(url.replace("telemetry", "events"))).status]).toEqual([
      400, 400,
    ]);
    expect((await exportWith("events", "--output", "events.parquet")).code).toBe(2);
    const args = ["import", inFolder("all.parquet")];
    expect((await runProgram({ args, folder: appliance.program.folder })).code).toBe(2);
  });

  test("as SQLite can have some of the columns", LONG, async () => {
    const args = ["--columns", "clock_trusted,SYS_FLOW_RATE", "--output", "two.db"];
    expect((await exportWith(...args)).code).toBe(0);
    const names = execFileSync("sqlite3", [
      inFolder("two.db"),
      "select group_concat(name) from pragma_table_info('reading')",
    ]);
    expect(String(names).trim()).toBe("timestamp,SYS_FLOW_RATE,clock_trusted,negative_zeros");
  });
});

// test/oracle/read_segments.py was written from docs/storage.md: it decodes the segments by itself,
// prints the line of each reading, and checks hashes, chain and roots.
describe("the sealed readings, read from the file by another program", () => {
  const script = path.join(import.meta.dirname, "../oracle/read_segments.py");
  const read = (...asked: readonly string[]) => {
    const file = path.join(appliance.program.folder, "data", "ballastd.db");
    const options = { encoding: "utf8", maxBuffer: 2 ** 28 } as const;
    return execFileSync("python3", [script, file, ...asked], options);
  };

  /** The lines of segment 1, as the other program reads them; how many is a matter of timing. */
  const sealedLines = () => read().split("\n").slice(0, -1);

  test("are lines of the export", async () => {
    const sealed = sealedLines();
    const exported = new Set((await exportWith("--format", "ndjson")).stdout.split("\n"));
    expect(sealed.length).toBeGreaterThan(1000);
    expect(new Set(sealed).size).toBe(sealed.length);
    expect(sealed.filter((line) => !exported.has(line))).toEqual([]);
  });

  test("prove a line of the export with nothing but SHA-256", LONG, async () => {
    const lines = sealedLines();
    const { count } = JSON.parse(read("1", "0"));
    for (const row of [0, 1, 1000, count - 1]) {
      const proof = JSON.parse(read("1", String(row)));
      expect(rootFrom(lines[row], proof)).toBe(proof.root);
      expect(rootFrom(lines[row === 0 ? 1 : row - 1], proof)).not.toBe(proof.root);
    }
  });
});

/** The root that a line has by RFC 6962, section 2.1.1, if `path` leads from it to the root. */
function rootFrom(
  line: string,
  { row, count, path: nodes }: { row: number; count: number; path: readonly string[] },
): string {
  const sha256 = (...parts: readonly Uint8Array[]) =>
    createHash("sha256").update(Buffer.concat(parts)).digest();
  let hash = sha256(Buffer.of(0), Buffer.from(line, "utf8"));
  let [place, last] = [row, count - 1];
  for (const node of nodes.map((hex) => Buffer.from(hex, "hex"))) {
    const isRight = place % 2 === 1 || place === last;
    while (isRight && place % 2 === 0 && place > 0) [place, last] = [place >> 1, last >> 1];
    hash = isRight ? sha256(Buffer.of(1), node, hash) : sha256(Buffer.of(1), hash, node);
    [place, last] = [place >> 1, last >> 1];
  }
  return hash.toString("hex");
}

describe("an export's file", () => {
  test("isn't overwritten unless it is asked for, and leaves no other behind", async () => {
    writeFileSync(inFolder("kept.csv"), "mine");
    const refused = await exportWith("--output", "kept.csv");
    expect([refused.code, refused.stderr]).toEqual([
      73,
      "ballastd: kept.csv: is there already; --force overwrites it\n",
    ]);
    expect(readFileSync(inFolder("kept.csv"), "utf8")).toBe("mine");
    expect((await exportWith("--output", "kept.csv", "--force")).code).toBe(0);
    // Renaming would put a pipe, or a device, out of the way.
    execFileSync("mkfifo", [inFolder("pipe")]);
    const pipe = await exportWith("--output", "pipe", "--force");
    expect(pipe.stderr).toMatch(/^ballastd: pipe: isn't a plain file; expected a file, .*\n$/);
    const below = await exportWith("--output", "kept.csv/x.csv");
    expect(below.stderr).toMatch(/^[^\n]*ENOTDIR[^\n]*\n$/);
    expect([pipe.code, below.code]).toEqual([73, 73]);
    expect(readFileSync(inFolder("kept.csv"), "utf8")).toMatch(/^timestamp,system_id,/);
    expect(readdirSync(appliance.program.folder).filter((name) => /part/.test(name))).toEqual([]);
  });

  test.each([
    [["--columns", "UVR"], '--columns "UVR": expected a field of /api/tags'],
    [["--columns", "month,month"], "--columns month: named twice"],
    [["--format", "xml"], "--format xml: expected csv, ndjson, sqlite"],
    [["--from", "yesterday"], "--from yesterday: expected ISO 8601"],
    [["--from", "2026-02-02", "--to", "2026-02-01"], "--from 2026-02-02T00:00:00.000Z is after"],
    [["--format", "sqlite"], "--output -: a SQLite file can't be piped"],
  ])("isn't begun with %j", LONG, async (args, message) => {
    const { code, stderr } = await exportWith(...args, ...["--config", "/nowhere"]);
    expect([code, stderr.slice(0, `ballastd: ${message}`.length)]).toEqual([
      2,
      `ballastd: ${message}`,
    ]);
  });

  test("in a folder that isn't there is refused", async () => {
    const { code } = await exportWith("--output", "nowhere/all.csv");
    expect(code).toBe(73);
    expect(existsSync(inFolder("nowhere"))).toBe(false);
  });
});

describe("GET /export/telemetry", () => {
  test.each([
    ["csv", "text/csv; charset=utf-8"],
    ["ndjson", "application/x-ndjson; charset=utf-8"],
  ])("streams as %s the bytes of the command", async (format, type) => {
    const columns = ["--columns", "UVR_INTENSITY,location,extra,received_at"];
    const range = ["--from", "2026-01-01T06:00Z", "--to", "2026-01-02"];
    const { stdout } = await exportWith("--format", format, ...columns, ...range);
    const query = `format=${format}&columns=UVR_INTENSITY,location,extra,received_at`;
    const answer = await appliance.get(
      `/export/telemetry?${query}&startDate=2026-01-01T06:00Z&endDate=2026-01-02`,
    );
    expect(answer.status).toBe(200);
    expect(answer.text === stdout).toBe(true);
    expect(answer.headers.get("content-type")).toBe(type);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="BWTS-001-telemetry-from-2026-01-01-to-2026-01-02.${format}"`,
    );
  });

  test("answers a small export with the same head", async () => {
    const answer = await appliance.get("/export/telemetry?startDate=2030-01-01&columns=month");
    expect(answer.text).toBe("timestamp,month\r\n");
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toContain("attachment");
  });

  test.each(["columns=nothing", "columns=", "format=sqlite", "startDate=2026-02-30"])(
    "refuses %s",
    async (query) => {
      const answer = await appliance.get(`/export/telemetry?${query}`);
      expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, 400]);
    },
  );
});
