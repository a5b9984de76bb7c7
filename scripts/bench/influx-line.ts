// Readings in InfluxDB's line protocol, which InfluxDB and VictoriaMetrics both take: one line a
// reading, sent in batches over HTTP.

import type { Scalar } from "../../src/bwts/reading.ts";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { type Client, expectOk } from "../../test/rig/http-client.ts";
import type { Plant } from "../../test/rig/steady-plant.ts";
import { type Figure, once } from "./measures.ts";
import { piecesOf, type Setup } from "./setup.ts";
import { COLUMNS } from "./statements.ts";

const READINGS_A_BATCH = 1000;

/** Posts the whole series to `path`; readings a second, made and sent. */
export async function postSeries(
  client: Client,
  path: string,
  { series, say }: Setup,
): Promise<Figure> {
  const began = performance.now();
  let sent = 0;
  for (const batch of piecesOf(series, READINGS_A_BATCH, line)) {
    expectOk(path, await client.ask(path, batch));
    sent += READINGS_A_BATCH;
    if (sent % 50_000 === 0) say(`stored ${sent} of ${series.readings}`);
  }
  const took_s = (performance.now() - began) / SECOND_MS;
  return once(series.readings / took_s, `batches of ${READINGS_A_BATCH}`);
}

function line(plant: Plant, at_ms: number): string {
  const fields = plant
    .values()
    .slice(1)
    .map((value, index) => `${COLUMNS[index + 1].name}=${printed(value)}`);
  return `r ${fields.join(",")} ${at_ms}\n`;
}

function printed(value: Scalar): string {
  return typeof value === "string" ? `"${value}"` : String(value);
}
