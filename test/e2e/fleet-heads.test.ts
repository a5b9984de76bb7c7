// Signed heads of a ship's ledger ashore: they come with what is needed to make the tree again, and
// `ballastd fleet verify` proves each, and names each way in which they, or what they are about,
// could be altered.

import { cpSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withOffice } from "../../src/office/office.ts";
import { verifyShip } from "../../src/office/proof/verify.ts";
import { openRig, type Rig, removeFolders, temporaryFolder } from "../rig/database.ts";
import { type FleetRig, startFleet } from "../rig/fleet-rig.ts";
import { grownHead, signerOf } from "../rig/ledger-signer.ts";
import { LONG } from "../rig/scale.ts";
import { linksOf, sailOn, shipAboard } from "../rig/ship-links.ts";
import { openBox } from "../rig/shore-rig.ts";
import { aboard, bundled, imported } from "../rig/stick.ts";
import { until } from "../rig/until.ts";

let fleet: FleetRig;
beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

const asked = async (text: string) => (await fleet.psql(text)).trim();
const verified = (ship: string) => withOffice(fleet.url, (office) => verifyShip(office, ship));

/** A ship with two segments, events, a rotated key and four heads. */
async function shipWithHeads(): Promise<Rig> {
  const rig = shipAboard({ seed: 21, segments: 2, readings: 40 });
  await grownHead(rig, 3, "start");
  await grownHead(rig, 0, "print");
  await grownHead(rig, 2, "export");
  await signerOf(rig).rotate();
  sailOn(rig, { seed: 22, segments: 1, readings: 40, days: 3 });
  await grownHead(rig, 1, "daily");
  return rig;
}

const headsAboard = ({ db }: Rig) =>
  db.prepare<[], { n: number }>("select count(*) as n from ledger_head").get()?.n ?? 0;

/** Sends all that the rig has, until that is there. */
async function delivered(
  rig: Rig,
  ship: Awaited<ReturnType<FleetRig["add"]>>,
  isThere = async () => true,
): Promise<void> {
  await using box = openBox(rig, ship, { dir: rig.dir });
  const count = (table: string, where: string) =>
    asked(`select count(*) from fleet.${table} where ship = '${ship.ship}' and ${where}`);
  await until(
    "all ashore",
    async () =>
      Number(await count("document", "kind = 'head'")) >= headsAboard(rig) &&
      Number(await count("link", "true")) >= linksOf(rig.db).length &&
      (await isThere()),
    () => JSON.stringify([box.shore.state, [...box.shore.state.refusals.values()]]),
  );
}

test("heads and keys come ashore; verify makes each head's tree again", async () => {
  const file = await fleet.add("9074729");
  const rig = await shipWithHeads();
  await delivered(rig, file);
  const heads = "select size, reason, origin like 'ballastd/BWTS-001/%' from fleet.ledger_head";
  const own = rig.db.prepare<[], { row: string }>(
    "select size || '|' || reason || '|t' as row from ledger_head order by id",
  );
  expect(await asked(`${heads} order by size`)).toBe(
    own
      .all()
      .map(({ row }) => row)
      .join("\n"),
  );
  expect(
    await asked("select reason, key_before is null from fleet.ledger_key order by at, 1"),
  ).toBe("first start|t\nrotated|f");
  const run = await fleet.office("fleet", "verify", "9074729");
  expect([run.code, run.stderr]).toEqual([0, ""]);
  expect(run.stdout).toMatch(/^ {2}signed heads: 4, the tree of 4 made again here$/m);
  expect(run.stdout).toMatch(/^ {2}key 2: ballastd\/BWTS-001\/.* \(rotated, .*Z\)$/m);
  expect((await verified("9074729")).ledger).toMatchObject({ heads: 4, proven: 4, faults: [] });
  rig.close();
});

test("a ship put back goes on under a new origin; both histories are proven", LONG, async () => {
  const file = await fleet.add("9176187");
  const rig = await shipWithHeads();
  const backup = path.join(temporaryFolder(), "ballastd.db");
  rig.db.exec(`vacuum into '${backup}'`);
  await grownHead(rig, 4);
  await grownHead(rig, 4);
  await delivered(rig, file);
  rig.db.close();
  cpSync(backup, path.join(rig.dir, "ballastd.db"));
  const back = openRig({}, rig.dir);
  await grownHead(back, 7);
  await grownHead(back, 2);
  await delivered(back, file, async () => (await verified("9176187")).ledger.heads === 8);
  const { ledger, problem, forks } = await verified("9176187");
  expect([problem, forks]).toEqual([null, ["audit 1"]]);
  expect(ledger).toMatchObject({ heads: 8, proven: 8, waiting: 0, faults: [] });
  expect(ledger.keys.map(({ is_signed_before }) => is_signed_before)).toEqual([true, true, true]);
  back.close();
});

test("a head, a key and a link that the office altered are named", async () => {
  const rig = await shipWithHeads();
  await delivered(rig, await fleet.add("9703291"));
  const change = async (sql: string, fault: RegExp) => {
    await asked(`create table kept as select * from fleet.document where ship = '9703291'`);
    await asked(sql);
    const { ledger } = await verified("9703291");
    expect(`${ledger.waits_for} ${ledger.faults.join("; ")}`).toMatch(fault);
    await asked(`delete from fleet.document where ship = '9703291';
      insert into fleet.document select * from kept; drop table kept`);
  };
  const all = "ship = '9703291' and kind";
  await change(
    `update fleet.document set body = jsonb_set(body, '{checkpoint}', '"x"') where ${all} = 'head'`,
    /the head .{16} isn't what its key names/,
  );
  await change(
    `delete from fleet.document where ${all} = 'statement' and key like 'key 1 %'`,
    /^key 1 .*by no key that is known/,
  );
  await change(
    `update fleet.document set body = '{"content": "x"}' where ${all} = 'statement'`,
    /the statement key 1 .* isn't what its key names/,
  );
  await asked(`update fleet.link set hash = sha256(digest || body || '\\x01' || previous),
      body = body || '\\x01' where ship = '9703291' and chain = 'event' and number = 3;
    update fleet.branch set hash = link.hash from fleet.link where branch.ship = '9703291'
      and link.ship = '9703291' and link.chain = 'event' and link.number = 3
      and branch.chain = 'event'`);
  const { problem } = await verified("9703291");
  expect(problem).toMatch(/its root isn't that of the links that are here/);
  rig.close();
});

test("by stick: heads are taken once, and proven", LONG, async () => {
  const file = await fleet.add("9839272");
  const rig = await shipWithHeads();
  const stick = path.join(temporaryFolder(), "stick");
  await bundled(aboard(rig, file), stick);
  const first = await imported(fleet, stick);
  expect(first.refused).toEqual([]);
  // The bundle signs one itself.
  expect((await verified("9839272")).ledger).toMatchObject({ heads: 5, proven: 5, faults: [] });
  const again = await imported(fleet, stick);
  expect(again.document).toEqual({ new: 0, known: first.document.new });
  rig.close();
});
