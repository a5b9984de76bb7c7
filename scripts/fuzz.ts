// `npm run fuzz`: attacks the built program over its sockets, and the codec and damaged databases
// in a process of their own, with cases that follow from a seed. Prints what was tried and what was
// found, with the case to repeat it; ends with 1 when there was something.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { MINUTE_MS } from "../src/ground/clock.ts";
import { EXIT, Failure, messageOf } from "../src/ground/errors.ts";
import { bundledProgram } from "../test/rig/bundled.ts";
import { runScript, writeReport } from "./command.ts";
import { fuzzHttp } from "./fuzz/http.ts";
import { fuzzInside } from "./fuzz/inside.ts";
import { fuzzMqtt } from "./fuzz/mqtt.ts";
import { fuzzPackets } from "./fuzz/packets.ts";
import { type Finding, FUZZERS, type Fuzzer, type Run } from "./fuzz/run.ts";

const USAGE = `usage: npm run fuzz -- [options]

  --minutes N    for how long, all fuzzers together (default 5; fractions are taken)
  --only NAMES   ${FUZZERS.join(", ")}; several by comma (default: all)
  --seed S       the same seed makes the same cases (default: the clock's)
  --first N      the first case's number (default 0)
  --cases N      the most cases of each fuzzer: with --first, to repeat one
  --json FILE    writes the report as JSON too`;

/** Most findings printed: a fault that shows in each case would fill the screen. */
const FINDINGS_MAX = 20;

const FUZZ: Readonly<Record<Fuzzer, (run: Run) => Promise<void>>> = {
  mqtt: fuzzMqtt,
  packets: fuzzPackets,
  http: fuzzHttp,
  codec: fuzzInside,
  database: fuzzInside,
};

/** Cases that make one connection, or one window, together: what repeats a finding. */
const CASES: Readonly<Record<Fuzzer, number>> = {
  mqtt: 256,
  packets: 1,
  http: 8,
  codec: 1,
  database: 1,
};

interface Report {
  readonly fuzzer: Fuzzer;
  readonly seconds: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly notes: Readonly<Record<string, number | string>>;
  readonly findings: readonly Finding[];
}

const OPTIONS = {
  minutes: { type: "string", default: "5" },
  only: { type: "string" },
  seed: { type: "string" },
  first: { type: "string", default: "0" },
  cases: { type: "string" },
  json: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

await runScript({ name: "fuzz", usage: USAGE, options: OPTIONS }, async (values) => {
  const options = readOptions(values);
  const { seed, fuzzers } = options;
  process.stdout.write(`seed ${seed}\n`);
  const program = bundledProgram();
  const reports: Report[] = [];
  for (const fuzzer of fuzzers) {
    // Each its share, however long the one before took to start and to be looked at.
    const end_ms = Date.now() + options.time_ms / fuzzers.length;
    const report = await runOne({ ...options, fuzzer, end_ms, program });
    reports.push(report);
    print(report, seed);
  }
  if (values.json !== undefined) writeReport(values.json, { seed, reports });
  // At once: what a fuzzer that failed has started may still run, and is ended by this.
  process.exit(reports.some(({ findings }) => findings.length > 0) ? EXIT.failed : EXIT.ok);
});

interface Given {
  readonly minutes: string;
  readonly only?: string;
  readonly seed?: string;
  readonly first: string;
  readonly cases?: string;
}

function readOptions(values: Given) {
  const fuzzers = (values.only ?? FUZZERS.join()).split(",").map((name) => {
    const known = FUZZERS.find((one) => one === name);
    if (known !== undefined) return known;
    throw new Failure(EXIT.usage, `--only: got ${name}, expected ${FUZZERS.join(", ")}`);
  });
  const minutes = numberOf("minutes", values.minutes);
  return {
    fuzzers,
    seed: values.seed === undefined ? Date.now() % 2 ** 31 : numberOf("seed", values.seed),
    first: numberOf("first", values.first),
    count: values.cases === undefined ? Number.MAX_SAFE_INTEGER : numberOf("cases", values.cases),
    time_ms: minutes * MINUTE_MS,
  };
}

function numberOf(name: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new Failure(EXIT.usage, `--${name}: got ${text}, expected a number`);
}

type Asked = Pick<Run, "fuzzer" | "seed" | "first" | "count" | "end_ms" | "program">;

async function runOne(asked: Asked): Promise<Report> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-fuzz-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  process.once("exit", remove);
  const { fuzzer } = asked;
  const counts: Record<string, number> = {};
  const notes: Record<string, number | string> = {};
  const findings: Finding[] = [];
  const began_ms = Date.now();
  const run: Run = {
    ...asked,
    folder,
    found(number, what) {
      if (findings.length < FINDINGS_MAX) findings.push({ fuzzer, number, what });
    },
    tally(kind, count = 1) {
      counts[kind] = (counts[kind] ?? 0) + count;
    },
    note(name, value) {
      notes[name] = value;
    },
  };
  try {
    await FUZZ[fuzzer](run);
  } catch (error) {
    run.found(null, error instanceof Error ? (error.stack ?? error.message) : messageOf(error));
  }
  remove();
  process.off("exit", remove);
  return { fuzzer, seconds: (Date.now() - began_ms) / 1000, counts, notes, findings };
}

function print({ fuzzer, seconds, counts, notes, findings }: Report, seed: number): void {
  const line = (text: string) => process.stdout.write(`${text}\n`);
  line(`\n${fuzzer}: ${seconds.toFixed(1)} s`);
  for (const [kind, count] of Object.entries(counts).sort()) line(`  ${kind}: ${count}`);
  for (const [name, value] of Object.entries(notes)) line(`  ${name}: ${value}`);
  if (findings.length === 0) line("  nothing was found");
  for (const { number, what } of findings) {
    const which = `--only ${fuzzer} --seed ${seed} --first ${number} --cases ${CASES[fuzzer]}`;
    const repeat = `npm run fuzz -- ${which}`;
    line(`  FOUND ${what}${number === null ? "" : `\n    ${repeat}`}`);
  }
}
