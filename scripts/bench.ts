// `npm run bench`: measures the built program as its users meet it: readings in over MQTT, answers
// out over HTTP, bytes on disk, memory. Beside it, on the same readings and in the same run: what
// one would write by hand, and other databases where their packages are installed. One at a time,
// so that they don't disturb each other. With `--pages` the dashboard in Chromium instead, with
// `--operations` operations and the ledger. Prints a Markdown table, writes JSON.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { SECOND_MS } from "../src/ground/clock.ts";
import { EXIT, Failure } from "../src/ground/errors.ts";
import { bundledProgram } from "../test/rig/bundled.ts";
import { type Series, seriesOf } from "../test/rig/steady-plant.ts";
import { measureBallastd } from "./bench/ballastd.ts";
import { measureDuckdb } from "./bench/duckdb.ts";
import { measureFleet } from "./bench/fleet.ts";
import { measureInfluxdb } from "./bench/influxdb.ts";
import { machineLine } from "./bench/machine.ts";
import type { Contender } from "./bench/measures.ts";
import { measureOperations } from "./bench/operations/operations.ts";
import { groupLines, hasFault, measurePages, printPages } from "./bench/pages/pages.ts";
import { temporaryStage } from "./bench/pages/stage.ts";
import { measurePostgresql } from "./bench/postgresql.ts";
import { printReport, type Report } from "./bench/report.ts";
import type { Setup } from "./bench/setup.ts";
import { measureVictoriaMetrics } from "./bench/victoria-metrics.ts";
import { measureKeptBuckets, measureWideTable } from "./bench/wide-table.ts";
import { integerOf, runScript, writeReport } from "./command.ts";

const USAGE = `usage: npm run bench -- [options]
       npm run bench -- --pages [NAME...] [options]
       npm run bench -- --fleet [NAME...]
       npm run bench -- --operations [NAME...] [options]

  --readings N        readings over 24 months (default 35040, with --pages or --operations 350400);
                      350400 is one every 3 minutes, 6300000 one every 10 seconds, 63072000 one
                      every second
  --array N           readings of a message, as a PLC empties its buffer (default 1; 100 above
                      10,000,000 readings)
  --no-compare        ballastd alone
  --fleet [NAME...]   a fleet alone, all or those named: ashore (PostgreSQL, Parquet), day (the
                      bytes of a ship-day), line (30 days on slow lines), lake, page (the fleet's
                      answer), load (PUBACKs aboard while 30 days drain)
  --operations [NAME...]  operations and the ledger alone, all or those named: ingest (the share of
                      row roots and ledger), judging (24 months from raw), heads (proofs between
                      1,000), file (the export); of the other options --readings, --keep,
                      --program, --folder and --seed count
  --flash-minutes M   how long to send one reading a second (default 2; 0 leaves it out)
  --window N          readings without PUBACK at a time (default 256)
  --program FILE      another main.cjs than this folder's (which is bundled when it is stale)
  --keep DIR          ballastd alone, its data kept in DIR; data that DIR has is asked, not loaded
  --folder DIR        where to keep the data meanwhile (default: the system's temporary folder)
  --json FILE         where the JSON goes (default out/bench.json, or out/bench-pages.json)
  --seed N            another plant (default 1)
  --pages [NAME...]   the dashboard's goals in Chromium, all or those named; of the other options
                      --readings, --keep, --program, --folder, --json and --seed count. It fails
                      if the page is wrong, not if it is slow or large:
${groupLines()}`;

const OUT = path.join(import.meta.dirname, "../out");

const OPTIONS = {
  pages: { type: "boolean", default: false },
  readings: { type: "string" },
  "no-compare": { type: "boolean", default: false },
  fleet: { type: "boolean", default: false },
  operations: { type: "boolean", default: false },
  "flash-minutes": { type: "string", default: "2" },
  window: { type: "string", default: "256" },
  array: { type: "string" },
  keep: { type: "string" },
  program: { type: "string" },
  folder: { type: "string" },
  json: { type: "string" },
  seed: { type: "string", default: "1" },
  help: { type: "boolean", default: false },
} as const;

/** One message a reading would take many hours from here on. */
const ARRAYS_FROM = 10_000_000;

// A stopped benchmark leaves no process and no data behind: process.ts and runAll listen
// for "exit".
await runScript(
  { name: "bench", usage: USAGE, options: OPTIONS, takesWords: true },
  async (values, names) => {
    if (values.fleet) {
      process.stdout.write(`${machineLine(os.tmpdir())}\n\n${await measureFleet(names, say)}`);
      return;
    }
    const { pages, operations } = values;
    if (names.length > 0 && !pages && !operations)
      throw new Failure(EXIT.usage, `got ${names[0]}, expected options alone without --pages`);
    const json = path.resolve(values.json ?? path.join(OUT, `bench${pages ? "-pages" : ""}.json`));
    const readings_text = values.readings ?? (pages || operations ? "350400" : "35040");
    const readings = integerOf("readings", readings_text, { low: 1000, high: 63_072_000 });
    const given = {
      readings,
      keep: values.keep === undefined ? null : path.resolve(values.keep),
      program: values.program === undefined ? null : path.resolve(values.program),
      folder: values.folder ?? os.tmpdir(),
      seed: integerOf("seed", values.seed, { low: 0, high: 2 ** 32 - 1 }),
    };
    if (pages) return runPages(names, json, given);
    if (operations) {
      const series = keptSeries(given.keep, seriesOf({ ...given, now_ms: Date.now() }));
      const table = await measureOperations(names, { ...given, series }, say);
      process.stdout.write(`${machineLine(given.folder)}\n\n${table}`);
      return;
    }
    const array = values.array ?? (readings > ARRAYS_FROM ? "100" : "1");
    const report = await runAll({
      ...given,
      compare: !values["no-compare"] && values.keep === undefined,
      array: integerOf("array", array, { low: 1, high: 300 }),
      flash_minutes: integerOf("flash-minutes", values["flash-minutes"], { low: 0, high: 1440 }),
      window: integerOf("window", values.window, { low: 1, high: 10_000 }),
    });
    process.stdout.write(printReport(report));
    writeReport(json, report);
    say(`written: ${json}`);
  },
);

interface Given {
  readonly readings: number;
  readonly keep: string | null;
  readonly program: string | null;
  readonly folder: string;
  readonly seed: number;
}

async function runPages(names: readonly string[], json: string, given: Given): Promise<void> {
  const program = given.program ?? bundledProgram();
  const folder = temporaryStage(given.folder);
  const report = await measurePages(names, { ...given, program, folder, say });
  process.stdout.write(printPages(report));
  writeReport(json, report);
  say(`written: ${json}`);
  if (hasFault(report)) process.exitCode = EXIT.failed;
}

interface Options extends Given {
  readonly compare: boolean;
  readonly flash_minutes: number;
  readonly window: number;
  readonly array: number;
}

async function runAll(options: Options): Promise<Report> {
  const { readings, seed, window, array, flash_minutes, keep } = options;
  const program = options.program ?? bundledProgram();
  const top = mkdtempSync(path.join(options.folder, "ballastd-bench-"));
  const remove = () => rmSync(top, { recursive: true, force: true, maxRetries: 10 });
  process.once("exit", remove);
  // An unprivileged server must be able to reach its folder inside.
  chmodSync(top, 0o711);
  const series = keptSeries(keep, seriesOf({ seed, readings, now_ms: Date.now() }));
  const machine = machineLine(top);
  const contenders: Contender[] = [];
  const measureProgram = (setup: Setup) =>
    measureBallastd({ ...setup, program, window, array, flash_minutes, keep: keep !== null });
  const run = async (name: string, measure: (setup: Setup) => Promise<Contender>) => {
    const folder = path.join(top, name);
    mkdirSync(folder);
    contenders.push(await measure({ series, folder, say }));
    rmSync(folder, { recursive: true });
  };
  if (keep === null) await run("ballastd", measureProgram);
  else contenders.push(await measureProgram({ series, folder: keep, say }));
  if (options.compare) {
    await run("kept-buckets", measureKeptBuckets);
    await run("wide-table", measureWideTable);
    await run("duckdb", measureDuckdb);
    await run("postgresql", measurePostgresql);
    await run("victoria-metrics", measureVictoriaMetrics);
    await run("influxdb", measureInfluxdb);
  }
  remove();
  process.off("exit", remove);
  const cadence_s = series.cadence_ms / SECOND_MS;
  return { machine, readings: series.readings, cadence_s, seed: series.seed, contenders };
}

/** The series of the data in a folder that is kept; `fresh`, which is noted there, without any. */
function keptSeries(folder: string | null, fresh: Series): Series {
  if (folder === null) return fresh;
  const file = path.join(folder, "series.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  writeReport(file, fresh);
  return fresh;
}

function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}
