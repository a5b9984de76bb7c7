// Alterations by whoever owns a ship's file, and hasn't her key: `ballastd verify` names each, or
// its last line lists what was altered as not proven. One file is built, and copied for each.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../../src/sqlite/file/open.ts";
import {
  type AlteredShip,
  alteredCopy,
  emptyRows,
  eraseOperation,
  exec,
  mark,
  putInPlace,
  resum,
  rewriteLedger,
  rewriteVerdict,
  shipFolder,
  told,
} from "../../rig/altered-ship.ts";
import { removeFolders } from "../../rig/database.ts";
import { AT_MS } from "../../rig/decoding.ts";

let ship: AlteredShip;
beforeAll(async () => {
  ship = await shipFolder();
});
afterAll(removeFolders);

test("the file as the ship left it is proven, and each operation is judged alike", () => {
  const { db, dir } = alteredCopy(ship.dir);
  expect(told(db, dir)).toMatchObject({ problem: null, judged: 4 });
  db.close();
});

const HIDDEN = AT_MS - 20 * 3_600_000;
const GREEN = { verdict: "within_limits", verdict_with_hidden: "within_limits", reasons: [] };
const LATER = { end: new Date(AT_MS - 38.5 * 3_600_000).toISOString() };
/** By hand alone, with checksums made anew, or with every hash, and the heads dropped. */
type How = "by hand" | "with checksums" | "with all hashes";
type Alteration = readonly [what: string, how: How, alter: (db: Connection) => void, named: RegExp];

const NAMED: readonly Alteration[] = [
  ["a verdict", "by hand", exec("update operation_version set verdict = 'within_limits'"), /^oper/],
  [
    "a verdict",
    "with checksums",
    (db) => resum(db, "operation_version", "operation_id = 2", { verdict: "within_limits" }),
    /^operation 2, version 1: isn't verdict 2 of the ledger/,
  ],
  [
    "the verdict of a search",
    "with checksums",
    (db) => resum(db, "operation", "id = 2", { verdict: "within_limits" }),
    /^operation 2: its row isn't that of its newest version/,
  ],
  [
    "a verdict",
    "with all hashes",
    (db) => rewriteVerdict(db, 2, GREEN),
    /^operation 2: its readings tell another verdict \(outside_limits, stored is within_limits\)/,
  ],
  [
    "a verdict against its reasons",
    "with all hashes",
    (db) => rewriteVerdict(db, 2, { verdict: "within_limits" }),
    /operation 2, version 1: its verdict isn't that of its reasons/,
  ],
  [
    "a volume",
    "with all hashes",
    (db) => rewriteVerdict(db, 1, { volume_m3: 7 }),
    /^operation 1: its readings tell another volume_m3/,
  ],
  [
    "a place",
    "with all hashes",
    (db) => rewriteVerdict(db, 1, { location: "Kobe" }),
    /^operation 1: its readings tell another location/,
  ],
  [
    "an operation's end",
    "with all hashes",
    (db) => rewriteVerdict(db, 1, LATER),
    /^operation 1: its readings tell another end/,
  ],
  [
    "an operation withdrawn",
    "with all hashes",
    (db) => rewriteVerdict(db, 2, { ...GREEN, verdict: null, remarks: ["withdrawn"] }),
    /^operation 2: its readings tell another verdict/,
  ],
  [
    "an operation taken away",
    "with checksums",
    exec(
      "delete from operation where id = 2; delete from operation_version where operation_id = 2",
    ),
    /^operation 2, version 1: is missing, verdict 2 of the ledger states it/,
  ],
  [
    "an operation taken away",
    "with all hashes",
    (db) => eraseOperation(db, 2),
    /^the readings from .* to .* tell an operation that isn't stored/,
  ],
  [
    "an operation for another",
    "with all hashes",
    (db) =>
      rewriteVerdict(db, 1, { start: "2025-01-01T00:00:00.000Z", end: "2025-01-01T01:00:00.000Z" }),
    /isn't stored|operation 1: its readings tell/,
  ],
  [
    "a segment's readings",
    "by hand",
    exec("update segment set payload = x'00'"),
    /^segment 1: its/,
  ],
  ["a segment", "by hand", exec("delete from segment"), /^segment 1 is missing/],
  ["an event", "by hand", exec("delete from event where id = 4"), /^event 4 is missing/],
  ["an event", "by hand", exec("update event set at_ms = at_ms + 1 where id = 4"), /^event 4: its/],
  ["an entry", "by hand", exec("delete from audit where id = 3"), /^audit 3 is missing/],
  ["an entry", "by hand", exec("update audit set actor = 'x' where id = 3"), /^audit 3: its hash/],
  [
    "a chain's head",
    "by hand",
    exec("update chain_head set count = 9 where chain = 'event'"),
    /^ev/,
  ],
  ["a void moved", "by hand", exec("update void set end_ms = end_ms + 60000"), /^void 1: isn't as/],
  ["a void taken away", "by hand", exec("delete from void"), /^void 1: is missing/],
  [
    "a void",
    "by hand",
    exec(`insert into void values (9, ${HIDDEN}, ${HIDDEN + 1}, 'x', 3, null)`),
    /^void 9: the audit log doesn't tell of it/,
  ],
  [
    "a void of events",
    "by hand",
    exec(`insert into event_void values (9, ${HIDDEN}, ${HIDDEN + 1}, 'x', 3, null)`),
    /^void 9: the audit log doesn't tell of it/,
  ],
  ["a statement", "by hand", exec("update ledger set content = 'x' where kind = 'given'"), /^leaf/],
  [
    "a leaf",
    "by hand",
    exec("delete from ledger where id = 9"),
    /^leaf 9 of the ledger is missing/,
  ],
  [
    "a head",
    "by hand",
    exec("delete from ledger_head where id = 2"),
    /^head 2 of the ledger is mi/,
  ],
  [
    "all heads",
    "with checksums",
    exec("delete from ledger_head; update chain_head set count = 0 where chain = 'head'"),
    /^head 0 of the ledger: isn't the last signed/,
  ],
  ["all heads", "with all hashes", (db) => rewriteLedger(db, (one) => one), /signed here/],
  [
    "when a verdict was given out",
    "with checksums",
    (db) => resum(db, "operation_version", "operation_id = 1", { given_out_ms: null }),
    /^operation 1, version 1: was given out at/,
  ],
  [
    "that readings expired",
    "by hand",
    exec("insert into mark values ('raw_from_ms', 9e12, 5)"),
    /mark/,
  ],
  [
    "that readings expired",
    "with checksums",
    mark("raw_from_ms", AT_MS + 86_400_000),
    /mark: the row of raw_from_ms \(.*\) hides 1 segments that haven't expired/,
  ],
  [
    "that some readings expired",
    "with checksums",
    mark("raw_from_ms", AT_MS - 20 * 3_600_000),
    /mark: the row of raw_from_ms \(.*\) is less than a month before the newest reading/,
  ],
  [
    "that no head is due",
    "with checksums",
    mark("ledger_stop", 999),
    /mark: the row of ledger_stop/,
  ],
  [
    "a void under way",
    "with checksums",
    mark("void_under_way", 7),
    /mark: the row of void_under_wa/,
  ],
  [
    "a limit of the past",
    "with checksums",
    (db) => resum(db, "setting", "key = 'limits.uv_imo'", { value: "100" }),
    /setting: the row of limits.uv_imo isn't as the audit log tells it/,
  ],
  [
    "a setting",
    "by hand",
    exec("update setting set value = '\"X\"' where key = 'system.id'"),
    /setting: the row of system.id isn't what was stored/,
  ],
];

const LISTED: readonly Alteration[] = [
  [
    "a step of the plant's clock",
    "by hand",
    emptyRows(
      "clock_step",
      "at_ms, clock, from_ms, to_ms, found",
      `${HIDDEN}, 'plc', ${HIDDEN}, ${HIDDEN - 3_600_000}, 'x'`,
    ),
    /clock_step \(1\)/,
  ],
  [
    "a setting that never changed",
    "with checksums",
    (db) => resum(db, "setting", "key = 'system.id'", { value: '"X"' }),
    /1 settings that never changed/,
  ],
  [
    "when a head was signed",
    "with checksums",
    (db) => resum(db, "ledger_head", "reason = 'stop'", { at_ms: 5 }),
    /times and reasons of heads that stayed aboard/,
  ],
  ["an alert", "by hand", exec("delete from alarm"), /by nothing:.* alarm \(0\)/],
  [
    "a token",
    "by hand",
    emptyRows("token", "name, role, hash, added_ms", "'x','admin','',1"),
    /token \(1\)/,
  ],
  [
    "a new lamp",
    "by hand",
    emptyRows("lamp_word", "position, at_ms, replaced, hours", "3, 5, 1, 0"),
    /lamp_word \(1\)/,
  ],
  ["a plant", "by hand", emptyRows("plant", "name", "'x'"), /plant \(1\)/],
  [
    "a health record from outside",
    "by hand",
    emptyRows("health_received", "at_ms, month", "5, 1"),
    /health_received \(1\)/,
  ],
  ["a time without readings", "by hand", exec("delete from gap"), / gap \(0\)/],
  [
    "that operations wait to be judged",
    "by hand",
    (db) => {
      const hour_ms = 3_600_000;
      for (let at = Math.floor(AT_MS / hour_ms) - 60; at <= AT_MS / hour_ms; at += 1)
        db.prepare("insert or ignore into due values ('operations', ?)").run(at * hour_ms);
    },
    /operations that wait to be judged again/,
  ],
];

test.each(NAMED)("%s altered %s is named by verify", (_, __, alter, named) => {
  const { db, dir } = alteredCopy(ship.dir);
  alter(db);
  expect(told(db, dir).problem).toMatch(named);
  db.close();
});

test.each(LISTED)("%s altered %s is listed as not proven", (_, __, alter, listed) => {
  const { db, dir } = alteredCopy(ship.dir);
  alter(db);
  const { problem, listed: line } = told(db, dir);
  expect(problem).toBeNull();
  expect(line).toMatch(listed);
  db.close();
});

test("an older file in place of the file is named by verify", () => {
  const copy = alteredCopy(ship.dir);
  const db = putInPlace(copy, ship.older);
  expect(told(db, copy.dir).problem).toMatch(/^it lacks the head of \d+ leaves signed here/);
  db.close();
});
