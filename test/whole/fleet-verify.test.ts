// `ballastd fleet verify`: proves chains, hours and what the ship was told, and sees each way in
// which the tables ashore could be altered.

import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AGGREGATED, AGGREGATES, TAGS } from "../../src/bwts/tags.ts";
import { withOffice } from "../../src/office/office.ts";
import { verifyShip } from "../../src/office/proof/verify.ts";
import { removeFolders } from "../rig/database.ts";
import { type FleetRig, type ShipSession, sail, startFleet } from "../rig/fleet-rig.ts";
import { follower, type Link, shipExported } from "../rig/ship-links.ts";

const SHIP = "9074729";
const MINUTE_MS = 60_000;

const { links, segments, lines } = shipExported();

let fleet: FleetRig;
let ship: ShipSession;

beforeAll(async () => {
  fleet = await startFleet();
  ship = await sail(await fleet.add(SHIP));
  await ship.hello();
  for (const link of links) expect(await ship.put(link)).toBe(link.number);
  const [, second, , fourth] = segments;
  expect(await ship.put(follower(second, fourth))).toBe(3);
});
afterAll(async () => {
  await ship?.[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

test("large links are read a few at a time", async () => {
  const imo = "9176187";
  await using box = await sail(await fleet.add(imo));
  await box.hello();
  const payload = Buffer.alloc(5 * 1024 * 1024);
  const large = { ...segments[0], payload, digest: createHash("sha256").update(payload).digest() };
  let before: Link = { ...segments[0], number: 0, hash: Buffer.alloc(32) };
  for (let number = 1; number <= 5; number += 1) {
    before = follower(before, large);
    expect(await box.put(before)).toBe(number);
  }
  const pages = await withOffice(fleet.url, async (office) => {
    const found: number[] = [];
    for (let after: readonly [number, string] = [0, ""]; ; ) {
      type Row = Pick<Link, "number" | "hash">;
      const page = await office.ask<Row>("office.chain", [imo, "segment", ...after]);
      const last = page.at(-1);
      if (last === undefined) return found;
      found.push(page.length);
      after = [last.number, last.hash.toString("hex")];
    }
  });
  expect(pages).toEqual([2, 2, 1]);
  for (const table of ["link", "branch"])
    await fleet.psql(`delete from fleet.${table} where ship = '${imo}'`);
});

test("links that were acknowledged are missed, though nothing else tells of them", async () => {
  const newest = (chain: string) => links.findLast((link) => link.chain === chain);
  const [event, audit] = ["event", "audit"].map(newest);
  const told = (link: Link | undefined) => [link?.number, link?.hash.toString("base64")];
  const heads = {
    event: told(event),
    audit: told(audit),
    segment: [9, Buffer.alloc(32).toString("base64")],
  };
  const report = { heads, ashore: { segment: 4, event: 3, audit: 2 } };
  const say = "select fleet.put_document($1, 'report', 'now', 1, $2) as result";
  expect(await ship.ask(say, [ship.instance, report])).toBe("");
  const problemNow = async () =>
    (await withOffice(fleet.url, (office) => verifyShip(office, SHIP))).problem;
  expect(await problemNow()).toBeNull();
  await fleet.psql(`create table kept as select * from fleet.link where chain = 'event';
    create table kept_branch as select * from fleet.branch where chain = 'event';
    delete from fleet.link where chain = 'event';
    delete from fleet.branch where chain = 'event'`);
  expect(await problemNow()).toBe("event 1: isn't here, but was acknowledged up to 3");
  await fleet.psql(`insert into fleet.link select * from kept where number < 3;
    insert into fleet.branch select * from kept_branch;
    update fleet.branch set number = 2, hash = link.hash, until_ms = link.last_ms
      from fleet.link where link.chain = 'event' and link.number = 2 and branch.chain = 'event'`);
  expect(await problemNow()).toBe("event 3: isn't here, but was acknowledged up to 3");
  await fleet.psql(`delete from fleet.link where chain = 'event';
    delete from fleet.branch where chain = 'event';
    insert into fleet.link select * from kept; insert into fleet.branch select * from kept_branch`);
  expect(await problemNow()).toBeNull();
  const another = { ...heads, audit: [2, Buffer.alloc(32, 0xab).toString("base64")] };
  const put2 = say.replace(", 1, ", ", 2, ");
  await ship.ask(put2, [ship.instance, { ...report, heads: another }]);
  expect(await problemNow()).toBe(`audit 2 ${"ab".repeat(32)}: isn't here, but was acknowledged`);
  await fleet.psql("delete from fleet.document where kind = 'report'");
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

const [EVENT, SEGMENT] = ["chain = 'event' and number = ", "chain = 'segment' and number = "];
const ALTERED: readonly (readonly [string, string, string, string, RegExp])[] = [
  ["link", `${EVENT}2`, "body = body || '\\x00'", "body = rtrim(body, '\\x00')", /^event 2: its h/],
  ["link", `${EVENT}2`, "first_ms = first_ms - 1", "first_ms = first_ms + 1", /^event 2: its row/],
  ["link", `${SEGMENT}4`, "branch = 1", "branch = 0", /^segment 4: is of branch 1, the link/],
  ["link", `${SEGMENT}1`, "count = 5", "count = 900", /^segment 1: .*its row has another 5,/],
  ["branch", "chain = 'audit'", "number = 1", "number = 2", /^audit 1: branch 0 doesn't end/],
  ["branch", "chain = 'audit'", "begins = 2", "begins = 1", /^audit 2: branch 0 begins with 1/],
];

test("verify proves chains and hours; what a void may explain is no fault", async () => {
  const put = (body: { readonly start_ms: number }) =>
    ship.ask("select fleet.put_document($1, 'hour', $2, 1, $3) as result", [
      ...[ship.instance, body.start_ms, body],
    ]);
  await ship.report();
  const start_ms = Date.parse("2026-05-01T00:00:00Z");
  const at_ms = (index: number) => start_ms + index * 60 * MINUTE_MS;
  expect(await put(hour(at_ms(0), {}))).toBe("");
  await put(hour(at_ms(14), {}));
  await put(hour(at_ms(1), { count: 59 }));
  await put(hour(at_ms(2), { count: 61 }));
  const run = () => fleet.office("fleet", "verify", SHIP, "--json");
  const whole = await run();
  expect([whole.code, whole.stderr]).toEqual([0, ""]);
  const [found] = JSON.parse(whole.stdout);
  expect(found).toMatchObject({
    ...{ ship: SHIP, segments: 5, lacking: 0, readings: 4500, events: 3, audit: 2 },
    ...{ forks: ["segment 1"], problem: null },
    hours: { equal: 2, differing: 0, fewer_aboard: 1, not_here: 1 },
  });
  // A ship that never signed is no fault: all that she sent is listed.
  expect(found.not_proven).toContainEqual(expect.stringMatching(/^link: \w+ 1, .*, and 5 more$/));
  expect(found.event_head).toBe(
    links.findLast(({ chain }) => chain === "event")?.hash.toString("hex"),
  );
  const { values } = hour(at_ms(3), {});
  await put(hour(at_ms(3), { values: values.with(0, 1) }));
  const differing = await run();
  expect(differing.code).toBe(1);
  expect(JSON.parse(differing.stdout)[0].problem).toMatch(
    /^hour 2026-05-01T03:00:00.000Z: UVR_INTENSITY is 1, the readings make \d/,
  );
  await fleet.psql(`delete from fleet.document where key = '${at_ms(3)}'`);
  await put({ start_ms: at_ms(4) });
  const odd = JSON.parse((await run()).stdout)[0];
  expect(odd.problem).toBe("hour 2026-05-01T04:00:00.000Z: isn't an hour as ships send it");
  expect(odd.hours).toMatchObject({ equal: 2, differing: 1, not_here: 1 });
  await fleet.psql(`delete from fleet.document where key = '${at_ms(4)}'`);
  for (const [table, where, change, undo, problem] of ALTERED) {
    const set = (values: string) =>
      fleet.psql(`update fleet.${table} set ${values} where ${where}`);
    await set(change);
    const broken = await withOffice(fleet.url, (office) => verifyShip(office, SHIP));
    expect(broken.problem).toMatch(problem);
    await set(undo);
  }
  await fleet.psql("delete from fleet.link where chain = 'audit' and number = 1");
  const broken = await fleet.office("fleet", "verify");
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/ {2}BROKEN: audit 2: the link before isn't here/);
  await fleet.psql(`update fleet.link set payload = null where ${EVENT}3`);
  const { problem } = await withOffice(fleet.url, (office) => verifyShip(office, SHIP));
  expect(problem).toMatch(/^event 3: its text isn't here/);
});
