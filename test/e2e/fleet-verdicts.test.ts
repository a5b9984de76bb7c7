// Judged operations ashore: each version of a verdict comes once, an office reads the newest in a
// view and on its page, `ballastd fleet verify` proves them, and names one whose columns were
// altered. A ship without operations sends none.

import { afterAll, beforeAll, expect, test } from "vitest";
import { Operation } from "../../src/bwts/operations/operation.ts";
import { OPERATION_EXAMPLE } from "../../src/bwts/operations/operation-example.ts";
import type { ShoreFile } from "../../src/bwts/shore/shore-file.ts";
import { fleetNow } from "../../src/fleet/fleet-now.ts";
import { type Office, withOffice } from "../../src/fleet/office.ts";
import { shipDetail } from "../../src/fleet/ship-detail.ts";
import { verifyShip } from "../../src/fleet/verify.ts";
import { write } from "../../src/sqlite/file/open.ts";
import { addVersion } from "../../src/sqlite/records/operation-rows.ts";
import { type Rig, removeFolders } from "../rig/database.ts";
import { type FleetRig, startFleet } from "../rig/fleet-rig.ts";
import { grownHead } from "../rig/ledger-signer.ts";
import { linksOf, shipAboard } from "../rig/ship-links.ts";
import { openBox } from "../rig/shore-rig.ts";
import { until } from "../rig/until.ts";

let fleet: FleetRig;
beforeAll(async () => {
  fleet = await startFleet();
  await fleet.psql("create role office superuser login password 'office'");
});
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  removeFolders();
});

const asked = async (text: string) => (await fleet.psql(text)).trim();
const withFleet = <Result>(work: (office: Office) => Promise<Result>) =>
  withOffice(`postgres://office:office@127.0.0.1:${fleet.port}/fleet`, work);

/** Stores versions of judgements as the derivation does. */
function judged({ db }: Rig, versions: readonly (Partial<Operation> & { because: string })[]) {
  for (const { because, ...changed } of versions) {
    const { versions: _, ...record } = Operation.parse({ ...OPERATION_EXAMPLE, ...changed });
    write(db, () =>
      addVersion(db, record, { made_ms: Date.parse("2026-05-02T00:00:00Z"), because }),
    );
  }
}

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
  judged(rig, [
    { id: 1, verdict: "within_limits", reasons: [], because: "the operation ended" },
    { id: 2, operation_type: "CIP", verdict: null, because: "the operation ended" },
    { id: 3, end: "2026-05-01T20:00:00.000Z", because: "the operation ended" },
    { id: 1, version: 2, verdict: "cannot_tell", because: "14 readings came late" },
  ]);
  await grownHead(rig, 1);
  await delivered(rig, await fleet.add("9074729"), 4);
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
  expect(Number(await asked(`${largest} where kind = 'verdict'`))).toBeLessThan(2000);
  const options = { ship: "9074729", silence_minutes: 60 };
  const [ship] = (await withFleet((office) => fleetNow(office, options))).ships;
  expect(ship.last_verdict).toEqual({
    ...{ verdict: "outside_limits", version: 1, operation_type: "BALLAST", location: "Busan" },
    end: "2026-05-01T20:00:00.000Z",
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
  judged(rig, [{ because: "the operation ended" }]);
  await delivered(rig, file, 1);
  expect(await last()).toMatchObject({ verdict: "outside_limits" });
  judged(rig, [{ version: 2, remarks: ["withdrawn"], because: "its events are hidden" }]);
  await delivered(rig, file, 2);
  expect(await last()).toBeNull();
  rig.close();
});
