// The share of ingest that the row roots and the ledger take. No switch turns them off, so it is
// told by a profile of the built program, which stores readings that come over MQTT: samples with
// these functions on the stack, of all in which the main thread and the writer's weren't idle. The
// data is in memory, because a profile takes a thread that waits for the disk for one at work.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { Profiler } from "node:inspector";
import os from "node:os";
import path from "node:path";
import { lineRoot } from "../../../src/codec/line.ts";
import { appendLeaf } from "../../../src/sqlite/file/ledger.ts";
import { openPublisher } from "../../../test/rig/publisher.ts";
import { startReady } from "../../../test/rig/served.ts";
import { openPlant, type Series } from "../../../test/rig/steady-plant.ts";
import type { TableRow } from "../table-rows.ts";
import type { OperationsSetup } from "./setup.ts";

/** More tell nothing new. */
const READINGS_MAX = 100_000;
const INTERVAL_US = 500;
/** Readings without PUBACK at a time. */
const WINDOW = 256;
const MEMORY = "/dev/shm";
/** Time in which a thread does nothing that a profile could name. */
const IDLE = ["(idle)", "(program)"];

export async function measureIngest(setup: OperationsSetup): Promise<readonly TableRow[]> {
  const { program, series } = setup;
  const readings = Math.min(series.readings, READINGS_MAX);
  const top = existsSync(MEMORY) ? MEMORY : os.tmpdir();
  const folder = mkdtempSync(path.join(top, "ballastd-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const profiles = await profilesOf({ program, folder }, { ...series, readings });
  // The main thread has number 0, and the writer's makes the ledger grow.
  const ours = profiles.filter(
    ({ thread, profile }) => thread === "0" || timeUnder(profile, [appendLeaf.name]) > 0,
  );
  const sum = (...names: readonly string[]) =>
    ours.reduce((total, { profile }) => total + timeUnder(profile, names), 0);
  const all_us = sum() - sum(...IDLE);
  const [roots_us, ledger_us] = [lineRoot, appendLeaf].map(({ name }) => {
    const took_us = sum(name);
    if (took_us === 0) throw new Error(`${name}: not in the profile of ${readings} readings`);
    return took_us;
  });
  const percent = (part_us: number) => `${((100 * part_us) / all_us).toFixed(2)} %`;
  rmSync(folder, { recursive: true });
  return [
    {
      what:
        `row roots and ledger, of what the main thread and the writer's do for ` +
        `${readings.toLocaleString("en")} readings; row roots; ledger`,
      goal: "3 %",
      measured: [roots_us + ledger_us, roots_us, ledger_us].map(percent).join("; "),
    },
  ];
}

interface ThreadProfile {
  readonly thread: string;
  readonly profile: Profiler.Profile;
}

/** The work of each thread while the program stored the readings of a series. */
async function profilesOf(
  installed: { readonly program: string; readonly folder: string },
  series: Series,
): Promise<readonly ThreadProfile[]> {
  const profiles = path.join(installed.folder, "profiles");
  const options = `--cpu-prof --cpu-prof-dir=${profiles} --cpu-prof-interval=${INTERVAL_US}`;
  const served = await startReady({ ...installed, env: { NODE_OPTIONS: options } });
  const publisher = await openPublisher(served.mqtt, openPlant(series));
  const { start_ms, cadence_ms, readings: count } = series;
  await publisher.flood({ start_ms, cadence_ms, count }, WINDOW);
  await publisher.close();
  await served.stop();
  return readdirSync(profiles).map((name) => ({
    // CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile
    thread: name.split(".")[4],
    profile: JSON.parse(readFileSync(path.join(profiles, name), "utf8")),
  }));
}

/** The time of the samples with any of these functions on the stack; of all without a name. */
function timeUnder(profile: Profiler.Profile, names: readonly string[]): number {
  const { nodes, samples = [], timeDeltas = [] } = profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const inside = new Set<number>();
  const walk = (id: number, isInside: boolean) => {
    const node = byId.get(id);
    if (node === undefined) return;
    const isNow = isInside || names.includes(node.callFrame.functionName);
    if (isNow) inside.add(id);
    for (const child of node.children ?? []) walk(child, isNow);
  };
  walk(nodes[0].id, names.length === 0);
  return samples.reduce((sum, id, at) => sum + (inside.has(id) ? timeDeltas[at] : 0), 0);
}
