// VictoriaMetrics, where Debian's package is installed: loaded and asked over HTTP. It keeps the
// numbers only: texts are dropped, and so is the order of arrival.

import path from "node:path";
import { AGGREGATED, RUNTIME_ANALYSIS, TAGS } from "../../src/bwts/tags.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { type Client, expectOk, openClient } from "../../test/rig/http-client.ts";
import { reservePort } from "../../test/rig/port.ts";
import { runProcess, startProcess } from "../../test/rig/process.ts";
import { folderBytes, settled } from "../../test/rig/process-facts.ts";
import type { Series } from "../../test/rig/steady-plant.ts";
import { postSeries } from "./influx-line.ts";
import { type Contender, type Figures, once } from "./measures.ts";
import { hoursOf480, PAGE, pageOffset, RUNTIME_READINGS } from "./questions.ts";
import type { Setup } from "./setup.ts";
import { timedPath } from "./timed.ts";

const NAME = "VictoriaMetrics";

/** VictoriaMetrics' figures, or that it isn't installed. */
export async function measureVictoriaMetrics(setup: Setup): Promise<Contender> {
  const { folder, series, say } = setup;
  const about = "influx lines and queries over HTTP, numbers only";
  const file = await installed(folder);
  if (file === null) return { name: NAME, about, absent: "not installed", figures: {} };
  say(NAME);
  const data = path.join(folder, "data");
  const { port } = await reservePort();
  const args = [
    `-storageDataPath=${data}`,
    `-httpListenAddr=127.0.0.1:${port}`,
    "-retentionPeriod=3y",
    "-search.latencyOffset=0s",
  ];
  const server = startProcess({ file, args, folder });
  const client = openClient(`http://127.0.0.1:${port}`);
  await server.waitUntil("an answer", () =>
    client.ask("/health").then(
      () => true,
      () => false,
    ),
  );
  const ingest = await postSeries(client, "/write?precision=ms", setup);
  expectOk("flush", await client.ask("/internal/force_flush"));
  expectOk("merge", await client.ask("/internal/force_merge"));
  await settled(server.pid);
  const figures: Figures = { ingest, ...(await ask(client, series)) };
  client.close();
  await server.stop("SIGTERM");
  figures.disk = once(folderBytes(data) / series.readings, "without texts");
  return { name: NAME, about, absent: null, figures };
}

/** The program's path; null when there is none. */
export async function installed(folder: string, name = "victoria-metrics"): Promise<string | null> {
  const script = `command -v ${name} || true`;
  return (await runProcess({ file: "sh", args: ["-c", script], folder })).trim() || null;
}

async function ask(client: Client, series: Series): Promise<Figures> {
  const aggregated = matching(AGGREGATED);
  const { start_ms, end_ms, cadence_ms } = series;
  const raw = (from_ms: number, to_ms: number) =>
    `/api/v1/export?match[]={__name__=~"r_.*"}&${range(from_ms, to_ms)}`;
  const buckets = (width_ms: number, from_ms: number) =>
    `/api/v1/query_range?query=avg_over_time(${aggregated}[${width_ms / SECOND_MS}s])` +
    `&step=${width_ms / SECOND_MS}s&nocache=1&${range(from_ms, end_ms)}`;
  const page_ms = start_ms + pageOffset(series) * cadence_ms;
  const step_s = Math.max(1, Math.round((end_ms - start_ms) / RUNTIME_READINGS / SECOND_MS));
  const thinned =
    `/api/v1/query_range?query=${matching(RUNTIME_ANALYSIS)}&step=${step_s}s&nocache=1` +
    `&${range(start_ms, end_ms)}`;
  const month_ms = end_ms - 720 * HOUR_MS;
  const last480_ms = end_ms - hoursOf480(series) * HOUR_MS;
  return {
    day_raw: await timedPath(client, raw(end_ms - DAY_MS, end_ms)),
    raw_480: await timedPath(client, raw(last480_ms, end_ms)),
    day_buckets: await timedPath(client, buckets(DAY_MS, month_ms)),
    hour_buckets: await timedPath(client, buckets(HOUR_MS, month_ms)),
    all_days: await timedPath(client, buckets(DAY_MS, start_ms)),
    page: await timedPath(client, raw(page_ms, page_ms + (PAGE - 1) * cadence_ms), "without total"),
    runtime: await timedPath(client, thinned, "sampled by time"),
  };
}

function matching(indices: readonly number[]): string {
  const names = indices.map((index) => TAGS[index].name).join("|");
  return encodeURIComponent(`{__name__=~"r_(${names})"}`);
}

function range(start_ms: number, end_ms: number): string {
  return `start=${start_ms / SECOND_MS}&end=${end_ms / SECOND_MS}`;
}
