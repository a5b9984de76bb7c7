// `npm run evaluate`: how good the lamp forecasts are, on simulated ships whose ageing is not the
// model that is fitted and on which nothing was tuned. Prints the scores with intervals beside
// their goals and two naive forecasts, as a Markdown table, and the same as JSON where asked.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { EXIT, Failure, messageOf } from "../src/errors.ts";
import { shipCases } from "./evaluate/forecasts.ts";
import { evaluationOf, printEvaluation } from "./evaluate/report.ts";

const USAGE = `usage: npm run evaluate -- [options]

  --ships N    simulated ships of 16 lamps, about 50 lamp lives each (default 30, from 2 to 1000)
  --seed S     another fleet (default 2)
  --json FILE  where the scores go as JSON, besides being printed`;

try {
  main();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`evaluate: ${error.message}\n\n${USAGE}\n`);
  process.exitCode = error.exitCode;
}

function main(): void {
  const options = readOptions();
  if (options === null) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const { ships, seed, json } = options;
  const fleet = Array.from({ length: ships }, (_, number) => shipCases(seed, number));
  const evaluation = evaluationOf(fleet, seed);
  process.stdout.write(printEvaluation(evaluation));
  if (json === null) return;
  mkdirSync(path.dirname(json), { recursive: true });
  writeFileSync(json, `${JSON.stringify(evaluation, null, 2)}\n`);
}

/** The command line; null when help is asked for. Throws a Failure (exit 2) with what's wrong. */
function readOptions() {
  const { values } = parsed();
  if (values.help) return null;
  return {
    ships: numberOf("ships", values.ships, { low: 2, high: 1_000 }),
    seed: numberOf("seed", values.seed, { low: 0, high: 2 ** 32 - 1 }),
    json: values.json === undefined ? null : path.resolve(values.json),
  };
}

function parsed() {
  try {
    return parseArgs({
      options: {
        ships: { type: "string", default: "30" },
        seed: { type: "string", default: "2" },
        json: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new Failure(EXIT.usage, messageOf(error));
  }
}

function numberOf(name: string, text: string, range: { low: number; high: number }): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.low && value <= range.high) return value;
  throw new Failure(EXIT.usage, `--${name}: got ${text}, expected ${range.low} to ${range.high}`);
}
