// The built program as the fuzzers attack it over its sockets, and what must hold all the while and
// afterwards: it lives, no thread was lost, answers keep to its own OpenAPI document, memory, file
// descriptors and quarantine don't grow, and the chains verify.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { SECOND_MS } from "../../src/ground/clock.ts";
import { messageOf } from "../../src/ground/errors.ts";
import { databaseFile } from "../../src/sqlite/file/open.ts";
import { type Client, openClient } from "../../test/rig/http-client.ts";
import { openValidator, type Validator } from "../../test/rig/http-validator.ts";
import { memoryOf, openDescriptors } from "../../test/rig/process-facts.ts";
import { dataFolder, runInstalled, type Served, startReady } from "../../test/rig/served.ts";
import type { Run } from "./run.ts";

/** Small, so that it fills up. */
const QUARANTINE_MAX_BYTES = 4 * 1024 * 1024;

/** Allowed growth since it was warm: the collector, caches and heaps of threads. */
const GROWTH_MAX_MIB = 128;
/** Whatever it has done. */
const MEMORY_MAX_MIB = 640;
/** Reader threads come and go with the load. */
const DESCRIPTORS_SPREAD = 24;
const CLOSING_MS = 3 * SECOND_MS;

/** Routes whose answers are made of what was stored. */
const LOOKED_AT = [
  "/api/stats",
  "/api/telemetry/latest",
  "/api/telemetry/history?hours=1",
  "/api/telemetry/aggregated?interval=day&startDate=2000-01-01",
  "/api/telemetry/chunked?startDate=1999-01-01&endDate=2100-01-01&limit=50&offset=100",
  "/api/health?limit=50",
  "/api/health/aggregated?interval=day",
  "/api/events?limit=50",
  "/api/predictions?limit=50",
] as const;

export interface Attacked extends Served {
  readonly token: string;
  readonly validator: Validator;
  /** Looks at its answers and its memory; what is wrong is a finding. */
  look(number: number): Promise<void>;
  /** Looks at all of it, stops it, and verifies its data. */
  finish(): Promise<void>;
}

/** Starts it in the run's folder. */
export async function startAttacked(run: Run): Promise<Attacked> {
  const { program, folder } = run;
  const settings = `[quarantine]\nmax_bytes = ${QUARANTINE_MAX_BYTES}\n`;
  writeFileSync(path.join(folder, "ballastd.toml"), settings);
  const ballastd = await startReady({ program, folder });
  const client = openClient(ballastd.http);
  const document = await client.ask("/openapi.json");
  const validator = openValidator(JSON.parse(document.body.toString()));
  const idle_descriptors = openDescriptors(ballastd.pid);
  const memory: number[] = [];
  const look = async (number: number) => {
    try {
      memory.push(memoryOf(ballastd.pid).anonymous_mib);
      for (const at of LOOKED_AT) {
        const problem = await answerProblem({ client, validator, at });
        if (problem !== null) run.found(number, problem);
      }
    } catch (error) {
      run.found(number, `the program doesn't answer: ${messageOf(error)}`);
    }
  };
  return {
    ...ballastd,
    token: readFileSync(path.join(dataFolder(folder), "token"), "utf8").trim(),
    validator,
    look,
    async finish() {
      await look(run.first + run.count - 1);
      client.close();
      await sleep(CLOSING_MS);
      judgeMemory(run, [...memory, memoryOf(ballastd.pid).anonymous_mib]);
      const descriptors = openDescriptors(ballastd.pid);
      run.note("file descriptors idle before and after", `${idle_descriptors}, ${descriptors}`);
      if (descriptors > idle_descriptors + DESCRIPTORS_SPREAD)
        run.found(null, `${idle_descriptors} file descriptors became ${descriptors}`);
      await judgeThreads(run, ballastd.http);
      await ballastd.stop();
      judgeLog(run, ballastd.log());
      await judgeData(run);
    },
  };
}

interface Looking {
  readonly client: Client;
  readonly validator: Validator;
  readonly at: string;
}

async function answerProblem({ client, validator, at }: Looking): Promise<string | null> {
  const { status, body } = await client.ask(at);
  const answer = { method: "GET", path: at.split("?")[0], status, type: "application/json" };
  const problem =
    status >= 500 ? `answered ${status}` : validator.answerProblems({ ...answer, body: `${body}` });
  return problem === null ? null : `${at}: ${problem}`;
}

function judgeMemory(run: Run, memory_mib: readonly number[]): void {
  const warm_mib = Math.max(...memory_mib.slice(0, Math.ceil(memory_mib.length / 3)));
  const end_mib = memory_mib.at(-1) ?? 0;
  const most_mib = Math.max(...memory_mib);
  const print = (mib: number) => mib.toFixed(0);
  run.note("RssAnon warm, most, end, MiB", [warm_mib, most_mib, end_mib].map(print).join(", "));
  if (end_mib > warm_mib + GROWTH_MAX_MIB || most_mib > MEMORY_MAX_MIB)
    run.found(null, `memory grew: ${memory_mib.map(print).join(" ")} MiB`);
}

async function judgeThreads(run: Run, http: string): Promise<void> {
  const metrics = openClient(http);
  const text = `${(await metrics.ask("/metrics")).body}`;
  metrics.close();
  const lost = /^ballastd_reader_threads_lost_total (\d+)/m.exec(text)?.[1];
  if (lost !== "0") run.found(null, `reader threads lost: ${lost}`);
  const withheld = /^ballastd_withheld_messages_total (\d+)/m.exec(text)?.[1];
  if (withheld !== "0") run.found(null, `messages that couldn't be committed: ${withheld}`);
}

function judgeLog(run: Run, log: string): void {
  // Entries of level error and above, and stacks.
  const bad = log.split("\n").filter((line) => /^\{"level":[5-9]\d|^ {4}at /.test(line));
  if (bad.length > 0) run.found(null, `the log says: ${bad.slice(0, 5).join("\n")}`);
}

async function judgeData(run: Run): Promise<void> {
  const { program, folder } = run;
  try {
    await runInstalled({ program, folder }, "verify", "--json");
  } catch (error) {
    run.found(null, `verify: ${messageOf(error)}`);
  }
  const db = new Database(databaseFile(dataFolder(folder)), { readonly: true });
  const sql = readFileSync(path.join(import.meta.dirname, "quarantine.sql"), "utf8");
  const kept = Number(db.prepare(sql).pluck().get());
  db.close();
  run.note("quarantine, bytes", kept);
  if (kept > QUARANTINE_MAX_BYTES) run.found(null, `the quarantine holds ${kept} bytes`);
}
