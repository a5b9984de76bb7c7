// The link to shore through a ship's life: a shore that was put back, a second box, a revoked key,
// a shore that refuses.

import { cpSync, readFileSync, statSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { instanceFile, instanceNumber } from "../../src/shore/instance-number.ts";
import { type Rig, removeFolders, temporaryFolder } from "../rig/database.ts";
import { type FleetRig, rowsAshore, startFleet } from "../rig/fleet-rig.ts";
import { CLEAR, openProxy } from "../rig/proxy.ts";
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

test("a shore that was put back to yesterday gets again what it lost", async () => {
  const file = await fleet.add("9839272");
  const rig = shipAboard({ seed: 31, segments: 20, readings: 30 });
  const began = boxOf(rig, file);
  await drained("9839272", rig);
  await began[Symbol.asyncDispose]();
  await fleet.psql("create database yesterday template fleet", "postgres");
  sailOn(rig, { seed: 32, segments: 30, readings: 30, days: 2 });
  const went = boxOf(rig, file);
  await drained("9839272", rig);
  await went[Symbol.asyncDispose]();
  await fleet.psql("alter database fleet rename to today", "postgres");
  await fleet.psql("alter database yesterday rename to fleet", "postgres");
  expect(await ashore("9839272")).toBeLessThan(linksOf(rig.db).length);
  await using box = boxOf(rig, file);
  await drained("9839272", rig);
  expect(await rowsAshore(fleet, "9839272")).toEqual(rowsAboard(rig.db));
  expect(box.parted).toEqual([]);
});

test("a second box with the ship's key is named; a copied folder is another box", async () => {
  const file = await fleet.add("9305879");
  const rig = shipAboard({ seed: 51, segments: 1, readings: 30 });
  const folders = [temporaryFolder(), temporaryFolder()];
  await using first = openBox(rig, file, { dir: folders[0] });
  await connected(first);
  await using second = openBox(rig, file, { dir: folders[1] });
  await connected(second);
  const [{ instance, version, address }] = second.shore.state.others;
  expect([instance, version, address]).toEqual([first.shore.instance(), "0.3.0", "127.0.0.1"]);
  const [here, there] = [temporaryFolder(), temporaryFolder()];
  const made = instanceNumber(here, "this machine");
  expect(statSync(instanceFile(here)).mode & 0o777).toBe(0o600);
  cpSync(instanceFile(here), instanceFile(there));
  expect(instanceNumber(here, "this machine")).toBe(made);
  expect(instanceNumber(there, "another machine")).not.toBe(made);
  expect(readFileSync(instanceFile(here), "utf8")).toContain(made);
});

test("a revoked key is out in mid-flight, and a new one goes on", async () => {
  const file = await fleet.add("9434761");
  const rig = shipAboard({ seed: 61, segments: 60, readings: 60 });
  const proxy = await openProxy({ port: fleet.port });
  proxy.set({ up: { ...CLEAR, bytes_per_s: 60_000 } });
  await using box = boxOf(rig, file, { port: proxy.port });
  await until("some links", async () => (await ashore("9434761")) > 0);
  // The rest would need minutes: on a slow machine the command takes some of them.
  proxy.set({ up: { ...CLEAR, bytes_per_s: 2_000 } });
  expect((await fleet.office("fleet", "revoke", "9434761")).code).toBe(0);
  await until("the refusal", async () => box.shore.state.phase === "refused");
  const stopped = await ashore("9434761");
  expect(stopped).toBeLessThan(linksOf(rig.db).length);
  proxy.set({ up: CLEAR });
  await using again = boxOf(rig, await fleet.add("9434761"));
  await drained("9434761", rig);
  expect(again.shore.state.refusals.size).toBe(0);
  proxy.close();
});

test("what the shore refuses stops its chain alone; a wrong server is told nothing", async () => {
  const file = await fleet.add("9619907");
  const rig = shipAboard({ seed: 71, segments: 8, readings: 30 });
  const whole = rowsAboard(rig.db);
  rig.db.exec("update segment set payload = zeroblob(length(payload)) where id = 3");
  rig.db.exec("update segment set header = zeroblob(length(header)) where id = 6");
  const pin = `sha256//${"A".repeat(43)}=`;
  const wrong = boxOf(rig, file, { shore: { key_pin: pin } });
  await until("the wrong pin", async () => wrong.shore.state.problem !== null);
  expect(wrong.shore.state.problem).toMatch(/the server's key isn't the one of shore.key_pin/);
  await wrong[Symbol.asyncDispose]();
  expect(await asked("select count(*) from fleet.instance where ship = '9619907'")).toBe("0");
  await using box = boxOf(rig, file);
  const expected = whole.filter((row) => !/^segment\|[3678]\|/.test(row));
  await until("the others", async () => (await ashore("9619907")) >= expected.length);
  await until("refusals", async () => box.shore.state.refusals.size === 2);
  const rows = await rowsAshore(fleet, "9619907");
  expect(rows.filter((row) => !row.startsWith("segment|3|"))).toEqual(expected);
  expect([...box.shore.state.refusals.values()]).toEqual([
    { what: "segment 6", reason: expect.stringMatching(/the hash doesn't follow/) },
    { what: "payload 3", reason: expect.stringMatching(/the payload isn't its digest/) },
  ]);
});
