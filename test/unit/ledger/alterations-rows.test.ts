// Further alterations of a ship's file by its owner, row by row: `ballastd verify` names each, or
// its last line lists what was altered as not proven.

import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../../src/sqlite/file/open.ts";
import type { StoredRow } from "../../../src/sqlite/file/row-checksum.ts";
import {
  type AlteredShip,
  alteredCopy,
  emptyRows,
  exec,
  mark,
  resum,
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

type Alteration = readonly [what: string, alter: (db: Connection) => void, told: RegExp];

const SECOND = "operation_id = 2";
const CONTENT = /^event 2: its content isn't the one that was stored/;
const HASH = /^event 2: its hash doesn't follow/;

const NAMED: readonly Alteration[] = [
  [
    "a verdict of older rules",
    olderVerdict,
    /^operation 2: its readings tell another verdict \(outside_limits, stored is within_limits\)/,
  ],
  [
    "a view that hides an event",
    exec(`drop view shown_event;
      create view shown_event as select * from event where id <> 4`),
    /^the schema isn't what its migrations make: CREATE VIEW shown_event/,
  ],
  [
    "a trigger",
    exec(`create trigger t after insert on operation_version
      begin delete from operation_version where operation_id = 1; end`),
    /^the schema isn't what its migrations make: CREATE TRIGGER t/,
  ],
  [
    "a chain of no name",
    exec("insert into chain_head values ('x', 7, x'00')"),
    /^chain_head: the row of x is of no chain/,
  ],
  [
    "which program's file it is",
    exec("pragma application_id = 7"),
    /^the schema isn't what its migrations make: pragma application_id = 7/,
  ],
  ["a table more", exec("create table x (a)"), /^the schema isn't what its migrations make/],
  ["an index less", exec("drop index event_by_time"), /^the schema isn't what its migrations make/],
  [
    "a place of a segment taken away",
    exec("delete from segment_place"),
    /^segment 1: its place in the list of segments isn't the one/,
  ],
  [
    "a segment's place in time",
    (db) => resum(db, "segment_place", "id = 1", { first_ms: 5, last_ms: 6 }),
    /^segment 1: its place in the list of segments isn't the one/,
  ],
  [
    "a place of a segment that isn't there",
    (db) => {
      db.exec(`insert into segment_place (id, first_ms, last_ms, count, newest_received_ms,
        checksum) values (77, 5, 6, 2048, 7, 0)`);
      resum(db, "segment_place", "id = 77", {});
    },
    /segment 77: it has a place in the list of segments, and isn't there/,
  ],
  ["a segment's count", exec("update segment set count = 1"), /^segment 1: its row has another 1/],
  ["an event's type", exec("update event set event_type = 'x' where id = 2"), CONTENT],
  [
    "a member of an event's data, before the true one",
    exec(`update event set data = '{"operation_type":"X",' || substr(data, 2) where id = 2`),
    CONTENT,
  ],
  ["an event's identity", exec("update event set identity = x'00' where id = 2"), CONTENT],
  ["an event's source", exec("update event set source = 'x' where id = 2"), HASH],
  ["an event's receipt", exec("update event set received_ms = 5 where id = 2"), HASH],
  ["an event's clock", exec("update event set clock_trusted = 7 where id = 2"), HASH],
  [
    "an entry a second time",
    exec(`insert into audit select max(id) + 1, at_ms, clock_trusted, kind, actor, address, detail,
      hash from audit`),
    /^audit \d: its hash doesn't follow/,
  ],
  [
    "when a version was made",
    (db) => resum(db, "operation_version", SECOND, { made_ms: 5 }),
    /^operation 2, version 1: isn't verdict 2 of the ledger/,
  ],
  [
    "why a version was made",
    (db) => resum(db, "operation_version", SECOND, { because: "x" }),
    /^operation 2, version 1: isn't verdict 2 of the ledger/,
  ],
  [
    "which rules judged",
    (db) => resum(db, "operation_version", SECOND, { rules_version: 3 }),
    /^operation 2, version 1: isn't verdict 2 of the ledger/,
  ],
  [
    "which statement a version is",
    (db) => resum(db, "operation_version", SECOND, { ledger_number: 1 }),
    /^operation 2, version 1: isn't verdict 1 of the ledger/,
  ],
  ["an operation's row", exec("delete from operation where id = 2"), /^operation 2: its row is mi/],
  [
    "an operation as running",
    (db) => resum(db, "operation", "id = 2", { version: 0, verdict: null }),
    /^operation 2: its row isn't that of its newest version/,
  ],
  ["a void undone", exec("update void set undone_ms = 5"), /^void 1: isn't as the audit log tells/],
  ["a void's reason", exec("update void set reason = 'x'"), /^void 1: isn't as the audit log tel/],
  [
    "a void of events that was undone",
    exec("update event_void set undone_ms = null"),
    /^void 2: isn't as the audit log tells/,
  ],
  [
    "a setting taken away",
    exec("delete from setting where key = 'limits.uv_imo'"),
    /setting: the row of limits.uv_imo is missing, the audit log tells it/,
  ],
  [
    "values below a span that aren't believed",
    mark("span.low.UVR_INTENSITY", 400),
    /^operation 2: its readings tell another verdict \(cannot_tell, stored is outside_limits\)/,
  ],
  ["a leaf's number", exec("update ledger set number = 77 where id = 6"), /^leaf 6 of the ledger/],
  ["a leaf's hashes", exec("update ledger set nodes = x'00' where id = 3"), /^leaf 3 of the ledg/],
  [
    "a head's SSH signature",
    (db) => resum(db, "ledger_head", "id = 1", { ssh_signature: "x" }),
    /^head 1 of the ledger: its SSH signature isn't one/,
  ],
  [
    "a head for a copy of the one after it",
    (db) => {
      const { id: _, ...row } = headRow(db, 4);
      resum(db, "ledger_head", "id = 3", row);
    },
    /^head 4 of the ledger: isn't of a larger tree than the head before it/,
  ],
  [
    "two heads for each other",
    (db) => {
      const [{ id: _, ...two }, { id: __, ...four }] = [headRow(db, 2), headRow(db, 4)];
      resum(db, "ledger_head", "id = 2", four);
      resum(db, "ledger_head", "id = 4", two);
    },
    /^head 3 of the ledger: isn't of a larger tree than the head before it/,
  ],
  [
    "a head's size",
    (db) => resum(db, "ledger_head", "id = 1", { size: 1 }),
    /^head 1 of the ledger: its row isn't what was signed/,
  ],
  [
    "how many heads were signed",
    exec("update chain_head set count = count + 1 where chain = 'head'"),
    /^head \d of the ledger is missing/,
  ],
];

function headRow(db: Connection, id: number): StoredRow {
  const row = db.prepare<[number], StoredRow>("select * from ledger_head where id = ?").get(id);
  if (row === undefined) throw new Error(`head ${id}: there is none`);
  return row;
}

/** A verdict rewritten with all hashes, and all heads and the note of the last one gone. */
function withoutHeads(db: Connection, changed: Parameters<typeof rewriteVerdict>[2]): void {
  rewriteVerdict(db, 2, changed);
  rmSync(path.join(path.dirname(db.name), "ledger-signed.json"));
}

/** The same, as if older rules had judged it. */
function olderVerdict(db: Connection): void {
  const green = { verdict: "within_limits", verdict_with_hidden: "within_limits", reasons: [] };
  withoutHeads(db, { ...green, rules_version: 3 });
  resum(db, "operation_version", SECOND, { rules_version: 3 });
}

const LISTED: readonly Alteration[] = [
  [
    "all signed heads, and the note of the last one",
    (db) => withoutHeads(db, {}),
    /\d+ leaves of the ledger behind the newest signed head/,
  ],
  [
    "an operation that isn't judged yet",
    (db) => {
      db.exec(`insert into operation (id, start_ms, end_ms, operation_type, location, known_by,
        verdict, version, checksum) values (77, ${AT_MS}, null, 'BALLAST', 'X', 'events', null,
        0, 0)`);
      resum(db, "operation", "id = 77", {});
    },
    /operations that aren't judged yet \(1\)/,
  ],
  ["a thinned part", exec("update segment set thin = null"), /by checksums alone:.* thinned parts/],
  [
    "when the schema was made",
    exec("update schema_migration set applied_ms = 5; pragma user_version = 9"),
    /by nothing:.* schema_migration \(\d\), user_version of the file/,
  ],
  [
    "a limit that never changed",
    exec("delete from setting where key = 'limits.uv_target'"),
    /limits without a setting: .*limits.uv_target/,
  ],
  ["all settings", exec("delete from setting"), /settings: none is stored/],
  ["facts", exec("delete from mark"), /single facts \(0\)/],
  ["a fact of no name", mark("x.y", 1), /single facts \(\d+\)/],
  [
    "why a head was signed",
    (db) => resum(db, "ledger_head", "id = 1", { reason: "x" }),
    /times and reasons of heads that stayed aboard/,
  ],
  ["an hour", exec("delete from bucket where id = 1"), /by checksums alone:.* hours and days/],
  ["scores", exec("delete from health"), /by checksums alone:.* health/],
  ["forecasts", exec("delete from forecast"), /by checksums alone:.* forecasts/],
  ["lamps", exec("delete from lamp_state; delete from lamp_score"), /checksums alone:.* lamps/],
  ["receipts", exec("delete from receipt"), /by nothing:.* receipt \(0\)/],
  ["quarantine", exec("delete from quarantine"), /by nothing:.* quarantine \(0\)/],
  [
    "a time without readings",
    emptyRows(
      "gap",
      "start_ms, end_ms, until_ms, operation_type, known_by",
      `${AT_MS - 7_200_000}, ${AT_MS}, ${AT_MS}, 'BALLAST', 'events'`,
    ),
    / gap \(\d+\)/,
  ],
  [
    "what the shore acknowledged",
    emptyRows("shore_ack", "chain, number, at_ms", "'segment', 99, 5"),
    /shore_ack \(1\)/,
  ],
  [
    "a lamp's time that isn't believed",
    emptyRows(
      "disowned",
      "from_ms, to_ms, made_ms, reason",
      `${AT_MS - 3_600_000}, ${AT_MS}, 5, 'x'`,
    ),
    /disowned \(1\)/,
  ],
];

test.each(NAMED)("%s: named by verify", (_, alter, named) => {
  const { db, dir } = alteredCopy(ship.dir);
  alter(db);
  expect(told(db, dir).problem).toMatch(named);
  db.close();
});

test.each(LISTED)("%s: listed as not proven", (_, alter, listed) => {
  const { db, dir } = alteredCopy(ship.dir);
  alter(db);
  const { problem, listed: line } = told(db, dir);
  expect([problem, line]).toEqual([null, expect.stringMatching(listed)]);
  db.close();
});
