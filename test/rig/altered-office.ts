// Statements of SQL by which the owner of an office's database, or a thief with a ship's key for
// it, alters what a ship delivered, and an office's database to which one delivered once: each
// alteration has a copy of it.

import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import { verdictColumns } from "../../src/bwts/documents/verdict-document.ts";
import { packStatement } from "../../src/codec/packed-statement.ts";
import { signedCheckpoint } from "../../src/ledger/checkpoint.ts";
import { FIRST_START, keyStatement } from "../../src/ledger/key-statement.ts";
import { leafHash } from "../../src/ledger/merkle-proof.ts";
import { edgeRoot, NO_LEAVES, withLeaf } from "../../src/ledger/tree-edge.ts";
import { withOffice } from "../../src/office/office.ts";
import { type RememberedShip, rememberedNow } from "../../src/office/proof/remembered.ts";
import { provenSchema } from "../../src/office/proof/schema-proof.ts";
import { verifyShip } from "../../src/office/proof/verify.ts";
import { SHORE_HOURS } from "../../src/sqlite/derived/derivations.ts";
import { type Connection, write } from "../../src/sqlite/file/open.ts";
import { EVER } from "../../src/sqlite/file/query.ts";
import { giveOut } from "../../src/sqlite/records/give-out.ts";
import type { Rig } from "./database.ts";
import { derived } from "./derive.ts";
import { type FleetRig, startFleet } from "./fleet-rig.ts";
import { judgeOperations } from "./fleet-verdicts.ts";
import { signerOf } from "./ledger-signer.ts";
import { linksOf, shipAboard } from "./ship-links.ts";
import { openBox } from "./shore-rig.ts";
import { until } from "./until.ts";

export const SHIP = "9074729";
export const SHIP_NAMED = { imo: SHIP, vessel: "MV Example", system: "BWTS-001" };

const because = "the operation ended";

/** A ship with five verdicts on four operations, one given out, four heads, and an hour. */
export async function judgedShip(): Promise<Rig> {
  const rig = shipAboard({ seed: 61, segments: 2, readings: 40 });
  await signerOf(rig, SHIP_NAMED).sign("start");
  judgeOperations(rig, [
    { id: 1, because },
    { id: 2, because },
  ]);
  await signerOf(rig, SHIP_NAMED).sign("stop");
  judgeOperations(rig, [
    { id: 3, because },
    { id: 1, version: 2, because: "14 readings came late" },
  ]);
  write(rig.db, () => giveOut(rig.db, { ids: [2], range: EVER }, Date.UTC(2026, 4, 3)));
  await signerOf(rig, SHIP_NAMED).sign("stop");
  judgeOperations(rig, [{ id: 4, because }]);
  await signerOf(rig, SHIP_NAMED).sign("daily");
  derived(rig, SHORE_HOURS);
  return rig;
}

export interface DeliveredOffice extends AsyncDisposable {
  readonly fleet: FleetRig;
  /** The ship's database. */
  readonly db: Connection;
  /** The ship as `--since` remembers her. */
  readonly before: RememberedShip;
  /** The command's words about a copy of the database that was altered. */
  told(alter: string, trusted?: readonly string[]): Promise<ToldOfAltered>;
}

interface ToldOfAltered {
  readonly problem: string | null;
  readonly faults: string;
  readonly lost: readonly string[];
  readonly listed: string;
}

/** An office to which the judged ship delivered all, and a report that says so. */
export async function deliveredOffice(): Promise<DeliveredOffice> {
  const fleet = await startFleet();
  const rig = await judgedShip();
  const file = await fleet.add(SHIP);
  for (const _ of ["all of it", "and a report that says so"]) {
    await fleet.psql("delete from fleet.document where kind = 'report'");
    await using box = openBox(rig, file, { dir: rig.dir });
    await until(
      "all ashore",
      () => isDelivered(fleet, linksOf(rig.db).length),
      () => JSON.stringify([box.shore.state, [...box.shore.state.refusals.values()]]),
    );
  }
  const before = await withOffice(
    fleet.url,
    async (office) => (await rememberedNow(office, SHIP, undefined)).now,
  );
  return {
    ...{ fleet, db: rig.db, before },
    async told(alter, trusted = []) {
      await fleet.psql("create database altered template fleet", "postgres");
      try {
        await fleet.psql(alter, "altered");
        const url = fleet.url.replace(/\/fleet$/, "/altered");
        return await withOffice(url, async (office) => {
          const given = { trusted: new Set(trusted), schema: await provenSchema(office) };
          const { problem, not_proven, ledger } = await verifyShip(office, SHIP, given);
          const { lost } = await rememberedNow(office, SHIP, before);
          const listed = not_proven.join("; ");
          return { problem, faults: ledger.faults.join("; "), lost, listed };
        });
      } finally {
        await fleet.psql("drop database altered with (force)", "postgres");
      }
    },
    async [Symbol.asyncDispose]() {
      rig.close();
      await fleet[Symbol.asyncDispose]();
    },
  };
}

async function isDelivered(fleet: FleetRig, links: number): Promise<boolean> {
  const counts = await fleet.psql(`select count(*) filter (where kind = 'verdict'),
    count(*) filter (where kind = 'statement'), count(*) filter (where kind = 'head'),
    count(*) filter (where kind = 'report'), count(*) filter (where kind = 'hour') > 0,
    (select count(*) from fleet.link where chain <> 'segment' or payload is not null)
    from fleet.document`);
  return counts.trim() === `5|2|4|1|t|${links}`;
}

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
export const quoted = (value: unknown) =>
  `'${(typeof value === "string" ? value : JSON.stringify(value)).replaceAll("'", "''")}'`;

/** A document of another box with the ship's key, as fleet.put_document stores it. */
export function delivered(kind: string, key: string, body: object, revision = 1): string {
  return `insert into fleet.document (ship, kind, key, instance, revision, body)
    select '${SHIP}', ${quoted(kind)}, ${quoted(key)}, instance, ${revision}, ${quoted(body)}
    from fleet.instance where version = 'thief' limit 1;`;
}
export const THIEF = `insert into fleet.instance (ship, instance, version)
  values ('${SHIP}', '${randomUUID()}', 'thief');`;
export const THIEFS_REPORT = `insert into fleet.document (ship, kind, key, instance, revision, body)
  select ship, 'report', 'now', (select instance from fleet.instance where version = 'thief'), 1,
    body
  from fleet.document where kind = 'report' limit 1;`;

/** The statement of the last verdict, with another word. */
export function forged(db: Connection): string {
  const { content } = db
    .prepare<[], { content: string }>(
      "select content from ledger where kind = 'verdict' order by id desc limit 1",
    )
    .get() ?? { content: "" };
  const stated = JSON.parse(content);
  const operation = { ...stated.operation, id: 5, verdict: "within_limits", reasons: [] };
  return JSON.stringify({ ...stated, operation });
}

export function forgedVerdict(db: Connection, number: number): string {
  const content = forged(db);
  const body = { ...verdictColumns(content), statement: packStatement(content) };
  return delivered("verdict", `verdict ${number} ${sha256(content)}`, body);
}

/** A ledger of the thief's own, all of it signed and in order. */
export function ownLedger(db: Connection): string {
  const { privateKey: secret } = generateKeyPairSync("ed25519");
  const signer = { name: `ballastd/${SHIP}/BWTS-001/0123456789abcdef`, secret };
  const said = {
    before: null,
    continues: null,
    follows: null,
    reason: FIRST_START,
    ship: SHIP_NAMED,
  };
  const key = keyStatement({ ...said, at: "2026-05-01T00:00:00.000Z" }, signer, null);
  const content = forged(db);
  const leaves = [`key 1 ${sha256(key)}`, `verdict 1 ${sha256(content)}`];
  const tree = leaves.reduce((edge, leaf) => withLeaf(edge, leafHash(leaf)), NO_LEAVES);
  const checkpoint = signedCheckpoint({ size: 2, root: edgeRoot(tree) }, signer);
  const head = { checkpoint, at_ms: 1, reason: "stop", after: null, leaves: "key 1 verdict 1" };
  return [
    ...[THIEF, THIEFS_REPORT, delivered("statement", leaves[0], { content: key })],
    ...[forgedVerdict(db, 1), delivered("head", sha256(checkpoint), head)],
  ].join("\n");
}

export const doc = (where: string) => `delete from fleet.document where ${where}`;
export const setBody = (path: string, value: string, where: string) =>
  `update fleet.document set body = jsonb_set(body, '{${path}}', '${value}') where ${where}`;
