// A backup restored on two machines at once: each goes on under an origin of its own, and both
// judge what comes then alike.

import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Appliance, type Sent, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { eventsOfRun, idleReadings, readingsOfRun } from "../rig/operations.ts";
import { runProgram } from "../rig/program.ts";
import { until } from "../rig/until.ts";

const MINUTE_MS = 60_000;
const folder = foldersOfTests(afterAll)();
const START_MS = Date.UTC(2026, 4, 1);
const FIRST = { start_ms: START_MS, minutes: 60 };
const isLate = ({ timestamp }: { readonly timestamp: number }) =>
  timestamp > START_MS + 20 * MINUTE_MS && timestamp < START_MS + 40 * MINUTE_MS;
const SECOND = { start_ms: START_MS + 300 * MINUTE_MS, minutes: 60, type: "DEBALLAST" };

const sent = (kind: string, payloads: readonly object[]): readonly Sent[] =>
  payloads.map((payload) => ({ kind, payload: JSON.stringify(payload) }));
const whole = (run: typeof FIRST) => [
  ...sent("events", Object.values(eventsOfRun(run))),
  ...sent("telemetry", readingsOfRun(run)),
  ...sent("telemetry", idleReadings(run.start_ms + 61 * MINUTE_MS, 20)),
];

type Told = ReturnType<typeof JSON.parse>;

async function operations(appliance: Appliance, versions: readonly number[]): Promise<Told> {
  let found: Told = [];
  await until(
    `versions ${versions}`,
    async () => {
      found = await appliance.json("/api/operations");
      return found.map(({ version }: Told) => version).join() === versions.join();
    },
    () => JSON.stringify(found),
  );
  return found;
}

/** Without the times at which versions were made. */
const timeless = (found: Told) =>
  found.map(({ versions, ...record }: Told) => ({
    ...record,
    versions: versions.map(({ made: _, ...version }: Told) => version),
  }));

test("two machines with one backup judge alike, under origins of their own", async () => {
  const backup = path.join(folder, "stick.db");
  const aboard = path.join(folder, "aboard");
  mkdirSync(aboard);
  await using first = await startAppliance({ folder: aboard });
  await first.publish(whole(FIRST).filter(({ payload }) => !isLate(JSON.parse(String(payload)))));
  await operations(first, [1]);
  const made = await runProgram({ args: ["backup", backup], folder: aboard });
  expect(made.code, made.stderr).toBe(0);
  const others = ["one", "other"].map((name) => path.join(folder, name));
  const told: Told[] = [];
  const origins = [(await first.json("/api/ledger/head")).origin];
  for (const other of others) {
    mkdirSync(other);
    cpSync(backup, path.join(other, "stick.db"));
    const args = ["restore", path.join(other, "stick.db")];
    expect(await runProgram({ args, folder: other })).toMatchObject({ code: 0 });
    await using appliance = await startAppliance({ folder: other });
    await appliance.publish([
      ...sent("telemetry", readingsOfRun(FIRST).filter(isLate)),
      ...whole(SECOND),
    ]);
    const found = await operations(appliance, [1, 2]);
    expect(found[1]).toMatchObject({ id: 1, verdict: "within_limits" });
    expect(found[1].versions[1].because).toBe("19 readings came late");
    told.push(timeless(found));
    const { data_exceptions, trust } = await appliance.json("/api/inspection");
    expect(data_exceptions).toEqual([
      expect.stringMatching(/^Stored data was replaced .*: the key before is lost/),
    ]);
    expect(trust.sentences.join(" ")).toMatch(
      /Corrections: no void\. Stored data REPLACED: 1 time:/,
    );
    await until("the alert that only a person closes", async () =>
      JSON.stringify(await appliance.json("/api/alarms")).includes("HISTORY_REPLACED"),
    );
    origins.push((await appliance.json("/api/ledger/head")).origin);
    const { code, stdout } = await runProgram({ args: ["verify"], folder: other });
    expect(code, stdout).toBe(0);
  }
  const withoutReceipts = (found: Told) =>
    found.map(({ readings_root: _, ...record }: Told) => record);
  expect(withoutReceipts(told[1])).toEqual(withoutReceipts(told[0]));
  expect(new Set(origins).size).toBe(3);
});
