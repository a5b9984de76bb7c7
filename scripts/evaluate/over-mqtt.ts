// The whole way at once: voyages published to the built program over MQTT, what its API answers
// held against what the lamps really are. Lives have to be told from readings here, so that what
// the tracker gets wrong shows in the scores, as it would aboard.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LAMP_COUNT } from "../../src/bwts/tags.ts";
import { openPublisher } from "../../src/simulator/publisher.ts";
import { createRandom } from "../../src/simulator/random.ts";
import { bundledProgram } from "../../test/rig/bundled.ts";
import { type Client, expectOk, openClient } from "../../test/rig/http-client.ts";
import { startReady } from "../../test/rig/served.ts";
import type { Case, ShipCases } from "./forecasts.ts";
import { type AboardLamp, openVoyage, type Telegram } from "./voyage.ts";

/** Readings in a payload. */
const BATCH = 50;
/** The program looks at the lamps every 5 s, and twice before it takes a plant for silent. */
const POLL_MS = 500;
const WAIT_MAX_MS = 60_000;
/** Ships that sail side by side: they wait more than they compute. */
const SIDE_BY_SIDE = 2;
/** Lamps as near to half their life as this are cases of the alpha-lambda measure. */
const HALF_LIFE = [0.45, 0.55] as const;
/** Hours on a lamp that are further off were told wrongly. */
const HOURS_OFF_MAX = 30;
/** Voyages last for years: nothing may expire on the way. */
const CONFIG = "[storage]\nretention_months = 240\n";

/** The result of a fleet over MQTT. */
export interface Sailed {
  readonly ships: readonly ShipCases[];
  /** Forecasts that were asked for, of lamps that burn or have failed. */
  readonly asked: number;
  /** Share of them whose run-hours are those of the lamp. */
  readonly hours_right: number;
  /** Answers that make no sense. */
  readonly nonsense: readonly string[];
}

/** Sails `ships` voyages of `operations` each, asked at `times` moments, the end included. */
export async function sailFleet(options: {
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
  readonly cases: ShipCases;
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
  mkdirSync(folder);
  writeFileSync(path.join(folder, "ballastd.toml"), CONFIG);
  const ballastd = await startReady({ program, folder });
  const client = openClient(ballastd.http);
  const random = createRandom(seed * 1_000_003 + number);
  const voyage = openVoyage(seed * 1_000_003 + number, number);
  const asked = new Set([
    operations - 1,
    ...Array.from({ length: times - 1 }, (_, i) =>
      Math.floor(random.between(0, operations, "asked", i)),
    ),
  ]);
  const answers: Answer[] = [];
  try {
    for (let operation = 0; operation < operations; operation += 1) {
      const readings = voyage.operate();
      await publish(ballastd.mqtt, readings);
      if (!asked.has(operation)) continue;
      const forecasts = await forecastsOf(client, readings.at(-1)?.timestamp);
      answers.push(...voyage.lamps.map((lamp, position) => answerOn(lamp, forecasts[position])));
    }
  } finally {
    client.close();
    await ballastd.stop();
  }
  const cases = answers.flatMap((answer) => answer.case ?? []);
  const halves = cases.filter(isHalfWorn);
  return { cases: { lives: voyage.fitted(), cases, halves, run_ms: [] }, answers };
}

function isHalfWorn({ cause, age_h, left_h }: Case): boolean {
  const share = age_h / (age_h + left_h);
  return cause === "worn" && share >= HALF_LIFE[0] && share <= HALF_LIFE[1];
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

interface Forecast {
  readonly timestamp: string;
  readonly component_id: string;
  readonly predictions: Readonly<Record<string, unknown>>;
  readonly current_state: Readonly<Record<string, unknown>>;
}

/** The forecasts as of the reading at `through`, by position. */
async function forecastsOf(client: Client, through: unknown): Promise<readonly Forecast[]> {
  const target = "/api/predictions?limit=16";
  const until_ms = Date.now() + WAIT_MAX_MS;
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
  readonly case: Case | null;
}

function answerOn(
  lamp: AboardLamp,
  { predictions, current_state, component_id }: Forecast,
): Answer {
  const figure = (name: string) => Number(predictions[name] ?? Number.NaN);
  const median_h = figure("remaining_useful_life_hours");
  const p05_h = figure("remaining_useful_life_hours_p05");
  const p95_h = figure("remaining_useful_life_hours_p95");
  const failure_probability = figure("failure_probability");
  const horizon_h = figure("horizon_hours");
  const said = `${component_id}: ${JSON.stringify(predictions)}`;
  const isSense =
    p05_h >= 0 &&
    p05_h <= median_h &&
    median_h <= p95_h &&
    Number.isFinite(p95_h) &&
    failure_probability >= 0 &&
    failure_probability <= 1 &&
    failure_probability >= 0.5 === median_h <= horizon_h;
  const isOver = median_h === 0 && failure_probability === 1 && predictions.basis === "failed";
  const nonsense = [
    ...(isSense ? [] : [said]),
    ...(lamp.isDead === isOver ? [] : [`${lamp.isDead ? "has failed" : "works"}, ${said}`]),
  ];
  const age_h = lamp.hours;
  const left_h = Math.min(lamp.worn_h, lamp.failed_h) - age_h;
  const cause = lamp.worn_h < lamp.failed_h ? "worn" : "failed";
  const forecast = { median_h, p05_h, p95_h, failure_probability, horizon_h };
  return {
    off_h: Number(current_state.runtime_hours) - lamp.hours,
    nonsense,
    case: lamp.isDead || left_h <= 0 ? null : { ...forecast, age_h, left_h, ended: true, cause },
  };
}
