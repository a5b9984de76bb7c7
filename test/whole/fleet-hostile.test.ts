// A shore that is in wrong hands, and what a thief of a ship's key leaves there: the ship's own
// session goes on, a shore that says nothing is given up, and nothing invented is recalled.

import { afterAll, beforeAll, expect, test } from "vitest";
import { AlarmAnswer } from "../../src/bwts/present/alarm.ts";
import { DAY_MS } from "../../src/ground/clock.ts";
import { withOffice } from "../../src/office/office.ts";
import { shipDetail } from "../../src/office/ship-detail.ts";
import { shipHours } from "../../src/office/ship-hours.ts";
import { type Rig, removeFolders } from "../rig/database.ts";
import { type FleetRig, sail, startFleet } from "../rig/fleet-rig.ts";
import { linksOf, shipAboard } from "../rig/ship-links.ts";
import { openBox } from "../rig/shore-rig.ts";
import { aboard, shoreCommand } from "../rig/stick.ts";
import { until } from "../rig/until.ts";

let fleet: FleetRig;
let rig: Rig;

beforeAll(async () => {
  fleet = await startFleet();
  rig = shipAboard({ seed: 61, segments: 5, readings: 30 });
});
afterAll(async () => {
  rig?.close();
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

const asked = async (sql: string) => (await fleet.psql(sql)).trim();
const linksAshore = (ship: string) =>
  asked(`select count(*) from fleet.link where ship = '${ship}'
    and (payload is not null or chain = 'audit')`);

test("an odd request, and a thief's highest revision, keep no ship out", async () => {
  const file = await fleet.add("9074729");
  {
    await using thief = await sail(file);
    await thief.hello();
    const put = "select fleet.put_document($1, 'report', 'now', $2, '{}') as result";
    for (const revision of ["9223372036854775807", `${Number.MAX_SAFE_INTEGER}`])
      expect(await thief.ask(put, [thief.instance, revision])).toBe("22023");
    expect(await thief.ask(put, [thief.instance, "1000000000000000"])).toBe("");
    for (let box = 0; box < 20; box += 1)
      await thief.ask("select fleet.hello(gen_random_uuid(), 'x', '{}')");
  }
  for (const wanted of ['{"from": 5, "to": null}', '["from", "to"]'])
    await expect(
      fleet.psql(`insert into fleet.request (ship, wanted) values ('9074729', '${wanted}')`),
    ).rejects.toThrow(/check constraint/);
  await using box = openBox(rig, file);
  const links = `${linksOf(rig.db).length}`;
  await until("all links", async () => (await linksAshore("9074729")) === links);
  const reports = "select count(*) from fleet.document where ship = '9074729' and kind = 'report'";
  await until("her report", async () => (await asked(reports)) === "2");
  expect(box.shore.state.refusals.size).toBe(0);
  expect(box.shore.state.others).toHaveLength(16);
});

test("what a thief says by the box's own number is noticed, and said anew", async () => {
  const file = await fleet.add("9434761");
  const hour_ms = 1777593600000;
  rig.db.exec(`insert or replace into shore_hour (start_ms, revision) values (${hour_ms}, 5)`);
  await using box = openBox(rig, file);
  const hours = `select count from fleet.hour where ship = '9434761'`;
  await until("her hour", async () => (await asked(hours)) === "150");
  const { state } = box.shore;
  expect(state.others).toEqual([]);
  const own = await asked("select instance from fleet.instance where ship = '9434761'");
  await using thief = await sail(file, own);
  const put = "select fleet.put_document($1, 'hour', $2, 999999999999999, $3) as result";
  const body = { start_ms: hour_ms, count: 0, values: [] };
  expect(await thief.ask(put, [own, `${hour_ms}`, body])).toBe("");
  expect(await asked(hours)).toBe("0");
  state.isHelloWanted = true;
  await until("her hour again", async () => (await asked(hours)) === "150");
  expect(state.others).toMatchObject([{ instance: own }]);
});

test("what a thief says takes no memory of the office's server, and makes no hours", async () => {
  await using thief = await sail(await fleet.add("9305879"));
  await thief.hello();
  const say = (kind: string, key: string | number, body: object) =>
    thief.ask("select fleet.put_document($1, $2, $3, 1, $4) as result", [
      ...[thief.instance, kind, `${key}`, body],
    ]);
  const alarm = { ...Object(AlarmAnswer.meta()?.example), data: { long: "x".repeat(240_000) } };
  for (let number = 0; number < 40; number += 1) await say("alarm", `own-${number}`, alarm);
  const start_ms = Date.UTC(2026, 4, 1);
  const hour = { start_ms, count: 60, values: [1] };
  await say("hour", start_ms, hour);
  for (const odd of [
    { start_ms: `${start_ms + 3_600_000}` },
    { start_ms: start_ms + 1 },
    { start_ms: start_ms + 7_200_000, count: -60 },
  ])
    expect(await say("hour", odd.start_ms, { ...hour, ...odd })).toBe("");
  const asked = { ship: "9305879", silence_minutes: 60 };
  await withOffice(fleet.url, async (office) => {
    const { alarms, unreadable } = await shipDetail(office, asked);
    expect([alarms.length, unreadable]).toEqual([17, 0]);
    const range = { start_ms, end_ms: start_ms + DAY_MS };
    const day = { ...asked, range, places: [0] };
    expect(await shipHours(office, { ...day, interval: "hour" })).toEqual([
      { timestamp: "2026-05-01T00:00:00.000Z", count: 60, UVR_INTENSITY: 1 },
    ]);
  });
});

test("nothing that begins at a first segment of its own is recalled", async () => {
  const file = await fleet.add("9176187");
  const other = shipAboard({ seed: 62, segments: 2, readings: 30, days: 9 });
  {
    await using _box = openBox(rig, file);
    const links = `${linksOf(rig.db).length}`;
    await until("all links", async () => (await linksAshore("9176187")) === links);
    await using thief = await sail(file);
    await thief.hello();
    for (const link of linksOf(other.db).filter(({ chain }) => chain === "segment"))
      expect(await thief.put(link)).toBe(link.number);
  }
  other.close();
  const recall = async () => {
    const { code, stdout, stderr } = await shoreCommand(aboard(rig, file), "recall", "--json");
    expect(stdout, stderr).toMatch(/^\{/);
    return { code, ...JSON.parse(stdout) };
  };
  expect(await recall()).toMatchObject({ code: 0, segments: 0, stored: 0, problems: [] });
  // A shore in wrong hands tells of it all the same.
  await fleet.psql(`create or replace function fleet.lost_segment(
      own_number integer, own_hash bytea, after_number integer, after_hash bytea
    ) returns table (
      number integer, hash bytea, previous bytea, body bytea, digest bytea, payload bytea,
      object text
    ) language sql security definer as $$
      select number, hash, previous, body, digest, payload, object from fleet.link
      where ship = '9176187' and branch > 0 and (number, hash) > (after_number, after_hash)
      order by number limit 1
    $$`);
  expect(await recall()).toMatchObject({
    ...{ code: 1, segments: 0, stored: 0 },
    problems: ["segment 1: the segment before it isn't known", expect.stringMatching(/^segment 2/)],
  });
});

test("an odd hello does no harm aboard, and a shore that says none is given up", async () => {
  const file = await fleet.add("9839272");
  const say = (work: string) =>
    fleet.psql(`create or replace function fleet.hello(instance uuid, version text, own jsonb)
      returns jsonb language plpgsql security definer as $$ begin ${work} end $$`);
  const [none, odd] = [
    { common: 0, head: 0 },
    { from: 5, to: null },
  ];
  const hello = {
    ...{ now_ms: 9e15, revisions: { hour: 9e15 }, revision: Number.MAX_SAFE_INTEGER },
    chains: { segment: { ...none, lacking: [] }, event: none, audit: none },
    requests: [odd, { from: "0000-01-01", to: "9999-12-31" }].map((wanted, id) => ({ id, wanted })),
    others: [{ instance: "x", version: "y", address: null, last_seen_ms: 1e308 }],
  };
  const told = (changed: object) =>
    say(`return '${JSON.stringify({ ...hello, ...changed })}'::jsonb;`);
  const problem = async (part: string) => {
    await using box = openBox(rig, file, { silence_ms: 5000 });
    await until(part, async () => box.shore.state.problem?.includes(part) === true);
  };
  await told({});
  {
    await using box = openBox(rig, file);
    await until("a session", async () => box.shore.state.phase === "connected");
    expect(box.shore.state.others).toEqual([]);
    // Beyond it no number would be higher than the last one.
    expect(box.shore.state.revision).toBeLessThan(Number.MAX_SAFE_INTEGER - 2 ** 40);
  }
  const far = { common: 2 ** 40, head: 2 ** 40, lacking: [] };
  await told({ chains: { ...hello.chains, segment: far } });
  await problem(`segment ${far.common} wasn't named`);
  const lacking = [[0, 9e15]];
  await told({ chains: { ...hello.chains, segment: { ...none, lacking } } });
  await problem("it lacks 0,9000000000000000");
  await say("return jsonb_build_object('long', repeat('x', 5000000));");
  await problem("the shore sends more than was asked for");
  await say("perform pg_sleep(60); return null;");
  await problem("the line is dead");
});
