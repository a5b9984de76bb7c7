// `npm run evaluate`: how good the lamp forecasts are, on simulated ships whose ageing is not the
// model that is fitted and on which nothing was tuned. Prints the scores with intervals beside
// their goals and two naive forecasts, as a Markdown table, and the same as JSON where asked.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { EXIT, Failure, messageOf } from "../src/errors.ts";
import { type ShipCases, shipCases } from "./evaluate/forecasts.ts";
import { sailFleet } from "./evaluate/over-mqtt.ts";
import { evaluationOf, printEvaluation } from "./evaluate/report.ts";

const USAGE = `usage: npm run evaluate -- [options]

  --ships N    simulated ships of 16 lamps, about 50 lamp lives each (default 60, from 2 to 1000)
  --seed S     another fleet (default 2)
  --json FILE  where the scores go as JSON, besides being printed
  --over-mqtt  other ships, published over MQTT to the built program, about 40 s each
  --operations N, --times N   of those: operations of a day (default 120, from 1 to 1000), and how
               many times forecasts are asked for (default 5, from 1 to 50)`;

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => process.exit(EXIT.failed));

try {
  await main();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`evaluate: ${error.message}\n\n${USAGE}\n`);
  process.exitCode = error.exitCode;
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === null) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const { seed, json } = options;
  const fleet = options.overMqtt ? await overMqtt(options) : inMemory(options);
  const evaluation = evaluationOf(fleet, seed);
  process.stdout.write(printEvaluation(evaluation));
  if (json === null) return;
  mkdirSync(path.dirname(json), { recursive: true });
  writeFileSync(json, `${JSON.stringify(evaluation, null, 2)}\n`);
}

function inMemory({ ships, seed }: { ships: number; seed: number }): readonly ShipCases[] {
  return Array.from({ length: ships }, (_, number) => shipCases(seed, number));
}

async function overMqtt(options: {
  readonly ships: number;
  readonly seed: number;
  readonly operations: number;
  readonly times: number;
}): Promise<readonly ShipCases[]> {
  const { ships, asked, hours_right, nonsense } = await sailFleet(options);
  const share = (100 * hours_right).toFixed(1);
  process.stdout.write(
    `Over MQTT: ${asked} forecasts, ${share} % with the run-hours of the lamp\n`,
  );
  for (const said of nonsense) process.stdout.write(`makes no sense: ${said}\n`);
  if (nonsense.length > 0) process.exitCode = EXIT.failed;
  return ships;
}

/** The command line; null when help is asked for. Throws a Failure (exit 2) with what's wrong. */
function readOptions() {
  const { values } = parsed();
  if (values.help) return null;
  return {
    ships: numberOf("ships", values.ships, { low: 2, high: 1_000 }),
    seed: numberOf("seed", values.seed, { low: 0, high: 2 ** 32 - 1 }),
    json: values.json === undefined ? null : path.resolve(values.json),
    overMqtt: values["over-mqtt"],
    operations: numberOf("operations", values.operations, { low: 1, high: 1_000 }),
    times: numberOf("times", values.times, { low: 1, high: 50 }),
  };
}

function parsed() {
  try {
    return parseArgs({
      options: {
        ships: { type: "string", default: "60" },
        seed: { type: "string", default: "2" },
        json: { type: "string" },
        "over-mqtt": { type: "boolean", default: false },
        operations: { type: "string", default: "120" },
        times: { type: "string", default: "5" },
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
