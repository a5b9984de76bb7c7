// The options of `ballastd fleet verify` by the built program, on a ship that delivered five
// verdicts: one ship alone, a memory, a key that is trusted, and the marks of proof.

import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifierKey } from "../../src/ledger/note.ts";
import {
  type DeliveredOffice,
  deliveredOffice,
  doc,
  forgedVerdict,
  SHIP,
  THIEF,
  THIEFS_REPORT,
} from "../rig/altered-office.ts";
import { removeFolders, temporaryFolder } from "../rig/database.ts";

const OTHER = "9176187";

let office: DeliveredOffice;
beforeAll(async () => {
  office = await deliveredOffice();
  await office.fleet.add(OTHER);
});
afterAll(async () => {
  await office?.[Symbol.asyncDispose]();
  removeFolders();
});

const asked = async (text: string) => (await office.fleet.psql(text)).trim();
const verify = (...args: readonly string[]) => office.fleet.office("fleet", "verify", ...args);

/** Runs `work` on the altered database, and puts back what the statements took away. */
async function withDocuments(alter: string, work: () => Promise<void>): Promise<void> {
  await office.fleet.psql("create table kept as select * from fleet.document");
  await office.fleet.psql(alter);
  await work();
  await office.fleet.psql(`delete from fleet.document;
    insert into fleet.document select * from kept;
    drop table kept; delete from fleet.instance where version = 'thief'`);
}

test("a ship's number has her alone verified, and all ships without it", async () => {
  const one = await verify(SHIP);
  expect([one.code, one.stderr]).toEqual([0, ""]);
  expect(one.stdout).toMatch(/^9074729: 2 segments /);
  expect(one.stdout).toMatch(/ {2}signed heads: 4, the tree of 4 made again here\n/);
  expect(one.stdout).toMatch(/ {2}not proven: .*report \(1\).*\n$/);
  expect(one.stdout).not.toContain(OTHER);
  const all = await verify("--json");
  expect(JSON.parse(all.stdout).map(({ ship }: { ship: string }) => ship)).toEqual([SHIP, OTHER]);
  expect(await verify("9319466")).toMatchObject({ code: 1, stdout: "" });
});

test("--since names what was here and isn't, and keeps its memory until all is back", async () => {
  const file = path.join(temporaryFolder(), "seen.json");
  expect(await verify("--since", file)).toMatchObject({ code: 0 });
  const memory = readFileSync(file, "utf8");
  expect(Object.keys(JSON.parse(memory).ships)).toEqual([SHIP, OTHER]);
  // The end of the ledger, and the report that told of it.
  const end = `${doc("key like 'verdict 5 %' or (kind = 'head' and revision = 4)")};
    update fleet.document set body = jsonb_set(body, '{ledger}', 'null') where kind = 'report'`;
  await withDocuments(end, async () => {
    expect(await verify(SHIP)).toMatchObject({ code: 0 });
    const told = await verify(SHIP, "--since", file);
    expect(told.code).toBe(1);
    expect(told.stdout).toMatch(/BROKEN: since .*seen.json: the signed head \w+ isn't here any m/);
    expect(readFileSync(file, "utf8")).toBe(memory);
  });
  expect(await verify(SHIP, "--since", file)).toMatchObject({ code: 0 });
  await office.fleet.psql(`create table kept_ship as
    select * from fleet.ship where ship = '${OTHER}';
    delete from fleet.ship where ship = '${OTHER}'`);
  expect(await verify("--since", file)).toMatchObject({
    ...{ code: 1, stdout: "" },
    stderr: expect.stringContaining(`${OTHER} isn't here any more`),
  });
  await office.fleet.psql("insert into fleet.ship select * from kept_ship");
  expect(await verify("--since", file)).toMatchObject({ code: 0 });
  writeFileSync(file, "{}");
  expect(await verify("--since", file)).toMatchObject({
    ...{ code: 1, stdout: "" },
    stderr: expect.stringMatching(/seen.json: expected a file that fleet verify --since wrote/),
  });
});

test("--key trusts the ship's own key, and no ledger that begins with another", async () => {
  const { ledger } = JSON.parse((await verify(SHIP, "--json")).stdout)[0];
  const [{ verifier_key: own }] = ledger.keys;
  expect(await verify(SHIP, "--key", own)).toMatchObject({ code: 0 });
  const { publicKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const other = verifierKey({ name: "elsewhere", key: Buffer.from(x, "base64url") });
  const wrong = await verify(SHIP, "--key", other);
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain(`another ledger begins with the key ${own}, known is ${other}`);
  expect(await verify(SHIP, "--key", other, "--key", own)).toMatchObject({ code: 0 });
  expect(await verify(SHIP, "--key", "x")).toMatchObject({ code: 2, stdout: "" });
});

test("--record marks the proven verdicts, as a superuser alone", async () => {
  const views = "select id, version, proven from fleet.operation order by id";
  expect(await asked(views)).toBe("1|2|\n2|1|\n3|1|\n4|1|");
  await office.fleet.psql("create role reader login password 'x' in role fleet_reader");
  const url = `postgres://reader:x@127.0.0.1:${office.fleet.port}/fleet`;
  const refused = await verify(SHIP, "--record", "--database", url);
  expect(refused.code).not.toBe(0);
  expect(await verify(SHIP, "--database", url)).toMatchObject({ code: 0 });
  expect(await asked(views)).toBe("1|2|\n2|1|\n3|1|\n4|1|");
  expect(await verify(SHIP, "--record")).toMatchObject({ code: 0 });
  expect(await asked(views)).toBe("1|2|2\n2|1|2\n3|1|2\n4|1|2");
  await withDocuments(`${THIEF}${THIEFS_REPORT}${forgedVerdict(office.db, 6)}`, async () => {
    const told = await verify(SHIP, "--record");
    expect(told.code).toBe(1);
    expect(told.stdout).toMatch(/LEDGER: verdict 6 \(\w+\): is in no tree that a signed head has/);
    expect(await asked(views)).toBe("1|2|2\n2|1|2\n3|1|2\n4|1|2\n5|1|");
  });
});
