// The built program aboard while it sends a backlog: how long a PUBACK takes beside it, and the
// program's memory; over a line as ships have it, and over none, where the shore on the same
// machine takes a processor of its own. The shore is made to forget what it has again and again;
// PUBACKs without and with a drain are timed in turn, so that other work burdens both.

import { setTimeout as sleep } from "node:timers/promises";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { bundledProgram } from "../../test/rig/bundled.ts";
import { removeFolders } from "../../test/rig/database.ts";
import type { FleetRig } from "../../test/rig/fleet-rig.ts";
import { memoryOf, settled, watchMemory } from "../../test/rig/process-facts.ts";
import { CLEAR, type NetworkProxy, openProxy } from "../../test/rig/proxy.ts";
import { openPublisher, type Publisher } from "../../test/rig/publisher.ts";
import { startReady } from "../../test/rig/served.ts";
import { shipAboard } from "../../test/rig/ship-links.ts";
import { openPlant } from "../../test/rig/steady-plant.ts";
import { aboard } from "../../test/rig/stick.ts";
import { until } from "../../test/rig/until.ts";
import { quantile } from "./measures.ts";
import type { TableRow } from "./table-rows.ts";

const SHIP = "9241061";
const READINGS_PER_S = 100;
const PACED_MAX_MS = 180 * SECOND_MS;
const READINGS = 2048;
/** Three days at 1 Hz. */
const SEGMENTS = 126;
const DELAY_MS = 300;
const LOOK_MS = 200;

/** A line, and how often its backlog is drained; a minute or more with a drain in all. */
interface LoadedLine {
  readonly name: string;
  /** Null: as fast as both sides are. */
  readonly bytes_per_s: number | null;
  readonly rounds: number;
  /** PUBACKs without a drain, of each round. */
  readonly alone_ms: number;
  readonly goal: string;
}

const LINES: readonly LoadedLine[] = [
  {
    ...{ name: "3 days drain over 1 Mbit/s and 600 ms", bytes_per_s: 125_000, goal: "+10 %" },
    ...{ rounds: 2, alone_ms: 60 * SECOND_MS },
  },
  {
    ...{ name: "30 days drain to the same machine", bytes_per_s: null, goal: "" },
    ...{ rounds: 10, alone_ms: 5 * SECOND_MS },
  },
];

export async function measureDrainLoad(fleet: FleetRig): Promise<readonly TableRow[]> {
  const rig = shipAboard({ seed: 1, segments: SEGMENTS, readings: READINGS });
  rig.close();
  const file = await fleet.add(SHIP);
  const proxy = await openProxy({ port: fleet.port });
  const urls = file.urls.map((url) => url.replace(`:${fleet.port}/`, `:${proxy.port}/`));
  const env = aboard(rig, { ...file, urls });
  const installed = { program: bundledProgram(), folder: fleet.folder };
  const ballastd = await startReady({ ...installed, env });
  try {
    await until("all ashore", () => isAshore(fleet));
    await settled(ballastd.pid);
    const idle_mib = memoryOf(ballastd.pid).anonymous_mib;
    const memory = watchMemory(ballastd.pid);
    const start_ms = Date.now();
    const series = { seed: 2, readings: 1, cadence_ms: SECOND_MS, start_ms, end_ms: start_ms };
    const publisher = await openPublisher(ballastd.mqtt, openPlant(series));
    const rows: TableRow[] = [];
    for (const line of LINES) rows.push(await measureLine(line, { fleet, proxy, publisher }));
    await publisher.close();
    const [idle, most] = [idle_mib.toFixed(0), memory.stop().toFixed(0)];
    const what = "anonymous memory aboard, idle; at most during these";
    return [...rows, { what, goal: "", measured: `${idle}; ${most} MiB` }];
  } finally {
    await ballastd.stop();
    proxy.close();
    removeFolders();
  }
}

interface Loaded {
  readonly fleet: FleetRig;
  readonly proxy: NetworkProxy;
  readonly publisher: Publisher;
}

async function measureLine(line: LoadedLine, { fleet, proxy, publisher }: Loaded) {
  const delay_ms = line.bytes_per_s === null ? 0 : DELAY_MS;
  const alone: number[] = [];
  const beside: number[] = [];
  let drain_s = 0;
  for (let round = 0; round < line.rounds; round += 1) {
    const until_ms = performance.now() + line.alone_ms;
    const isOver = async () => performance.now() > until_ms;
    alone.push(...(await pubacksWhile(publisher, () => watched(fleet, isOver))));
    await forget(fleet);
    proxy.set({
      up: { ...CLEAR, bytes_per_s: line.bytes_per_s, delay_ms },
      down: { ...CLEAR, delay_ms },
    });
    await until("a drain", async () => (await payloads(fleet)) > 0);
    const began_ms = performance.now();
    const isDrained = () => isAshore(fleet);
    beside.push(...(await pubacksWhile(publisher, () => watched(fleet, isDrained))));
    drain_s += (performance.now() - began_ms) / SECOND_MS;
  }
  return rowOf(line, { alone, beside, drain_s });
}

interface DrainLoad {
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  readonly drain_s: number;
}

function rowOf({ name, goal }: LoadedLine, { alone, beside, drain_s }: DrainLoad): TableRow {
  const p95 = (values: readonly number[]) => quantile(Float64Array.from(values).sort(), 0.95);
  const [before_ms, meanwhile_ms] = [p95(alone), p95(beside)];
  const more = 100 * (meanwhile_ms / before_ms - 1);
  const ms = `${before_ms.toFixed(1)} and ${meanwhile_ms.toFixed(1)} ms`;
  const pubacks = `${alone.length} and ${beside.length} PUBACKs`;
  return {
    ...{ what: `PUBACK while ${name}, 95th percentile; without and with it`, goal },
    measured:
      `${more < 0 ? "" : "+"}${more.toFixed(0)} %; ${ms}, ${pubacks}, ` +
      `drained in ${drain_s.toFixed(0)} s`,
  };
}

/** Times of PUBACKs of readings at a steady rate, until `done` resolves. */
async function pubacksWhile(publisher: Publisher, done: () => Promise<unknown>) {
  const stop = new AbortController();
  const cadence_ms = SECOND_MS / READINGS_PER_S;
  const count = PACED_MAX_MS / cadence_ms;
  const paced = publisher.pace({ start_ms: Date.now(), cadence_ms, count }, stop.signal);
  await done().finally(() => stop.abort());
  return (await paced).puback_ms;
}

/** Looks at the shore as often without a drain as with one, since that too takes a processor. */
async function watched(fleet: FleetRig, isOver: () => Promise<boolean>): Promise<void> {
  while (!(await isOver())) {
    await payloads(fleet);
    await sleep(LOOK_MS);
  }
}

/** As a shore that was lost: the ship sends all again. */
async function forget(fleet: FleetRig): Promise<void> {
  await fleet.psql(`truncate fleet.link, fleet.branch, fleet.document;
    select pg_terminate_backend(pid) from pg_stat_activity where usename like 'ship_%'`);
}

const payloads = async (fleet: FleetRig) =>
  Number(
    await fleet.psql(`select count(*) from fleet.link
      where ship = '${SHIP}' and chain = 'segment' and payload is not null`),
  );

const isAshore = async (fleet: FleetRig) => (await payloads(fleet)) >= SEGMENTS;
