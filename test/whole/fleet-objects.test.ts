// Objects in Ceph's gateway, a store that speaks S3: the office's lake in a bucket, and a store of
// the ship's that doesn't answer.

import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ObjectStore, openObjects } from "../../src/shore/object-store.ts";
import { type Ceph, startCeph } from "../rig/ceph.ts";
import { removeFolders } from "../rig/database.ts";
import { messageOf } from "../rig/decoding.ts";
import { type FleetRig, sail, startFleet } from "../rig/fleet-rig.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";
import { type Link, linksOf, shipAboard } from "../rig/ship-links.ts";
import { openBox } from "../rig/shore-rig.ts";
import { until } from "../rig/until.ts";

const SHIP = "9074729";

let ceph: Ceph;
let fleet: FleetRig;
let links: readonly Link[];
let office: Readonly<Record<string, string>>;
let lake: ObjectStore;

beforeAll(async () => {
  const rig = shipAboard({ seed: 3, segments: 4, readings: 900, cadence_ms: 60_000 });
  links = linksOf(rig.db);
  rig.close();
  [ceph, fleet] = await Promise.all([startCeph(), startFleet()]);
  const key = await ceph.user("office");
  const file = path.join(temporaryFolder(), "key");
  writeFileSync(file, key, { mode: 0o600 });
  office = { AWS_SHARED_CREDENTIALS_FILE: file, AWS_ENDPOINT_URL: ceph.origin };
  expect(await ceph.ask(key, "PUT", "/lake")).toMatchObject({ status: 200 });
  lake = openObjects(ceph.place("lake", key));
});
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await ceph?.[Symbol.asyncDispose]();
  removeFolders();
});

/** Runs a command of the office with the key of the store. */
const run = (...args: readonly string[]) => runProgram({ args, env: { ...fleet.env, ...office } });

async function lakeRun(place: string) {
  const ran = await run("fleet", "lake", place, "--json");
  expect(ran.code, ran.stderr).toBe(0);
  return JSON.parse(ran.stdout)[0];
}

const DAYS = ["2026-05-01", "2026-05-02", "2026-05-03"];
const fileOf = (day: string) => `readings/ship=${SHIP}/day=${day}/readings.parquet`;

test("the lake in a bucket has the bytes of the lake in a folder, and again", async () => {
  await using ship = await sail(await fleet.add(SHIP));
  await ship.hello();
  for (const link of links) expect(await ship.put(link)).toBe(link.number);
  const folder = path.join(fleet.folder, "lake");
  expect(await lakeRun(folder)).toMatchObject({ written: 3, readings: 3600 });
  const old = `a/b/readings/ship=${SHIP}/day=2020-01-01/readings.parquet`;
  await lake.put(old, Buffer.from("of before"));
  expect(await lakeRun("s3://lake/a/b")).toMatchObject({ written: 3, readings: 3600, removed: 1 });
  const note = `a/b/readings/ship=${SHIP}/_ballastd.json`;
  const files = DAYS.map((day) => `a/b/${fileOf(day)}`);
  expect(new Set(await lake.names("a/b/"))).toEqual(new Set([note, ...files]));
  for (const day of DAYS) {
    const local = readFileSync(path.join(folder, fileOf(day)));
    expect((await lake.get(`a/b/${fileOf(day)}`))?.equals(local), day).toBe(true);
  }
  expect(await lakeRun("s3://lake/a/b/")).toMatchObject({ written: 0, unchanged: 3, removed: 0 });
  const before = await Promise.all(files.map((name) => lake.get(name)));
  await lake.remove(note);
  expect(await lakeRun(`${ceph.origin}/lake/a/b`)).toMatchObject({ written: 3, unchanged: 0 });
  const after = await Promise.all(files.map((name) => lake.get(name)));
  expect(after.map((file, index) => file?.equals(before[index] ?? Buffer.alloc(0)))).toEqual(
    DAYS.map(() => true),
  );
});

test("a trial tells if the store would take an object, and leaves none there", async () => {
  await lake.tryPut("some/trial");
  expect(await lake.versions("some/trial")).toEqual([]);
  const stranger = openObjects(ceph.place("lake", await ceph.user("stranger")));
  await expect(stranger.tryPut("trial")).rejects.toThrow("PUT trial: 403 AccessDenied");
  const none = openObjects(ceph.place("none", await ceph.user("nobody")));
  await expect(none.tryPut("trial")).rejects.toThrow("PUT trial: 404 NoSuchBucket");
});

test("more names than a page holds are all told", async () => {
  const names = Array.from({ length: 1100 }, (_, index) => `many/a b+c=${index}&é`);
  for (let at = 0; at < names.length; at += 50)
    await Promise.all(names.slice(at, at + 50).map((name) => lake.put(name, Buffer.from(name))));
  expect((await lake.names("many/")).toSorted()).toEqual(names.toSorted());
  expect(`${await lake.get(names[7])}`).toBe(names[7]);
});

test("a store that hangs holds up no alert, also while a hello is due", async () => {
  const silent = createServer((socket) => socket.on("error", () => {}).resume());
  await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : 0;
  const rig = shipAboard({ seed: 46, segments: 3, readings: 60 });
  const objects = `https://127.0.0.1:${port}/loose/9434761`;
  const shore = { objects, objects_key: office.AWS_SHARED_CREDENTIALS_FILE };
  const file = await fleet.add("9434761");
  await using box = openBox(rig, file, { shore });
  const { state } = box.shore;
  const connections = () => new Promise<number>((r) => silent.getConnections((_, n) => r(n)));
  await until("a payload on its way", async () => (await connections()) > 0);
  state.isHelloWanted = true;
  const timestamp = new Date().toISOString();
  const event = { timestamp, event_type: "ALARM_TRIGGERED", description: "now" };
  const text = JSON.stringify({ ...event, data: { code: "NOW" } });
  rig.store.commit([messageOf("events", text, { received_ms: Date.now() })]);
  const alarms = `select count(*) from fleet.document
    where ship = '9434761' and kind = 'alarm' and body ->> 'code' = 'NOW'`;
  await until("the alert", async () => (await fleet.psql(alarms)) === "1\n");
  expect(state.objects).toBeNull();
  silent.close();
  rig.close();
});

test("a store that refuses or is away is told in a line without secrets", async () => {
  const { AWS_SHARED_CREDENTIALS_FILE: file } = office;
  const secret = /secret_access_key = (.*)/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  const refused = async (place: string, env: Readonly<Record<string, string>>) => {
    const ran = await runProgram({ args: ["fleet", "lake", place], env: { ...fleet.env, ...env } });
    expect(ran.stderr).not.toContain(secret);
    return [ran.code, ran.stderr.trim()];
  };
  const wrong = { AWS_ENDPOINT_URL: ceph.origin, AWS_ACCESS_KEY_ID: "nobody" };
  expect(await refused("s3://lake", { ...wrong, AWS_SECRET_ACCESS_KEY: secret })).toEqual([
    ...[1, expect.stringMatching(/: 127\.0\.0\.1:\d+: GET : 403 InvalidAccessKeyId$/)],
  ]);
  expect(await refused("s3://none", office)).toEqual([
    ...[1, expect.stringMatching(/404 NoSuchBucket$/)],
  ]);
  expect(await refused("s3://lake", {})).toEqual([
    2,
    expect.stringMatching(/no key for the store/),
  ]);
  expect(await refused("ftp://lake", office)).toEqual([2, expect.stringMatching(/ftp:\/\/lake/)]);
  await ceph.stopGateway();
  expect(await refused("s3://lake", office)).toEqual([69, expect.stringMatching(/ECONNREFUSED/)]);
  await ceph.startGateway();
  expect(await lakeRun("s3://lake/a/b")).toMatchObject({ written: 0, unchanged: 3 });
});
