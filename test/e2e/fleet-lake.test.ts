// `ballastd fleet lake` and `ballastd fleet verify` on what ships delivered: the files compared row
// by row with a ship's own export, late segments, forks, and what was altered ashore.

import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AGGREGATED, AGGREGATES, TAGS } from "../../src/bwts/tags.ts";
import { exported, ndjsonLine } from "../../src/sqlite/answers/export.ts";
import { COLUMNS } from "../../src/sqlite/exchange/export-columns.ts";
import { removeFolders } from "../rig/database.ts";
import { type FleetRig, type ShipSession, sail, startFleet } from "../rig/fleet-rig.ts";
import { readParquet } from "../rig/parquet.ts";
import { follower, type Link, linksOf, shipAboard } from "../rig/ship-links.ts";

const SHIP = "9074729";
const MINUTE_MS = 60_000;
const DAYS = ["2026-05-01", "2026-05-02", "2026-05-03"];

let fleet: FleetRig;
let ship: ShipSession;
let links: readonly Link[];
let segments: readonly Link[];
let lines: readonly Readonly<Record<string, unknown>>[];
let folder: string;

beforeAll(async () => {
  // 60 h: two whole days and a half.
  const rig = shipAboard({ seed: 5, segments: 4, readings: 900, cadence_ms: MINUTE_MS });
  links = linksOf(rig.db);
  segments = links.filter(({ chain }) => chain === "segment");
  const { batches } = exported(rig.db, { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER });
  lines = [...batches].flat().map((reading) => JSON.parse(ndjsonLine(reading, COLUMNS)));
  rig.close();
  fleet = await startFleet();
  // The office's command writes as the account of the server.
  folder = path.join(fleet.folder, "lake");
  ship = await sail(await fleet.add(SHIP));
  await ship.hello();
  const [, second] = segments;
  for (const link of links) {
    const payload = link === second ? null : link.payload;
    expect(await ship.put(link, { payload })).toBe(link.number);
  }
});
afterAll(async () => {
  await ship?.[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

const fileOf = (day: string, place = `readings/ship=${SHIP}`) =>
  path.join(folder, place, `day=${day}`, "readings.parquet");

/** Runs the command, whose exit code must be `code`; answers its list. */
async function lake(code = 0, ...ships: readonly string[]) {
  const run = await fleet.office("fleet", "lake", folder, ...ships, "--json");
  expect(run.code, run.stderr).toBe(code);
  return JSON.parse(run.stdout);
}

async function rowsOf(file: string) {
  return (await readParquet(readFileSync(file))).rows;
}

/** Rows as lines: without nulls. */
function asLines(rows: readonly Readonly<Record<string, unknown>>[]) {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
  );
}

test("a day is a file, written again only when a late payload has come", async () => {
  expect(await lake()).toEqual([
    {
      ...{ ship: SHIP, written: 3, unchanged: 0, removed: 0, readings: 2700, lacking: 1 },
      ...{ forks: [], problems: [] },
    },
  ]);
  const before = DAYS.map((day) => readFileSync(fileOf(day)));
  const [, second] = segments;
  const put = "select fleet.put_payload($1, 'segment', $2, $3, $4) as result";
  expect(await ship.ask(put, [ship.instance, 2, second.hash, second.payload])).toBe("");
  // The second segment goes from 15:00 to 05:59 of the next day.
  const [done] = await lake();
  expect(done).toMatchObject({ written: 2, unchanged: 1, lacking: 0 });
  expect(readFileSync(fileOf(DAYS[2])).equals(before[2])).toBe(true);
  const rows = (await Promise.all(DAYS.map((day) => rowsOf(fileOf(day))))).flat();
  expect(rows.length).toBe(3600);
  expect(asLines(rows)).toEqual(lines);
  expect((await lake())[0]).toMatchObject({ written: 0, unchanged: 3 });
});

test("the same segments make the same bytes, and what a killed run left is removed", async () => {
  const before = DAYS.map((day) => readFileSync(fileOf(day)));
  writeFileSync(path.join(folder, `readings/ship=${SHIP}/_ballastd.json`), "{");
  const left = `${path.dirname(fileOf(DAYS[0]))}/_readings.parquet.00.part`;
  writeFileSync(left, "half");
  expect((await lake(0, SHIP))[0]).toMatchObject({ written: 3, unchanged: 0 });
  expect(DAYS.map((day, index) => readFileSync(fileOf(day)).equals(before[index]))).toEqual(
    DAYS.map(() => true),
  );
  expect(existsSync(left)).toBe(false);
  expect(globSync("**/*", { cwd: folder }).filter((name) => /part$/.test(name))).toEqual([]);
  expect(statSync(fileOf(DAYS[0])).mode & 0o077).toBe(0o044);
});

test("of a fork both branches are there, apart from each other", async () => {
  const [, second, , fourth] = segments;
  expect(await ship.put(follower(second, fourth))).toBe(3);
  // The ship went on with readings from 21:00 of the second day on; the third and the fourth
  // segment of before have parted from her line.
  const [done] = await lake();
  expect(done).toMatchObject({ written: 4, unchanged: 1, removed: 0, forks: [0], problems: [] });
  const here = (await Promise.all(DAYS.map((day) => rowsOf(fileOf(day))))).flat();
  expect(asLines(here)).toEqual([...lines.slice(0, 1800), ...lines.slice(2700)]);
  const forks = DAYS.slice(1).map((day) => fileOf(day, `forks/ship=${SHIP}/branch=0`));
  expect(asLines((await Promise.all(forks.map(rowsOf))).flat())).toEqual(lines.slice(1800));
  const said = await fleet.office("fleet", "lake", folder);
  const counts = "0 days written with 0 readings, 5 unchanged";
  expect(said.stdout).toBe(`${SHIP}  ${counts}, FORK: 1 branches, in forks/ship=${SHIP}\n`);
});

/** The hour that a ship would send for her lines, with some members changed. */
function hour(start_ms: number, changed: object) {
  const from = lines.findIndex(({ timestamp }) => Date.parse(String(timestamp)) === start_ms);
  const inHour = lines.slice(from, from + 60);
  const values = AGGREGATED.map((index, place) => {
    const all = inHour.flatMap((line) => line[TAGS[index].name] ?? []).map(Number);
    if (all.length === 0) return null;
    if (AGGREGATES[place] === "last") return all.at(-1);
    if (AGGREGATES[place] === "max") return Math.max(...all);
    const sum = all.reduce((total, value) => total + value, 0);
    return Math.round((sum / all.length) * 1e4) / 1e4;
  });
  return { start_ms, count: 60, values, ...changed };
}

test("verify proves chains and hours; what a void may explain is no fault", async () => {
  const put = (key: string, body: object) =>
    ship.ask("select fleet.put_document($1, 'hour', $2, 1, $3) as result", [
      ...[ship.instance, key, body],
    ]);
  const start_ms = Date.parse("2026-05-01T00:00:00Z");
  const at_ms = (index: number) => start_ms + index * 60 * MINUTE_MS;
  expect(await put("a", hour(at_ms(0), {}))).toBe("");
  await put("b", hour(at_ms(14), {}));
  await put("c", hour(at_ms(1), { count: 59 }));
  await put("d", hour(at_ms(2), { count: 61 }));
  const run = () => fleet.office("fleet", "verify", SHIP, "--json");
  const whole = await run();
  expect([whole.code, whole.stderr]).toEqual([0, ""]);
  const [found] = JSON.parse(whole.stdout);
  expect(found).toMatchObject({
    ...{ ship: SHIP, segments: 5, lacking: 0, readings: 4500, events: 3, audit: 2 },
    ...{ forks: ["segment 1"], problem: null },
    hours: { equal: 2, differing: 0, fewer_aboard: 1, not_here: 1 },
  });
  expect(found.event_head).toBe(
    links.findLast(({ chain }) => chain === "event")?.hash.toString("hex"),
  );
  const { values } = hour(at_ms(3), {});
  await put("e", hour(at_ms(3), { values: values.with(0, 1) }));
  const differing = await run();
  expect(differing.code).toBe(1);
  expect(JSON.parse(differing.stdout)[0].problem).toMatch(
    /^hour 2026-05-01T03:00:00.000Z: UVR_INTENSITY is 1, the readings make \d/,
  );
  await fleet.psql("delete from fleet.document where key = 'e'");
  for (const [change, undo, problem] of [
    [
      "update fleet.link set body = body || '\\x00' where chain = 'event' and number = 2",
      "update fleet.link set body = rtrim(body, '\\x00') where chain = 'event' and number = 2",
      "event 2: its hash doesn't follow from its content",
    ],
    [
      "update fleet.branch set number = 1 where chain = 'audit'",
      "update fleet.branch set number = 2 where chain = 'audit'",
      "audit 1: branch 0 doesn't end with it",
    ],
    [
      "update fleet.link set count = 5 where chain = 'segment' and number = 1",
      "update fleet.link set count = 900 where chain = 'segment' and number = 1",
      /^segment 1: .*its row has another 5,/,
    ],
    [
      "delete from fleet.link where chain = 'audit' and number = 1",
      "",
      "audit 2: the link before isn't here",
    ],
  ] as const) {
    await fleet.psql(change);
    const broken = await fleet.office("fleet", "verify");
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/ {2}BROKEN: /);
    expect(broken.stdout.split("BROKEN: ")[1]).toMatch(problem);
    await fleet.psql(undo);
  }
});

test("what was altered ashore is left out and named, and an odd folder is refused", async () => {
  await fleet.psql(`update fleet.link
    set payload = set_byte(payload, 100, get_byte(payload, 100) # 1)
    where ship = '${SHIP}' and chain = 'segment' and number = 1`);
  // The day isn't looked at again, because nothing new came for it.
  const note = path.join(folder, `readings/ship=${SHIP}/_ballastd.json`);
  writeFileSync(note, "{}");
  const [{ problems, readings }] = await lake(1);
  expect(problems).toEqual(["segment 1: its payload isn't the one that was sealed"]);
  expect(readings).toBe(1800);
  const refused = await fleet.office("fleet", "lake", "s3://bucket/lake");
  expect(refused.stderr).toMatch(/s3:\/\/bucket\/lake: expected a folder of this machine/);
  expect(refused.code).toBe(2);
  expect((await fleet.office("fleet", "lake", folder, "9176187")).code).toBe(1);
});

test("a fork on which the ship goes on again is no fork any more", async () => {
  const [, second, , fourth] = segments;
  const parted = () => globSync("**/readings.parquet", { cwd: path.join(folder, "forks") });
  const folders = () => [...new Set(parted().map((file) => file.split(path.sep)[1]))];
  expect(folders()).toEqual(["branch=0"]);
  expect(await ship.put(follower(fourth, second))).toBe(5);
  const [{ forks }] = await lake(1);
  expect(forks).toEqual([1]);
  expect(folders()).toEqual(["branch=1"]);
});
