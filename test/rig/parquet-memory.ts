// A process that writes as many readings as its argument says into a Parquet file that nobody
// keeps, and prints how many bytes that were.

import { SECOND_MS } from "../../src/ground/clock.ts";
import { COLUMNS } from "../../src/sqlite/exchange/export-columns.ts";
import { openParquet } from "../../src/sqlite/exchange/export-parquet.ts";
import { openPlant } from "./steady-plant.ts";

const readings = Number(process.argv[2]);
const start_ms = Date.UTC(2026, 4, 1);
const end_ms = start_ms + readings * SECOND_MS;
const plant = openPlant({ seed: 1, readings, cadence_ms: SECOND_MS, start_ms, end_ms });
const file = openParquet(COLUMNS, readings);
let bytes = 0;
for (let at_ms = start_ms; at_ms < end_ms; at_ms += SECOND_MS) {
  plant.advance(at_ms);
  const [, ...values] = plant.values();
  const receipt = { received_ms: at_ms + 40, clock_trusted: true, derived: 0, extra: new Map() };
  file.add([{ at_ms, ...receipt, values: [null, ...values] }]);
  bytes += file.taken().length;
}
file.finish();
process.stdout.write(`${bytes + file.taken().length}`);
