// PostgreSQL, where Debian's package is installed: a cluster of its own in the folder, reached over
// a unix socket only, loaded by COPY and asked through psql, which times each statement. Rows come
// as text, not as JSON, which is in its favour; its settings are Debian's defaults.

import { chownSync } from "node:fs";
import path from "node:path";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { newestPrograms, unprivileged } from "../../test/rig/postgresql-programs.ts";
import { runProcess, startProcess } from "../../test/rig/process.ts";
import type { Plant } from "../../test/rig/steady-plant.ts";
import { type Contender, type Figure, type Figures, once, repeated } from "./measures.ts";
import { hoursOf480, pageOffset } from "./questions.ts";
import { piecesOf, type Setup } from "./setup.ts";
import { readStatements, statement } from "./statements.ts";

const NAME = "PostgreSQL";
const QUESTIONS = [
  "day_raw",
  "raw_480",
  "day_buckets",
  "hour_buckets",
  "all_days",
  "page",
  "runtime",
] as const;
const REPEATED = 7;
/** A larger table is asked fewer times: each pass over it takes many seconds. */
const LARGE = { readings: 1_000_000, repeated: 3 };
const DIALECT = {
  types: { number: "double precision", integer: "integer", string: "text", boolean: "boolean" },
  quote: (name: string) => (name === "timestamp" ? name : `"${name}"`),
};

/** PostgreSQL's figures, or that it isn't installed. */
export async function measurePostgresql(setup: Setup): Promise<Contender> {
  const programs = newestPrograms();
  const about = "COPY and psql over a unix socket, rows as text";
  if (programs === null) return { name: NAME, about, absent: "not installed", figures: {} };
  setup.say(NAME);
  const account = await unprivileged(setup.folder);
  if (account !== null) chownSync(setup.folder, account.uid, account.gid);
  const run = { folder: setup.folder, account };
  const data = path.join(setup.folder, "cluster");
  const initdb = path.join(programs, "initdb");
  await runProcess({ ...run, file: initdb, args: ["-D", data, "-U", "bench", "-A", "trust"] });
  const args = ["-D", data, "-k", setup.folder, "-c", "listen_addresses="];
  const server = startProcess({ ...run, file: path.join(programs, "postgres"), args });
  const psql = (input: Iterable<string>) =>
    runProcess(
      {
        ...run,
        file: path.join(programs, "psql"),
        args: ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", setup.folder, "-U", "bench", "postgres"],
      },
      input,
    );
  await server.waitUntil("a connection", () =>
    psql(["select 1;"]).then(
      () => true,
      () => false,
    ),
  );
  const figures = await measure(psql, setup);
  // The "fast" shutdown.
  await server.stop("SIGINT");
  return { name: NAME, about, absent: null, figures };
}

type Psql = (input: Iterable<string>) => Promise<string>;

async function measure(psql: Psql, { series }: Setup): Promise<Figures> {
  const statements = readStatements("postgresql.sql", DIALECT);
  const sql = (name: string) => statement(statements, name);
  await psql([sql("create")]);
  const began = performance.now();
  await psql(withEnd(`${sql("copy")}\n`, piecesOf(series, 1000, csvLine)));
  const took_s = (performance.now() - began) / SECOND_MS;
  await psql([sql("vacuum")]);
  const bytes = Number(/\d+/.exec((await psql(["\\t\n", sql("size")])).trim())?.[0]);
  const figures: Figures = {
    ingest: once(series.readings / took_s, "one COPY, one commit"),
    disk: once(bytes / series.readings, "the table and its index"),
  };
  const settings = [
    `\\set hours ${hoursOf480(series)}\n\\set offset ${pageOffset(series)}\n`,
    "\\o /dev/null\n",
  ];
  const repeat = series.readings > LARGE.readings ? LARGE.repeated : REPEATED;
  for (const name of QUESTIONS) {
    const total = name === "page" ? `${sql("page_total")}\n` : "";
    const asked = `\\timing on\n${total}${sql(name)}\n\\timing off\n\\qecho\n\\echo next\n`;
    const output = await psql([...settings, ...Array.from({ length: repeat }, () => asked)]);
    figures[name] = timings(output, name);
  }
  return figures;
}

/** The times that psql printed, several statements of one repetition added up. */
function timings(output: string, name: string): Figure {
  const took_ms = output
    .split("next\n")
    .slice(0, -1)
    .map((part) =>
      [...part.matchAll(/^Time: ([\d.]+) ms/gm)].reduce((sum, [, ms]) => sum + Number(ms), 0),
    );
  const note = name === "runtime" ? "the oldest 10,000, not thinned over all" : null;
  return repeated(took_ms, note);
}

function csvLine(plant: Plant): string {
  // Nothing in the readings needs quotes.
  return `${plant.values().join(",")}\n`;
}

function* withEnd(head: string, pieces: Iterable<string>): Generator<string> {
  yield head;
  yield* pieces;
  yield "\\.\n";
}
