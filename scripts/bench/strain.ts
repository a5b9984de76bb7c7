// Measures two costs: the longest stall of the main thread while everything is exported and
// readings come in, and the flash written for a reading that has a commit of its own.

import { setTimeout as sleep } from "node:timers/promises";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { openClient } from "../../test/rig/http-client.ts";
import { settled, watchMemory, writtenBytes } from "../../test/rig/process-facts.ts";
import type { Publisher } from "../../test/rig/publisher.ts";
import type { Served } from "../../test/rig/served.ts";
import type { Series } from "../../test/rig/steady-plant.ts";
import { type Figures, once } from "./measures.ts";
import { startThread } from "./thread.ts";

export interface Strained {
  readonly ballastd: Served;
  readonly publisher: Publisher;
  readonly series: Series;
  readonly say: (text: string) => void;
}

const READINGS_PER_S = 100;
const EXPORT_MIN_MS = 10 * SECOND_MS;
const EXPORT_MAX_MS = 60 * MINUTE_MS;
const IDLE_MS = 5 * SECOND_MS;
/** Every hour that a series of 24 months has. */
const ALL_HOURS = 24 * 731;

/** Exports everything while readings come in, and looks how long /healthz takes at most. */
export async function strain({ ballastd, publisher, say }: Strained): Promise<Figures> {
  const path = await exportPath(ballastd.http);
  say(`exporting everything (${path}) while ${READINGS_PER_S} readings/s arrive`);
  const idle = startThread("probe", ballastd.http, "/healthz");
  await sleep(IDLE_MS);
  const alone = await idle.stop();
  const memory = watchMemory(ballastd.pid);
  const probe = startThread("probe", ballastd.http, "/healthz");
  const drain = startThread("drain", ballastd.http, path);
  const stop = new AbortController();
  const cadence_ms = SECOND_MS / READINGS_PER_S;
  const paced = publisher.pace(
    { start_ms: Date.now(), cadence_ms, count: EXPORT_MAX_MS / cadence_ms },
    stop.signal,
  );
  await sleep(EXPORT_MIN_MS);
  const drained = await drain.stop();
  const probed = await probe.stop();
  stop.abort();
  const { puback_ms } = await paced;
  const print_ms = (value: number | undefined) => `${(value ?? 0).toFixed(1)} ms`;
  const note =
    `99 % within ${print_ms(probed.p99_ms)}; the probe's own thread away for up to ` +
    `${print_ms(probed.own_max_ms)}; with nothing else to do ${print_ms(alone.max_ms)}; ` +
    `longest PUBACK meanwhile ${print_ms(puback_ms.at(-1))}`;
  return {
    stall: once(probed.max_ms, note),
    export: once(drained.bytes / drained.took_s / 2 ** 20, path),
    memory_anonymous: once(memory.stop()),
  };
}

/**
 * Flash written a reading when each has a commit of its own: an hour's worth one after the other,
 * with the sealing that comes of it, then `minutes` of them a second apart.
 */
export async function flash(strained: Strained, minutes: number): Promise<Figures> {
  const { ballastd, publisher, series, say } = strained;
  const count = HOUR_MS / SECOND_MS;
  say(`an hour's worth of commits (${count} readings, each waited for)`);
  const before = writtenBytes(ballastd.pid);
  const stretch = { start_ms: series.end_ms + SECOND_MS, cadence_ms: SECOND_MS, count };
  const { bytes, took_s } = await publisher.flood(stretch, 1);
  await settled(ballastd.pid);
  const written = writtenBytes(ballastd.pid) - before;
  const figures: Figures = {
    flash: once(written / count, `${Math.round(count / took_s)} commits/s`),
    flash_ratio: once(written / bytes, `a reading's JSON is ${Math.round(bytes / count)} bytes`),
  };
  return minutes === 0 ? figures : { ...figures, ...(await flashLive(strained, minutes)) };
}

async function flashLive(strained: Strained, minutes: number): Promise<Figures> {
  const { ballastd, publisher, say } = strained;
  const count = Math.round((minutes * MINUTE_MS) / SECOND_MS);
  say(`one reading a second for ${minutes} min`);
  const start_ms = Math.floor(Date.now() / SECOND_MS) * SECOND_MS;
  const before = writtenBytes(ballastd.pid);
  const { bytes } = await publisher.pace({ start_ms, cadence_ms: SECOND_MS, count });
  const written = writtenBytes(ballastd.pid) - before;
  const a_day = (written / count) * ((24 * HOUR_MS) / SECOND_MS);
  const note = `over ${minutes} min; extrapolated ${Math.round(a_day / 2 ** 20)} MiB a day`;
  return { flash_live: once(written / bytes, note) };
}

/** The export's own route, or, in a program without, the history of everything. */
async function exportPath(base: string): Promise<string> {
  const client = openClient(base);
  const path = "/export/telemetry";
  // A range that holds nothing: only whether there is such a route is asked.
  const { status } = await client.ask(`${path}?startDate=2001-01-01&endDate=2001-01-02`);
  client.close();
  return status === 200 ? path : `/api/telemetry/history?hours=${ALL_HOURS}`;
}
