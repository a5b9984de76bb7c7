// A ship with a damaged segment: late data in its hours costs the message, nothing else. Jobs,
// sealing, retention and backups go on for all other hours, day after day, and what is
// lost is named. The writer's and the readers' threads are the program's, the jobs its own.

import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, printTime } from "../../src/ground/clock.ts";
import { backUpDaily } from "../../src/jobs/backup.ts";
import { damageWatch, proveStored } from "../../src/jobs/damage.ts";
import { openDamageRegister } from "../../src/jobs/damage-register.ts";
import { derivationRun } from "../../src/jobs/derive.ts";
import type { JobTools } from "../../src/jobs/job.ts";
import { openJobStates } from "../../src/jobs/job-states.ts";
import { expireOldReadings, sealOldReadings } from "../../src/jobs/upkeep.ts";
import { newestHealth } from "../../src/sqlite/answers/health.ts";
import { listBackups } from "../../src/sqlite/care/backup.ts";
import { DERIVATIONS } from "../../src/sqlite/derived/derivations.ts";
import { databaseFile, openReader, openWriter } from "../../src/sqlite/file/open.ts";
import { listQuarantine } from "../../src/sqlite/records/quarantine.ts";
import { rawFrom, timeline, UNDAMAGED } from "../../src/sqlite/sealed/timeline.ts";
import { backUpInThread } from "../../src/sqlite/threads/backup-thread.ts";
import { openReaderThreads } from "../../src/sqlite/threads/readers.ts";
import { openWriterThread } from "../../src/sqlite/threads/writer.ts";
import { removeFolders, temporaryFolder } from "../rig/database.ts";
import { messageOf } from "../rig/decoding.ts";
import { LAMP_CONFIG } from "../rig/fleet.ts";
import { SILENT } from "../rig/http-server-rig.ts";
import { PROGRAM } from "../rig/program.ts";

const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 10 * MINUTE_MS;
/** Sealed before the damage: a full segment of 14 days, and one of the last six. */
const DAYS_BEFORE = 20;
const DAYS_AFTER = 30;
const DAMAGED_DAY = 16;
const workerFile = path.join(path.dirname(PROGRAM), "worker.cjs");

afterAll(removeFolders);

function readingAt(at_ms: number, members: object = {}) {
  const hours = Math.floor((at_ms - START_MS) / HOUR_MS);
  const lamps = { LAMP_01_RUNTIME: 1000 + hours, LAMP_01_STATUS: "ACTIVE", LAMP_01_EFFICIENCY: 98 };
  const plant = { PROCESS_STATE: "RUNNING", UVR_INTENSITY: 600, SYS_FLOW_RATE: 500 };
  return { timestamp: printTime(at_ms), ...plant, ...lamps, ...members };
}

function dayOf(day: number): readonly object[] {
  const from_ms = START_MS + day * DAY_MS;
  return Array.from({ length: DAY_MS / STEP_MS }, (_, index) =>
    readingAt(from_ms + index * STEP_MS),
  );
}

/** The threads and jobs of an appliance on a folder, with a clock that a test moves. */
async function openAppliance(dir: string, log: string[]) {
  let now_ms = START_MS;
  const damage = openDamageRegister({
    error: (_message, detail) => log.push(String(detail?.problem)),
  });
  const before_migration = {
    ...{ dir, output: path.join(dir, "before"), token_file: path.join(dir, "token") },
    ...{ label: { made_ms: 0, version: "0", system_id: "BWTS-001", reason: "" }, floor_bytes: 0 },
  };
  const store = { prefix: "bwts", system_id: "BWTS-001", merge_ms: 0 };
  const writer = await openWriterThread({
    workerFile,
    role: {
      ...{ role: "writer", dir, free_stop_bytes: 0, before_migration },
      map: { rule: [], unmapped: "keep" },
      store: { ...store, quarantine_max_bytes: 1e6, built_ms: 0 },
    },
    log: SILENT,
    onDamage: damage.note,
    onLost: (error) => log.push(`lost: ${error.message}`),
  });
  const { limits, lamps } = LAMP_CONFIG;
  const readers = await openReaderThreads({
    ...{ workerFile, role: { role: "reader", dir, limits, lamps }, log: SILENT },
    onDamage: damage.note,
  });
  const tools = {
    ...{ readers, writer, log: SILENT, damage, jobs: openJobStates(), system_id: "BWTS-001" },
    clock: { now_ms: () => now_ms },
    storage: { dir, retention_months: 1, short_retention: true, free_warn: 0, free_stop: 0 },
    backup: { dir: path.join(dir, "backup"), keep_daily: 2, keep_weekly: 1 },
    alarms: { no_data_seconds: 0 },
    ...{ link: () => null, shore: async () => null, alarm_hours: () => 0 },
    certificates: () => [],
    signHead: async () => ({ size: 0 }),
    makeBackup: (output, label) =>
      backUpInThread(workerFile, {
        ...{ dir, output, token_file: path.join(dir, "token"), floor_bytes: 0 },
        label: { ...label, version: "0", system_id: "BWTS-001" },
      }),
    limits: { source: "" },
    ending: new AbortController().signal,
  } satisfies JobTools;
  return {
    tools,
    setClock(at_ms: number) {
      now_ms = at_ms;
    },
    take: (content: object) =>
      writer.take(messageOf("telemetry", content, { received_ms: now_ms, client: "plc" })),
    async close() {
      await readers.close();
      await writer.close();
    },
  };
}

/** Turns one bit of what was sealed last. */
function damageNewest(dir: string): void {
  const db = openWriter(databaseFile(dir));
  const { id, payload } = db
    .prepare<[], { id: number; payload: Buffer }>(
      "select id, payload from segment order by id desc limit 1",
    )
    .get() ?? { id: 0, payload: Buffer.alloc(0) };
  payload[payload.length >> 1] ^= 16;
  db.prepare("update segment set payload = ? where id = ?").run(payload, id);
  db.close();
}

/** The days after the damage, with readings into it and beside it, and the jobs of each. */
async function liveOn(ship: Awaited<ReturnType<typeof openAppliance>>): Promise<void> {
  const { tools } = ship;
  const [watch, ...derived] = [damageWatch(), ...DERIVATIONS.map(derivationRun)];
  const late_ms = START_MS + DAMAGED_DAY * DAY_MS + 5 * HOUR_MS;
  for (let day = DAYS_BEFORE; day < DAYS_BEFORE + DAYS_AFTER; day += 1) {
    ship.setClock(START_MS + (day + 1) * DAY_MS);
    // One batch: the day's readings, one again that is damaged, one into its midst, a late one.
    await Promise.all([
      ship.take(dayOf(day)),
      ship.take(readingAt(late_ms, { SYS_PRESSURE: day })),
      ship.take([readingAt(late_ms + day * 1000), readingAt(START_MS + DAY_MS + day * 1000)]),
    ]);
    for (const job of [sealOldReadings, ...derived]) await job(tools);
    await watch(tools);
    if (day % 5 === 0) await backUpDaily(tools);
    await expireOldReadings(tools);
  }
  // A proof that the end of the process cuts off proves nothing.
  expect(await proveStored({ ...tools, ending: AbortSignal.abort() })).toBeNull();
  expect(tools.damage.state().proven_ms).toBeNull();
  expect(await proveStored(tools)).toMatch(/^(\d+) of \1 segments checked, \d+ problems known$/);
  await watch(tools);
}

/** Once it has expired it is damage no more, also in the run that met it. */
async function expireDamage(dir: string, problems: readonly string[]): Promise<void> {
  const later = await openAppliance(dir, []);
  const end = damageWatch();
  await proveStored(later.tools);
  await end(later.tools);
  expect(later.tools.damage.state().problems).toEqual(problems);
  for (let day = DAYS_BEFORE + DAYS_AFTER; day < DAYS_BEFORE + DAYS_AFTER + 4; day += 1) {
    later.setClock(START_MS + (day + 1) * DAY_MS);
    await later.take(dayOf(day));
    await sealOldReadings(later.tools);
    await expireOldReadings(later.tools);
  }
  await proveStored(later.tools);
  expect(later.tools.damage.state().problems).toEqual([]);
  expect(await end(later.tools)).toBe("nothing that is stored is damaged any more");
  await later.close();
}

test("thirty days with a damaged segment cost its readings and the messages into it", async () => {
  const dir = temporaryFolder();
  const log: string[] = [];
  const first = await openAppliance(dir, log);
  for (let day = 0; day < DAYS_BEFORE; day += 1) {
    first.setClock(START_MS + (day + 1) * DAY_MS);
    await first.take(dayOf(day));
  }
  const jobs = [sealOldReadings, ...DERIVATIONS.map(derivationRun)];
  for (const job of jobs) await job(first.tools);
  await backUpDaily(first.tools);
  await first.close();
  damageNewest(dir);

  const ship = await openAppliance(dir, log);
  const { tools } = ship;
  await liveOn(ship);
  const state = tools.damage.state();
  const { messages, quarantined, problem } = tools.writer.totals();
  expect({ messages, problem }).toEqual({ messages: 3 * DAYS_AFTER, problem: null });
  expect(quarantined).toBe(2 * DAYS_AFTER);
  await ship.close();

  const db = openReader(databaseFile(dir));
  const readings = [...timeline(db, { start_ms: 0, end_ms: 1e14 }, UNDAMAGED)].reduce(
    (sum, { from, to }) => sum + to - from,
    0,
  );
  const raw_from_ms = rawFrom(db);
  const newest_ms = START_MS + (DAYS_BEFORE + DAYS_AFTER) * DAY_MS - STEP_MS;
  // A month before the newest reading, as if nothing were damaged.
  expect(printTime(raw_from_ms)).toBe("2026-01-19T00:00:00.000Z");
  expect(readings).toBe((DAYS_AFTER * DAY_MS) / STEP_MS);
  const health = newestHealth(db, 10_000).map(({ at_ms }) => at_ms);
  expect(health[0]).toBeGreaterThan(newest_ms - HOUR_MS);
  expect(health.filter((at_ms) => at_ms >= START_MS + DAYS_BEFORE * DAY_MS)).toHaveLength(
    DAYS_AFTER * 96,
  );
  const hot = db.prepare<[], { count: number }>("select count(*) as count from reading").get();
  expect(hot?.count).toBe(0);
  const aside = listQuarantine(db, 1000).filter(({ reason }) => reason === "damaged");
  // On the last day what is damaged has expired, as it would have in any case.
  expect(aside).toHaveLength(2 * (DAYS_AFTER - 1));
  expect(aside[0].detail).toMatch(/2026-01-17T05:.*segment 2 \(832 readings from 2026-01-15/);
  const gaps = db.prepare<[], { end_ms: number }>("select end_ms from gap").all();
  expect(gaps.filter(({ end_ms }) => end_ms > START_MS + 3 * DAY_MS)).toEqual([]);
  const alarms = db.prepare<[], object>("select code, cleared_ms from alarm").all();
  expect(alarms).toEqual([{ code: "DATA_DAMAGED", cleared_ms: null }]);
  db.close();

  expect(state.problems).toHaveLength(1);
  expect(state.problems[0]).toMatch(/^segment 2 .*: its payload isn't the one that was sealed$/);
  // Once each, whoever met it and however often.
  expect(log).toEqual(state.problems);
  const backups = listBackups(path.join(dir, "backup"));
  expect(backups.map(({ label }) => label?.damage ?? null)).toEqual([
    expect.stringContaining("segment 2"),
    expect.stringContaining("segment 2"),
    null,
  ]);
  expect(backups.every(({ file }) => existsSync(file))).toBe(true);
  await expireDamage(dir, state.problems);
});
