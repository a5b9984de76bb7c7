// The overview under a plant that sends a reading each second, with twenty clients of the stream:
// the time from the PLC's PUBLISH to the pixel, and the longest task of the page's thread, as
// Chromium's own trace tells it.

import { setTimeout as pause } from "node:timers/promises";
import { openEventStream } from "../../../test/rig/event-stream.ts";
import { paintsOf, slowProcessor, watchPaints } from "./painted.ts";
import { type Group, times } from "./row.ts";
import type { Ship, Stage } from "./stage.ts";

const INTENSITY = '[data-test="intensity"]';
/** Beside the page. */
const OTHER_CLIENTS = 19;
const READINGS = 30;
const SLOW_READINGS = 15;
const CADENCE_MS = 1000;
/** Readings that the page has time to warm up with. */
const WARM = 3;

export const live: Group = {
  name: "live",
  about: "publish to pixel with 20 clients, the longest task at 1 Hz",
  measure: async (stage) => {
    await using ship = await stage.empty();
    const streams = new DisposableStack();
    try {
      for (let client = 0; client < OTHER_CLIENTS; client += 1)
        streams.use(await openEventStream(`${ship.url}/stream`));
      const quick = await follow(stage, ship, { slower: 1, readings: READINGS });
      const slow = await follow(stage, ship, { slower: 4, readings: SLOW_READINGS });
      const pixel = { by: "p95", values_ms: quick.pixel_ms } as const;
      const tasks = { by: "worst", values_ms: quick.tasks_ms } as const;
      const slow_tasks = { by: "worst", values_ms: slow.tasks_ms } as const;
      const task = "longest task at a reading a second";
      return [
        times("publish to pixel, 20 clients", { most: 300, ...pixel }),
        times("publish to pixel, 20 clients", { most: 1000, ...pixel, by: "worst" }),
        times(task, { most: 50, ...tasks }),
        times(`${task}: processor a quarter`, { most: 150, ...slow_tasks }),
      ];
    } finally {
      streams.dispose();
    }
  },
};

interface Followed {
  readonly pixel_ms: number[];
  readonly tasks_ms: number[];
}

async function follow(
  { browser }: Stage,
  ship: Ship,
  { slower, readings }: { slower: number; readings: number },
): Promise<Followed> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await watchPaints(page, INTENSITY);
  await ship.publish("telemetry", readingOf(500));
  await page.goto(ship.url);
  await page.locator(INTENSITY).waitFor();
  await slowProcessor(await context.newCDPSession(page), slower);
  const sent = new Map<number, number>();
  for (let index = 0; index < readings + WARM; index += 1) {
    if (index === WARM) await browser.startTracing(page, { categories: TRACED });
    const intensity = 600 + index + slower / 10;
    sent.set(intensity, Date.now());
    await ship.publish("telemetry", readingOf(intensity));
    await pause(CADENCE_MS);
  }
  const tasks_ms = tasksIn(await browser.stopTracing());
  const paints = await paintsOf(page);
  await context.close();
  const pixel_ms = [...sent].slice(WARM).map(([intensity, sent_ms]) => {
    const shown = paints.find(({ text }) => Number.parseFloat(text) === intensity);
    return shown === undefined ? Number.POSITIVE_INFINITY : shown.at_ms - sent_ms;
  });
  return { pixel_ms, tasks_ms };
}

function readingOf(UVR_INTENSITY: number): object {
  const timestamp = new Date().toISOString();
  const lamps = Array.from({ length: 16 }, (_, lamp) => {
    const name = `LAMP_${String(lamp + 1).padStart(2, "0")}`;
    return { [`${name}_STATUS`]: "ACTIVE", [`${name}_EFFICIENCY`]: 80 + Math.random() * 10 };
  });
  const plant = { PROCESS_STATE: "RUNNING", COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: 600 };
  return Object.assign({ timestamp, UVR_INTENSITY, ...plant }, ...lamps);
}

const TRACED = ["disabled-by-default-devtools.timeline", "devtools.timeline"];

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

/** Durations in ms of the tasks of the busiest page's thread. */
function tasksIn(trace: Buffer): number[] {
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString("utf8"));
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(threadOf),
  );
  const byThread = new Map<string, number[]>();
  for (const event of traceEvents) {
    if (event.name !== "RunTask" || !pages.has(threadOf(event))) continue;
    const tasks = byThread.get(threadOf(event)) ?? [];
    tasks.push((event.dur ?? 0) / 1000);
    byThread.set(threadOf(event), tasks);
  }
  const busy = (tasks: number[]) => tasks.reduce((sum, task_ms) => sum + task_ms, 0);
  return [...byThread.values()].sort((one, other) => busy(other) - busy(one))[0] ?? [];
}
