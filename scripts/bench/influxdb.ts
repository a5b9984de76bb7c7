// InfluxDB 1, where Debian's package is installed: loaded and asked over HTTP, with the defaults of
// its own configuration but for the folders, the port, and that it compacts at once and not hours
// later.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { AGGREGATED, RUNTIME_ANALYSIS, TAGS } from "../../src/bwts/tags.ts";
import { DAY_MS, HOUR_MS } from "../../src/ground/clock.ts";
import { type Client, expectOk, openClient } from "../../test/rig/http-client.ts";
import { reservePort } from "../../test/rig/port.ts";
import { startProcess } from "../../test/rig/process.ts";
import { folderBytes, settled } from "../../test/rig/process-facts.ts";
import type { Series } from "../../test/rig/steady-plant.ts";
import { postSeries } from "./influx-line.ts";
import { type Contender, type Figure, type Figures, once } from "./measures.ts";
import { hoursOf480, PAGE, pageOffset, RUNTIME_READINGS } from "./questions.ts";
import type { Setup } from "./setup.ts";
import { timedPath } from "./timed.ts";
import { installed } from "./victoria-metrics.ts";

const NAME = "InfluxDB";

/** InfluxDB's figures, or that it isn't installed. */
export async function measureInfluxdb(setup: Setup): Promise<Contender> {
  const { folder, series, say } = setup;
  const about = "influx lines and InfluxQL over HTTP";
  const file = await installed(folder, "influxd");
  if (file === null) return { name: NAME, about, absent: "not installed", figures: {} };
  say(NAME);
  const data = path.join(folder, "data");
  const [port, rpc] = [(await reservePort()).port, (await reservePort()).port];
  const config = path.join(folder, "influxdb.conf");
  writeFileSync(config, configuration({ data, port, rpc }));
  const server = startProcess({ file, args: ["-config", config], folder });
  const client = openClient(`http://127.0.0.1:${port}`);
  await server.waitUntil("an answer", () =>
    client.ask("/ping").then(
      () => true,
      () => false,
    ),
  );
  const created = await client.ask(`/query?q=${encodeURIComponent("create database bench")}`, "");
  expectOk("create database", created);
  const ingest = await postSeries(client, "/write?db=bench&precision=ms", setup);
  await settled(server.pid);
  const figures: Figures = { ingest, ...(await ask(client, series)) };
  client.close();
  await server.stop("SIGTERM");
  figures.disk = once(folderBytes(data) / series.readings);
  return { name: NAME, about, absent: null, figures };
}

function configuration(given: { data: string; port: number; rpc: number }): string {
  const { data, port, rpc } = given;
  return `reporting-disabled = true
bind-address = "127.0.0.1:${rpc}"
[meta]
  dir = "${data}/meta"
[data]
  dir = "${data}/data"
  wal-dir = "${data}/wal"
  cache-snapshot-write-cold-duration = "5s"
  compact-full-write-cold-duration = "10s"
[monitor]
  store-enabled = false
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
`;
}

async function ask(client: Client, series: Series): Promise<Figures> {
  const { start_ms, end_ms } = series;
  const query = (text: string, note: string | null = null): Promise<Figure> =>
    timedPath(client, `/query?db=bench&epoch=ms&q=${encodeURIComponent(text)}`, note);
  const after = (from_ms: number) => `time >= ${from_ms}ms and time <= ${end_ms}ms`;
  const means = AGGREGATED.map((index) => `mean("${TAGS[index].name}")`).join(", ");
  const buckets = (width: string, from_ms: number) =>
    query(`select ${means} from r where ${after(from_ms)} group by time(${width}) fill(none)`);
  const lamps = RUNTIME_ANALYSIS.map((index) => `"${TAGS[index].name}"`).join(", ");
  const month_ms = end_ms - 720 * HOUR_MS;
  return {
    day_raw: await query(`select * from r where ${after(end_ms - DAY_MS)}`),
    raw_480: await query(`select * from r where ${after(end_ms - hoursOf480(series) * HOUR_MS)}`),
    day_buckets: await buckets("1d", month_ms),
    hour_buckets: await buckets("1h", month_ms),
    all_days: await buckets("1d", start_ms),
    page: await query(
      `select * from r limit ${PAGE} offset ${pageOffset(series)}`,
      "without total",
    ),
    runtime: await query(
      `select ${lamps} from r limit ${RUNTIME_READINGS}`,
      "the oldest 10,000, not thinned over all",
    ),
  };
}
