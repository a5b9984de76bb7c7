// A head that a service beside is just signing is noted in its file before its row is there: it is
// waited for. One that was noted earlier, and has no row, is missing.

import { utimesSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  compareOnceSettled,
  compareSignedHead,
  signedFile,
} from "../../../src/app/control/signed-file.ts";
import type { StoredRow } from "../../../src/sqlite/file/row-checksum.ts";
import { type AlteredShip, alteredCopy, shipFolder } from "../../rig/altered-ship.ts";
import { removeFolders } from "../../rig/database.ts";

let ship: AlteredShip;
beforeAll(async () => {
  ship = await shipFolder();
});
afterAll(removeFolders);

/** A copy whose newest head was noted at a time and has no row, until `store` is called. */
function unstored(noted_ms: number) {
  const { db, dir } = alteredCopy(ship.dir);
  const newest = "from ledger_head where rowid = (select max(rowid) from ledger_head)";
  const row = db.prepare<[], StoredRow>(`select * ${newest}`).get() ?? {};
  db.exec(`delete ${newest}`);
  utimesSync(signedFile(dir), noted_ms / 1000, noted_ms / 1000);
  const names = Object.keys(row);
  const values = names.map((name) => `$${name}`);
  const store = () => db.prepare(`insert into ledger_head (${names}) values (${values})`).run(row);
  return { db, dir, store };
}

test("one that is being signed is waited for", async () => {
  const { db, dir, store } = unstored(Date.now());
  const found: (string | null)[] = [];
  const { problem } = await compareOnceSettled(dir, () => {
    const compared = compareSignedHead(db, dir);
    found.push(compared.problem);
    if (found.length === 2) store();
    return compared;
  });
  expect(problem).toBeNull();
  const missing = expect.stringMatching(/^the head of \d+ leaves signed here isn't stored$/);
  expect(found).toEqual([missing, missing, null]);
  db.close();
});

test("one that was noted an hour ago, or will be in an hour, is missing at once", async () => {
  for (const hours of [-1, 1]) {
    const { db, dir } = unstored(Date.now() + hours * 3_600_000);
    let asked = 0;
    const { problem } = await compareOnceSettled(dir, () => {
      asked += 1;
      return compareSignedHead(db, dir);
    });
    expect([problem, asked]).toEqual([expect.stringMatching(/isn't stored$/), 1]);
    db.close();
  }
});
