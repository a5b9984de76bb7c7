// Further alterations by the owner of the office's database, each on a copy of it: with hashes made
// anew where that is possible, and what nothing covers. None is silent: `ballastd fleet verify`
// names it, or its last line lists it as not proven.

import { afterAll, beforeAll, expect, test } from "vitest";
import { verifierKey } from "../../src/ledger/note.ts";
import { ledgerKeys } from "../../src/sqlite/records/ledger-answers.ts";
import {
  type DeliveredOffice,
  delivered,
  deliveredOffice,
  doc,
  ownLedger,
  setBody,
  sha256,
  THIEF,
  THIEFS_REPORT,
} from "../rig/altered-office.ts";
import { removeFolders } from "../rig/database.ts";

let office: DeliveredOffice;
beforeAll(async () => {
  office = await deliveredOffice();
});
afterAll(async () => {
  await office?.[Symbol.asyncDispose]();
  removeFolders();
});

type Alteration = readonly [what: string, alter: () => string, told: RegExp];

const REKEYED = (kind: string, number: number, content: string) =>
  `update fleet.document set key = '${kind} ${number} ${sha256(content)}',
    body = jsonb_build_object('content', '${content}') where key like '${kind} ${number} %';`;
const LAST_ENTRY = `chain = 'audit' and number = (select max(number) from fleet.link
  where chain = 'audit')`;
const BOX_OF_THIEF = "(select instance from fleet.instance where version = 'thief')";

/** The thief's ledger in place of the ship's, and nothing left that tells of hers. */
const replacedLedger = () =>
  `${doc("kind in ('head', 'statement', 'verdict')")}; ${ownLedger(office.db)}
   update fleet.document set body = jsonb_set(body, '{ledger}', 'null') where kind = 'report'`;

const NAMED: readonly Alteration[] = [
  [
    "two heads with each other's numbers",
    () =>
      `update fleet.document set revision = 5 - revision
        where kind = 'head' and revision in (2, 3)`,
    /is signed head \d, the one before it is \d/,
  ],
  [
    "an hour under another time",
    () => "update fleet.document set key = (key::bigint + 3600000)::text where kind = 'hour'",
    /isn't an hour as ships send it/,
  ],
  [
    "an event's text taken away",
    () => "update fleet.link set payload = null where chain = 'event' and number = 2",
    /^event 2: its text isn't here/,
  ],
  [
    "a segment with its digest",
    () =>
      `update fleet.link set payload = '\\x00', digest = sha256('\\x00')
        where chain = 'segment' and number = 1`,
    /^segment 1: its hash doesn't follow/,
  ],
  [
    "a segment with its digest and all hashes behind",
    () =>
      `update fleet.link set payload = '\\x00', digest = sha256('\\x00'),
        hash = sha256(body || sha256('\\x00') || previous)
        where chain = 'segment' and number = 2;
      update fleet.branch set hash = link.hash from fleet.link where branch.chain = 'segment'
        and link.chain = 'segment' and link.number = branch.number`,
    /^segment 2: /,
  ],
  [
    "an entry of the audit log with all hashes behind",
    () =>
      `update fleet.link set body = replace(encode(body, 'escape'), 'a', 'b')::bytea
        where ${LAST_ENTRY};
      update fleet.link set hash = sha256(body || previous)
        where ${LAST_ENTRY};
      update fleet.branch set hash = link.hash from fleet.link where branch.chain = 'audit'
        and link.chain = 'audit' and link.number = branch.number`,
    /audit \d+ \w+: isn't here, but was acknowledged|its root isn't that of the links/,
  ],
  [
    "the first segment taken away",
    () => "delete from fleet.link where chain = 'segment' and number = 1",
    /^segment 2: the link before isn't here/,
  ],
  [
    "all segments taken away",
    () =>
      `delete from fleet.link where chain = 'segment';
       delete from fleet.branch where chain = 'segment'`,
    /^segment 1: isn't here, but was acknowledged up to 2/,
  ],
  [
    "a segment on another branch",
    () => "update fleet.link set branch = 1 where chain = 'segment' and number = 2",
    /^segment/,
  ],
  [
    "a verdict a second time, as a further one",
    () =>
      `insert into fleet.document (ship, kind, key, instance, revision, body)
        select ship, kind, 'verdict 6 ' || right(key, 64), instance, 6, body
        from fleet.document where key like 'verdict 1 %'`,
    /verdict 6 .*is in no tree/,
  ],
  [
    "why a verdict was made",
    () => setBody("because", '"x"', "kind = 'verdict' and key like 'verdict 3 %'"),
    /statement verdict 3 .*isn't what its key names/,
  ],
  [
    "two verdicts with each other's statements",
    () =>
      `update fleet.document as one set body = other.body from fleet.document as other
        where one.key like 'verdict 1 %' and other.key like 'verdict 2 %'`,
    /statement verdict 1 .*isn't what its key names/,
  ],
  [
    "a giving out with its key",
    () => REKEYED("given", 1, "verdicts given out"),
    /its root isn't that of the links|given 1 .*is in no tree/,
  ],
  ["the key with its key", () => REKEYED("key", 1, "x"), /key 1: /],
  [
    "a head delivered by another box",
    () =>
      `${THIEF} update fleet.document set instance = ${BOX_OF_THIEF}
        where kind = 'head' and revision = 2`,
    /^the report of the box .* isn't here/,
  ],
  [
    "a verdict's column of the kind of another",
    () => setBody("version", '"2"', "kind = 'verdict' and key like 'verdict 1 %'"),
    /statement verdict 1 .*isn't what its key names/,
  ],
  [
    "a payload into a store that isn't there",
    () => "update fleet.link set object = 'x', payload = null where chain = 'segment'",
    /^segment 1: x lies in a store of objects: --objects is missing, and 1 more/,
  ],
  [
    "the ship's box taken away",
    () => "set session_replication_role = replica; delete from fleet.instance",
    /^the box .*: something came by it, and it isn't here/,
  ],
  [
    "a kind of document that nobody knows",
    () =>
      `alter table fleet.document drop constraint document_kind_check;
       update fleet.document set kind = 'verdict ' where key like 'verdict 5 %'`,
    /documents of the kind "verdict "/,
  ],
  [
    "a view",
    () => "create or replace view fleet.open_request as select * from fleet.request",
    /^the view fleet.open_request isn't the one of ballastd fleet schema/,
  ],
  [
    "a function",
    () =>
      `create or replace function fleet.time_of(ms double precision) returns timestamptz
        language sql as 'select null::timestamptz'`,
    /^the function fleet.time_of\(double precision\) isn't the one of ballastd fleet schema/,
  ],
  [
    "a trigger, behind names of the owner's own",
    () =>
      `create schema evil;
       create view evil.pg_trigger as select * from pg_catalog.pg_trigger where false;
       do $do$ begin execute format('alter database %I set search_path = evil, pg_catalog',
         current_database()); end $do$;
       create function fleet.none() returns trigger language plpgsql as 'begin return null; end';
       create trigger evil before insert on fleet.document
         for each row execute function fleet.none()`,
    /^the setting search_path=evil, .*the trigger evil on fleet.document isn't of/,
  ],
  [
    "the names that a function looks up",
    () => "alter function fleet.json_of(bytea) set search_path = public, pg_catalog",
    /^the function fleet.json_of\(bytea\) isn't the one/,
  ],
  [
    "rows, by row security without a policy",
    () => "alter table fleet.document enable row level security",
    /^the table fleet.document isn't the one/,
  ],
  [
    "rows on their way, by a trigger",
    () =>
      `create function fleet.none() returns trigger language plpgsql as 'begin return null; end';
       create trigger evil before insert on fleet.document
         for each row execute function fleet.none()`,
    /the trigger evil on fleet.document isn't of/,
  ],
  [
    "rows on their way, by a rule",
    () => "create rule evil as on insert to fleet.request do instead nothing",
    /^the rule evil on fleet.request/,
  ],
  [
    "a migration",
    () => "delete from fleet.migration where version = 2",
    /^the schema's migrations/,
  ],
];

const LISTED: readonly Alteration[] = [
  [
    "the marks of proof",
    () => "update fleet.document set proven = 2 where key like 'verdict 1 %'",
    /mark that isn't what is proven now \(--record\): verdict \d/,
  ],
  [
    "a ledger that the owner made, in place of the ship's",
    replacedLedger,
    /the key that the ledger begins with \(--key\)/,
  ],
  [
    "an hour that leaves values out by a span of its own",
    () =>
      `${setBody("spans", '[["UVR_INTENSITY", 4999, 5000]]', "kind = 'hour'")};
       ${setBody("values,0", "null", "kind = 'hour'")}`,
    /1 hours whose values left out are told by the hours alone/,
  ],
  [
    "an hour that counts more readings, with any values",
    () =>
      `${setBody("count", "61", "kind = 'hour'")}; ${setBody("values,0", "7", "kind = 'hour'")}`,
    /\d hours whose readings aren't all here or are hidden aboard/,
  ],
  [
    "the last event, and that a report acknowledged it",
    () =>
      `delete from fleet.link where chain = 'event' and number = 3;
       update fleet.branch set number = link.number, hash = link.hash, until_ms = link.last_ms
       from fleet.link where branch.chain = 'event' and link.chain = 'event' and link.number = 2;
       ${setBody("ashore,event", "2", "kind = 'report'")};
       ${setBody("ledger", "null", "kind = 'report'")}`,
    /event 3 to 3, which a report has and which isn't here/,
  ],
  [
    "by which box a verdict came",
    () =>
      `${THIEF}${THIEFS_REPORT} update fleet.document set instance = ${BOX_OF_THIEF}
        where key like 'verdict 1 %'`,
    /times of receipt and by which box/,
  ],
  [
    "by which box a link came",
    () =>
      `${THIEF}${THIEFS_REPORT} update fleet.link set instance = ${BOX_OF_THIEF}
        where chain = 'event' and number = 1`,
    /times of receipt and by which box/,
  ],
  [
    "when the newest head came",
    () =>
      `update fleet.document set received = received - interval '1 year'
        where kind = 'head' and revision = 4`,
    /times of receipt/,
  ],
  [
    "a forecast",
    () => THIEF + THIEFS_REPORT + delivered("forecast", "LAMP_01", {}),
    /forecast \(1\)/,
  ],
  [
    "an answer",
    () => THIEF + THIEFS_REPORT + delivered("answer", "1", { sent: 1 }),
    /answer \(1\)/,
  ],
  ["a setting", () => THIEF + THIEFS_REPORT + delivered("setting", "x", {}), /setting \(1\)/],
];

test.each(NAMED)("%s: named by fleet verify", async (_, alter, named) => {
  const { problem, faults } = await office.told(alter());
  expect(`${faults}\n${problem}`).toMatch(new RegExp(named.source, "m"));
  expect(problem).not.toBeNull();
});

test.each(LISTED)("%s: listed as not proven by fleet verify", async (_, alter, listed) => {
  const found = await office.told(alter());
  expect([found.problem, found.listed]).toEqual([null, expect.stringMatching(listed)]);
});

test("a ledger that the owner made is named when the ship's key is trusted", async () => {
  const [first] = ledgerKeys(office.db).map(verifierKey);
  expect((await office.told("select 1", [first])).listed).not.toContain("--key");
  const { problem } = await office.told(replacedLedger(), [first]);
  expect(problem).toMatch(/another ledger begins with the key/);
});
