// Alterations by whoever owns the office's database, or a ship's key for it: `ballastd fleet
// verify` names each, `--since` does, or the last line lists it as not proven. One ship delivers
// once, and each alteration has a copy of the database.

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withOffice } from "../../src/office/office.ts";
import { markProven, verifyShip } from "../../src/office/proof/verify.ts";
import {
  type DeliveredOffice,
  delivered,
  deliveredOffice,
  doc,
  forgedVerdict,
  ownLedger,
  SHIP,
  setBody,
  sha256,
  THIEF,
  THIEFS_REPORT,
} from "../rig/altered-office.ts";
import { removeFolders } from "../rig/database.ts";
import { sampled } from "../rig/scale.ts";

let office: DeliveredOffice;
beforeAll(async () => {
  office = await deliveredOffice();
});
afterAll(async () => {
  await office?.[Symbol.asyncDispose]();
  removeFolders();
});

const told = (alter: string) => office.told(alter);

test("what the ship delivered is proven, and nothing of it is missing", async () => {
  const { listed, ...found } = await told("select 1");
  expect(found).toEqual({ problem: null, faults: "", lost: [] });
  expect(listed).toMatch(/^the ship of 5 keys and verdicts: they don't name one; hour|by nothing/);
});

const LAST_EVENT = `chain = 'event' and number = (select max(number) from fleet.link
  where chain = 'event')`;
const HEAD = (number: number) => `kind = 'head' and revision = ${number}`;

type Alteration = readonly [what: string, alter: () => string, told: RegExp];

/** By the owner of the database, but for those of the thief, who has the ship's key for it. */
const NAMED_BY_VERIFY: readonly Alteration[] = [
  [
    "a verdict's word",
    () => setBody("verdict", '"within_limits"', "kind = 'verdict' and key like 'verdict 2 %'"),
    /^the statement verdict 2 .* isn't what its key names/,
  ],
  [
    "a verdict as another kind",
    () => `update fleet.document set kind = 'statement' where key like 'verdict 2 %'`,
    /^the statement verdict 2 .* isn't what its key names/,
  ],
  [
    "a forged verdict",
    () => `${THIEF}${THIEFS_REPORT}${forgedVerdict(office.db, 6)}`,
    /^verdict 6 .*no tree th/,
  ],
  [
    "a second verdict of a number",
    () => `${THIEF}${THIEFS_REPORT}${forgedVerdict(office.db, 3)}`,
    /^verdict 3 /,
  ],
  [
    "the thief's own ledger",
    () => ownLedger(office.db),
    /another ledger begins with the key ballastd\/9074729\/BWTS/,
  ],
  ["a verdict taken away", () => doc("key like 'verdict 2 %'"), /^verdict 2 isn't here, 5 is/],
  [
    "the newest verdict taken away",
    () => doc("key like 'verdict 5 %'"),
    /^verdict 5: isn't here, bu/,
  ],
  ["a giving out taken away", () => doc("key like 'given 1 %'"), /given 1: isn't here/],
  ["the first key taken away", () => doc("key like 'key 1 %'"), /by no key that is known|key 1/],
  ["the first head taken away", () => doc(HEAD(1)), /^signed head 1 isn't here, 4 is/],
  ["a head taken away", () => doc(HEAD(3)), /^signed head 3 isn't here, 4 is/],
  ["the newest head taken away", () => doc(HEAD(4)), /signed head 4: isn't here, but was acknowle/],
  [
    "a head's text",
    () => setBody("checkpoint", '"x"', HEAD(2)),
    /^the head .{16} isn't what its key/,
  ],
  ["a head's leaves", () => setBody("leaves", "null", HEAD(2)), /verdict 1 .*is in no tree/],
  [
    "the head before a head",
    () => setBody("after", "null", HEAD(3)),
    /^the head of|^verdict \d .*no/,
  ],
  ["the report taken away", () => doc("kind = 'report'"), /^the report of the box .* isn't here/],
  [
    "the report emptied",
    () => setBody("heads", "null", "kind = 'report'"),
    /^the report of the box/,
  ],
  [
    "all of the ledger taken away",
    () => doc("kind in ('head', 'statement', 'verdict')"),
    /^signed head 1: isn't here, but was acknowledged up to 4/,
  ],
  [
    "all of the ledger and the report taken away",
    () => doc("kind in ('head', 'statement', 'verdict', 'report')"),
    /^the report of the box/,
  ],
  [
    "a payload",
    () => "update fleet.link set payload = '\\x00' where chain = 'segment'",
    /^segment 1:/,
  ],
  [
    "an event taken away",
    () => "delete from fleet.link where chain = 'event' and number = 2",
    /^even/,
  ],
  [
    "the last event taken away with the branch's end",
    () => `delete from fleet.link where ${LAST_EVENT}; update fleet.branch set number = link.number,
      hash = link.hash, until_ms = link.last_ms from fleet.link where branch.chain = 'event'
      and link.chain = 'event' and link.number = branch.number - 1`,
    /^event 3: isn't here, but was acknowledged up to 3/,
  ],
  [
    "an event with all hashes behind it",
    () => `update fleet.link set hash = sha256(digest || body || '\\x01' || previous),
      body = body || '\\x01' where ${LAST_EVENT}; update fleet.branch set hash = link.hash
      from fleet.link where branch.chain = 'event' and link.chain = 'event'
      and link.number = branch.number`,
    /event 3 .*isn't here, but was acknowledged|its root isn't that of the links/,
  ],
  [
    "an end of a branch",
    () => "update fleet.branch set number = 1 where chain = 'audit'",
    /^audit /,
  ],
  ["an hour", () => setBody("values,0", "7", "kind = 'hour'"), /^hour .*: UVR_INTENSITY is 7/],
  [
    "the ledger under another ship",
    () => `insert into fleet.ship values ('9176187', 'x', 'x'); insert into fleet.instance
      (ship, instance, version) values ('9176187', '${randomUUID()}', 'x');
      insert into fleet.document select '9176187', kind, key, (select instance from fleet.instance
        where ship = '9176187'), revision, body, received from fleet.document
      where kind in ('head', 'statement', 'verdict')`,
    /the ship 9176187 has the same ledger/,
  ],
  [
    "a mark of proof on a forged verdict",
    () => `${THIEF}${THIEFS_REPORT}${forgedVerdict(office.db, 6)}
      update fleet.document set proven = 2 where key like 'verdict 6 %'`,
    /verdict 6: is marked as proven, and no signed head has it/,
  ],
];

const NAMED_SINCE: readonly Alteration[] = [
  [
    "a segment's readings taken away",
    () => "update fleet.link set payload = null where chain = 'segment' and number = 1",
    /the readings of segment 1/,
  ],
  ["an hour taken away", () => doc("kind = 'hour'"), /^the hour 2026-05-01T00:00/],
  [
    "the end of the ledger, with what a report told of it",
    () => `${doc(`${HEAD(4)} or key like 'verdict 5 %'`)};
      ${setBody("ledger", "null", "kind = 'report'")}`,
    /the signed head .*verdict 5/,
  ],
  [
    "the end of the chains, with what a report told of them",
    () => `delete from fleet.link where chain = 'audit'; delete from fleet.branch
      where chain = 'audit'; ${setBody("ashore,audit", "0", "kind = 'report'")}`,
    /^audit \d+ /,
  ],
];

const LISTED: readonly Alteration[] = [
  ["what a report told", () => setBody("state", '"IDLE"', "kind = 'report'"), /report \(1\)/],
  ["an alert", () => `${THIEF}${THIEFS_REPORT}${delivered("alarm", "1", {})}`, /alarm \(2\)/],
  [
    "why a head was signed",
    () => setBody("reason", '"x"', HEAD(2)),
    /times and reasons of signed hea/,
  ],
  ["a time of receipt", () => "update fleet.document set received = now()", /times of receipt/],
  [
    "a giving out that the thief states",
    () =>
      THIEF + THIEFS_REPORT + delivered("statement", `given 2 ${sha256("x")}`, { content: "x" }),
    /statement: given 2/,
  ],
  [
    "an entry of the audit log that the thief delivers",
    () => `${THIEF}${THIEFS_REPORT}insert into fleet.link (ship, chain, number, branch, hash,
        previous, body, first_ms, last_ms, count, instance)
      select ship, chain, number + 1, branch, sha256(body || hash), hash, body, first_ms, last_ms,
        1, instance from fleet.link where chain = 'audit' order by number desc limit 1;
      update fleet.branch set number = link.number, hash = link.hash from fleet.link
      where branch.chain = 'audit' and link.chain = 'audit'
      and link.number = branch.number + 1`,
    /link: audit \d+/,
  ],
];

test.each(sampled(4, NAMED_BY_VERIFY))("%s is named by fleet verify", async (_, alter, named) => {
  const { problem, faults } = await told(alter());
  expect(`${faults}\n${problem}`).toMatch(new RegExp(named.source, "m"));
  expect(problem).not.toBeNull();
});

test.each(sampled(4, NAMED_SINCE))(
  "%s is named by fleet verify --since",
  async (_, alter, named) => {
    const { lost } = await told(alter());
    expect(lost.join("; ")).toMatch(named);
  },
);

test.each(LISTED)("%s is listed as not proven by fleet verify", async (_, alter, named) => {
  const { problem, listed } = await told(alter());
  expect([problem, listed]).toEqual([null, expect.stringMatching(named)]);
});

test("the office's views prefer what is proven, and tell what isn't", async () => {
  const { fleet } = office;
  await fleet.psql("create database marked template fleet", "postgres");
  const url = fleet.url.replace(/\/fleet$/, "/marked");
  await withOffice(url, async (marked) => {
    const { marks } = await verifyShip(marked, SHIP);
    await markProven(marked, SHIP, marks);
  });
  const read = (text: string) => fleet.psql(text, "marked").then((rows) => rows.trim().split("\n"));
  const operations = "select id, version, proven from fleet.operation order by id";
  expect(await read(operations)).toEqual(["1|2|2", "2|1|2", "3|1|2", "4|1|2"]);
  // A forged newer version of operation 4, and an old one that seems to have come last.
  await fleet.psql(
    `${THIEF}${forgedVerdict(office.db, 6).replaceAll('"id":5', '"id":4')}
     update fleet.document set received = now() where key like 'verdict 1 %'`,
    "marked",
  );
  expect(await read(operations)).toEqual(["1|2|2", "2|1|2", "3|1|2", "4|1|2"]);
  expect(await read("select last_verdict ->> 'is_proven' from fleet.now")).toEqual(["true"]);
});
