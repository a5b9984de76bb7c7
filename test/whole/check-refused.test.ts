// The data of a stopped service under an account that may not read or write it: no command takes
// that for a missing or a damaged database, and an export tells what isn't recorded of it.

import { chmodSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { eventsOfRun, idleReadings, readingsOfRun } from "../rig/operations.ts";
import { runProgram } from "../rig/program.ts";

const folder = foldersOfTests(afterAll)();
const data = path.join(folder, "data");
const RUN = { start_ms: Date.UTC(2026, 4, 4, 10), minutes: 60 };

/** Runs a command as nobody. */
async function asNobody(command: string) {
  const through = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
  const { code, stdout, stderr } = await runProgram({ args: command.split(" "), folder, through });
  return { code, stdout, stderr };
}

async function served(ending: NodeJS.Signals) {
  await using appliance = await startAppliance({ folder });
  const { start, stop } = eventsOfRun(RUN);
  const idle = idleReadings(RUN.start_ms + 61 * 60_000, 5);
  const items = [start, ...readingsOfRun(RUN), stop, ...idle];
  await appliance.publish(
    items.map((item) => ({
      kind: "event_type" in item ? "events" : "telemetry",
      payload: JSON.stringify(item),
    })),
  );
  await appliance.program.waitUntil("a verdict", async () => {
    const [operation] = await appliance.json("/api/operations");
    return operation?.version > 0;
  });
  await appliance.program.stop(ending);
}

beforeAll(async () => {
  expect(process.getuid?.(), "these tests are about root: run them as root, or with sudo").toBe(0);
  mkdirSync(data, { mode: 0o750 });
  chmodSync(folder, 0o755);
  await served("SIGTERM");
});

const COMMANDS = ["operations", "inspection", "record-book", "ledger check", "sql .tables"];

test("a folder that may not be entered isn't taken for an empty one", async () => {
  chmodSync(data, 0o750);
  const stderr = `ballastd: ${data}/ballastd.db: can't be read by user 65534; type this as root`;
  for (const command of [...COMMANDS, "export operations", "ledger prove verdict 1"])
    expect(await asNobody(command), command).toMatchObject({
      ...{ code: 77, stdout: "", stderr: expect.stringContaining(stderr) },
    });
  const { stdout } = await asNobody("check");
  expect(stdout).toContain(`failed   database: ${data}/ballastd.db: can't be read by user 65534`);
});

test("one that may not be written needs another user, and not a backup", async () => {
  chmodSync(data, 0o755);
  const stderr = `${data}: can't be written by user 65534; type this as root`;
  for (const command of [...COMMANDS, "export operations", "ledger head"])
    expect(await asNobody(command), command).toMatchObject({
      ...{ code: 77, stdout: "", stderr: expect.stringContaining(stderr) },
    });
  const { stdout } = await asNobody("check");
  const file = `${data}/ballastd.db`;
  expect(stdout).toContain(`failed   database: ${file}: ${data}: can't be written by user 65534`);
  expect(stdout).not.toContain("restore");
});

test("an export that can be read, and not recorded, says that nothing is marked", async () => {
  await served("SIGKILL");
  rmSync(path.join(data, "control.sock"));
  for (const name of readdirSync(data).filter((file) => file.startsWith("ballastd.db")))
    chmodSync(path.join(data, name), 0o644);
  const { code, stdout, stderr } = await asNobody("export operations");
  expect({ code, lines: stdout.split("\r\n").length }).toEqual({ code: 0, lines: 3 });
  expect(stderr).toContain(
    "not in the audit log: this export; not marked as given out: its verdicts; " +
      `no head is signed for it (${data}: can't be written by user 65534`,
  );
  const own = await runProgram({ args: ["operations", "1", "--json"], folder });
  expect(JSON.parse(own.stdout).versions).toMatchObject([{ given_out: null }]);
});
