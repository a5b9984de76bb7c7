// The inspection sheet of the built program: what it answers of a year of real readings, what a
// print leaves in the ledger, who may print and how often, and the same in a terminal.

import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Inspection } from "../../src/bwts/inspection/inspection.ts";
import { sailYear } from "../rig/inspected-year.ts";
import { type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { runProgram } from "../rig/program.ts";

const env = {
  BALLASTD_SYSTEM_VESSEL: "MV Example",
  BALLASTD_SYSTEM_IMO: "9074729",
  BALLASTD_SYSTEM_SERIAL: "A-1207",
  BALLASTD_SYSTEM_UTC_OFFSET: "+09:00",
  BALLASTD_AUTH_TOKEN: "maintainer-of-the-test",
};
const now_ms = Date.now();

let plant: Plant;
beforeAll(async () => {
  plant = await startPlant(env);
  await sailYear(plant, {
    ...{ now_ms, operations: 46, ports: ["Singapore", "Busan"] },
    ...{ below: [40], bypassed: [21] },
  });
});
afterAll(() => plant[Symbol.asyncDispose]());

async function sheetOf({ url }: Pick<Plant, "url">): Promise<Inspection> {
  return (await fetch(`${url}/api/inspection`)).json();
}

async function printed(token: string | null = null): Promise<Inspection> {
  const answer = await fetch(`${plant.url}/api/inspection`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: "{}",
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

interface Heads {
  readonly data: readonly { readonly size: number; readonly reason: string; checkpoint: string }[];
}

async function prints(): Promise<Heads["data"]> {
  const heads: Heads = await (await fetch(`${plant.url}/api/ledger/heads?limit=1000`)).json();
  return heads.data.filter(({ reason }) => reason === "print");
}

test("the sheet counts a year, and tells each exception with its evidence", async () => {
  await expect.poll(async () => (await sheetOf(plant)).counts.operations, REFRESH).toBe(46);
  const sheet = await sheetOf(plant);
  expect(sheet.counts).toMatchObject({
    ...{
      operations: 46,
      within_limits: 44,
      outside_limits: 2,
      cannot_tell: 0,
      running: 0,
      waiting: 0,
    },
    ...{ bypassed: 1, superseded: 0 },
  });
  expect(sheet.summary[0]).toMatch(
    /^46 operations since .*: 44 within limits, 2 outside, 0 cannot tell\.$/,
  );
  expect(sheet.exceptions).toMatchObject([
    {
      ...{ operation_type: "BALLAST", location: "Singapore", verdict: "outside_limits" },
      ...{ what: "UV below 252 W/m² for 15 min" },
      evidence: expect.stringMatching(/^least 201.5 W\/m², 5 readings, ledger: verdict \d+$/),
      record_book: "A, item 5 with the reason; F if it failed",
    },
    { location: "Busan", what: "bypassed for 15 min", volume_m3: expect.closeTo(225, 0) },
  ]);
  expect(sheet.operations).toHaveLength(10);
  expect(sheet.trace).toMatchObject({
    ...{ uptake: { operation_type: "BALLAST" }, discharge: { operation_type: "DEBALLAST" } },
    ...{ difference_percent: 0, basis: "pairing by volume, tanks unknown" },
  });
  expect(sheet.ship).toEqual({
    ...{ vessel: "MV Example", imo: "9074729", system_id: "BWTS-001", system_type: null },
    ...{ serial: "A-1207", certificate: null, capacity_m3_h: null },
  });
  expect(sheet.ship_time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ship's time UTC\+09:00$/);
  expect(sheet.upkeep).toMatchObject({ hours_since_cip: 112.4, lamps_failed: [7] });
  expect(sheet.questions.map(({ answer }) => answer !== null)).toEqual(
    Array.from({ length: 10 }, (_, index) => [5, 6].includes(index)),
  );
});

test("a print marks its verdicts and enters a head; strangers share one for an hour", async () => {
  const before = await sheetOf(plant);
  expect(before.operations.every(({ given_out }) => given_out === null)).toBe(true);
  const sheet = await printed();
  expect(sheet.trust.head?.reason).toBe("print");
  expect(sheet.operations.every(({ given_out }) => given_out !== null)).toBe(true);
  expect(sheet.exceptions.every(({ given_out }) => given_out !== null)).toBe(true);
  const [head] = await prints();
  expect(sheet.trust.head?.checkpoint).toBe(head?.checkpoint);
  for (let times = 0; times < 20; times += 1) await printed();
  expect(await prints()).toHaveLength(1);
  const again = await printed("maintainer-of-the-test");
  expect(await prints()).toHaveLength(2);
  expect(again.trust.given_out).toMatchObject({ count: 1, compared: 1, in_tree: 1 });
  expect(again.trust.given_out.newest).toMatchObject([{ reason: "print", in_tree: true }]);
  const statement = await fetch(`${plant.url}/api/ledger/proof?kind=head&number=1`);
  expect(await statement.text()).toContain("head given out: print");
  const { versions } = await (
    await fetch(`${plant.url}/api/operations/${sheet.operations[0]?.id}`)
  ).json();
  expect(versions).toMatchObject([{ given_out: sheet.operations[0]?.given_out }]);
});

test("of 80 strangers who print at once, each gets a sheet, and few are made", async () => {
  const sheets = await Promise.all(Array.from({ length: 80 }, () => printed()));
  expect(new Set(sheets.map((sheet) => JSON.stringify(sheet))).size).toBeLessThan(10);
});

test("another site can't have a sheet printed, and a body is the empty object", async () => {
  const ask = (body: string, type: string) =>
    fetch(`${plant.url}/api/inspection`, {
      ...{ method: "POST", body, headers: { "Content-Type": type } },
    });
  expect((await ask("{}", "text/plain")).status).toBe(415);
  expect((await ask('{"reason":"export"}', "application/json")).status).toBe(400);
});

test("the command gives the same as text of 80 columns, and as JSON", async () => {
  const { folder } = plant.program;
  const options = { folder, env };
  const told = await runProgram({ ...options, args: ["inspection"] });
  expect(told.code, told.stderr).toBe(0);
  const sheet = await sheetOf(plant);
  for (const sentence of [sheet.summary[0] ?? "", sheet.exceptions[0]?.what ?? ""])
    expect(told.stdout.replace(/\s+/g, " ")).toContain(sentence);
  expect(told.stdout.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
  expect(told.stdout).toContain("________");
  const json = await runProgram({ ...options, args: ["inspection", "--json"] });
  const given: Inspection = JSON.parse(json.stdout);
  expect({ ...given, made: "", ship_time: "", period: null, summary: [], trust: null }).toEqual({
    ...{ ...sheet, made: "", ship_time: "", period: null, summary: [], trust: null },
  });
  expect((await prints())[0]?.checkpoint).toBe(given.trust.head?.checkpoint);
  const file = path.join(folder, "sheet.txt");
  const written = await runProgram({ ...options, args: ["inspection", "--output", file] });
  expect(written.code, written.stderr).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("BALLAST WATER TREATMENT: INSPECTION SHEET");
  const refused = await runProgram({ ...options, args: ["inspection", "--output", file] });
  expect(refused.code).not.toBe(0);
});
