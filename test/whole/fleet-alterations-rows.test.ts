// Alterations of rows beside a ship's chains and ledger by the owner of the office's database, each
// on a copy of it: `ballastd fleet verify` names it, or its last line lists it as not proven.

import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type DeliveredOffice,
  delivered,
  deliveredOffice,
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

const BOX_OF_THIEF = "(select instance from fleet.instance where version = 'thief')";

/** A second ship of the office, and a box of hers. */
const OTHER = `insert into fleet.ship values ('9176187', 'x', 'x');
  insert into fleet.instance (ship, instance, version)
    values ('9176187', gen_random_uuid(), 'other');`;
const BOX_OF_OTHER = "(select instance from fleet.instance where version = 'other')";

const NAMED: readonly Alteration[] = [
  [
    "a segment's readings in those of the other one",
    () =>
      `update fleet.link as one set payload = other.payload from fleet.link as other
        where one.chain = 'segment' and other.chain = 'segment' and one.number = 1
        and other.number = 2`,
    /^segment 1: its payload isn't its digest/,
  ],
  [
    "a segment's times in its row",
    () => "update fleet.link set first_ms = 5 where chain = 'segment' and number = 1",
    /^segment 1: /,
  ],
  [
    "how many readings a segment has",
    () => "update fleet.link set count = count + 1 where chain = 'segment' and number = 1",
    /^segment 1: /,
  ],
  [
    "a link given to another ship",
    () =>
      `${OTHER} update fleet.link set ship = '9176187', instance = ${BOX_OF_OTHER}
        where chain = 'audit' and number = 2`,
    /^audit 2: branch 0 doesn't end with it/,
  ],
  [
    "a branch that a restore would have begun",
    () =>
      `insert into fleet.branch select ship, chain, 1, begins, now(), begun_by, number, hash,
        until_ms, now(), instance from fleet.branch where chain = 'event'`,
    /^event \d+: branch 1 doesn't end with it/,
  ],
  [
    "another ship's verdict",
    () =>
      `insert into fleet.document select ship, kind, 'verdict 9 ' || right(key, 64), instance, 9,
        body from fleet.document where key like 'verdict 4 %'`,
    /verdict 9 .*is in no tree/,
  ],
  [
    "an hour that never was",
    () =>
      `insert into fleet.document select ship, kind, (key::bigint + 7200000)::text, instance,
        revision + 1, jsonb_set(body, '{start_ms}', to_jsonb(key::bigint + 7200000))
        from fleet.document where kind = 'hour' limit 1;
       update fleet.document set body = jsonb_set(body, '{count}', '0') where kind = 'hour'
        and revision = (select max(revision) from fleet.document where kind = 'hour')`,
    /^hour .*: \w+ is/,
  ],
  [
    "a head's origin",
    () =>
      `update fleet.document set body = jsonb_set(body, '{checkpoint}',
        to_jsonb(replace(body ->> 'checkpoint', 'ballastd/', 'ballastd//'))) where kind = 'head'
        and revision = 2`,
    /^the head .{16} isn't what its key/,
  ],
  [
    "an hour, beside a later one of lower revision",
    () =>
      `${THIEF}${THIEFS_REPORT} insert into fleet.document
        (ship, kind, key, instance, revision, body, received)
        select ship, kind, key, ${BOX_OF_THIEF}, revision + 1,
          jsonb_set(body, '{values,0}', '7'), received - interval '1 day'
        from fleet.document where kind = 'hour'`,
    /^hour .*: UVR_INTENSITY is 7/,
  ],
];

const LISTED: readonly Alteration[] = [
  [
    "a payload that never came",
    () => "update fleet.link set payload = null where chain = 'segment' and number = 2",
    /1 segments without their readings/,
  ],
  [
    "the clock by which all came",
    () =>
      `update fleet.link set received = received + interval '1 year';
       update fleet.branch set received = received + interval '1 year', begun = 'epoch';
       update fleet.instance set last_seen = last_seen + interval '1 year'`,
    /times of receipt/,
  ],
  [
    "another ship's name and role",
    () => "update fleet.ship set name = 'MV Other', role = 'other', added = 'epoch'",
    /names and roles of ships/,
  ],
  [
    "a report's revision",
    () => "update fleet.document set revision = revision + 7 where kind = 'report'",
    /revisions and further members/,
  ],
  [
    "a member of an hour",
    () => `update fleet.document set body = body || '{"note": "x"}' where kind = 'hour'`,
    /further members of documents/,
  ],
  [
    "lamps, voids and settings that no ship sent",
    () =>
      THIEF +
      THIEFS_REPORT +
      ["lamp", "void", "setting"].map((kind) => delivered(kind, "1", {})).join(""),
    /lamp \(1\), void \(1\), setting \(1\)/,
  ],
  ["a second ship", () => OTHER, /boxes \(1\)/],
  [
    "that a ship was revoked",
    () => "update fleet.ship set revoked = now()",
    /roles of ships, when they were added or revoked/,
  ],
  [
    "a box's address",
    () => "update fleet.instance set address = '192.0.2.1', version = 'x', first_seen = 'epoch'",
    /boxes \(1\)/,
  ],
  ["a box that delivered nothing", () => THIEF, /boxes \(2\)/],
  [
    "a request",
    () =>
      `insert into fleet.request (ship, wanted) values ('9074729',
        '{"from": "2026-05-01T00:00:00Z", "to": "2026-05-02T00:00:00Z"}')`,
    /requests \(1\)/,
  ],
  [
    "when the migrations were run",
    () => "update fleet.migration set applied = 'epoch'",
    /when migrations were run/,
  ],
  [
    "a function of PostgreSQL's own",
    () =>
      `create or replace function pg_catalog.pg_sleep_for(interval) returns void
        language sql as 'select null::void'`,
    /PostgreSQL itself/,
  ],
];

test.each(NAMED)("%s: named", async (_, alter, named) => {
  const { problem, faults } = await office.told(alter());
  expect(`${faults}\n${problem}`).toMatch(new RegExp(named.source, "m"));
  expect(problem).not.toBeNull();
});

test.each(LISTED)("%s: listed", async (_, alter, listed) => {
  const found = await office.told(alter());
  expect([found.problem, found.listed]).toEqual([null, expect.stringMatching(listed)]);
});
