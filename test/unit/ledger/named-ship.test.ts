// The ship that a ledger names: a configuration that names another one, or a system of another
// name, goes on under another origin of the same key and tree; and each verdict names her.

import { afterAll, expect, test } from "vitest";
import { readKeyStatement, SHIP_NAMED } from "../../../src/ledger/key-statement.ts";
import { verifyChains } from "../../../src/sqlite/care/verify.ts";
import { prepare } from "../../../src/sqlite/file/open.ts";
import { alteredCopy, shipFolder } from "../../rig/altered-ship.ts";
import { openRig, type Rig, removeFolders } from "../../rig/database.ts";
import { signerOf, UNNAMED } from "../../rig/ledger-signer.ts";

afterAll(removeFolders);

const EXAMPLE = { imo: "9074729", vessel: "MV Example", system: "BWTS-001" };

const contents = ({ db }: Pick<Rig, "db">, kind: "key" | "verdict") =>
  prepare(db, "ledger.statements")
    .all({ kind })
    .map(({ content }) => content ?? "");

test("a configuration that names another ship makes an origin of the same key", async () => {
  const rig = openRig();
  const origins: string[] = [];
  for (const ship of [
    UNNAMED,
    EXAMPLE,
    EXAMPLE,
    { ...EXAMPLE, system: "BWTS-002" },
    { ...EXAMPLE, imo: "9176187" },
    // A configuration that names none takes nothing back.
    { ...UNNAMED, system: "BWTS-002" },
  ])
    origins.push((await signerOf(rig, ship).sign("print")).origin);
  expect(origins.map((origin) => origin.replace(/[0-9a-f]{16}$/, ""))).toEqual([
    "ballastd/BWTS-001/",
    ...["ballastd/9074729/BWTS-001/", "ballastd/9074729/BWTS-001/", "ballastd/9074729/BWTS-002/"],
    ...["ballastd/9176187/BWTS-001/", "ballastd/9176187/BWTS-001/"],
  ]);
  expect(new Set(origins).size).toBe(4);
  const [first, ...later] = contents(rig, "key").map(readKeyStatement);
  expect([first.ship, later.map(({ ship }) => ship?.imo)]).toEqual([
    null,
    ["9074729", "9074729", "9176187"],
  ]);
  for (const said of later) {
    expect(said).toMatchObject({ isSignedBefore: true, follows: null, reason: SHIP_NAMED });
    expect([said.key.key, said.continues]).toEqual([first.key.key, expect.anything()]);
  }
  expect(verifyChains(rig.db, () => {}).problem).toBeNull();
  rig.close();
});

test("each verdict names the ship, the vessel and the system", async () => {
  const { db } = alteredCopy((await shipFolder()).dir);
  const verdicts = contents({ db }, "verdict").map((content) => JSON.parse(content));
  expect(verdicts.length).toBeGreaterThan(3);
  for (const { operation } of verdicts) expect(operation.ship).toEqual(EXAMPLE);
  db.close();
});
