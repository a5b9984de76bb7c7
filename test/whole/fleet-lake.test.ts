// `ballastd fleet lake` and `ballastd fleet verify` on what ships delivered: the files compared row
// by row with a ship's own export, late segments, forks, and what was altered ashore.

import {
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Office, withOffice } from "../../src/office/office.ts";
import { verifyShip } from "../../src/office/proof/verify.ts";
import { openRig, removeFolders } from "../rig/database.ts";
import { messageOf } from "../rig/decoding.ts";
import { type FleetRig, type ShipSession, sail, startFleet } from "../rig/fleet-rig.ts";
import { readParquet } from "../rig/parquet.ts";
import { follower, linksOf, shipExported } from "../rig/ship-links.ts";

const SHIP = "9074729";
const DAYS = ["2026-05-01", "2026-05-02", "2026-05-03"];

const { links, segments, lines } = shipExported();

let fleet: FleetRig;
let ship: ShipSession;
let folder: string;

beforeAll(async () => {
  fleet = await startFleet();
  // The office's command writes as the account of the server.
  folder = path.join(fleet.folder, "lake");
  ship = await sail(await fleet.add(SHIP));
  await ship.hello();
  await ship.report();
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

/** Makes link `number` the last of a branch again; the ship went on with another. */
async function takeBack(branch: number, number: number) {
  await fleet.psql(`delete from fleet.link
      where chain = 'segment' and branch = ${branch} and number > ${number};
    update fleet.branch set number = link.number, hash = link.hash, until_ms = link.last_ms,
      received = branch.received - ${1 - branch} * interval '1 day'
    from fleet.link where link.chain = 'segment' and link.number = ${number}
      and link.branch = ${branch} and branch.chain = 'segment' and branch.branch = ${branch}`);
}

test("a branch with which the ship goes on is in her line, and no fork any more", async () => {
  const [, second, , fourth] = segments;
  expect(await ship.put(follower(fourth, second))).toBe(5);
  expect((await lake())[0]).toMatchObject({ removed: 2, forks: [1] });
  const forksHere = () => readdirSync(path.join(folder, `forks/ship=${SHIP}`));
  expect(forksHere()).toEqual(["branch=1"]);
  expect(asLines((await Promise.all(DAYS.map((day) => rowsOf(fileOf(day))))).flat())).toEqual(
    lines,
  );
  // A run that is killed makes no note.
  rmSync(path.join(folder, `readings/ship=${SHIP}/_ballastd.json`));
  await takeBack(0, 4);
  expect((await lake())[0]).toMatchObject({ removed: 2, forks: [0] });
  expect(forksHere()).toEqual(["branch=0"]);
});

test("a ship that sends meanwhile, and runs at once, leave a whole line", async () => {
  const [, , third, fourth] = segments;
  const sent = follower(follower(segments[1], fourth), third);
  const verified = await withOffice(fleet.url, async (office) => {
    let isSent = false;
    const ask: Office["ask"] = async (name, values) => {
      const rows = await office.ask<never>(name, values);
      if (!isSent) expect(await ship.put(sent)).toBe(4);
      isSent = true;
      return rows;
    };
    return verifyShip({ ...office, ask }, SHIP);
  });
  expect(verified).toMatchObject({ segments: 5, problem: null });
  await takeBack(1, 3);
  rmSync(folder, { recursive: true });
  const runs = await Promise.all([lake(), lake()]);
  expect(runs.flat().map(({ problems }) => problems)).toEqual([[], []]);
  expect(Math.min(...runs.flat().map(({ written }) => written))).toBe(0);
});

test("a segment that goes over a hundred years has its days", async () => {
  const { db, store, close } = openRig();
  const received_ms = Date.parse("2100-01-02T00:00:00Z");
  const times = ["2000-01-01", "2026-05-01", "2100-01-01"];
  const messages = times.map((day) =>
    messageOf("telemetry", { timestamp: `${day}T00:00:00Z`, UVR_INTENSITY: 5 }, { received_ms }),
  );
  store.commit(messages);
  while (store.sealOld(received_ms + 2 * 86_400_000));
  const [only] = linksOf(db).filter(({ chain }) => chain === "segment");
  close();
  await using box = await sail(await fleet.add("9839272"));
  await box.hello();
  expect(await box.put(only)).toBe(1);
  const [done] = await lake(0, "9839272");
  expect(done).toMatchObject({ written: 3, readings: 3, problems: [] });
  const files = times.map((day) => fileOf(day, "readings/ship=9839272"));
  expect((await Promise.all(files.map(rowsOf))).map((rows) => rows.length)).toEqual([1, 1, 1]);
  for (const table of ["link", "branch"])
    await fleet.psql(`delete from fleet.${table} where ship = '9839272'`);
});

test("what was altered ashore is left out and named, and another's ship is refused", async () => {
  await fleet.psql(`update fleet.link
    set payload = set_byte(payload, 100, get_byte(payload, 100) # 1)
    where ship = '${SHIP}' and chain = 'segment' and number = 1`);
  // The day isn't looked at again, because nothing new came for it.
  const note = path.join(folder, `readings/ship=${SHIP}/_ballastd.json`);
  writeFileSync(note, "{}");
  const [{ problems, readings }] = await lake(1);
  expect(problems).toEqual(["segment 1: its payload isn't the one that was sealed"]);
  expect(readings).toBe(1800);
  expect((await fleet.office("fleet", "lake", folder, "9176187")).code).toBe(1);
});
