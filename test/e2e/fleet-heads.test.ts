// Signed heads of a ship's ledger ashore: they come with what is needed to make the tree again, and
// `ballastd fleet verify` proves each, and names each way in which they, or what they are about,
// could be altered.

import { createHash, createPrivateKey, generateKeyPairSync } from "node:crypto";
import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ledgerKeyFile } from "../../src/app/ledger/key-file.ts";
import { readCheckpoint, signedCheckpoint } from "../../src/ledger/checkpoint.ts";
import { withOffice } from "../../src/office/office.ts";
import { verifyShip } from "../../src/office/proof/verify.ts";
import { ledgerRoot } from "../../src/sqlite/file/ledger.ts";
import { openRig, type Rig, removeFolders, temporaryFolder } from "../rig/database.ts";
import { type FleetRig, sail, startFleet } from "../rig/fleet-rig.ts";
import { grownHead, signerOf } from "../rig/ledger-signer.ts";
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

test("a ship that was put back goes on under a new origin; both histories are proven", async () => {
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

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const PUT = "select fleet.put_document($1, $2, $3, $4, $5) as result";

test("heads that a ship shouldn't have signed are named", async () => {
  const file = await fleet.add("9321483");
  const rig = await shipWithHeads();
  await delivered(rig, file);
  await using ship = await sail(file);
  await ship.hello();
  await ship.report();
  const [newest] = rig.db
    .prepare<[], { checkpoint: string; id: number }>("select * from ledger_head order by id desc")
    .all();
  const head = readCheckpoint(newest.checkpoint);
  const secret = createPrivateKey(readFileSync(ledgerKeyFile(rig.dir)));
  const signer = { name: head.origin, secret };
  const put = (checkpoint: string, more: object = {}) =>
    ship.ask(PUT, [
      ...[ship.instance, "head", sha256(checkpoint), newest.id + 1],
      { checkpoint, at_ms: 1, reason: "stop", after: null, leaves: null, ...more },
    ]);
  const faultsNow = async () => (await verified("9321483")).ledger.faults;
  const undo = (checkpoint: string) =>
    asked(`delete from fleet.document where key = '${sha256(checkpoint)}'`);
  const { privateKey: foreign } = generateKeyPairSync("ed25519");
  const root = Buffer.alloc(32, 7);
  const cases: readonly (readonly [checkpoint: string, more: object, fault: RegExp])[] = [
    [signedCheckpoint(head, { ...signer, secret: foreign }), {}, /and by no key that is known$/],
    [signedCheckpoint(head, { name: "ballastd/X/1", secret: foreign }), {}, /by no key/],
    [
      signedCheckpoint({ ...head, root }, signer),
      {},
      /^two trees of \d+ leaves were signed: .*fork$/,
    ],
    [
      signedCheckpoint({ size: head.size - 1, root: ledgerRoot(rig.db, head.size - 1) }, signer),
      {},
      /was signed after one of \d+$/,
    ],
    [
      signedCheckpoint({ size: head.size + 1, root }, signer),
      { after: sha256(newest.checkpoint), leaves: "audit 1" },
      /^$/,
    ],
    [
      signedCheckpoint({ size: head.size + 1, root }, signer),
      { after: sha256(newest.checkpoint), leaves: "" },
      /its root isn't that of the links that are here$/,
    ],
    [newest.checkpoint.replace("\n\n", "\n \n"), {}, /^the head .{16}: a note has an empty line/],
  ];
  for (const [checkpoint, more, fault] of cases) {
    expect(await put(checkpoint, more)).toBe("");
    expect((await faultsNow()).join("; ")).toMatch(fault);
    await undo(checkpoint);
  }
  // The ship's key alone changes nothing that is here, and puts nothing under another name.
  const wrong = [ship.instance, "head", "ab".repeat(32), 1, { checkpoint: newest.checkpoint }];
  expect(await ship.ask(PUT, wrong)).toBe("FL002");
  const known = await asked("select body from fleet.document where kind = 'head' order by key");
  await put(newest.checkpoint, { reason: "x" });
  await asked(`delete from fleet.document where instance = '${ship.instance}'`);
  expect(await asked("select body from fleet.document where kind = 'head' order by key")).toBe(
    known,
  );
  rig.close();
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

test("heads and statements that the office took away are asked for, and come again", async () => {
  const file = await fleet.add("9395044");
  const rig = await shipWithHeads();
  await delivered(rig, file);
  const all = `select kind, key from fleet.document where ship = '9395044'
    and kind in ('head', 'statement') order by 1, 2`;
  const had = await asked(all);
  await asked(`delete from fleet.document where ship = '9395044' and (kind = 'head' and revision = 2
    or key like 'key 1 %' or key like 'head 1 %')`);
  expect((await verified("9395044")).ledger.faults.join("; ")).toMatch(
    /key 1 isn't here, 2 is.*signed head 2 isn't here, 4 is/,
  );
  const isAsBefore = async () => (await asked(all)) === had;
  await delivered(rig, file, isAsBefore);
  // The end of a series, and all of one: below the newest that is there, none lacks.
  for (const end of ["kind = 'head' and revision = 4", "key like 'key 2 %'", "key like 'key %'"]) {
    await asked(`delete from fleet.document where ship = '9395044' and (${end})`);
    expect(await asked(all)).not.toBe(had);
    await delivered(rig, file, isAsBefore);
  }
  expect((await verified("9395044")).ledger).toMatchObject({ heads: 4, proven: 4, faults: [] });
  rig.close();
});

test("by stick: heads are taken once, and proven", async () => {
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

test("a shore whose schema is older takes all else, and the ship says what to do", async () => {
  const older = await startFleet();
  const hello = readFileSync("sql/office/hello.sql", "utf8");
  const [from, to] = [hello.indexOf("    'documents', json"), hello.indexOf("    'requests', (")];
  const before = `${hello.slice(0, from)}${hello.slice(to)}`;
  expect([from > 0, to > from]).toEqual([true, true]);
  await older.psql(`set role fleet_owner; ${before};
    alter table fleet.document drop constraint document_kind_check;
    alter table fleet.document add constraint document_kind_check check (kind <> 'statement')`);
  const file = await older.add("9525338");
  const rig = await shipWithHeads();
  await using box = openBox(rig, file, { dir: rig.dir });
  const links = "select count(*) from fleet.link";
  await until(
    "all links",
    async () => Number(await older.psql(links)) >= linksOf(rig.db).length,
    () => `${box.shore.state.problem}`,
  );
  await until("the report", async () =>
    (await older.psql("select kind from fleet.document")).includes("report"),
  );
  expect([box.shore.state.has?.ledger, box.shore.state.refusals.size]).toEqual([null, 0]);
  expect(
    await older.psql("select kind from fleet.document where kind in ('head', 'statement')"),
  ).toBe("");
  rig.close();
  await older[Symbol.asyncDispose]();
});
