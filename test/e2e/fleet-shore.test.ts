// The ship's side of the link: what a real database holds arrives in a real PostgreSQL row by row,
// over lines that are cut and servers that die, and after either side was put back to an earlier
// state. What the shore refuses stops its chain alone.

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Report } from "../../src/bwts/documents/document.ts";
import { openRig, type Rig, removeFolders, temporaryFolder } from "../rig/database.ts";
import { type FleetRig, rowsAshore, startFleet } from "../rig/fleet-rig.ts";
import { BLACK_HOLE, CLEAR, openProxy } from "../rig/proxy.ts";
import { printedRandom } from "../rig/random.ts";
import { LONG } from "../rig/scale.ts";
import { linksOf, rowsAboard, sailOn, shipAboard } from "../rig/ship-links.ts";
import { type BoxAboard, openBox } from "../rig/shore-rig.ts";
import { until as eventually } from "../rig/until.ts";

let fleet: FleetRig;
/** The boxes of this test. */
const open: BoxAboard[] = [];

function boxOf(...given: Parameters<typeof openBox>): BoxAboard {
  const box = openBox(...given);
  open.splice(0, open.length, box);
  return box;
}

beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

/** Waits for a condition, and tells what the boxes say if it doesn't come. */
const until = (what: string, holds: () => Promise<boolean>) =>
  eventually(what, holds, () =>
    JSON.stringify(open.map(({ shore }) => [shore.state, [...shore.state.refusals.values()]])),
  );

/** The number of links ashore, those with what belongs to them. */
async function ashore(ship: string): Promise<number> {
  const whole = "(payload is not null or chain = 'audit')";
  const text = `select count(*) from fleet.link where ship = '${ship}' and ${whole}`;
  return Number((await fleet.psql(text)).trim());
}

const drained = (ship: string, { db }: Rig) =>
  until(`all of ${ship} ashore`, async () => (await ashore(ship)) >= linksOf(db).length);

async function asked(text: string): Promise<string> {
  return (await fleet.psql(text)).trim();
}

const connected = ({ shore }: BoxAboard) =>
  until("a session", async () => shore.state.phase === "connected");

test("a ship drains row by row: chains, payloads, hours, alerts and the report", async () => {
  const file = await fleet.add("9074729");
  const rig = shipAboard({ seed: 11, segments: 70, readings: 60 });
  rig.store.commit([]);
  await using box = boxOf(rig, file);
  await drained("9074729", rig);
  expect(await rowsAshore(fleet, "9074729")).toEqual(rowsAboard(rig.db));
  await until("the report", async () => (await asked(DOCUMENTS)).includes("report"));
  const now = await asked("select raw_until, backlog_links from fleet.now where ship = '9074729'");
  expect(now).toMatch(/^2026-05-01 01:09:59\+00\|\d+$/);
  const report = Report.parse(JSON.parse(await asked(REPORT)));
  expect(report.line).not.toBeNull();
  expect(box.shore.state).toMatchObject({ phase: "connected", problem: null, parted: [] });
  expect(box.shore.state.refusals.size).toBe(0);
  // A segment that is sealed while the session lasts goes whole, in one statement.
  sailOn(rig, { seed: 12, segments: 1, readings: 60, days: 3 });
  await drained("9074729", rig);
  expect(await rowsAshore(fleet, "9074729")).toEqual(rowsAboard(rig.db));
});

const REPORT = "select report from fleet.now where ship = '9074729'";
const DOCUMENTS = "select kind, key from fleet.document where ship = '9074729'";

test("cuts, black holes and a killed server lose nothing and repeat nothing", async () => {
  const random = printedRandom("shore faults");
  const file = await fleet.add("9176187");
  const rig = shipAboard({ seed: 21, segments: 120, readings: 60 });
  const proxy = await openProxy({ port: fleet.port });
  await using box = boxOf(rig, file, { port: proxy.port, silence_ms: 5000 });
  const faults = [
    async () => proxy.cut("reset"),
    async () => proxy.cut("end"),
    async () => proxy.spoil(),
    async () => {
      proxy.set({ up: BLACK_HOLE, down: BLACK_HOLE });
      await sleep(50);
      proxy.set({ up: CLEAR, down: CLEAR });
    },
    async () => {
      await fleet.stop("SIGQUIT");
      await fleet.start();
    },
  ];
  proxy.set({ up: { ...CLEAR, delay_ms: 20, bytes_per_s: 150_000 } });
  for (const fault of [...faults, ...faults]) {
    await sleep(random.between(20, 150));
    await fault();
  }
  proxy.set({ up: CLEAR });
  // By chance several faults may have met one connection.
  while (proxy.accepted() <= 4) {
    const before = proxy.accepted();
    await connected(box);
    proxy.cut("reset");
    await until("a new connection", async () => proxy.accepted() > before);
  }
  await drained("9176187", rig);
  expect(await rowsAshore(fleet, "9176187")).toEqual(rowsAboard(rig.db));
  expect(box.parted).toEqual([]);
  expect(proxy.accepted()).toBeGreaterThan(4);
  proxy.close();
});

test("a ship put back from a backup goes on beside what she lost, and says so", async () => {
  const file = await fleet.add("9321483");
  const rig = shipAboard({ seed: 41, segments: 12, readings: 30 });
  const backup = path.join(temporaryFolder(), "ballastd.db");
  await rig.db.backup(backup);
  sailOn(rig, { seed: 42, segments: 9, readings: 30, days: 2 });
  const dir = path.join(temporaryFolder(), "box");
  const lost = rowsAboard(rig.db);
  const before = boxOf(rig, file, { dir });
  await drained("9321483", rig);
  await before[Symbol.asyncDispose]();
  const back = openRig({}, path.dirname(backup));
  sailOn(back, { seed: 43, segments: 20, readings: 30, days: 4 });
  await using box = boxOf(back, file, { dir });
  const all = [...new Set([...lost, ...rowsAboard(back.db)])].sort();
  await until("both branches", async () => (await ashore("9321483")) >= all.length);
  expect(await rowsAshore(fleet, "9321483")).toEqual(all);
  const [{ chain, common, head }, ...others] = box.parted;
  expect([chain, head, common <= 12, others]).toEqual(["segment", 21, true, []]);
  const fork = "select chain, number, links from fleet.fork where ship = '9321483'";
  expect(await asked(fork)).toBe("segment|13|20");
  back.close();
});

test("raw = asked: links, then what the office asks, then what the crew sends", LONG, async () => {
  const file = await fleet.add("9811000");
  const rig = shipAboard({ seed: 81, segments: 10, readings: 60 });
  const ask = (from: string | null, to: string | null) =>
    fleet.psql(`set role fleet_reader; insert into fleet.request (ship, wanted)
      values ('9811000', '${JSON.stringify({ from, to })}')`);
  const payloads = () =>
    asked(`select string_agg(number::text, ' ' order by number) from fleet.link
      where ship = '9811000' and chain = 'segment' and payload is not null`);
  const open = () => asked("select count(*) from fleet.open_request where ship = '9811000'");
  // One that can't be read is closed too.
  await expect(ask(null, null)).rejects.toThrow(/violates check constraint/);
  await fleet.psql("alter table fleet.request drop constraint request_wanted_check");
  await ask(null, null);
  // Asked before the links are there.
  await ask("2026-05-01T00:02:30Z", "2026-05-01T00:03:30Z");
  await using box = boxOf(rig, file, { shore: { raw: "asked" } });
  await until("the answer", async () => (await open()) === "0");
  expect(await payloads()).toBe("3 4");
  const links = "select count(*) from fleet.link where ship = '9811000' and chain = 'segment'";
  expect(await asked(links)).toBe("10");
  const answer = "select body from fleet.document where ship = '9811000' and kind = 'answer'";
  expect(await asked(`${answer} order by key`)).toBe('{"sent": 0}\n{"sent": 2}');
  const minute = (number: number) => Date.UTC(2026, 4, 1, 0, number - 1);
  const range = { start_ms: minute(7), end_ms: minute(7) + 59_000 };
  expect((await box.shore.send(range)).segments).toBe(1);
  await until("what the crew sent", async () => (await payloads()) === "3 4 7");
  // The shore is asked anew then, and has a request more, part of which is there.
  await ask("2026-05-01T00:06:00Z", "2026-05-01T00:07:59Z");
  expect((await box.shore.send(range)).segments).toBe(1);
  await until("the second answer", async () => (await open()) === "0");
  expect(await payloads()).toBe("3 4 7 8");
  expect(box.shore.state.wanted.size).toBe(0);
  await ask("2026-05-01", "2026-05-01");
  await box.shore.configure({ ...box.shore.settings(), raw: "never" });
  await expect(box.shore.send(range)).rejects.toThrow(/shore.raw is never/);
  await connected(box);
  const reports = () =>
    asked(`select revision from fleet.document
    where ship = '9811000' and kind = 'report'`);
  const before = await reports();
  await box.shore.configure({ ...box.shore.settings(), raw: "never" });
  await until("another report", async () => (await reports()) !== before);
  expect(await payloads()).toBe("3 4 7 8");
  await box.shore.configure({ ...box.shore.settings(), raw: "asked" });
  await until("all of the day", async () => (await open()) === "0");
  expect(await payloads()).toBe("1 2 3 4 5 6 7 8 9 10");
});
