// ballastd itself, from outside: loaded over MQTT, stopped and measured on disk, started again on
// all its data, then asked over HTTP.

import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { databaseFile } from "../../src/sqlite/file/open.ts";
import { folderBytes, memoryOf, settled, watchMemory } from "../../test/rig/process-facts.ts";
import { openPublisher } from "../../test/rig/publisher.ts";
import {
  dataFolder,
  type Installed,
  runInstalled,
  type Served,
  startReady,
  startServed,
} from "../../test/rig/served.ts";
import { openPlant, type Plant } from "../../test/rig/steady-plant.ts";
import { type Contender, type Figures, once, quantile } from "./measures.ts";
import { askQuestions, askTogether } from "./questions.ts";
import type { Setup } from "./setup.ts";
import { readStatements, statement } from "./statements.ts";
import { flash, strain } from "./strain.ts";

export interface BallastdSetup extends Setup {
  readonly program: string;
  /** Readings without PUBACK at a time. */
  readonly window: number;
  /** Readings of a message. */
  readonly array: number;
  /** Keeps the data in `folder`, and asks what is there if there is any. */
  readonly keep: boolean;
  readonly flash_minutes: number;
}

/** Messages in flight where each holds many readings. */
const MESSAGES_MIN = 4;

/** Measures all there is; throws when an answer is wrong or the program fails. */
export async function measureBallastd(setup: BallastdSetup): Promise<Contender> {
  const installed: Installed = { program: setup.program, folder: setup.folder };
  const plant = openPlant(setup.series);
  const figures: Figures = {};
  if (!existsSync(databaseFile(dataFolder(setup.folder)))) {
    const empty = await startReady(installed);
    Object.assign(figures, await load(empty, setup, plant));
    await empty.stop();
  }
  Object.assign(figures, onDisk(setup));
  Object.assign(figures, await care(installed, setup));
  const ballastd = await startServed(installed);
  figures.start = once(await ballastd.answers("/api/telemetry/latest"));
  await ballastd.ready();
  Object.assign(figures, await askQuestions(ballastd, setup.series, setup.say));
  Object.assign(figures, await askTogether(ballastd.http, setup.say));
  const loaded_mib = figures.memory_anonymous?.value ?? 0;
  // It stores more readings: what is kept stays as it was loaded.
  if (!setup.keep) Object.assign(figures, await underStrain(ballastd, setup, plant));
  const strained_mib = figures.memory_anonymous?.value ?? 0;
  figures.memory_anonymous = once(Math.max(loaded_mib, strained_mib));
  const peak_mib = Math.max(figures.memory_busy?.value ?? 0, memoryOf(ballastd.pid).peak_mib);
  figures.memory_busy = once(peak_mib);
  await ballastd.stop();
  const about = "over MQTT QoS 1 and HTTP, JSON as served";
  return { name: "ballastd", about, absent: null, figures };
}

async function load(ballastd: Served, setup: BallastdSetup, plant: Plant): Promise<Figures> {
  const { series, window, array, say } = setup;
  const memory = watchMemory(ballastd.pid);
  const publisher = await openPublisher(ballastd.mqtt, plant);
  const published = await publisher.flood(
    { start_ms: series.start_ms, cadence_ms: series.cadence_ms, count: series.readings },
    Math.max(MESSAGES_MIN, Math.ceil(window / array)),
    { array, progress: (acknowledged) => say(`stored ${acknowledged} of ${series.readings}`) },
  );
  await publisher.close();
  say("waiting until sealing and scoring are done");
  const settle_s = await settled(ballastd.pid);
  const { resident_mib, peak_mib } = memoryOf(ballastd.pid);
  const json_bytes = Math.round(published.bytes / series.readings);
  return {
    ingest: once(
      series.readings / published.took_s,
      `${json_bytes} bytes each, ${array} to a message, ${window} in flight; the publisher ` +
        `itself took ${Math.round(published.own_us)} µs of processor time a message`,
    ),
    puback: {
      ...once(quantile(published.puback_ms, 0.5)),
      p95: quantile(published.puback_ms, 0.95),
      note: `99 % within ${quantile(published.puback_ms, 0.99).toFixed(1)} ms`,
    },
    puback_max: once(quantile(published.puback_ms, 1)),
    settle: once(settle_s),
    memory_busy: once(peak_mib),
    memory_anonymous: once(memory.stop()),
    memory_idle: once(resident_mib),
  };
}

/** Durations of the commands that look at everything; the restore goes to a folder of its own. */
async function care(installed: Installed, { folder, say }: Setup): Promise<Figures> {
  const backup = path.join(folder, "backup.db");
  const restored = { ...installed, folder: path.join(folder, "restored") };
  mkdirSync(restored.folder);
  const took_s = async (where: Installed, ...args: readonly string[]) => {
    say(args.join(" "));
    const began_ms = performance.now();
    await runInstalled(where, ...args);
    return once((performance.now() - began_ms) / SECOND_MS);
  };
  const figures = {
    verify: await took_s(installed, "verify"),
    backup: await took_s(installed, "backup", backup),
    restore: await took_s(restored, "restore", backup),
  };
  rmSync(backup);
  rmSync(restored.folder, { recursive: true });
  return figures;
}

async function underStrain(ballastd: Served, setup: BallastdSetup, plant: Plant): Promise<Figures> {
  const publisher = await openPublisher(ballastd.mqtt, plant);
  const strained = { ballastd, publisher, series: setup.series, say: setup.say };
  const written = await flash(strained, setup.flash_minutes);
  const figures = { ...written, ...(await strain(strained)) };
  await publisher.close();
  return figures;
}

/** Bytes of everything, and of sealed segments where there are any. */
function onDisk({ series, folder }: Setup): Figures {
  const backups = path.join(dataFolder(folder), "backup");
  const backup_bytes = existsSync(backups) ? folderBytes(backups) : 0;
  const all_bytes = folderBytes(dataFolder(folder)) - backup_bytes;
  const disk = once(all_bytes / series.readings, "the reserve of 1 MiB included, backups not");
  const sql = readStatements("sealed.sql", { types: NO_TYPES, quote: (name) => name });
  const database = new Database(databaseFile(dataFolder(folder)), { readonly: true });
  try {
    if (database.prepare(statement(sql, "has_segments")).pluck().get() === 0) return { disk };
    const [bytes, readings, segments] = database
      .prepare<[], number[]>(statement(sql, "sealed"))
      .raw()
      .get() ?? [0, 0, 0];
    if (!readings) return { disk };
    const note = `${segments} segments of ${Math.round(readings / segments)} readings`;
    return { disk, sealed: once(bytes / readings, note) };
  } finally {
    database.close();
  }
}

const NO_TYPES = { number: "", integer: "", string: "", boolean: "" };
