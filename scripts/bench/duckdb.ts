// DuckDB, in process, where its package is installed (`npm install --no-save @duckdb/node-api`,
// 70 MB, so nobody has to fetch it for a test): loaded from a CSV file and asked through its own
// interface; rows come as JavaScript values and are printed by JSON.stringify. It keeps a database
// file, and is asked to write the same readings as Parquet, for their size.

import { createWriteStream, rmSync, statSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { codeOf } from "../../src/ground/errors.ts";
import type { Plant } from "../../test/rig/steady-plant.ts";
import { type Contender, type Figures, once } from "./measures.ts";
import { hoursOf480, PAGE, pageOffset, RUNTIME_READINGS } from "./questions.ts";
import { piecesOf, type Setup } from "./setup.ts";
import { readStatements, statement } from "./statements.ts";
import { timedWork } from "./timed.ts";

const DIALECT = {
  types: { number: "double", integer: "integer", string: "varchar", boolean: "boolean" },
  quote: (name: string) => name,
};

const NAME = "DuckDB";
const PACKAGE = "@duckdb/node-api";

/** The part of the package's interface that is used here. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(file: string): Promise<{ connect(): Promise<DuckDbConnection>; closeSync(): void }>;
  };
}
interface DuckDbConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): unknown }>;
  closeSync(): void;
}

/** DuckDB's figures, on the same readings. */
export async function measureDuckdb(setup: Setup): Promise<Contender> {
  const { folder, say } = setup;
  const about = "in process, from CSV, without HTTP or MQTT; one commit for all";
  const duckdb = await loadDuckdb();
  if (duckdb === null) return { name: NAME, about, absent: "not installed", figures: {} };
  say(NAME);
  const instance = await duckdb.DuckDBInstance.create(path.join(folder, "bench.duckdb"));
  const connection = await instance.connect();
  const figures = await measure(connection, setup);
  connection.closeSync();
  instance.closeSync();
  return { name: NAME, about, absent: null, figures };
}

/** The package; null where it isn't installed. */
export async function loadDuckdb(): Promise<DuckDb | null> {
  try {
    return await import(PACKAGE);
  } catch (error) {
    if (codeOf(error) === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}

async function measure(connection: DuckDbConnection, setup: Setup): Promise<Figures> {
  const { series, folder } = setup;
  const statements = readStatements("duckdb.sql", DIALECT);
  const sql = (name: string, values: Readonly<Record<string, string | number>> = {}) =>
    statement(statements, name).replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
  const csv = path.join(folder, "readings.csv");
  await pipeline(Readable.from(piecesOf(series, 1000, csvLine)), createWriteStream(csv));
  await connection.run(sql("create"));
  const began_ms = performance.now();
  await connection.run(sql("load", { file: csv }));
  await connection.run("checkpoint");
  const took_s = (performance.now() - began_ms) / SECOND_MS;
  rmSync(csv);
  const parquet = path.join(folder, "readings.parquet");
  await connection.run(sql("parquet", { file: parquet }));
  const bytesEach = (file: string) => statSync(file).size / series.readings;
  const note = `as Parquet with zstd ${bytesEach(parquet).toFixed(1)}, numbers as doubles`;
  const rows = async (...asked: Parameters<typeof sql>) =>
    JSON.stringify(await (await connection.runAndReadAll(sql(...asked))).getRowObjectsJson());
  const ask = (...asked: Parameters<typeof sql>) => timedWork(() => rows(...asked));
  const month = series.end_ms - 720 * HOUR_MS;
  const page = { offset: pageOffset(series), limit: PAGE };
  return {
    ingest: once(series.readings / took_s, "one COPY, one commit"),
    disk: once(bytesEach(path.join(folder, "bench.duckdb")), note),
    day_raw: await ask("history", { start: series.end_ms - DAY_MS }),
    raw_480: await ask("history", { start: series.end_ms - hoursOf480(series) * HOUR_MS }),
    day_buckets: await ask("buckets", { width: DAY_MS, start: month }),
    hour_buckets: await ask("buckets", { width: HOUR_MS, start: month }),
    all_days: await ask("buckets", { width: DAY_MS, start: series.start_ms }),
    page: await timedWork(async () => {
      await rows("total");
      await rows("page", page);
    }),
    runtime: await timedWork(
      () => rows("runtime", { limit: RUNTIME_READINGS }),
      "the oldest 10,000, not thinned over all",
    ),
  };
}

/** Nothing in the readings needs quotes; the time is the key. */
function csvLine(plant: Plant, at_ms: number): string {
  return `${at_ms},${plant.values().slice(1).join(",")}\n`;
}
