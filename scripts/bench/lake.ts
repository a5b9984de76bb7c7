// The lake as another engine reads it: segments of a ship go through a real database into a lake,
// and DuckDB, where its package is installed, is asked the manual's question of it. What it counts
// must be what was sent.

import path from "node:path";
import { updateLake } from "../../src/office/lake.ts";
import { lakeFolder } from "../../src/office/lake-place.ts";
import { withOffice } from "../../src/office/office.ts";
import { type FleetRig, sail } from "../../test/rig/fleet-rig.ts";
import type { Link } from "../../test/rig/ship-links.ts";
import { loadDuckdb } from "./duckdb.ts";
import type { TableRow } from "./table-rows.ts";

const SHIP = "9525338";

/** The time of an answer of DuckDB's over the whole lake. */
export async function measureLake(fleet: FleetRig, segments: readonly Link[]): Promise<TableRow> {
  const what = "the manual's question of the lake, by DuckDB";
  const duckdb = await loadDuckdb();
  if (duckdb === null) return { what, goal: "", measured: "DuckDB isn't installed" };
  await using ship = await sail(await fleet.add(SHIP));
  await ship.hello();
  for (const link of segments) await ship.put(link);
  const folder = path.join(fleet.folder, "lake");
  await fleet.psql("alter role postgres password 'office'", "postgres");
  const database = `postgres://postgres:office@127.0.0.1:${fleet.port}/fleet`;
  const { readings } = await withOffice(database, (office) =>
    updateLake(office, lakeFolder(folder), SHIP),
  );
  const instance = await duckdb.DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const files = `'${folder}/readings/**/*.parquet'`;
  const counted = JSON.stringify(await ask(`select count(*) as readings from ${files}`));
  if (counted !== `[{"readings":"${readings}"}]`)
    throw new Error(`DuckDB counts ${counted}, expected ${readings} readings`);
  const began_ms = performance.now();
  await ask(`select ship, day, PROCESS_STATE, count(*) as readings,
    round(avg(UVR_INTENSITY), 1) as intensity from ${files} group by all order by all`);
  const took_ms = performance.now() - began_ms;
  connection.closeSync();
  instance.closeSync();
  return { what, goal: "", measured: `${readings} readings in ${took_ms.toFixed(0)} ms` };
}
