// Heads ashore that are odd: signed by a ship that shouldn't have, altered or taken away by the
// office, sent to an older shore.

import { createHash, createPrivateKey, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ledgerKeyFile } from "../../src/app/control/key-file.ts";
import { readCheckpoint, signedCheckpoint } from "../../src/ledger/checkpoint.ts";
import { withOffice } from "../../src/office/office.ts";
import { verifyShip } from "../../src/office/proof/verify.ts";
import { ledgerRoot } from "../../src/sqlite/file/ledger.ts";
import { type Rig, removeFolders } from "../rig/database.ts";
import { type FleetRig, sail, startFleet } from "../rig/fleet-rig.ts";
import { grownHead, signerOf } from "../rig/ledger-signer.ts";
import { linksOf, sailOn, shipAboard } from "../rig/ship-links.ts";
import { openBox } from "../rig/shore-rig.ts";
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
