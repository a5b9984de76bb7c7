// One soak: the built program under load for as long as is asked, looked at every few seconds, and
// verified at the end.

import { existsSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { databaseFile } from "../../src/sqlite/file/open.ts";
import { memoryOf, openDescriptors } from "../../test/rig/process-facts.ts";
import {
  dataFolder,
  type Installed,
  runInstalled,
  type Served,
  startReady,
} from "../../test/rig/served.ts";
import { startThread } from "../bench/thread.ts";
import { type Load, startLoad } from "./load.ts";
import type { Sample } from "./samples.ts";

const SAMPLE_EVERY_MS = 5 * SECOND_MS;
const SAMPLES_MIN = 8;

export interface Soaked {
  readonly samples: readonly Sample[];
  readonly done: Load["done"];
}

/** Soaks for `minutes`. Throws when a part of the load fails, or the data doesn't verify. */
export async function soak(
  installed: Installed,
  minutes: number,
  onSample: (sample: Sample) => void,
): Promise<Soaked> {
  const ballastd = await startReady(installed);
  const every_ms = Math.min(SAMPLE_EVERY_MS, (minutes * MINUTE_MS) / SAMPLES_MIN);
  const faulty = new AbortController();
  const load = startLoad(ballastd, () => faulty.abort());
  const samples: Sample[] = [];
  const began_ms = performance.now();
  const end_ms = began_ms + minutes * MINUTE_MS;
  while (performance.now() < end_ms && !faulty.signal.aborted) {
    const probe = startThread("probe", ballastd.http, "/healthz");
    await sleep(every_ms, undefined, { signal: faulty.signal }).catch(() => undefined);
    const { max_ms } = await probe.stop();
    const at_s = (performance.now() - began_ms) / SECOND_MS;
    const sample = { at_s, stall_ms: max_ms, ...sampleOf(ballastd, installed, load) };
    samples.push(sample);
    onSample(sample);
  }
  await load.stop();
  await ballastd.stop();
  await runInstalled(installed, "verify");
  return { samples, done: load.done };
}

function sampleOf({ pid }: Served, { folder }: Installed, load: Load) {
  const file = databaseFile(dataFolder(folder));
  const { median_ms, max_ms } = load.takePubacks();
  return {
    anonymous_mib: memoryOf(pid).anonymous_mib,
    descriptors: openDescriptors(pid),
    wal_mib: mibOf(`${file}-wal`),
    database_mib: mibOf(file),
    puback_ms: median_ms,
    puback_max_ms: max_ms,
    readings: load.done.readings,
  };
}

function mibOf(file: string): number {
  return existsSync(file) ? statSync(file).size / 2 ** 20 : 0;
}
