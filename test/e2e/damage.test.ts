// The built program on a database of which a part is damaged: it records, tells it, leaves it out,
// makes sums again whose readings are whole; a command that meets it says so in one line.

import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, printTime } from "../../src/ground/clock.ts";
import { databaseFile, openWriter } from "../../src/sqlite/file/open.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openRig, type Rig } from "../rig/database.ts";
import { messageOf } from "../rig/decoding.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";

const newFolder = foldersOfTests();
const FROM_MS = Date.UTC(2026, 0, 1);
const COUNT = 300;

/** A data folder with five sealed hours, damaged by `damage`. */
function folderWith(damage: (rig: Rig) => void): string {
  const folder = newFolder();
  const dir = path.join(folder, "data");
  mkdirSync(dir);
  const rig = openRig({}, dir);
  const received_ms = FROM_MS + DAY_MS;
  const readings = Array.from({ length: COUNT }, (_, index) => ({
    timestamp: printTime(FROM_MS + index * MINUTE_MS),
    UVR_INTENSITY: 600 + index / 10,
  }));
  rig.store.commit([messageOf("telemetry", readings, { received_ms })]);
  while (rig.store.sealOld(received_ms + DAY_MS));
  damage(rig);
  rig.close();
  return folder;
}

/** Turns one bit in a cell of the first row. */
function flip({ db }: Pick<Rig, "db">, table: string, column: string): void {
  const cell = db.prepare<[], Buffer>(`select ${column} from ${table} limit 1`).pluck().get();
  if (cell === undefined) throw new Error(`${table}: is empty`);
  cell[cell.length >> 1] ^= 4;
  db.prepare(
    `update ${table} set ${column} = ? where rowid = (select min(rowid) from ${table})`,
  ).run(cell);
}

const ONE_LINE =
  /^ballastd: stored data is damaged: segment 1 \(300 readings from 2026-01-01.*\): .*; stop ballastd and type `ballastd salvage`.*\n$/;

test("a command that meets damage ends with one line that names it and what to type", async () => {
  const folder = folderWith((rig) => flip(rig, "segment", "payload"));
  const range = ["--from", "2026-01-01T01:00Z", "--to", "2026-01-01T02:30Z"];
  const hide = ["void", ...range, "--reason", "a sensor was broken"];
  const alone = await runProgram({ args: ["export", ...range], folder });
  expect(alone.stderr).toMatch(ONE_LINE);
  expect(alone.code).toBe(74);
  const alsoAlone = await runProgram({ args: hide, folder });
  expect(alsoAlone.stderr).toMatch(ONE_LINE);
  expect(alsoAlone.code).toBe(74);
  await using appliance = await startAppliance({ folder });
  const beside = await runProgram({ args: hide, folder });
  expect(beside.stderr).toMatch(ONE_LINE);
  expect(beside.code).toBe(74);
  expect((await appliance.get("/readyz")).status).toBe(200);
});

const HOURS =
  "/api/telemetry/aggregated?interval=hour&startDate=2026-01-01&endDate=2026-01-01T05:00Z";

test("damaged rows stop nothing: the start goes on, tells them and makes sums again", async () => {
  let hours = "";
  const folder = folderWith((rig) => {
    const hot = [7, 8].map((hour) => ({
      timestamp: printTime(FROM_MS + hour * HOUR_MS),
      UVR_INTENSITY: 700 + hour,
    }));
    const starts = [7, 8].map((hour) => ({
      timestamp: printTime(FROM_MS + hour * HOUR_MS),
      event_type: "PROCESS_START",
      data: { operation_type: "BALLAST", location: `port ${hour}` },
    }));
    rig.store.commit([
      messageOf("telemetry", hot, { received_ms: Date.now() }),
      ...starts.map((start) => messageOf("events", start)),
    ]);
  });
  {
    await using before = await startAppliance({ folder });
    hours = (await before.get(HOURS)).text;
    await before.program.stop("SIGTERM");
  }
  const db = openWriter(databaseFile(path.join(folder, "data")));
  flip({ db }, "reading", "row");
  db.exec("update bucket set UVR_INTENSITY_sum = 1 where id in (2, 5)");
  db.exec("update bucket set count = count + 1 where interval = 'day'");
  db.exec("update event set data = replace(data, 'port 7', 'port 6')");
  db.close();

  await using appliance = await startAppliance({ folder });
  const sent = { timestamp: printTime(FROM_MS + 9 * HOUR_MS), UVR_INTENSITY: 650 };
  const again = { timestamp: printTime(FROM_MS + 7 * HOUR_MS), SYS_PRESSURE: 4 };
  await appliance.publish(
    [sent, again].map((content) => ({ kind: "telemetry", payload: JSON.stringify(content) })),
  );
  expect(await appliance.json("/api/telemetry/latest")).toMatchObject(sent);
  expect(await appliance.quarantine()).toMatchObject([
    { reason: "damaged", detail: expect.stringContaining("the unsealed reading of 2026-01-01T07") },
  ]);
  const chunk = "/api/telemetry/chunked?startDate=2026-01-01T06:30Z&endDate=";
  const damaged = await appliance.get(`${chunk}2026-01-01T07:30Z`);
  expect([damaged.status, damaged.headers.get("retry-after")]).toEqual([503, "60"]);
  expect((await appliance.get(`${chunk}2026-01-01T06:45Z`)).status).toBe(200);

  await expectNamedEvent(appliance, folder);

  // Each once; what is made again is told no more in /readyz after the next proof.
  for (const interval of ["hour", "day"])
    await appliance.program.waitForOutput(new RegExp(`"problem":"bucket: the row of ${interval} `));
  expect((await appliance.json("/readyz")).damage.problems).toContain(HOT_PROBLEM);
  const check = await runProgram({ args: ["check"], folder });
  expect(check.stdout).toMatch(new RegExp(`^failed .*${HOT_PROBLEM}`, "m"));
  await appliance.program.waitUntil("the hours are answered as before", async () => {
    const { status, text } = await appliance.get(HOURS);
    expect([200, 503]).toContain(status);
    if (status === 200) expect(text).toBe(hours);
    return status === 200;
  });
  await appliance.program.waitUntil("the alarm", async () =>
    (await appliance.get("/api/alarms")).text.includes("DATA_DAMAGED"),
  );
  await appliance.program.stop("SIGTERM");
  const verify = await runProgram({ args: ["verify"], folder });
  expect(verify.stdout + verify.stderr).toMatch(/the unsealed reading of 2026-01-01T07/);
});

/** The damaged event is named in its place, by the API and in a file. */
async function expectNamedEvent(appliance: Appliance, folder: string): Promise<void> {
  const events = await appliance.json("/api/events?type=PROCESS_START");
  expect(events).toMatchObject([
    { timestamp: printTime(FROM_MS + 8 * HOUR_MS), data: { location: "port 8" } },
    { timestamp: printTime(FROM_MS + 7 * HOUR_MS), data: { location: null, damaged: true } },
  ]);
  const exported = await runProgram({ args: ["export", "events", "--format", "ndjson"], folder });
  expect(exported.stderr).toMatch(/stored data is damaged: the event of 2026-01-01T07:00/);
  expect(exported.code).toBe(74);
  expect(exported.stdout).toContain('"location":"port 8"');
  expect(exported.stdout).toContain('"damaged":true');
}

const HOT_PROBLEM = "the unsealed reading of 2026-01-01T07:00:00.000Z is damaged";
