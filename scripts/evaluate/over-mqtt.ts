// The whole way at once: the readings of simulated ships published to the built program over MQTT,
// and what its API answers held against what the lamps really are.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Value } from "../../src/bwts/reading.ts";
import { LAMP_COUNT, TAGS } from "../../src/bwts/tags.ts";
import { printTime } from "../../src/ground/clock.ts";
import { openPublisher } from "../../src/simulator/publisher.ts";
import { bundledProgram } from "../../test/rig/bundled.ts";
import { type Client, expectOk, openClient } from "../../test/rig/http-client.ts";
import { PATIENCE_MS } from "../../test/rig/patience.ts";
import { startReady } from "../../test/rig/served.ts";
import { type Aboard, board, isDark } from "./aboard.ts";
import { PLANS } from "./fleet.ts";
import { type Answered, casesOf, isNearHalf, limitsOf } from "./forecasts.ts";
import { type Plant, plantOf } from "./plant.ts";
import { operate } from "./readings.ts";
import type { Scored } from "./report.ts";

/** Readings in a payload. */
const BATCH = 50;
/** The program looks at the lamps every 5 s, and twice before it takes a plant for silent. */
const POLL_MS = 500;
/** Ships that sail side by side: they wait more than they compute. */
const SIDE_BY_SIDE = 2;
/** Hours on a lamp that are further off were told wrongly. */
const HOURS_OFF_MAX = 30;
/** Few readings an operation, so that a ship of many operations is published soon. */
const CADENCE_S = 1_200;
const DUTY = 0.1;

/** The result of a fleet over MQTT. */
export interface Sailed {
  readonly ships: readonly Scored[];
  /** Forecasts that were asked for, of lamps that burn or have failed. */
  readonly asked: number;
  /** Share of them whose run-hours are those of the lamp. */
  readonly hours_right: number;
  /** Answers that make no sense. */
  readonly nonsense: readonly string[];
}

/** Sails `ships` for `operations` each, asked `times` times at even distances, also at the end. */
export async function sailOverMqtt(options: {
  readonly ships: number;
  readonly seed: number;
  readonly operations: number;
  readonly times: number;
}): Promise<Sailed> {
  const program = bundledProgram();
  const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-evaluate-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const sailed: Asked[] = [];
  let next = 0;
  const sailOn = async () => {
    while (next < options.ships) {
      const number = next;
      next += 1;
      const own = path.join(folder, String(number));
      sailed.push(await sailShip({ ...options, number, program, folder: own }));
      process.stderr.write(`evaluate: ship ${sailed.length} of ${options.ships}\n`);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, sailOn));
  const answers = sailed.flatMap((ship) => ship.answers);
  const right = answers.filter(({ off_h }) => Math.abs(off_h) <= HOURS_OFF_MAX).length;
  return {
    ships: sailed.map(({ cases }) => cases),
    asked: answers.length,
    hours_right: right / answers.length,
    nonsense: answers.flatMap(({ nonsense }) => nonsense),
  };
}

interface Asked {
  readonly cases: Scored;
  readonly answers: readonly Answer[];
}

async function sailShip(options: {
  readonly seed: number;
  readonly number: number;
  readonly operations: number;
  readonly times: number;
  readonly program: string;
  readonly folder: string;
}): Promise<Asked> {
  const { seed, number, operations, times, program, folder } = options;
  const drawn = plantOf(PLANS.development, { seed, number, odd: "any" });
  const plant: Plant = { ...drawn, duty: DUTY, cadence_s: CADENCE_S, told_h: drawn.rated_h };
  mkdirSync(folder);
  writeFileSync(path.join(folder, "ballastd.toml"), configOf(plant));
  const ballastd = await startReady({ program, folder });
  const client = openClient(ballastd.http);
  const ship = board(plant);
  const answers: Answer[] = [];
  try {
    for (let operation = 1; operation <= operations; operation += 1) {
      const wasDark = ship.positions.map(isDark);
      const telegrams: Telegram[] = [];
      operate(ship, (at_ms, values) => telegrams.push(telegramOf(at_ms, values)));
      await publish(ballastd.mqtt, telegrams);
      if ((operation * times) % operations >= times) continue;
      const forecasts = await forecastsOf(client, telegrams.at(-1)?.timestamp);
      answers.push(...forecasts.map((one, at) => answerOn(ship, one, { at, wasDark })));
    }
  } finally {
    client.close();
    await ballastd.stop();
  }
  const cases = answers.flatMap(({ case: one }) => one ?? []);
  const scored = { cases, halves: cases.filter(isNearHalf), asked: cases.length };
  return { cases: scored, answers };
}

/** The ship's settings; her voyage lasts for years, and nothing may expire on the way. */
function configOf(plant: Plant): string {
  const { rated_hours, end_of_life_efficiency } = limitsOf(plant);
  return `[storage]
retention_months = 240
[lamps]
rated_hours = ${rated_hours}
end_of_life_efficiency = ${end_of_life_efficiency}
`;
}

type Telegram = Readonly<Record<string, Value>>;

function telegramOf(at_ms: number, values: readonly Value[]): Telegram {
  const known = TAGS.flatMap(({ name }, at) => (values[at] === null ? [] : [[name, values[at]]]));
  return { timestamp: printTime(at_ms), ...Object.fromEntries(known) };
}

async function publish(url: string, readings: readonly Telegram[]): Promise<void> {
  const connection = { url, username: null, password: null, prefix: "bwts" };
  const publisher = await openPublisher(connection, new AbortController().signal, () => {});
  if (publisher === null) throw new Error(`${url}: no connection`);
  for (let at = 0; at < readings.length; at += BATCH) {
    const payload = JSON.stringify(readings.slice(at, at + BATCH));
    await publisher.send("bwts/BWTS-001/telemetry", payload, () => {});
  }
  await publisher.drained();
  await publisher.close();
}

interface Forecast extends Answered {
  readonly timestamp: string;
}

/** The forecasts as of the reading at `through`, by position. */
async function forecastsOf(client: Client, through: unknown): Promise<readonly Forecast[]> {
  const target = "/api/predictions?limit=16";
  const until_ms = Date.now() + PATIENCE_MS;
  for (;;) {
    const reply = await client.ask(target);
    expectOk(target, reply);
    const all: readonly Forecast[] = JSON.parse(reply.body.toString());
    const known = all.filter(({ timestamp }) => timestamp === through);
    if (known.length === LAMP_COUNT)
      return known.toSorted((one, other) => (one.component_id < other.component_id ? -1 : 1));
    if (Date.now() > until_ms)
      throw new Error(`${known.length} forecasts of ${through}: expected ${LAMP_COUNT}`);
    await sleep(POLL_MS);
  }
}

interface Answer {
  /** Difference between the run-hours and the lamp's. */
  readonly off_h: number;
  readonly nonsense: readonly string[];
  /** Null of a lamp that has ended. */
  readonly case: Scored["cases"][number] | null;
}

function answerOn(
  ship: Aboard,
  forecast: Forecast,
  { at, wasDark }: { readonly at: number; readonly wasDark: readonly boolean[] },
): Answer {
  const { predictions, current_state, component_id } = forecast;
  const figure = (name: string) => Number(predictions[name] ?? Number.NaN);
  const median_h = figure("remaining_useful_life_hours");
  const p05_h = figure("remaining_useful_life_hours_p05");
  const p95_h = figure("remaining_useful_life_hours_p95");
  const failure_probability = figure("failure_probability");
  const said = `${component_id}: ${JSON.stringify(predictions)}`;
  const isSense =
    p05_h >= 0 &&
    p05_h <= median_h &&
    median_h <= p95_h &&
    Number.isFinite(p95_h) &&
    failure_probability >= 0 &&
    failure_probability <= 1 &&
    failure_probability >= 0.5 === median_h <= figure("horizon_hours");
  const isOver = median_h === 0 && failure_probability === 1 && predictions.basis === "failed";
  const position = ship.positions[at];
  const isDead = isDark(position);
  // A lamp that failed in this operation's last minutes, or that is lit again, may not be told yet.
  const isSure = isDead === wasDark[at];
  return {
    off_h: Number(current_state.runtime_hours) - position.lamp.hours,
    nonsense: [
      ...(isSense ? [] : [said]),
      ...(isOver === isDead || !isSure ? [] : [`${isDead ? "has failed" : "works"}, ${said}`]),
    ],
    case: casesOf(ship, [forecast], 0)[0]?.one ?? null,
  };
}
