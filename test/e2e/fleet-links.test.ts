// Links ashore: a real ship's chains put by her role into a real PostgreSQL and read back; what was
// altered, skipped or invented is refused by the database itself; forks are kept and shown.

import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolders } from "../rig/database.ts";
import { type FleetRig, type ShipSession, sail, startFleet } from "../rig/fleet-rig.ts";
import { follower, type Link, linksOf, shipAboard } from "../rig/ship-links.ts";

const ABOARD = { seed: 7, segments: 4, readings: 150 };
const SHIPS = ["9074729", "9176187", "9839272", "9321483", "9395044"] as const;

let fleet: FleetRig;
let links: readonly Link[];
/** Readings, first and last time of each segment. */
let spans: readonly (readonly number[])[];
const files = new Map<string, Awaited<ReturnType<FleetRig["add"]>>>();

beforeAll(async () => {
  fleet = await startFleet();
  for (const imo of SHIPS) files.set(imo, await fleet.add(imo));
  const rig = shipAboard(ABOARD);
  links = linksOf(rig.db);
  const told = "select count, first_ms, last_ms from segment order by id";
  spans = rig.db.prepare<[], number[]>(told).raw().all();
  rig.close();
});
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

function board(imo: (typeof SHIPS)[number], instance?: ReturnType<typeof randomUUID>) {
  const file = files.get(imo);
  if (file === undefined) throw new Error(`${imo}: expected one of ${SHIPS}`);
  return sail(file, instance);
}

const segmentsOf = (all: readonly Link[]) => all.filter(({ chain }) => chain === "segment");
const locator = ({ number, hash }: Link) => [number, hash.toString("hex")];
const flipped = (bytes: Buffer | null, place = 60) => {
  const copy = Buffer.from(bytes ?? []);
  copy[Math.min(place, copy.length - 1)] ^= 1;
  return copy;
};
const sha256 = (...parts: readonly Uint8Array[]) =>
  createHash("sha256").update(Buffer.concat(parts)).digest();

async function putAll(ship: ShipSession, some: readonly Link[]): Promise<void> {
  for (const link of some)
    expect(await ship.put(link), `${link.chain} ${link.number}`).toBe(link.number);
}

test("chains come back byte for byte, put by two connections at a time and again", async () => {
  await using ship = await board("9074729");
  await ship.hello();
  await using again = await board("9074729");
  await again.hello();
  await Promise.all([putAll(ship, links), putAll(again, links)]);
  await putAll(ship, links);
  const stored = await fleet.psql(`select chain, number, encode(previous, 'hex'),
    encode(hash, 'hex'), encode(body, 'hex'), encode(digest, 'hex'), encode(payload, 'hex')
    from fleet.link where ship = '9074729' order by chain, number`);
  const expected = links
    .toSorted((one, other) => (one.chain < other.chain ? -1 : one.chain > other.chain ? 1 : 0))
    .map(({ chain, number, previous, hash, body, digest, payload }) =>
      [chain, number, ...[previous, hash, body, digest, payload].map(hexOf)].join("|"),
    );
  expect(stored.trim().split("\n")).toEqual(expected);
  const told = await fleet.psql(`select count, first_ms, last_ms from fleet.link
    where ship = '9074729' and chain = 'segment' order by number`);
  expect(told.trim().split("\n")).toEqual(spans.map((span) => span.join("|")));
  const storage = await fleet.psql(`select distinct attstorage from pg_attribute
    where attrelid::regclass::text ~ '^fleet.link' and attname = 'payload'`);
  expect(storage.trim()).toBe("e");
});

const hexOf = (bytes: Buffer | null) => bytes?.toString("hex") ?? "";

test("what was altered on the way is refused, and nothing of it is stored", async () => {
  await using ship = await board("9176187");
  await ship.hello();
  const [first, second, third] = segmentsOf(links);
  await putAll(ship, [first]);
  for (const [what, changed, code] of [
    ["header", { body: flipped(second.body) }, "FL003"],
    ["time in the header", { body: flipped(second.body, 5) }, "FL003"],
    ["payload", { payload: flipped(second.payload) }, "FL002"],
    ["payload cut", { payload: second.payload?.subarray(1) ?? null }, "FL002"],
    ["digest", { digest: flipped(second.digest, 3), payload: null }, "FL003"],
    ["hash", { hash: flipped(second.hash, 3) }, "FL003"],
    ["predecessor", { previous: flipped(second.previous, 3) }, "FL003"],
    ["number", { number: 3 }, "FL001"],
    ["number 1", { number: 1 }, "FL001"],
    ["chain", { chain: "event" as const }, "FL003"],
  ] as const)
    expect(await ship.put(second, changed), what).toBe(code);
  expect(await ship.put(third), "skips one").toBe("FL001");
  const [start] = links.filter(({ chain }) => chain === "event");
  expect(await ship.put(start, { payload: flipped(start.payload, 5) })).toBe("FL002");
  expect(await ship.put(start, { body: flipped(start.body, 2) })).toBe("FL003");
  const [entry] = links.filter(({ chain }) => chain === "audit");
  expect(await ship.put(entry, { body: flipped(entry.body, 20) })).toBe("FL003");
  // Its hash is right, and its header isn't one.
  const [body, digest] = [Buffer.from("no header"), sha256(Buffer.from("x"))];
  const hash = sha256(body, digest, first.hash);
  expect(await ship.put(second, { body, digest, hash, payload: Buffer.from("x") })).toBe("22023");
  const count = "select count(*) from fleet.link where ship = '9176187'";
  expect((await fleet.psql(count)).trim()).toBe("1");
});

test("headers first: payloads come in any order, each only where it belongs", async () => {
  await using ship = await board("9839272");
  await ship.hello();
  const all = segmentsOf(links);
  for (const link of all) expect(await ship.put(link, { payload: null })).toBe(link.number);
  const own = { segment: [locator(all[3]), locator(all[2])] };
  expect((await ship.hello(own)).chains.segment).toEqual({ common: 4, head: 4, lacking: [[1, 4]] });
  const put = (link: Link, payload: Buffer | null, hash = link.hash) =>
    ship.ask("select fleet.put_payload($1, $2, $3, $4, $5) as result", [
      ...[ship.instance, "segment", link.number, hash, payload],
    ]);
  expect(await put(all[2], all[1].payload)).toBe("FL002");
  expect(await put(all[2], all[2].payload, all[1].hash)).toBe("FL001");
  expect(await put(all[2], null)).toBe("22023");
  expect(await put(all[2], all[2].payload)).toBe("");
  expect(await put(all[2], all[2].payload)).toBe("");
  expect((await ship.hello(own)).chains.segment.lacking).toEqual([
    [4, 4],
    [1, 2],
  ]);
  // A link that comes again with its payload brings it too.
  await putAll(ship, [all[3], all[0]]);
  expect((await ship.hello(own)).chains.segment.lacking).toEqual([[2, 2]]);
  const until = "select extract(epoch from raw_until) * 1000 from fleet.now where ship = '9839272'";
  expect(Number(await fleet.psql(until))).toBe(spans[1][1]);
  await putAll(ship, all);
  expect((await ship.hello(own)).chains.segment.lacking).toEqual([]);
  expect(Number(await fleet.psql(until))).toBe(spans[3][2]);
});

test("a ship restored from an old backup forks: both branches stay, and are shown", async () => {
  await using before = await board("9321483");
  await before.hello();
  const [first, second, third, fourth] = segmentsOf(links);
  await putAll(before, [first, second, third, fourth]);
  // Another box with a backup of the second segment goes on by itself.
  await using after = await board("9321483", randomUUID());
  const hello = await after.hello({ segment: [locator(second), locator(first)] });
  expect(hello.chains.segment).toMatchObject({ common: 2, head: 4 });
  expect(hello.others.map(({ instance }) => instance)).toEqual([before.instance]);
  const other = follower(second, fourth);
  const later = follower(other, third);
  expect(await after.put(other, { payload: null })).toBe(3);
  expect(await after.put(later, { payload: null })).toBe(4);
  const here = (await after.hello({ segment: [locator(later), locator(other)] })).chains.segment;
  expect(here).toEqual({ common: 4, head: 4, lacking: [[3, 4]] });
  const there = (await before.hello({ segment: [locator(fourth)] })).chains.segment;
  expect(there).toEqual({ common: 4, head: 4, lacking: [] });
  expect(
    (
      await fleet.psql("select ship, chain, branch, number, links, instance from fleet.fork")
    ).trim(),
  ).toBe(`9321483|segment|1|3|2|${after.instance}`);
  const heads = await fleet.psql(`select branch, number, encode(hash, 'hex'), is_current
    from fleet.head where ship = '9321483' order by branch`);
  expect(heads.trim().split("\n")).toEqual([
    `0|4|${fourth.hash.toString("hex")}|f`,
    `1|4|${later.hash.toString("hex")}|t`,
  ]);
  // A third way from the same link, and a chain begun anew.
  expect(await after.put(follower(second, first))).toBe(3);
  expect(await after.put(follower({ ...first, number: 0, hash: Buffer.alloc(32) }, second))).toBe(
    1,
  );
  expect((await fleet.psql("select branch, number from fleet.fork order by branch")).trim()).toBe(
    "1|3\n2|3\n3|1",
  );
  const listed = JSON.parse((await fleet.office("fleet", "forks", "--json")).stdout);
  expect(listed).toHaveLength(3);
  expect(listed).toContainEqual(
    expect.objectContaining({ ship: "9321483", chain: "segment", branch: 1, number: 3, links: 2 }),
  );
});

test("events are read as rows, whatever characters they hold", async () => {
  const rows = await fleet.psql(`select number, event_type, description, data, source,
    received_aboard at time zone 'UTC', clock_trusted from fleet.event
    where ship = '9074729' order by number`);
  const [, alarm] = rows.trim().split("\n");
  expect(alarm).toContain('2|ALARM_TRIGGERED|UV_LOW: \ufffd "één" 漢字');
  expect(alarm).toContain('"n": 12345678901234567890');
  expect(alarm).toMatch(/\|plc\|2026-05-01 00:00:01.04\|[tf]$/);
});

test("an escaped backslash begins no escape, half a surrogate pair is replaced", async () => {
  const read = async (json: string) =>
    (await fleet.psql(`select fleet.json_of(decode('${hexOf(Buffer.from(json))}', 'hex'))`)).trim();
  const path = JSON.stringify(["log file D:\\udata\\u0000 \\\\uda"]);
  expect(JSON.parse(await read(path))).toEqual(JSON.parse(path));
  expect(JSON.parse(await read('["\\\\\\udabc", "\\u0000", "\\\\u0000"]'))).toEqual([
    ...["\\\ufffd", "\ufffd", "\\u0000"],
  ]);
});

test("a ship says of her own segments alone that they lie in the store", async () => {
  await using ship = await board("9395044");
  const [first, second] = segmentsOf(links);
  const put = "select fleet.put_object($1, $2, $3) as result";
  const own = { segment: [locator(first)] };
  await ship.hello();
  expect(await ship.ask(put, [ship.instance, 1, first.hash])).toBe("FL001");
  expect(await ship.put(first, { payload: null })).toBe(1);
  expect(await ship.ask(put, [ship.instance, 1, second.hash])).toBe("FL001");
  expect(await ship.ask(put, [ship.instance, null, first.hash])).toBe("FL001");
  expect(await ship.ask(put, [null, 1, first.hash])).toBe("22023");
  expect((await ship.hello(own)).chains.segment).toMatchObject({ common: 1, lacking: [[1, 1]] });
  expect(await ship.ask(put, [ship.instance, 1, first.hash])).toBe("");
  expect((await ship.hello(own)).chains.segment).toMatchObject({ common: 1, lacking: [] });
  // A link that comes again with its payload changes nothing.
  expect(await ship.put(first)).toBe(1);
  const stored = "select object, payload is null from fleet.link where ship = '9395044'";
  expect((await fleet.psql(stored)).trim()).toBe(`9395044/${first.digest?.toString("hex")}|t`);
});
