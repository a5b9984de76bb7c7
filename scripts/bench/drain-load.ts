// The built program aboard while it sends 30 days at full speed: how long a PUBACK takes beside it,
// and the program's memory. A shore on the same machine has three days within seconds, so it is
// made to forget them ten times; PUBACKs without and with a drain are timed in turn, so that other
// work on the machine burdens both.

import { setTimeout as sleep } from "node:timers/promises";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { bundledProgram } from "../../test/rig/bundled.ts";
import { removeFolders } from "../../test/rig/database.ts";
import type { FleetRig } from "../../test/rig/fleet-rig.ts";
import { memoryOf, settled, watchMemory } from "../../test/rig/process-facts.ts";
import { openPublisher, type Publisher } from "../../test/rig/publisher.ts";
import { startReady } from "../../test/rig/served.ts";
import { shipAboard } from "../../test/rig/ship-links.ts";
import { openPlant } from "../../test/rig/steady-plant.ts";
import { aboard } from "../../test/rig/stick.ts";
import { until } from "../../test/rig/until.ts";
import type { FleetRow } from "./fleet-rows.ts";
import { quantile } from "./measures.ts";

const SHIP = "9241061";
/** Three days at 1 Hz. */
const DAYS = { seed: 1, segments: 126, readings: 2048 };
const ROUNDS = 10;
const READINGS_PER_S = 100;
/** PUBACKs without a drain, of each round. */
const ALONE_MS = 2 * SECOND_MS;
const PACED_MAX_MS = 180 * SECOND_MS;

export async function measureDrainLoad(fleet: FleetRig): Promise<readonly FleetRow[]> {
  const rig = shipAboard(DAYS);
  rig.close();
  const env = aboard(rig, await fleet.add(SHIP));
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
    const alone: number[] = [];
    const beside: number[] = [];
    let drain_s = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(...(await pubacksWhile(publisher, () => sleep(ALONE_MS))));
      await forget(fleet);
      await until("a drain", async () => (await payloads(fleet)) > 0);
      const began_ms = performance.now();
      beside.push(
        ...(await pubacksWhile(publisher, () => until("its end", () => isAshore(fleet)))),
      );
      drain_s += (performance.now() - began_ms) / SECOND_MS;
    }
    await publisher.close();
    return rowsOf({ alone, beside, drain_s, idle_mib, drain_mib: memory.stop() });
  } finally {
    await ballastd.stop();
    removeFolders();
  }
}

interface DrainLoad {
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  readonly drain_s: number;
  readonly idle_mib: number;
  readonly drain_mib: number;
}

function rowsOf({ alone, beside, drain_s, idle_mib, drain_mib }: DrainLoad): readonly FleetRow[] {
  const p95 = (values: readonly number[]) => quantile(Float64Array.from(values).sort(), 0.95);
  const [before_ms, meanwhile_ms] = [p95(alone), p95(beside)];
  const more = 100 * (meanwhile_ms / before_ms - 1);
  const ms = `${before_ms.toFixed(1)} and ${meanwhile_ms.toFixed(1)} ms`;
  const pubacks = `${alone.length} and ${beside.length} PUBACKs`;
  return [
    {
      what: "PUBACK while 30 days drain at full speed, 95th percentile; without and with it",
      goal: "+10 %",
      measured:
        `${more < 0 ? "" : "+"}${more.toFixed(0)} %; ${ms}, ${pubacks}, ` +
        `drained in ${drain_s.toFixed(0)} s`,
    },
    {
      what: "anonymous memory aboard, idle; at most during that",
      goal: "",
      measured: `${idle_mib.toFixed(0)}; ${drain_mib.toFixed(0)} MiB`,
    },
  ];
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

const isAshore = async (fleet: FleetRig) => (await payloads(fleet)) >= DAYS.segments;
