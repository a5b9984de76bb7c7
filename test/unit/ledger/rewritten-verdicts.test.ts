// Verdicts that the owner of a ship's file rewrote with all hashes behind them, and rows by which
// nothing should be judged again: `ballastd verify` names each. A time by the box's clock alone is
// listed.

import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../../src/sqlite/file/open.ts";
import {
  type AlteredShip,
  alteredCopy,
  exec,
  mark,
  rewriteVerdict,
  shipFolder,
  told,
} from "../../rig/altered-ship.ts";
import { removeFolders } from "../../rig/database.ts";

let ship: AlteredShip;
beforeAll(async () => {
  ship = await shipFolder();
});
afterAll(removeFolders);

type Alter = (db: Connection) => void;

/** Tells that the void of readings is under way, though it is complete. */
const underWay: Alter = (db) => {
  const end = db.prepare<[], { end_ms: number }>("select end_ms from void where id = 1");
  mark("void_under_way", 1)(db);
  mark("void_hides_to_ms", end.get()?.end_ms ?? 0)(db);
};

const GREEN = { verdict: "within_limits", verdict_with_hidden: "within_limits", reasons: [] };
const within: Alter = (db) => rewriteVerdict(db, 2, GREEN);
const because =
  (text: string): Alter =>
  (db) =>
    rewriteVerdict(db, 3, {}, { because: text });

const OTHER_SHIP = { imo: "9999999", vessel: "X", system: "BWTS-001" };
const WITHIN =
  /operation 2: its readings tell another verdict \(outside_limits, stored is within_l/;
const REASON = /operation 3, version 2: its reason isn't that for which it was made/;
const ALL_DUE = `insert into due values ('operations', ${Number.MAX_SAFE_INTEGER})`;

test.each<[what: string, alter: readonly Alter[], named: RegExp]>([
  [
    "its ship",
    [(db) => rewriteVerdict(db, 1, { ship: OTHER_SHIP })],
    /operation 1, version 1: is of another ship than the ledger names/,
  ],
  ["its reason", [because("2 readings came late")], REASON],
  ["its reason, as that of a first one", [because("the operation ended")], REASON],
  ["itself, and the rules that judged", [within, mark("rules_operations", 99)], WITHIN],
  [
    "itself, and that rules judged",
    [within, exec("delete from mark where name = 'rules_operations'")],
    WITHIN,
  ],
  ["itself, and that all are due", [within, exec(ALL_DUE)], WITHIN],
  ["itself, and a void under way", [within, underWay], WITHIN],
  ["only a void under way", [underWay], /mark: the row of void_under_way is of no void/],
])("a verdict altered in %s, is named by verify", (_, alter, named) => {
  const { db, dir } = alteredCopy(ship.dir);
  for (const one of alter) one(db);
  expect(told(db, dir).problem).toMatch(named);
  db.close();
});

test("when it was made is listed as told by the box's clock alone", () => {
  const { db, dir } = alteredCopy(ship.dir);
  rewriteVerdict(db, 3, {}, { made_ms: 5 });
  rmSync(path.join(dir, "ledger-signed.json"));
  const { problem, listed } = told(db, dir);
  expect(problem).toBeNull();
  expect(listed).toMatch(/by the box's clock alone: when versions of verdicts were made/);
  db.close();
});
