// A verdict that left the ship, in the built program: the ledger states it, and a row that was lost
// or altered by hand is made again or found. And changes that reach a verdict: a cleaning that
// comes late, and limits that change while an operation runs.

import { execFileSync } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { minuteOf } from "../../src/bwts/documents/sheet-words.ts";
import { databaseFile, openWriter, prepare, write } from "../../src/sqlite/file/open.ts";
import { withRowChecksum } from "../../src/sqlite/file/row-checksum.ts";
import { allVersions } from "../../src/sqlite/records/operation-rows.ts";
import { type Appliance, type Sent, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { eventsOfRun, idleReadings, readingsOfRun } from "../rig/operations.ts";
import { runProgram } from "../rig/program.ts";
import { until } from "../rig/until.ts";

const VERIFIER = path.join(import.meta.dirname, "../../docs/verify-ledger.py");
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.UTC(2026, 4, 1);
const folder = foldersOfTests(afterAll)();
const run = (...args: readonly string[]) => runProgram({ args, folder });
const database = databaseFile(path.join(folder, "data"));

const sent = (kind: string, payloads: readonly object[]): readonly Sent[] =>
  payloads.map((payload) => ({ kind, payload: JSON.stringify(payload) }));
const time = (at_ms: number) => new Date(at_ms).toISOString();

const RUN = { start_ms: START_MS, minutes: 60 };
const isLate = ({ timestamp }: { readonly timestamp: number }) =>
  timestamp > START_MS + 20 * MINUTE_MS && timestamp < START_MS + 40 * MINUTE_MS;
/** After the first, so that it has a cleaning before it once one comes late. */
const NEXT = { start_ms: START_MS + 20 * HOUR_MS, minutes: 30, location: "Ulsan" };

let appliance: Appliance;
const restart = async (env: Readonly<Record<string, string>> = {}) => {
  appliance = await startAppliance({ folder, env });
};
const stop = () => appliance[Symbol.asyncDispose]();
beforeAll(async () => {
  await restart();
  await appliance.publish([
    ...[RUN, NEXT].flatMap((one) => sent("events", Object.values(eventsOfRun(one)))),
    ...sent(
      "telemetry",
      readingsOfRun(RUN).filter((one) => !isLate(one)),
    ),
    ...sent("telemetry", idleReadings(RUN.start_ms + 61 * MINUTE_MS, 10)),
    ...sent("telemetry", readingsOfRun(NEXT)),
    ...sent("telemetry", idleReadings(NEXT.start_ms + 31 * MINUTE_MS, 10)),
  ]);
});
afterAll(() => stop());

type Told = ReturnType<typeof JSON.parse>;

/** The operations, oldest first, once `isThere` holds for them. */
async function operations(what: string, isThere: (found: Told) => boolean) {
  let found: Told = [];
  await until(
    what,
    async () => {
      found = (await appliance.json("/api/operations")).reverse();
      return isThere(found);
    },
    () => JSON.stringify(found),
  );
  return found;
}

const versions = (...all: readonly number[]) => {
  const expected = all.join();
  return (found: Told) => found.map(({ version }: Told) => version).join() === expected;
};

test("an export is stated in the ledger, and a stranger can prove it", async () => {
  await operations("two judged operations", versions(1, 1));
  expect((await appliance.get("/export/operations")).status).toBe(200);
  const [{ versions: all }] = await operations("given out", (found) => {
    return found[0].versions[0].given_out !== null;
  });
  expect(all[0].given_out_number).toBe(1);
  const file = path.join(folder, "given.json");
  expect(await run("ledger", "prove", "given", "1", "--output", file)).toMatchObject({ code: 0 });
  const { verifier_key } = await appliance.json("/api/ledger/head");
  const given = ["--key", verifier_key, "--proof", file, "--claim", "given 1"];
  const said = execFileSync("python3", ["-I", VERIFIER, ...given], { encoding: "utf8" });
  expect(said).toContain(`verdicts given out\n  at ${all[0].given_out}\n  numbers 1-2\n`);
  expect(said).toMatch(/all of this is proven\n$/);
  expect(await run("ledger", "check", file, "--claim", "given 1")).toMatchObject({ code: 0 });
  const { status } = await appliance.get("/api/ledger/proof?kind=given&number=1");
  expect(status).toBe(200);
});

test("a row that is altered is named, and one that is lost is made again", async () => {
  const [before] = await operations("the first", versions(1, 1));
  await stop();
  setGiven(null);
  const altered = await run("ledger", "check");
  const { given_out } = before.versions[0];
  const text = `operation 1, version 1: was given out at ${given_out}, by given 1 of the ledger`;
  expect(altered).toMatchObject({ code: 1, stdout: expect.stringContaining(text) });
  removeVersions();
  await restart();
  const again = await operations("made again", (found) => found.length === 2);
  expect(again[0]).toEqual(before);
  expect(await run("ledger", "check")).toMatchObject({ code: 0 });
  await appliance.publish(sent("telemetry", readingsOfRun(RUN).filter(isLate)));
  const [first] = await operations("a second version", versions(2, 1));
  expect(first.versions[1].because).toBe(
    `19 readings came late; the version before was given out on ${given_out.slice(0, 10)}`,
  );
  const shown = (await run("operations", "1")).stdout.replace(/\s+/g, " ");
  expect(shown).toContain(`given out ${minuteOf(given_out)} UTC (given 1 of the ledger)`);
});

function setGiven(given_out_ms: number | null): void {
  const db = openWriter(database);
  write(db, () => {
    for (const { checksum: _, ...row } of [...allVersions(db)])
      prepare(db, "operation.mark_version").run(withRowChecksum({ ...row, given_out_ms }));
  });
  db.close();
}

function removeVersions(): void {
  const db = openWriter(database);
  db.exec("delete from operation_version");
  db.close();
}

test("a cleaning that comes late renews the hours since it, and the reason says so", async () => {
  const cleaning = { start_ms: NEXT.start_ms - 10 * HOUR_MS, minutes: 60, type: "CIP" };
  await appliance.publish(sent("events", Object.values(eventsOfRun(cleaning))));
  const [, , next] = await operations("judged anew", versions(2, 1, 2));
  expect(next).toMatchObject({ location: "Ulsan", hours_since_cip: 9 });
  const ended = time(cleaning.start_ms + HOUR_MS);
  const because = `a cleaning came late: the last one before it ended at ${ended}`;
  expect(next.versions[1].because).toContain(because);
  expect(next.versions[1].because).toContain("; the version before was given out on ");
  const range = ["--from", time(cleaning.start_ms), "--to", ended];
  const hidden = await run("void", ...range, "--events", "--reason", "twice");
  expect(hidden).toMatchObject({ code: 0 });
  const found = await operations("the cleaning withdrawn", versions(2, 2, 3));
  expect(found[1].remarks).toContain("withdrawn");
  expect(found[2]).toMatchObject({ hours_since_cip: null });
});

test("limits that change while an operation runs tell from when on each holds", async () => {
  const start_ms = Date.now() - 40_000;
  const now = { start_ms, minutes: 130, step_ms: 1000, location: "Goa" };
  const { start, stop: end } = eventsOfRun(now);
  const readings = readingsOfRun(now);
  await appliance.publish([
    ...sent("events", [start]),
    ...sent("telemetry", readings.slice(0, 30)),
  ]);
  await stop();
  await restart({ BALLASTD_LIMITS_UV_IMO: "650" });
  await appliance.publish([
    ...sent("telemetry", readings.slice(30)),
    ...sent("events", [end]),
    ...sent("telemetry", idleReadings(end.timestamp + MINUTE_MS, 1)),
  ]);
  const found = await operations("the new one", (all) => all.length === 4 && all[3].version > 0);
  const limits = found[3].limits.filter(({ key }: Told) => key === "limits.uv_imo");
  expect(limits).toMatchObject([{ value: 252, from: time(start_ms) }, { value: 650 }]);
  const changed_ms = Date.parse(limits[1].from);
  expect(changed_ms).toBeGreaterThan(start_ms + 30_000);
  expect(changed_ms).toBeLessThan(end.timestamp);
  const [low] = found[3].reasons;
  expect(low).toMatchObject({ rule: "uv_below_limit", limit: 650 });
  expect(Date.parse(low.start)).toBeGreaterThanOrEqual(changed_ms);
  const shown = (await run("operations", String(found[3].id))).stdout.replace(/\s+/g, " ");
  const from = limits[1].from.slice(11, 19);
  expect(shown).toMatch(new RegExp(`UV, IMO, at least 650 W/m², from \\d+ \\w+ ${from}`));
});
