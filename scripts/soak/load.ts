// The load on the soaked program, all at once and without a pause: a ship's months, some hundred
// readings a second instead of one a minute, so that sealing, scoring and folding run as often as
// in months; late readings; dashboards; exports.

import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { expectOk, openClient } from "../../test/rig/http-client.ts";
import { openPublisher } from "../../test/rig/publisher.ts";
import type { Served } from "../../test/rig/served.ts";
import { openPlant } from "../../test/rig/steady-plant.ts";
import { startThread } from "../bench/thread.ts";

/** Readings of a minute's distance in each second of the run. */
export const READINGS_PER_S = 200;
const LATE_PER_S = 4;
/** Late readings lie between others that are sealed already, this far back. */
const LATE_MS = 3 * DAY_MS;
const HALF_MINUTE_MS = MINUTE_MS / 2;
/** Room for a run of a day. */
const SPAN_MS = 720 * DAY_MS;
const WINDOW = 64;
const PAGES = 3;
const PAGE_EVERY_MS = SECOND_MS;
const EXPORT_EVERY_MS = 10 * SECOND_MS;
/** The requests of each cycle of the onboard page. */
const PAGE = [
  "/readyz",
  "/api/stats",
  "/api/predictions?limit=16",
  "/api/alarms?state=active",
  "/api/events?limit=1&type=PROCESS_START",
  "/api/events?limit=1&type=PROCESS_STOP",
] as const;

export interface Load {
  /** Work done so far. */
  readonly done: { readings: number; pages: number; exports: number };
  /** The longest and the middle PUBACK since the last call, in ms. */
  takePubacks(): { readonly max_ms: number; readonly median_ms: number };
  /** Ends all of it; throws what went wrong in any part. */
  stop(): Promise<void>;
}

/** Begins; `onFault` is called once, when a part of it fails. */
export function startLoad(ballastd: Served, onFault: () => void): Load {
  const stopping = new AbortController();
  const { signal } = stopping;
  const done = { readings: 0, pages: 0, exports: 0 };
  let pubacks_ms: number[] = [];
  const note = (puback_ms: Float64Array) => {
    done.readings += puback_ms.length;
    pubacks_ms.push(...puback_ms);
  };
  const parts = [
    publish({ ballastd, signal, seed: 1, per_s: READINGS_PER_S, shift_ms: 0 }, note),
    publish({ ballastd, signal, seed: 2, per_s: LATE_PER_S, shift_ms: -LATE_MS }, note),
    ...Array.from({ length: PAGES }, () =>
      watchPage(ballastd, signal, () => {
        done.pages += 1;
      }),
    ),
    exportAll(ballastd, signal, () => {
      done.exports += 1;
    }),
  ];
  for (const part of parts) part.catch(onFault);
  return {
    done,
    takePubacks() {
      const sorted = Float64Array.from(pubacks_ms).sort();
      pubacks_ms = [];
      return { max_ms: sorted.at(-1) ?? 0, median_ms: sorted[sorted.length >> 1] ?? 0 };
    },
    async stop() {
      stopping.abort();
      await Promise.all(parts);
    },
  };
}

interface Publishing {
  readonly ballastd: Served;
  readonly signal: AbortSignal;
  readonly seed: number;
  readonly per_s: number;
  readonly shift_ms: number;
}

async function publish(
  { ballastd, signal, seed, per_s, shift_ms }: Publishing,
  note: (puback_ms: Float64Array) => void,
): Promise<void> {
  const cadence_ms = (MINUTE_MS * READINGS_PER_S) / per_s;
  let at_ms = Math.floor((Date.now() - SPAN_MS) / MINUTE_MS) * MINUTE_MS + shift_ms;
  if (shift_ms !== 0) at_ms += HALF_MINUTE_MS;
  const series = { seed, readings: 0, cadence_ms, start_ms: at_ms, end_ms: at_ms };
  const publisher = await openPublisher(ballastd.mqtt, openPlant(series));
  const began_ms = performance.now();
  for (let second = 1; !signal.aborted; second += 1) {
    const { puback_ms } = await publisher.flood(
      { start_ms: at_ms, cadence_ms, count: per_s },
      WINDOW,
    );
    note(puback_ms);
    at_ms += per_s * cadence_ms;
    await pause(began_ms + second * SECOND_MS - performance.now(), signal);
  }
  await publisher.close();
}

async function watchPage(
  { http }: Served,
  signal: AbortSignal,
  onShown: () => void,
): Promise<void> {
  const clients = PAGE.map(() => openClient(http));
  while (!signal.aborted) {
    const replies = await Promise.all(PAGE.map((at, place) => clients[place].ask(at)));
    for (const [place, reply] of replies.entries()) expectOk(PAGE[place], reply);
    onShown();
    await pause(PAGE_EVERY_MS, signal);
  }
  for (const client of clients) client.close();
}

async function exportAll({ http }: Served, signal: AbortSignal, onDone: () => void): Promise<void> {
  for (const format of alternating(["csv", "ndjson"])) {
    await pause(EXPORT_EVERY_MS, signal);
    if (signal.aborted) return;
    await startThread("drain", http, `/export/telemetry?format=${format}`).stop();
    onDone();
  }
}

function* alternating<Item>(items: readonly Item[]): Generator<Item> {
  for (;;) yield* items;
}

function pause(time_ms: number, signal: AbortSignal): Promise<void> {
  return sleep(Math.max(0, time_ms), undefined, { signal }).catch(() => undefined);
}
