// A salvage of all data beside readings: voids, statements about lamps, predictions, tokens,
// plants, gaps, the quarantine and the audit log, stored by the program itself.

import { copyFileSync, readFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { changed } from "../rig/damages.ts";
import { jobsRan } from "../rig/job-runs.ts";
import { runProgram } from "../rig/program.ts";
import { makeVoyageFolders, type VoyageFolders } from "../rig/voyage-folders.ts";

// They mostly wait for jobs, so they wait together.
const test = single.concurrent;

const PAGE = 4096;
const HIDDEN = ["--from", "2024-02-27T01:00:00Z", "--to", "2024-02-27T01:59:59Z"];
const RANGE = "startDate=2024-01-01&endDate=2024-12-31";
const ASKED = [
  `/api/telemetry/chunked?${RANGE}&limit=500`,
  `/api/telemetry/aggregated?interval=hour&${RANGE}`,
  `/api/gaps?${RANGE}`,
  `/api/events?limit=1000`,
  "/api/health?limit=1000",
];
/** Tables whose content is nowhere else. */
const TOLD = [
  ...["/api/lamps", "/api/predictions?limit=1000", "/api/predictions/track-record"],
  "/api/alarms",
];

/** Made again of events and the audit log where the table is lost. */
const PLANT_ALARMS = ["/api/alarms?state=unknown&limit=1000"];

let folders: VoyageFolders;
let folder: string;
let before: readonly string[];
let plantAlarms: readonly string[];
beforeAll(async () => {
  folders = await makeVoyageFolders();
  ({ folder } = folders.copyOf(folders.stopped));
  await using appliance = await startAppliance({ folder });
  await settleIn(appliance);
  before = await answers(appliance, [...ASKED, ...TOLD]);
  plantAlarms = await answers(appliance, PLANT_ALARMS);
  await appliance.program.stop("SIGTERM");
});
afterAll(() => folders.remove());

async function command(at: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram({ args, folder: at });
  expect(code, stderr).toBe(0);
  return stdout;
}

function post({ url, program }: Appliance, at: string, body: object): Promise<Response> {
  const token = readFileSync(path.join(program.folder, "data", "token"), "utf8").trim();
  return fetch(url + at, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
}

const savePlant = (appliance: Appliance, name: string) =>
  post(appliance, "/plants", { id: 7, name });

/** The plant's alarms: twice one code, acknowledged, and once again; another one is shelved. */
async function alarmsOfThePlant(appliance: Appliance): Promise<void> {
  const first_ms = Date.now() - 3_600_000;
  const raise = (code: string, minute: number) => {
    const timestamp = first_ms + minute * 60_000;
    const payload = { timestamp, event_type: "ALARM_TRIGGERED", data: { code } };
    return appliance.publish([{ kind: "events", payload: JSON.stringify(payload) }]);
  };
  const act = async (how: string, body: object) => {
    const [{ id }] = await appliance.json("/api/alarms?state=open");
    expect((await post(appliance, `/admin/alarms/${id}/${how}`, body)).status).toBe(200);
  };
  await raise("PUMP_TRIP", 0);
  await raise("PUMP_TRIP", 5);
  await act("acknowledge", { note: "breaker" });
  await raise("PUMP_TRIP", 10);
  await raise("VALVE_STUCK", 20);
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await act("shelve", { until, reason: "spare part is on its way" });
}

/** Whatever isn't a reading, and the time that the jobs take for it. */
async function settleIn(appliance: Appliance): Promise<void> {
  expect((await savePlant(appliance, "BWTS 1")).status).toBeLessThan(300);
  await alarmsOfThePlant(appliance);
  await command(folder, "void", ...HIDDEN, "--reason", "sensor calibrated");
  await command(folder, "token", "add", "--name", "bridge", "--role", "viewer");
  await command(folder, "lamp", "spares", "5");
  await command(folder, "lamp", "replaced", "9", "--at", "2024-02-27T06:00Z", "--serial", "A-1");
  await appliance.publish([
    {
      kind: "telemetry",
      payload: '{"timestamp":"2024-02-28T22:00:00Z","PROCESS_STATE":"RUNNING","SYS_FLOW_RATE":800}',
    },
  ]);
  // Lamps are scored in as many runs as it takes.
  let [now, before] = ["", ""];
  do {
    before = now;
    await jobsRan(appliance, ["health", "lamps", ...(before === "" ? ["gaps"] : [])]);
    now = (await answers(appliance, [...ASKED, ...TOLD])).join();
  } while (now !== before);
}

async function answers(appliance: Appliance, paths: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(paths.map(async (one) => (await appliance.get(one)).text));
  return texts.map((text, at) => (paths[at].startsWith("/api/events") ? ofPlant(text) : text));
}

/** Without the alert that the salvaged database isn't the one that was signed. */
const ofPlant = (events: string) =>
  JSON.stringify(
    JSON.parse(events).filter(
      ({ data }: { data: { code?: string } }) => data.code !== "HISTORY_REPLACED",
    ),
  );

/** Starts what was salvaged; resolves when it answers as before. */
async function answersAgain(at: string, paths: readonly string[]): Promise<void> {
  await using appliance = await startAppliance({ folder: at });
  let now: readonly string[] = [];
  const expected = before.slice(0, paths.length);
  await appliance.program
    .waitUntil("the answers of before", async () => {
      now = await answers(appliance, paths);
      return now.join() === expected.join();
    })
    .catch(() => expect(now).toEqual(expected));
  expect(await answers(appliance, PLANT_ALARMS)).toEqual(plantAlarms);
  expect(JSON.parse(plantAlarms.join())).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: "PUMP_TRIP", count: 2, acknowledged_note: "breaker" }),
    ]),
  );
  const plant = await savePlant(appliance, "another");
  // The id is taken, or free again.
  expect(plant.status).toBe(paths.length > ASKED.length ? 400 : 200);
  await appliance.program.stop("SIGTERM");
}

test("everything comes across while the tables can be read", async () => {
  const copy = folders.copyOf(folder);
  copyFileSync(path.join(folders.other, "data", "ballastd.db-wal"), `${copy.file}-wal`);
  const tables = ["void list", "token list", "quarantine list", "lamp spares"];
  const said = (at: string) =>
    Promise.all(tables.map((one) => command(at, ...one.split(" "), "--json")));
  const whole = await said(folders.copyOf(folder).folder);
  expect(JSON.parse(await command(copy.folder, "salvage", "--json"))).toMatchObject({ losses: [] });
  expect(await said(copy.folder)).toEqual(whole);
  const kinds = (await command(copy.folder, "export", "--audit", "--format", "ndjson")).match(
    /"kind":"(void|token_added|plant_added|lamp_replacement|lamp_spares|salvage)"/g,
  );
  expect(new Set(kinds)).toHaveProperty("size", 6);
  await answersAgain(copy.folder, [...ASKED, ...TOLD]);
});

test("sums, scores and states of lamps that are damaged are found, and made again", async () => {
  const copy = folders.copyOf(folder);
  const db = new Database(copy.file);
  for (const table of ["health", "lamp_state", "lamp_score"])
    db.exec(`update ${table} set checksum = checksum + 1
      where checksum = (select checksum from ${table} limit 1)`);
  db.exec("update bucket set count = count + 1, UVR_INTENSITY_max = 1 where id < 4");
  db.close();
  const verify = await runProgram({ args: ["verify"], folder: copy.folder });
  expect(verify.code).toBe(1);
  expect(verify.stdout).toContain("BROKEN: bucket: the row of ");
  const { losses } = JSON.parse(await command(copy.folder, "salvage", "--json"));
  expect(losses).toMatchObject([
    { what: "table", name: "health", why: expect.stringContaining("1 of its rows") },
    { what: "table", name: "lamp_score" },
    { what: "table", name: "lamp_state" },
  ]);
  await answersAgain(copy.folder, [...ASKED, ...TOLD]);
});

test("damaged settings are left out; changed ones come back from the audit log", async () => {
  const copy = folders.copyOf(folder);
  const env = { BALLASTD_LIMITS_CABINET_WARN: "47" };
  {
    await using appliance = await startAppliance({ folder: copy.folder, env });
    await appliance.program.stop("SIGTERM");
  }
  const db = new Database(copy.file);
  db.exec(
    "update setting set key = key || '?' where key in ('limits.cabinet_warn','limits.dp_warn')",
  );
  db.close();
  const { losses } = JSON.parse(await command(copy.folder, "salvage", "--json"));
  expect(losses).toMatchObject([{ what: "table", name: "setting" }]);
  expect(losses[0].why).toBe("only in part: 2 of its rows are damaged");
  const salvaged = new Database(copy.file, { readonly: true });
  const stored = "select key, value from setting where key like 'limits.%_warn%'";
  const rows = salvaged.prepare<[], { key: string }>(stored).all();
  expect(rows).toContainEqual({ key: "limits.cabinet_warn", value: "47" });
  expect(rows.filter(({ key }) => /dp_warn|\?/.test(key))).toEqual([]);
  salvaged.close();
  expect(await command(copy.folder, "verify")).toContain("the chains are whole");
});

test("without the schema voids, scores and gaps are made again, the rest is named", async () => {
  const copy = folders.copyOf(folder);
  changed(copy.file, (bytes) => bytes.fill(0, 0, PAGE));
  const { losses } = JSON.parse(await command(copy.folder, "salvage", "--json"));
  expect(losses[0]).toMatchObject({
    what: "table",
    why: expect.stringContaining("tokens, plants"),
  });
  const hidden = JSON.parse(await command(copy.folder, "void", "list", "--json"));
  expect(hidden).toMatchObject([
    { id: 1, readings: 120, undone: null, reason: "sensor calibrated" },
  ]);
  expect(await command(copy.folder, "token", "list", "--json")).not.toContain("bridge");
  await answersAgain(copy.folder, ASKED);
});
