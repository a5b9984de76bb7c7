// `npm run evaluate`: how good the lamp forecasts are, on simulated ships whose physics were
// written from the literature, not from the model (docs/evaluation.md). Prints the scores of
// families and other slices with intervals, as Markdown tables, and the same as JSON where asked.

import { EXIT } from "../src/ground/errors.ts";
import { integerOf, runScript, writeReport } from "./command.ts";
import { type Order, sailFleet } from "./evaluate/fleet.ts";
import { ODDITIES } from "./evaluate/oddities.ts";
import { sailOverMqtt } from "./evaluate/over-mqtt.ts";
import {
  type Evaluation,
  evaluationOf,
  printEvaluation,
  type Row,
  rowOf,
  scoredOf,
  table,
} from "./evaluate/report.ts";
import { toldProfiles } from "./evaluate/told-profiles.ts";

const USAGE = `usage: npm run evaluate -- [options]

  --ships N    simulated ships of 16 lamps with 22 months of readings (default 240)
  --seed S     another fleet (default 1)
  --hold-out   the fleets on which nobody tunes, once a finished change of the model
  --real       ships with lamps of which figures were published (default 56)
  --known      the same ships, but without fouling and without an effect of the set power
  --odd        ships with one odd thing at a time, so many for each thing (default 24)
  --profiles   usual ships and ships that bend late (default 36 each), told nothing of their
               lamps' make, its table, or a wrong one
  --over-mqtt  ships published over MQTT to the built program (--ships 8 take some minutes)
  --operations N, --times N   of those: operations (default 120, from 1 to 1000), and how many
               times forecasts are asked for (default 5, from 1 to 50)
  --json FILE  where the scores go as JSON, besides being printed`;

const OPTIONS = {
  ships: { type: "string" },
  seed: { type: "string", default: "1" },
  "hold-out": { type: "boolean", default: false },
  real: { type: "boolean", default: false },
  known: { type: "boolean", default: false },
  odd: { type: "boolean", default: false },
  profiles: { type: "boolean", default: false },
  "over-mqtt": { type: "boolean", default: false },
  operations: { type: "string", default: "120" },
  times: { type: "string", default: "5" },
  json: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

await runScript({ name: "evaluate", usage: USAGE, options: OPTIONS }, async (values) => {
  const usual = values["over-mqtt"]
    ? "8"
    : values.odd
      ? "24"
      : values.profiles
        ? "36"
        : values.real
          ? "56"
          : "240";
  const ships = integerOf("ships", values.ships ?? usual, { low: 2, high: 5_000 });
  const seed = integerOf("seed", values.seed, { low: 0, high: 2 ** 31 });
  const operations = integerOf("operations", values.operations, { low: 1, high: 1_000 });
  const times = integerOf("times", values.times, { low: 1, high: 50 });
  const plan = values["hold-out"] ? "hold-out" : values.real ? "real" : "development";
  const report = values["over-mqtt"]
    ? await overMqtt({ ships, seed, operations, times })
    : values.odd
      ? await oneAtATime({ plan, seed, ships })
      : values.profiles
        ? await toldProfiles({ seed, ships })
        : await fleet({
            plan,
            seed,
            ships,
            odd: values.real
              ? "rated hours told wrongly"
              : values.known
                ? "any, but no fouling"
                : "any",
          });
  if (values.json !== undefined) writeReport(values.json, report);
});

async function fleet(order: Order): Promise<Evaluation> {
  const start = process.cpuUsage();
  const evaluation = evaluationOf(await sailFleet(order), order.seed);
  const { user, system } = process.cpuUsage(start);
  const { plan, seed, ships, odd } = order;
  process.stdout.write(`Fleet ${plan}, seed ${seed}, ${ships} ships of 16 lamps, odd: ${odd}.\n\n`);
  process.stdout.write(printEvaluation(evaluation));
  process.stdout.write(`${((user + system) / 1e6).toFixed(0)} s of processor time.\n`);
  return evaluation;
}

async function oneAtATime(order: Omit<Order, "odd">): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const odd of ODDITIES) {
    const ships = await sailFleet({ ...order, odd });
    rows.push(rowOf(odd, ships.map(scoredOf), order.seed));
  }
  process.stdout.write(table("one odd thing", rows));
  return rows;
}

async function overMqtt(options: {
  readonly ships: number;
  readonly seed: number;
  readonly operations: number;
  readonly times: number;
}): Promise<unknown> {
  const { ships, asked, hours_right, nonsense } = await sailOverMqtt(options);
  const share = (100 * hours_right).toFixed(1);
  process.stdout.write(
    `Over MQTT: ${asked} forecasts, ${share} % with the run-hours of the lamp\n`,
  );
  for (const said of nonsense) process.stdout.write(`makes no sense: ${said}\n`);
  if (nonsense.length > 0) process.exitCode = EXIT.failed;
  const row = rowOf("over MQTT", ships, options.seed);
  process.stdout.write(`\n${table("fleet", [row])}`);
  return { ...row, asked, hours_right };
}
