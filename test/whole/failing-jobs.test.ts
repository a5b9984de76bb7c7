// Work in the background that fails is told wherever somebody looks, and no longer once it
// succeeds: a nightly backup whose folder can't be made, and sealing that can't go on.

import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";

const newFolder = foldersOfTests();

const readingsOf = (count: number) => {
  const newest_ms = Date.now() - 60_000;
  const readings = Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(newest_ms - index * 1000).toISOString(),
    SYS_PRESSURE: 4,
  }));
  return [{ kind: "telemetry", payload: JSON.stringify(readings) }];
};

const jobOf = async ({ url }: Appliance, name: string) => {
  const { jobs } = JSON.parse(await (await fetch(`${url}/readyz`)).text());
  return jobs.find((job: { name: string }) => job.name === name);
};

const alarmsOf = async (appliance: Appliance) => {
  const alarms: { code: string; state: string; data: { job: string } }[] = await appliance.json(
    "/api/alarms?state=active",
  );
  return alarms.filter(({ code }) => code === "JOB_FAILING").map(({ data }) => data.job);
};

test("a backup that can't be made and sealing that can't go on are told everywhere", async () => {
  const folder = newFolder();
  {
    await using appliance = await startAppliance({ folder });
    await appliance.publish(readingsOf(1));
    await appliance.program.stop("SIGTERM");
  }
  const inTheWay = path.join(folder, "taken");
  writeFileSync(inTheWay, "");
  const env = { BALLASTD_BACKUP_DIR: path.join(inTheWay, "backups") };
  await using appliance = await startAppliance({ folder, env });
  const file = path.join(folder, "data", "ballastd.db");
  const db = new Database(file);
  db.exec("create trigger no before insert on segment begin select raise(abort, 'no seal'); end");
  db.close();
  await appliance.publish(readingsOf(2500));
  const { program } = appliance;
  await program.waitUntil("both jobs in /readyz", async () => {
    return (await jobOf(appliance, "backup")) && (await jobOf(appliance, "seal"));
  });
  expect(await jobOf(appliance, "seal")).toMatchObject({
    problem: expect.stringMatching("no seal"),
  });
  const readyz = await appliance.get("/readyz");
  expect(readyz.status).toBe(503);
  expect(JSON.parse(readyz.text).reasons).toContainEqual(
    expect.stringMatching(/^the job backup fails: .*ENOTDIR/),
  );
  const { text: metrics } = await appliance.get("/metrics");
  expect(metrics).toMatch(/^ballastd_job_failing\{job="backup"\} 1$/m);
  expect(metrics).toMatch(/^ballastd_job_failing\{job="health"\} 0$/m);
  expect(metrics).toMatch(/^ballastd_job_last_success_timestamp_seconds\{job="health"\} 1\.?\d+/m);
  await program.waitUntil("alarms", async () => (await alarmsOf(appliance)).length === 2);
  expect((await alarmsOf(appliance)).sort()).toEqual(["backup", "seal"]);
  const check = await runProgram({ args: ["check"], folder, env });
  expect(check.code).toBe(1);
  expect(check.stdout).toMatch(/^failed {3}job backup: .*ENOTDIR/m);
  expect(check.stdout).toMatch(/^failed {3}job seal: .*no seal/m);
  // Receiving went on, and the log said each once.
  await appliance.publish([{ kind: "telemetry", payload: '{"timestamp":"2026-01-01","A":1}' }]);
  expect(program.stderr().match(/job failed/g)).toHaveLength(2);
  await program.stop("SIGTERM");
  rmSync(inTheWay);
  const mended = new Database(file);
  mended.exec("drop trigger no");
  mended.close();
  await using again = await startAppliance({ folder, env });
  await again.program.waitUntil("no alarm", async () => (await alarmsOf(again)).length === 0);
  expect((await again.get("/readyz")).status).toBe(200);
});
