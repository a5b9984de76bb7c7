// Measures the program's answers over HTTP. An answer must also be right, with as many readings and
// buckets as were stored; otherwise its time means nothing.

import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { HOUR_MS, printTime, SECOND_MS } from "../../src/ground/clock.ts";
import { type Client, expectOk, openClient } from "../../test/rig/http-client.ts";
import { processor_ms } from "../../test/rig/process-facts.ts";
import type { Served } from "../../test/rig/served.ts";
import type { Series } from "../../test/rig/steady-plant.ts";
import { type Figure, type Figures, once, type QuestionKey } from "./measures.ts";
import { startThread } from "./thread.ts";
import { timedPath } from "./timed.ts";

const RATE_MS = 5 * SECOND_MS;
export const PAGE = 500;
export const RUNTIME_READINGS = 10_000;

/** The offset of the page, and the hours that hold about 480 readings. */
export function pageOffset(series: Series): number {
  return Math.max(0, Math.min(Math.floor(0.9 * series.readings), series.readings - PAGE));
}

export function hoursOf480(series: Series): number {
  return Math.max(1, Math.round((480 * series.cadence_ms) / HOUR_MS));
}

/**
 * Asks each question again and again: plain, with what a browser accepts over HTTP, and with what
 * Chrome accepts over TLS. Throws when an answer doesn't fit to the series.
 */
export async function askQuestions(
  { http, pid }: Served,
  series: Series,
  say: (text: string) => void,
): Promise<Figures> {
  const clients = {
    plain: openClient(http),
    http: openClient(http, "gzip, deflate"),
    tls: openClient(http, "gzip, deflate, br, zstd"),
  };
  const figures: Figures = {};
  try {
    for (const [key, path] of questionsOf(series)) {
      say(`asking ${path}`);
      const { rows, reply } = await checked(clients.plain, path, series);
      const plain = await measured(clients.plain, path, pid);
      const note = `${rows} rows, ${plain.note}`;
      figures[key] = { ...plain, note, first: reply.took_ms };
      figures[`${key}_http`] = await measured(clients.http, path, pid);
      figures[`${key}_tls`] = await measured(clients.tls, path, pid);
    }
  } finally {
    for (const client of Object.values(clients)) client.close();
  }
  return figures;
}

/** Answers a second over ten connections. */
export async function askTogether(base: string, say: (text: string) => void): Promise<Figures> {
  const rate = async (path: string): Promise<Figure> => {
    say(`asking ${path} over ten connections`);
    const thread = startThread("rate", base, path);
    await sleep(RATE_MS);
    const { answers, took_s } = await thread.stop();
    return once(answers / took_s);
  };
  return { latest: await rate("/api/telemetry/latest"), stats: await rate("/api/stats") };
}

function questionsOf(series: Series): readonly (readonly [QuestionKey, string])[] {
  const all = `startDate=${printTime(series.start_ms)}&endDate=${printTime(series.end_ms)}`;
  const api = "/api/telemetry";
  return [
    ["day_raw", `${api}/history?hours=24`],
    ["raw_480", `${api}/history?hours=${hoursOf480(series)}`],
    ["day_buckets", `${api}/aggregated?interval=day&hours=720`],
    ["hour_buckets", `${api}/aggregated?interval=hour&hours=720`],
    ["all_days", `${api}/aggregated?interval=day&${all}`],
    ["page", `${api}/chunked?${all}&offset=${pageOffset(series)}&limit=${PAGE}`],
    ["runtime", `${api}/runtime-analysis`],
  ];
}

const Rows = z.array(z.looseObject({ recordCount: z.int().optional() }));
const Page = z.object({ data: Rows, pagination: z.object({ total: z.int() }) });

async function checked(client: Client, path: string, series: Series) {
  const reply = await client.ask(path);
  expectOk(path, reply);
  const answer: unknown = JSON.parse(reply.body.toString());
  return { rows: checkedRows(path, answer, series), reply };
}

/** Answers over which processor time is measured: it is counted in 10 ms. */
const PROCESSOR_ANSWERS = 40;

async function measured(client: Client, path: string, pid: number): Promise<Figure> {
  const { body } = await client.ask(path);
  const figure = await timedPath(client, path);
  const before_ms = processor_ms(pid);
  for (let answers = 0; answers < PROCESSOR_ANSWERS; answers += 1) await client.drain(path);
  const took_ms = (processor_ms(pid) - before_ms) / PROCESSOR_ANSWERS;
  return { ...figure, note: `${body.length} bytes, ${took_ms.toFixed(1)} ms of processor time` };
}

function checkedRows(path: string, answer: unknown, series: Series): number {
  const page = Page.safeParse(answer);
  if (page.success) {
    expectCount(path, page.data.pagination.total, series.readings);
    expectCount(path, page.data.data.length, Math.min(PAGE, series.readings));
    return page.data.data.length;
  }
  const rows = Rows.parse(answer);
  if (path.includes("interval=day&startDate")) {
    const counted = rows.reduce((sum, row) => sum + (row.recordCount ?? 0), 0);
    expectCount(path, counted, series.readings);
  }
  if (path.includes("/history")) {
    const hours = Number(/hours=(\d+)/.exec(path)?.[1]);
    const inside = Math.floor((hours * HOUR_MS) / series.cadence_ms) + 1;
    expectCount(path, rows.length, Math.min(series.readings, inside));
  }
  return rows.length;
}

function expectCount(path: string, got: number, expected: number): void {
  if (got !== expected) throw new Error(`${path}: got ${got} readings, expected ${expected}`);
}
