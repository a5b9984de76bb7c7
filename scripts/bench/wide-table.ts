// Two contenders as one would write them by hand: a wide SQLite table, queried in this process and
// printed by JSON.stringify, without HTTP. Readings come as the same JSON, many to a transaction.

import path from "node:path";
import Database from "better-sqlite3";
import { DAY_MS, HOUR_MS, printTime, SECOND_MS } from "../../src/ground/clock.ts";
import { folderBytes, writtenBytes } from "../../test/rig/process-facts.ts";
import { openPlant, type Series } from "../../test/rig/steady-plant.ts";
import { type Contender, type Figure, type Figures, once } from "./measures.ts";
import { hoursOf480, PAGE, pageOffset, RUNTIME_READINGS } from "./questions.ts";
import type { Setup } from "./setup.ts";
import { COLUMNS, readStatements, statement } from "./statements.ts";
import { timedWork } from "./timed.ts";

const DIALECT = {
  types: { number: "real", integer: "integer", string: "text", boolean: "integer" },
  quote: (name: string) => name,
};

/** About as many messages as share a commit when a window of 256 is in flight. */
const READINGS_A_COMMIT = 128;
const RATE_MS = 2 * SECOND_MS;

/** The figures of the wide table, buckets kept by triggers, on the same readings. */
export function measureKeptBuckets(setup: Setup): Promise<Contender> {
  return measure("wide SQLite table and buckets by triggers", setup, true);
}

/** The figures of the wide table alone, grouped when it is asked. */
export function measureWideTable(setup: Setup): Promise<Contender> {
  return measure("wide SQLite table, grouped when asked", setup, false);
}

async function measure(name: string, setup: Setup, keepsBuckets: boolean): Promise<Contender> {
  const { series, folder, say } = setup;
  say(name);
  const table = openTable(path.join(folder, "wide.db"), keepsBuckets);
  const ingest = load(table, series);
  table.database.pragma("wal_checkpoint(truncate)");
  const disk = once(folderBytes(folder) / series.readings);
  const figures = { ingest, disk, ...(await ask(table, series)), ...flash(table, series) };
  table.database.close();
  const about = "in process with better-sqlite3, without HTTP or MQTT";
  return { name, about, absent: null, figures };
}

interface Table {
  readonly database: Database.Database;
  /** Stores the reading of a JSON text. */
  readonly insert: (json: Buffer) => void;
  readonly sql: (name: string) => string;
  /** Hours and days are kept in tables of their own. */
  readonly keepsBuckets: boolean;
}

function openTable(file: string, keepsBuckets: boolean): Table {
  const statements = readStatements("wide-table.sql", DIALECT);
  const sql = (name: string) => statement(statements, name);
  const database = new Database(file);
  database.pragma("journal_mode = wal");
  database.pragma("synchronous = full");
  database.exec(sql("create"));
  if (keepsBuckets) database.exec(sql("keep_buckets"));
  const insert = database.prepare(sql("insert"));
  const names = COLUMNS.slice(1).map(({ name }) => name);
  return {
    database,
    sql,
    keepsBuckets,
    insert(json) {
      const members = JSON.parse(json.toString());
      const at_ms = Date.parse(members.timestamp);
      const values = names.map((name) => members[name]);
      insert.run(
        at_ms,
        values.map((value) => (typeof value === "boolean" ? Number(value) : value)),
      );
    },
  };
}

function load(table: Table, series: Series): Figure {
  const plant = openPlant(series);
  const store = table.database.transaction((batch: readonly Buffer[]) => {
    for (const json of batch) table.insert(json);
  });
  let took_ms = 0;
  for (let index = 0; index < series.readings; ) {
    const batch: Buffer[] = [];
    for (; batch.length < READINGS_A_COMMIT && index < series.readings; index += 1) {
      plant.advance(series.start_ms + index * series.cadence_ms);
      batch.push(plant.json());
    }
    const began = performance.now();
    store(batch);
    took_ms += performance.now() - began;
  }
  const note = `${READINGS_A_COMMIT} readings to a transaction, from JSON`;
  return once((SECOND_MS * series.readings) / took_ms, note);
}

type Parameters = Readonly<Record<string, bigint>>;

async function ask(table: Table, series: Series): Promise<Figures> {
  const { database, sql, keepsBuckets } = table;
  const json = (name: string, parameters: Parameters = {}) => {
    const prepared = database.prepare<[Parameters], Row>(sql(name));
    return () => JSON.stringify(prepared.all(parameters).map(printed));
  };
  const buckets = (width_ms: number, start_ms: number) => {
    const kept = width_ms === DAY_MS ? "kept_days" : "kept_hours";
    const span = { width_ms: BigInt(width_ms), start_ms: BigInt(start_ms) };
    return json(keepsBuckets ? kept : "buckets", span);
  };
  const month_ms = series.end_ms - 720 * HOUR_MS;
  const range = { start_ms: BigInt(series.start_ms), end_ms: BigInt(series.end_ms) };
  const offset = BigInt(pageOffset(series));
  const page = json("page", { ...range, limit: BigInt(PAGE), offset });
  const latest = json("latest");
  const total = database.prepare<[Parameters]>(sql("total"));
  const month = database.prepare<[Parameters]>(sql("month"));
  return {
    day_raw: await timedWork(json("history", { hours: 24n })),
    raw_480: await timedWork(json("history", { hours: BigInt(hoursOf480(series)) })),
    day_buckets: await timedWork(buckets(DAY_MS, month_ms)),
    hour_buckets: await timedWork(buckets(HOUR_MS, month_ms)),
    all_days: await timedWork(buckets(DAY_MS, series.start_ms)),
    page: await timedWork(() => {
      total.get(range);
      return page();
    }),
    runtime: await timedWork(
      json("runtime", { limit: BigInt(RUNTIME_READINGS) }),
      "the oldest 10,000, not thinned over all",
    ),
    latest: rate(latest),
    stats: rate(() => {
      month.get({ start_ms: BigInt(month_ms) });
      return latest();
    }, "the latest reading and the means of 30 days"),
  };
}

type Row = Readonly<Record<string, number | string | null>> & { readonly timestamp: number };

function printed(row: Row): object {
  return { ...row, timestamp: printTime(row.timestamp) };
}

function rate(question: () => string, note: string | null = null): Figure {
  const began = performance.now();
  let answers = 0;
  for (; performance.now() - began < RATE_MS; answers += 1) question();
  return once((SECOND_MS * answers) / (performance.now() - began), note);
}

/** An hour's worth of commits of one reading each, checkpoints included. */
function flash(table: Table, series: Series): Figures {
  const plant = openPlant(series);
  const count = HOUR_MS / SECOND_MS;
  const before = writtenBytes(process.pid);
  let bytes = 0;
  for (let index = 1; index <= count; index += 1) {
    plant.advance(series.end_ms + index * SECOND_MS);
    const json = plant.json();
    bytes += json.length;
    table.insert(json);
  }
  table.database.pragma("wal_checkpoint(truncate)");
  const written = writtenBytes(process.pid) - before;
  return { flash: once(written / count), flash_ratio: once(written / bytes) };
}
