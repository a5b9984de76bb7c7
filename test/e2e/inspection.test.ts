// The inspection sheet of the built program: what it answers of a year of real readings, what a
// print leaves in the ledger, who may print and how often, and the same in a terminal.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type * as z from "zod";
import type { AuditAnswer } from "../../src/bwts/audit.ts";
import type { Inspection } from "../../src/bwts/documents/inspection.ts";
import { sailYear } from "../rig/inspected-year.ts";
import { type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { runProgram } from "../rig/program.ts";

const MAINTAINER = "maintainer-of-the-test";
const env = {
  BALLASTD_SYSTEM_VESSEL: "MV Example",
  BALLASTD_SYSTEM_IMO: "9074729",
  BALLASTD_SYSTEM_SERIAL: "A-1207",
  BALLASTD_SYSTEM_UTC_OFFSET: "+09:00",
  BALLASTD_AUTH_TOKEN: MAINTAINER,
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

function print(
  token: string | null,
  { path = "/admin/inspection", body = "{}", type = "application/json" } = {},
): Promise<Response> {
  const headers = new Headers({ "Content-Type": type });
  if (token !== null) headers.set("Authorization", `Bearer ${token}`);
  return fetch(`${plant.url}${path}`, { method: "POST", headers, body });
}

async function printed(token = MAINTAINER): Promise<Inspection> {
  const answer = await print(token);
  expect(answer.status).toBe(200);
  return answer.json();
}

/** Entries of the audit log about prints, newest first. */
async function prints(): Promise<readonly AuditEntry[]> {
  const headers = { Authorization: `Bearer ${MAINTAINER}` };
  const answer = await fetch(`${plant.url}/admin/audit?kind=printed&limit=1000`, { headers });
  return (await answer.json()).data;
}

type AuditEntry = z.output<typeof AuditAnswer>;

interface Heads {
  readonly data: readonly { readonly size: number; readonly reason: string; checkpoint: string }[];
}

async function printedHeads(): Promise<Heads["data"]> {
  const heads: Heads = await (await fetch(`${plant.url}/api/ledger/heads?limit=1000`)).json();
  return heads.data.filter(({ reason }) => reason === "print");
}

test("the sheet counts a year, and tells each exception with its evidence", async () => {
  await expect
    .poll(async () => (await sheetOf(plant)).counts, REFRESH)
    .toMatchObject({ operations: 46, waiting: 0 });
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

test("who has no engineer's token prints nothing, and sees the sheet", async () => {
  const { stdout: viewer } = await runProgram({
    args: ["token", "add", "--name", "mate", "--role", "viewer"],
    folder: plant.program.folder,
    env,
  });
  for (const [token, status] of [
    [null, 401],
    ["wrong", 401],
    [viewer.trim(), 403],
  ] as const) {
    expect((await print(token)).status).toBe(status);
    expect((await print(token, { body: "x".repeat(100_000) })).status).toBe(status);
  }
  expect((await print(MAINTAINER, { path: "/api/inspection" })).status).toBe(405);
  expect((await print(MAINTAINER, { path: "/api/reconcile" })).status).toBe(404);
  const sheet = await sheetOf(plant);
  expect(sheet.operations.every(({ given_out }) => given_out === null)).toBe(true);
  expect([await printedHeads(), await prints()]).toEqual([[], []]);
});

test("a print marks its verdicts, enters a head, and stands in the audit log", async () => {
  const { stdout: chief } = await runProgram({
    args: ["token", "add", "--name", "chief", "--role", "engineer"],
    folder: plant.program.folder,
    env,
  });
  const sheet = await printed(chief.trim());
  expect(sheet.trust.head?.reason).toBe("print");
  expect(sheet.operations.every(({ given_out }) => given_out !== null)).toBe(true);
  expect(sheet.exceptions.every(({ given_out }) => given_out !== null)).toBe(true);
  const [head] = await printedHeads();
  expect(sheet.trust.head?.checkpoint).toBe(head?.checkpoint);
  const [entry, ...others] = await prints();
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ actor: "chief", address: "127.0.0.1" });
  const ids = sheet.operations.map(({ id }) => id);
  expect(entry?.detail).toEqual({ operations: expect.arrayContaining(ids) });
  // The head that was signed for it has the entry.
  const proof = await fetch(`${plant.url}/admin/audit/proof?number=${entry?.id}`, {
    headers: { Authorization: `Bearer ${MAINTAINER}` },
  });
  expect((await proof.json()).head).toBe(head?.checkpoint);
  const again = await printed();
  expect(await printedHeads()).toHaveLength(2);
  expect(await prints()).toMatchObject([{ actor: "configured", detail: { operations: [] } }, {}]);
  expect(again.trust.given_out).toMatchObject({ count: 1, compared: 1, in_tree: 1 });
  expect(again.trust.given_out.newest).toMatchObject([{ reason: "print", in_tree: true }]);
  const statement = await fetch(`${plant.url}/api/ledger/proof?kind=head&number=1`);
  expect(await statement.text()).toContain("head given out: print");
  const { versions } = await (
    await fetch(`${plant.url}/api/operations/${sheet.operations[0]?.id}`)
  ).json();
  expect(versions).toMatchObject([{ given_out: sheet.operations[0]?.given_out }]);
});

test("the body of a print is the empty object as JSON", async () => {
  expect((await print(MAINTAINER, { type: "text/plain" })).status).toBe(415);
  expect((await print(MAINTAINER, { body: '{"reason":"export"}' })).status).toBe(400);
  expect((await print(MAINTAINER, { body: " ".repeat(70_000) })).status).toBe(413);
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
  expect((await printedHeads())[0]?.checkpoint).toBe(given.trust.head?.checkpoint);
  expect((await prints())[0]?.actor).toMatch(/^local:/);
  const file = path.join(folder, "sheet.txt");
  const written = await runProgram({ ...options, args: ["inspection", "--output", file] });
  expect(written.code, written.stderr).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("BALLAST WATER TREATMENT: INSPECTION SHEET");
  const refused = await runProgram({ ...options, args: ["inspection", "--output", file] });
  expect(refused.code).not.toBe(0);
});

test("the pack on a stick is proven by its own verifier, and written once", async () => {
  const { folder } = plant.program;
  const stick = path.join(folder, "stick");
  mkdirSync(stick);
  const pack = (...args: readonly string[]) =>
    runProgram({ folder, env, args: ["inspection", "pack", ...args] });
  const written = await pack(stick, "--last", "2");
  expect(written, written.stderr).toMatchObject({ code: 0 });
  const [newest, before] = (await sheetOf(plant)).operations.map(({ id }) => id);
  const perOperation = [newest, before].flatMap((id) => [
    ...[`operation-${id}.json`, `operation-${id}.proof.json`, `operation-${id}.txt`],
  ]);
  const others = ["README.txt", "inspection.json", "inspection.txt", "verify-ledger.py"];
  const lists = ["files.txt", "files.proof.json"];
  expect(readdirSync(stick).sort()).toEqual([...perOperation, ...others, ...lists].sort());
  const head = await runProgram({ folder, env, args: ["ledger", "head", "--json"] });
  const { verifier_key } = JSON.parse(head.stdout);
  const sheet = readFileSync(path.join(stick, "inspection.txt"), "utf8");
  const [fingerprint = ""] = /SHA256:\S+/.exec(sheet) ?? [];
  const verify = (key: string) =>
    spawnSync("python3", ["-I", "verify-ledger.py", "--key", key, "--pack", "."], {
      ...{ cwd: stick, encoding: "utf8" },
    });
  for (const key of [verifier_key, fingerprint]) {
    const proven = verify(key);
    expect(proven, proven.stdout).toMatchObject({ status: 0 });
    expect(proven.stdout).toMatch(/^\d+ files: as the ship signed them$/m);
    expect(proven.stdout).toMatch(
      new RegExp(`^operation-${newest}: .*(within|outside) limits$`, "m"),
    );
  }
  const stranger = "SHA256:ZNnvPbhZ4WcOYkfBcDVxDPBDtC1GZbNs1nIvGbSPBKE";
  expect(verify(stranger).stdout).toContain("no trusted key is the head's");
  // Whatever somebody does to the folder is named.
  const inStick = (name: string) => path.join(stick, name);
  const done = (name: string, fault: string, act: () => void) => {
    const kept = readdirSync(stick).map((one) => [one, readFileSync(inStick(one))] as const);
    act();
    const { status, stdout } = verify(fingerprint);
    expect(status, name).toBe(1);
    expect(stdout).toContain(`WRONG: .: the files aren't those that the ship signed\n  ${fault}`);
    for (const one of readdirSync(stick)) rmSync(inStick(one));
    for (const [one, bytes] of kept) writeFileSync(inStick(one), bytes);
  };
  for (const name of [...perOperation, ...others.filter((one) => one !== "verify-ledger.py")])
    done(name, `${name}: was altered`, () => writeFileSync(inStick(name), " ", { flag: "a" }));
  done("removed", `operation-${newest}.txt: was taken away`, () =>
    rmSync(inStick(`operation-${newest}.txt`)),
  );
  done("invented", "operation-999.txt: was added", () =>
    writeFileSync(inStick("operation-999.txt"), "within limits\n"),
  );
  const proofs = [newest, before].map((id) => `operation-${id}.proof.json`);
  done("swapped", `${proofs[0]}: was altered`, () =>
    copyFileSync(inStick(proofs[1]), inStick(proofs[0])),
  );
  const list = readFileSync(inStick("files.txt"), "utf8");
  writeFileSync(inStick("files.txt"), list.split("\n").slice(1).join("\n"));
  expect(verify(fingerprint).stdout).toContain("files.txt isn't the list that the ship signed");
  const again = await pack(stick);
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain("README.txt: is there already; --force overwrites it");
  expect((await pack(stick, "--force", "--last", "0")).code).toBe(0);
  expect(readdirSync(stick).sort()).toEqual([...others, ...lists].sort());
  expect(verify(fingerprint).status).toBe(0);
  const missing = await pack(path.join(folder, "no-stick"));
  expect(missing.stderr).toContain("there is no such folder; is it mounted?");
  const wrong = await pack(stick, "--last", "11");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("0 to 10") });
});
