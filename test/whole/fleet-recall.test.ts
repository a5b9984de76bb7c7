// A ship that was put back from an old backup fetches back from her shore what she lost. The only
// function that tells a ship of stored data tells her of segments that aren't on her line, and
// nobody else of anything. What a restored PC told before isn't told twice.

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ShoreFile } from "../../src/bwts/documents/shore-file.ts";
import { EVER } from "../../src/sqlite/file/query.ts";
import { readingsIn } from "../../src/sqlite/sealed/timeline.ts";
import { openRig, type Rig, removeFolders, temporaryFolder } from "../rig/database.ts";
import { type FleetRig, sail, startFleet } from "../rig/fleet-rig.ts";
import { follower, linksOf, sailOn, shipAboard } from "../rig/ship-links.ts";
import { openBox } from "../rig/shore-rig.ts";
import { aboard, bundled, imported, opened, sealed, shoreCommand } from "../rig/stick.ts";

let fleet: FleetRig;
let file: ShoreFile;
/** As it was before its disk was lost, and as it was put back. */
let before: Rig;
let back: Rig;

beforeAll(async () => {
  fleet = await startFleet();
  file = await fleet.add("9074729");
  before = shipAboard({ seed: 41, segments: 12, readings: 30 });
  const backup = path.join(temporaryFolder(), "ballastd.db");
  await before.db.backup(backup);
  sailOn(before, { seed: 42, segments: 9, readings: 30, days: 2 });
  await drain(before);
  back = openRig({}, path.dirname(backup));
});
afterAll(async () => {
  before?.close();
  back?.close();
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

/** Sends all that a database has. */
async function drain(rig: Rig): Promise<void> {
  await using _box = openBox(rig, file);
  const hashes = linksOf(rig.db).map(({ hash }) => hash.toString("hex"));
  for (;;) {
    const rows = await fleet.psql(`select encode(hash, 'hex') from fleet.link
      where payload is not null or chain = 'audit'`);
    const there = new Set(rows.trim().split("\n"));
    if (hashes.every((hash) => there.has(hash))) return;
    await sleep(50);
  }
}

/** All readings in their order. An import takes a value that ballastd would derive as derived. */
const readings = ({ db }: Rig) =>
  [...readingsIn(db, EVER)]
    .map((reading) => JSON.stringify({ ...reading, derived: null }))
    .join("\n");

async function recall() {
  const { code, stdout, stderr } = await shoreCommand(aboard(back, file), "recall", "--json");
  expect(stdout, stderr).toMatch(/^\{/);
  return { code, ...JSON.parse(stdout) };
}

test("she fetches back what she lost, reading for reading; again, nothing changes", async () => {
  const all = readings(before);
  expect(all.startsWith(`${readings(back)}\n`)).toBe(true);
  // The shore's own readings of a segment were altered: that one isn't taken, the others are.
  const alter = (sql: string) =>
    fleet.psql(`update fleet.link set payload = ${sql}
    where chain = 'segment' and number = 15`);
  await fleet.psql(`create table kept as select payload from fleet.link
    where chain = 'segment' and number = 15`);
  await alter("set_byte(payload, 40, get_byte(payload, 40) # 1)");
  expect(await recall()).toMatchObject({
    ...{ code: 1, segments: 8, without_readings: 0, stored: 8 * 30, same: 0, refused: 0 },
    problems: [expect.stringMatching(/^segment 15: /)],
  });
  await alter("(select payload from kept)");
  const first = await recall();
  expect(first).toMatchObject({ code: 0, segments: 9, stored: 30, same: 8 * 30, problems: [] });
  expect(readings(back) === all).toBe(true);
  expect(await recall()).toMatchObject({ code: 0, segments: 9, stored: 0, same: 9 * 30 });
  expect(readings(back) === all).toBe(true);
  const log = "select detail from audit where kind = 'import' order by id";
  const entries = back.db.prepare<[], { detail: string }>(log).all();
  expect(entries[0].detail).toContain('"shore recall"');
  // She goes on, on a line of her own: the lost one is told as before.
  sailOn(back, { seed: 43, segments: 3, readings: 30, days: 5 });
  await drain(back);
  expect(await recall()).toMatchObject({ code: 0, segments: 9, stored: 0, same: 9 * 30 });
  expect((await fleet.psql("select count(*) from fleet.fork where chain = 'segment'")).trim()).toBe(
    "1",
  );
});

test("only who knows a link of hers is told, and nothing of the line up to it", async () => {
  const segments = linksOf(before.db).filter(({ chain }) => chain === "segment");
  const call = "select number as result from fleet.lost_segment($1, $2, $3, $4)";
  const zero = Buffer.alloc(32);
  await using ship = await sail(file);
  const [, , third] = segments;
  const end = segments[20];
  // From the end of the lost line, what came on the other one is lost.
  const branch = linksOf(back.db).filter(({ chain }) => chain === "segment")[12];
  expect(await ship.ask(call, [21, end.hash, 0, zero])).toBe(13);
  expect(await ship.ask(call, [13, branch.hash, 0, zero])).toBe(13);
  expect(await ship.ask(call, [3, third.hash, 0, zero])).toBe(4);
  for (const [own, given] of [
    ["a hash that isn't hers", [3, zero, 0, zero]],
    ["another number", [4, third.hash, 0, zero]],
    ["nothing", [null, null, 0, zero]],
    ["no link at all", [0, zero, 0, zero]],
  ] as const)
    expect(await ship.ask(call, given), own).toBe("FL001");
  expect(await ship.ask(call, [3, third.hash, null, null])).toBe("22023");
  // Whoever has her key can begin a branch, and knows its hash: it opens nothing.
  await ship.hello();
  const forged = follower({ ...third, number: 0, hash: zero }, segments[4]);
  expect(await ship.put(forged)).toBe(1);
  expect(await ship.ask(call, [1, forged.hash, 0, zero])).toBeNull();
  expect(await ship.ask(call, [3, third.hash, 0, zero])).toBe(4);
  // A shore that tells of it all the same isn't believed.
  await fleet.psql(`create or replace function fleet.related_branches(own text, tip_number integer,
      tip_branch integer)
    returns integer[] language sql as 'select array[2]'`);
  expect(await recall()).toMatchObject({
    ...{ code: 1, segments: 0 },
    problems: ["segment 1: the segment before it isn't known"],
  });
  await using other = await sail(await fleet.add("9176187"));
  expect(await other.ask(call, [3, third.hash, 0, zero])).toBe("FL001");
});

test("hours that leave others out are refused; those of two boxes are shown once", async () => {
  const key = await fleet.add("9305879");
  const rig = shipAboard({ seed: 44, segments: 1, readings: 30 });
  rig.db.exec(`insert into shore_hour (start_ms, revision)
    values (1777593600000, 5), (1777597200000, 9);
    insert into shore_ack (chain, number, at_ms) values ('complete_hours', 5, 1777593600000)`);
  const env = aboard(rig, key);
  const at = (name: string) => path.join(rig.dir, name);
  const hours = async () =>
    (
      await fleet.psql(`select string_agg(revision::text, ' ' order by revision)
      from fleet.document where ship = '9305879' and kind = 'hour'`)
    ).trim();
  // The later hour alone would tell the ship that the shore has all, and it never got the first.
  const part = await imported(fleet, await bundled(env, at("part")));
  expect(part.refused).toEqual([
    { what: "hours", reason: expect.stringMatching(/aren't here; .* --all has them/) },
  ]);
  expect([await hours(), part.segment.new]).toEqual(["", 1]);
  const all = await bundled(env, at("all"), "--all");
  expect((await imported(fleet, all)).refused).toEqual([]);
  expect(await hours()).toBe("5 9");
  expect((await imported(fleet, at("part"))).refused).toEqual([]);
  // A new PC that got the old one's backup tells the same.
  const { head, statements } = opened(all);
  const instance = "00000000-0000-4000-8000-000000000001";
  await imported(fleet, sealed(at("new"), { head: { ...head, instance }, statements }, key.key));
  expect(await hours()).toBe("5 5 9 9");
  // A file of a clock that is ahead, carried again: it is no sign of life.
  const ahead = { ...head, instance: instance.replace(/1$/, "2"), made_ms: 8.64e15 };
  const far = sealed(at("far"), { head: ahead, statements }, key.key);
  const seen = "select max(last_seen) from fleet.instance where ship = '9305879'";
  const contact = await fleet.psql(seen);
  expect((await imported(fleet, far)).document.new).toBeGreaterThan(0);
  const heard = await fleet.psql(seen);
  expect(heard).not.toBe(contact);
  expect((await imported(fleet, far)).document.new).toBe(0);
  expect(await fleet.psql(seen)).toBe(heard);
  expect((await fleet.psql("select count(*) from fleet.hour where ship = '9305879'")).trim()).toBe(
    "2",
  );
  // Events before a damaged one go into the file.
  rig.db.exec("update event set description = 'altered' where id = 2");
  const hurt = await shoreCommand(env, "bundle", at("hurt"), "--all");
  expect([hurt.code, hurt.stderr]).toEqual([1, expect.stringMatching(/damaged: event 2 to 3: /)]);
  const events = opened(at("hurt")).statements.filter(({ values: [chain] }) => chain === "event");
  expect(events.map(({ values: [, number] }) => number)).toEqual([1]);
  rig.close();
});
