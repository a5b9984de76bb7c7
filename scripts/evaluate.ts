// `npm run evaluate`: how good the lamp forecasts are, on simulated ships whose ageing is not the
// model that is fitted and on which nothing was tuned. Prints the scores with intervals beside
// their goals and two naive forecasts, as a Markdown table, and the same as JSON where asked.

import { EXIT } from "../src/ground/errors.ts";
import { integerOf, runScript, writeReport } from "./command.ts";
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

const OPTIONS = {
  ships: { type: "string", default: "60" },
  seed: { type: "string", default: "2" },
  json: { type: "string" },
  "over-mqtt": { type: "boolean", default: false },
  operations: { type: "string", default: "120" },
  times: { type: "string", default: "5" },
  help: { type: "boolean", default: false },
} as const;

await runScript({ name: "evaluate", usage: USAGE, options: OPTIONS }, async (values) => {
  const options = {
    ships: integerOf("ships", values.ships, { low: 2, high: 1_000 }),
    seed: integerOf("seed", values.seed, { low: 0, high: 2 ** 32 - 1 }),
    operations: integerOf("operations", values.operations, { low: 1, high: 1_000 }),
    times: integerOf("times", values.times, { low: 1, high: 50 }),
  };
  const fleet = values["over-mqtt"] ? await overMqtt(options) : inMemory(options);
  const evaluation = evaluationOf(fleet, options.seed);
  process.stdout.write(printEvaluation(evaluation));
  if (values.json !== undefined) writeReport(values.json, evaluation);
});

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
