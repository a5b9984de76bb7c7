// Judged operations ashore: each version of a verdict comes once, an office reads the newest in a
// view and on its page, `ballastd fleet verify` proves them, and names one whose columns were
// altered. A ship without operations sends none.

import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import type { ShoreFile } from "../../src/bwts/documents/shore-file.ts";
import { OPERATION_EXAMPLE } from "../../src/bwts/operations/operation-example.ts";
import { RULES } from "../../src/bwts/operations/rules.ts";
import { unpackStatement } from "../../src/codec/packed-statement.ts";
import { fleetNow } from "../../src/office/fleet-now.ts";
import { type Office, withOffice } from "../../src/office/office.ts";
import { verifyShip } from "../../src/office/proof/verify.ts";
import { shipDetail } from "../../src/office/ship-detail.ts";
import { write } from "../../src/sqlite/file/open.ts";
import { EVER } from "../../src/sqlite/file/query.ts";
import { giveOut } from "../../src/sqlite/records/give-out.ts";
import { type Rig, removeFolders } from "../rig/database.ts";
import { type FleetRig, sail, startFleet } from "../rig/fleet-rig.ts";
import { judgeOperations } from "../rig/fleet-verdicts.ts";
import { grownHead } from "../rig/ledger-signer.ts";
import { linksOf, shipAboard } from "../rig/ship-links.ts";
import { openBox } from "../rig/shore-rig.ts";
import { until } from "../rig/until.ts";

let fleet: FleetRig;
beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

const GIVEN_MS = Date.parse("2026-05-03T00:00:00Z");

const asked = async (text: string) => (await fleet.psql(text)).trim();
const withFleet = <Result>(work: (office: Office) => Promise<Result>) =>
  withOffice(fleet.url, work);

async function delivered(rig: Rig, file: ShoreFile, verdicts: number) {
  await using box = openBox(rig, file, { dir: rig.dir });
  const { ship: imo } = file;
  const count = async (table: string, where: string) =>
    Number(await asked(`select count(*) from fleet.${table} where ship = '${imo}' and ${where}`));
  await until(
    "all ashore",
    async () =>
      (await count("document", "kind = 'verdict'")) >= verdicts &&
      (await count("document", "kind = 'head'")) >= 1 &&
      (await count("link", "true")) >= linksOf(rig.db).length,
    () => JSON.stringify([box.shore.state, [...box.shore.state.refusals.values()]]),
  );
}

test("versions come ashore once, are read in psql and on the page, and are proven", async () => {
  const rig = shipAboard({ seed: 31, segments: 1, readings: 40 });
  judgeOperations(rig, [
    { id: 1, verdict: "within_limits", reasons: [], because: "the operation ended" },
    { id: 2, operation_type: "CIP", verdict: null, because: "the operation ended" },
    { id: 3, end: "2026-05-01T20:00:00.000Z", because: "the operation ended" },
    { id: 1, version: 2, verdict: "cannot_tell", because: "14 readings came late" },
  ]);
  write(rig.db, () => giveOut(rig.db, { ids: [1, 3], range: EVER }, GIVEN_MS));
  await grownHead(rig, 1);
  await delivered(rig, await fleet.add("9074729"), 4);
  const given = "select body ->> 'content' from fleet.document where starts_with(key, 'given 1 ')";
  expect(await asked(given)).toBe("verdicts given out\nat 2026-05-03T00:00:00.000Z\nnumbers 3-4");
  expect(
    await asked(`select id, verdict, version, location, rules, because from fleet.operation
      where ship = '9074729' order by id`),
  ).toBe(
    [
      '1|cannot_tell|2|Busan|["uv_below_limit"]|14 readings came late',
      '2||1|Busan|["uv_below_limit"]|the operation ended',
      '3|outside_limits|1|Busan|["uv_below_limit"]|the operation ended',
    ].join("\n"),
  );
  const largest = "select max(octet_length(body::text) + length(key)) from fleet.document";
  expect(Number(await asked(`${largest} where kind = 'verdict'`))).toBeLessThan(1000);
  const options = { ship: "9074729", silence_minutes: 60 };
  const [ship] = (await withFleet((office) => fleetNow(office, options))).ships;
  expect(ship.last_verdict).toEqual({
    ...{ verdict: "outside_limits", version: 1, operation_type: "BALLAST", location: "Busan" },
    ...{ end: "2026-05-01T20:00:00.000Z", is_proven: false },
  });
  const { operations } = await withFleet((office) => shipDetail(office, options));
  expect(operations.map(({ id, verdict, version }) => [id, verdict, version])).toEqual([
    [3, "outside_limits", 1],
    [2, null, 1],
    [1, "cannot_tell", 2],
  ]);
  expect((await withFleet((office) => verifyShip(office, "9074729"))).ledger).toMatchObject({
    ...{ heads: 1, proven: 1, faults: [] },
  });
  // The office says another word than the ship's statement.
  await asked(`update fleet.document set body = jsonb_set(body, '{verdict}', '"within_limits"')
    where kind = 'verdict' and body ->> 'id' = '3'`);
  const { problem } = await withFleet((office) => verifyShip(office, "9074729"));
  expect(problem).toMatch(/^the statement verdict 3 .* isn't what its key names/);
  rig.close();
});

test("a verdict with 8 reasons of 8 rules takes less than 1,500 bytes", async () => {
  const rig = shipAboard({ seed: 33, segments: 1, readings: 40 });
  const [reason] = OPERATION_EXAMPLE.reasons;
  const minute = (count: number, ms: number) =>
    new Date(Date.parse(OPERATION_EXAMPLE.start) + count * 60_000 + ms).toISOString();
  const reasons = RULES.slice(0, 8).map(({ rule, verdict }, place) => ({
    ...{ ...reason, rule, verdict: z.enum(["outside_limits", "cannot_tell"]).parse(verdict) },
    ...{ start: minute(3 * place, 137 * place), end: minute(3 * place + 2, 61 * place) },
    ...{ seconds: 120 - place / 8, readings: 101 + place, worst: 231.5 - 1.3 * place },
    ...{ worst_at: minute(3 * place + 1, 97 * place), volume_m3: 20 + 1.7 * place },
  }));
  judgeOperations(rig, [
    { reasons, location: "Rotterdam, Maasvlakte", because: "14 readings came late" },
  ]);
  await grownHead(rig, 1);
  await delivered(rig, await fleet.add("9839272"), 1);
  const [bytes, rules] = (
    await asked(`select octet_length(body::text) + length(key), body ->> 'rules'
      from fleet.document where ship = '9839272' and kind = 'verdict'`)
  ).split("|");
  expect(JSON.parse(rules)).toEqual(RULES.slice(0, 8).map(({ rule }) => rule));
  expect(Number(bytes)).toBeLessThan(1500);
  expect((await withFleet((office) => verifyShip(office, "9839272"))).ledger.faults).toEqual([]);
  rig.close();
});

test("of a verdict as long as can be the fleet's page gets a few words", async () => {
  await using ship = await sail(await fleet.add("9395044"));
  await ship.hello();
  const text = "x".repeat(60_000);
  const told = { verdict: "cannot_tell", version: 1, end: text, location: text, remarks: [text] };
  const put = "select fleet.put_document($1, 'verdict', $2, 1, $3) as result";
  expect(await ship.ask(put, [ship.instance, `verdict 1 ${"ab".repeat(32)}`, told])).toBe("");
  const bytes = await asked(`select octet_length(last_verdict::text) from fleet.now
    where ship = '9395044'`);
  expect(Number(bytes)).toBeLessThan(500);
  const options = { ship: "9395044", silence_minutes: 60 };
  const [{ last_verdict }] = (await withFleet((office) => fleetNow(office, options))).ships;
  expect(last_verdict).toMatchObject({ verdict: "cannot_tell", end: null, version: 1 });
});

test("what was packed is read for ever: the dictionary is as it was", () => {
  const packed = "Q25oG5pga8jjbisiNYkDwE3iWgA=";
  expect(unpackStatement(packed)).toBe(
    '{"because":"14 readings came late","verdict":"cannot_tell","location":"Pusan"}',
  );
  expect(unpackStatement("AAAA")).toBeNull();
});

test("a ship without operations sends none; a withdrawn one is no last verdict", async () => {
  const rig = shipAboard({ seed: 32, segments: 1, readings: 40 });
  await grownHead(rig, 1);
  const file = await fleet.add("9176187");
  await delivered(rig, file, 0);
  expect(await asked("select count(*) from fleet.operation where ship = '9176187'")).toBe("0");
  const options = { ship: "9176187", silence_minutes: 60 };
  const last = async () =>
    (await withFleet((office) => fleetNow(office, options))).ships[0].last_verdict;
  expect(await last()).toBeNull();
  judgeOperations(rig, [{ because: "the operation ended" }]);
  await grownHead(rig, 1);
  await delivered(rig, file, 1);
  expect(await last()).toMatchObject({ verdict: "outside_limits" });
  judgeOperations(rig, [{ version: 2, remarks: ["withdrawn"], because: "its events are hidden" }]);
  await grownHead(rig, 1);
  await delivered(rig, file, 2);
  expect(await last()).toBeNull();
  rig.close();
});
