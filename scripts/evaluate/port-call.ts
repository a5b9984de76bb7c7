// The crew's work between two operations: sleeves are cleaned, lamps, ballasts and the sensor
// replaced, lamps exchanged; and the water of the next port.

import { LAMP_COUNT } from "../../src/bwts/tags.ts";
import { DAY_MS, HOUR_MS } from "../../src/ground/clock.ts";
import { type Aboard, ballastRate, isDark, type Position } from "./aboard.ts";
import { newLamp } from "./lamp.ts";

/** Probabilities an operation, a cleaning or a replacement. */
const CLEANED_UNTOLD = 0.05;
const SLEEVE_WIPED = 0.5;
const FAILED_REPLACED = 0.75;
const EARLY = 0.0004;
const POWER_CHANGED = 0.02;
const FULL_POWER = 0.12;
/** Ports whose water fouls by so much more. */
const BAD_PORT = 0.05;
const BAD_PORT_FOULS = 5;
/** Optical depth at which a sleeve fouls more slowly by a factor of e. */
const DEPTH_FULL = 0.5;
/** The part of each deposit that no cleaning takes off. */
const STAYS = 0.03;
/** A ballast that lost so much is replaced. */
const BALLAST_LOSS_MAX = 0.12;
/** Above its end of life by so little, a lamp is taken by the crew for worn after some hours. */
const SEEN_DIM_H = 150;

export function callAtPort(ship: Aboard): void {
  const { plant, positions } = ship;
  const { random, odds } = plant;
  const keys = [ship.operations];
  if (ship.hours - ship.cleaned_h >= plant.cleaned_every_h) clean(ship);
  if (random.unit("sensor swapped", ...keys) < odds.sensor_swapped)
    ship.sensor = random.between(0.92, 1.08, "new sensor", ...keys);
  for (const [at, position] of positions.entries()) mend(ship, position, at);
  if (random.unit("swap", ...keys) < odds.lamps_swapped) swap(ship);
  if (plant.dimmed_pct !== null) {
    const isFull = random.unit("full power", ...keys) < FULL_POWER;
    ship.power_pct = isFull ? 100 : plant.dimmed_pct + random.between(-4, 4, "power", ...keys);
  } else if (!plant.isTrimmed && random.unit("power changed", ...keys) < POWER_CHANGED)
    ship.power_pct = plant.power_pct + random.between(-10, 10, "power", ...keys);
  nextWater(ship);
}

function clean(ship: Aboard): void {
  const { plant, positions, operations } = ship;
  const { random } = plant;
  ship.cleaned_h = ship.hours + random.between(-0.2, 0.2, "irregular", operations) * 100;
  ship.cleanings += 1;
  const inVain = random.unit("in vain", operations) < plant.odds.in_vain;
  if (random.unit("untold", operations) >= CLEANED_UNTOLD)
    ship.cleaned_ms = ship.now_ms - 6 * HOUR_MS;
  if (inVain) return;
  ship.window *= 0.2;
  const usual = plant.left * random.between(0.5, 1.5, "left", operations);
  for (const [at, position] of positions.entries()) {
    const own = Math.max(0, usual + 0.08 * random.bell("left of", operations, at));
    const left = position.isMissed ? 0.9 : own + STAYS;
    position.depth *= Math.min(1, left);
  }
}

function mend(ship: Aboard, position: Position, at: number): void {
  const { plant, operations } = ship;
  const { random, odds } = plant;
  const keys = [operations, at];
  resetLate(position);
  if (position.isBallastDead || position.ballast_loss > BALLAST_LOSS_MAX) {
    position.isBallastDead = false;
    position.ballast_loss = 0;
    position.ballast_rate = ballastRate(plant, ...keys);
  }
  if (random.unit("one sleeve", ...keys) < odds.sleeve_wiped) position.depth *= 0.1;
  const { lamp } = position;
  const hasFailed = lamp.hours >= lamp.failed_h;
  const isSeenWorn = position.dim_h > SEEN_DIM_H * random.unit("worn seen", lamp.number);
  const isOld = plant.byHours && lamp.hours >= plant.told_h;
  if (
    (hasFailed && random.unit("failed replaced", ...keys) < FAILED_REPLACED) ||
    isSeenWorn ||
    isOld ||
    random.unit("early", ...keys) < EARLY
  )
    replace(ship, position, at);
}

function resetLate(position: Position): void {
  if (position.reset_in === null) return;
  position.reset_in -= 1;
  if (position.reset_in > 0) return;
  position.counter_off_h = -position.lamp.hours;
  position.reset_in = null;
}

function replace(ship: Aboard, position: Position, at: number): void {
  const { plant } = ship;
  const { random } = plant;
  const shown_h = position.lamp.hours + position.counter_off_h;
  const number = ship.lamps;
  ship.lamps += 1;
  position.lamp = newLamp(plant, number, at);
  position.dim_h = 0;
  position.wander = 0;
  const { reset_late, reset_never } = plant.odds;
  const draw = random.unit("reset", number);
  position.counter_off_h = draw < reset_late + reset_never ? shown_h : 0;
  position.reset_in = draw < reset_late ? 2 : null;
  if (random.unit("wiped", number) < SLEEVE_WIPED) position.depth *= 0.2;
}

/** Two lamps change places, with their counters. */
function swap({ plant, positions, operations }: Aboard): void {
  const first = Math.floor(plant.random.unit("swap one", operations) * LAMP_COUNT);
  const step = 1 + Math.floor(plant.random.unit("swap other", operations) * (LAMP_COUNT - 1));
  const [one, other] = [positions[first], positions[(first + step) % LAMP_COUNT]];
  if (isDark(one) || isDark(other)) return;
  const { lamp, counter_off_h, reset_in, dim_h } = one;
  one.lamp = other.lamp;
  one.counter_off_h = other.counter_off_h;
  one.reset_in = other.reset_in;
  one.dim_h = other.dim_h;
  Object.assign(other, { lamp, counter_off_h, reset_in, dim_h });
}

function nextWater(ship: Aboard): void {
  const { plant, positions, operations, now_ms } = ship;
  const { random } = plant;
  ship.water = 1 - 0.35 * random.unit("water", operations) ** 2;
  const season = 6 * Math.sin((2 * Math.PI * now_ms) / (365 * DAY_MS));
  ship.temperature_c = random.between(4, 28, "temperature", operations) + season;
  const isBad = random.unit("bad port", operations) < BAD_PORT;
  const deposit =
    plant.fouling *
    Math.exp(0.8 * random.bell("deposit", operations)) *
    (isBad ? BAD_PORT_FOULS : 1);
  for (const [at, position] of positions.entries()) {
    const own = random.between(0.7, 1.3, "own deposit", operations, at);
    position.depth += deposit * position.fouls * own * Math.exp(-position.depth / DEPTH_FULL);
    position.operation_off = 0.6 * plant.wander * random.bell("operation off", operations, at);
  }
  ship.window += 0.5 * deposit * random.unit("window", operations);
}
