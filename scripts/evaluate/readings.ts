// A ship's readings as her PLC sends them, in the catalogue's fields, operation by operation. They
// go to the program unchanged; only their cadence is coarser for ships that send faster than the
// budget of readings allows, and then a reading has the noise of the mean of those left out.

import type { Value } from "../../src/bwts/reading.ts";
import { indexOfLampTag, indexOfTag, LAMP_NUMBERS, TAGS } from "../../src/bwts/tags.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";
import { type Aboard, isDark, type Position } from "./aboard.ts";
import { MONTH_MS, type Plant } from "./plant.ts";
import { callAtPort } from "./port-call.ts";

/** Takes a reading: `values` by index into TAGS, valid until the next. */
export type Reader = (at_ms: number, values: readonly Value[]) => void;

/** Readings of a ship at most, except where one in half an hour are more. */
const BUDGET = 14_000;
const CADENCE_MAX_MS = 30 * MINUTE_MS;
const WARM_UP_MS = 10 * MINUTE_MS;
const GAP = 0.04;
const TORN = 0.0008;
const OUTLIER = 0.004;
const POWER_PCT = [55, 100] as const;
const POWER_STEP_PCT = 2;
/** Intensity at the power of `power_pct` with new lamps, clean sleeves and clear water, W/m2. */
const INTENSITY_W_M2 = 600;
/** Intensity that a trimmed plant holds. */
const TARGET_W_M2 = 520;

const tag = {
  state: indexOfTag("PROCESS_STATE"),
  flow: indexOfTag("SYS_FLOW_RATE"),
  set: indexOfTag("UVR_POWER_SETPOINT"),
  power: indexOfTag("UVR_POWER_OUTPUT"),
  intensity: indexOfTag("UVR_INTENSITY"),
  normalized: indexOfTag("UVR_INTENSITY_NORMALIZED"),
  temperature: indexOfTag("UVR_WATER_TEMP"),
  cleaned: indexOfTag("CIP_HOURS_SINCE_LAST"),
  water: indexOfTag("WATER_QUALITY_FACTOR"),
};
const lampTags = LAMP_NUMBERS.map((_, lamp) => ({
  status: indexOfLampTag(lamp, "STATUS"),
  efficiency: indexOfLampTag(lamp, "EFFICIENCY"),
  runtime: indexOfLampTag(lamp, "RUNTIME"),
  power: indexOfLampTag(lamp, "POWER"),
}));

/** Milliseconds between the simulated readings of a ship. */
export function cadenceOf({ cadence_s, duty, months }: Plant): number {
  const lit_ms = duty * months * MONTH_MS;
  const least = Math.max(cadence_s * SECOND_MS, lit_ms / BUDGET);
  return Math.min(CADENCE_MAX_MS, Math.ceil(least / SECOND_MS) * SECOND_MS);
}

/** The next operation, with the port call before it. */
export function operate(ship: Aboard, read: Reader): void {
  const { plant, operations } = ship;
  const { random } = plant;
  callAtPort(ship);
  const cadence_ms = cadenceOf(plant);
  const start_ms = ship.now_ms;
  const share = random.between(0.6, 1.4, "lasts", operations);
  const lasts_ms = Math.round((share * plant.operation_h * HOUR_MS) / cadence_ms) * cadence_ms;
  const gapFrom = random.unit("gap", operations) < GAP ? random.unit("gap from", operations) : 2;
  const gap_ms = start_ms + gapFrom * lasts_ms;
  const values: Value[] = new Array(TAGS.length).fill(null);
  const step_h = cadence_ms / HOUR_MS;
  for (let at_ms = start_ms; at_ms <= start_ms + lasts_ms; at_ms += cadence_ms) {
    const warm = Math.min(1, 0.6 + (0.4 * (at_ms - start_ms)) / WARM_UP_MS);
    const intensity = trim(ship);
    if (at_ms < gap_ms || at_ms > gap_ms + 5 * HOUR_MS) {
      fill(ship, values, { at_ms, warm, intensity });
      read(at_ms, values);
    }
    burn(ship, step_h);
  }
  const end_ms = start_ms + lasts_ms + cadence_ms;
  fillIdle(ship, values, end_ms);
  read(end_ms, values);
  ship.operations += 1;
  const rest_ms = (lasts_ms / plant.duty) * random.between(0.5, 1.5, "rest", operations);
  ship.now_ms = Math.max(end_ms + HOUR_MS, start_ms + Math.round(rest_ms / MINUTE_MS) * MINUTE_MS);
}

/** Sets the power as the PLC does; returns the sensor's intensity. */
function trim(ship: Aboard): number {
  const { plant, positions, noise } = ship;
  let light = 0;
  let weights = 0;
  for (let at = 0; at < positions.length; at += 1) {
    // The sensor sees some lamps much better than others.
    const weight = (at + 5) % 16 < 4 ? 5 : 1;
    const position = positions[at];
    weights += weight;
    if (isDark(position)) continue;
    const { lamp, depth, ballast_loss } = position;
    light += weight * lamp.light(lamp.hours) * Math.exp(-depth) * (1 - ballast_loss);
  }
  const seen = (light / weights) * ship.water * ship.sensor * Math.exp(-ship.window);
  const full = INTENSITY_W_M2 * seen * (1 + 0.004 * noise.bell());
  if (plant.isTrimmed) {
    const wanted = plant.power_pct * (TARGET_W_M2 / full) ** (1 / 1.15);
    const within = Math.min(POWER_PCT[1], Math.max(POWER_PCT[0], Math.round(wanted)));
    const off = within - ship.power_pct;
    if (Math.abs(off) > 1)
      ship.power_pct += Math.max(-POWER_STEP_PCT, Math.min(POWER_STEP_PCT, off));
  }
  return full * (ship.power_pct / plant.power_pct) ** 1.15;
}

function burn(ship: Aboard, hours: number): void {
  const { plant, positions, noise } = ship;
  ship.hours += hours;
  ship.sensor *= 1 - plant.drift * hours;
  const keeps = Math.exp(-hours / plant.wander_over_h);
  const moves = plant.wander * Math.sqrt(1 - keeps * keeps);
  const ballast_fails = plant.ballast_fails_h * hours;
  ship.common_wander = keeps * ship.common_wander + 0.5 * moves * noise.bell();
  for (let at = 0; at < positions.length; at += 1) {
    const position = positions[at];
    if (isDark(position)) continue;
    const { lamp } = position;
    lamp.hours += hours;
    position.wander = keeps * position.wander + moves * noise.bell();
    position.ballast_loss += position.ballast_rate * hours;
    if (noise.unit() < ballast_fails) position.isBallastDead = true;
    if (100 * lamp.light(lamp.hours) <= plant.end_pct) position.dim_h += hours;
  }
}

/** The logarithm of what a plant adds to all lamps' figures, but for noise. */
export function commonEffect({ plant, power_pct, temperature_c, common_wander }: Aboard): number {
  const warm = plant.temperature_effect * ((temperature_c - 22) / 20) ** 2;
  return (
    plant.power_effect * Math.log(power_pct / plant.power_pct) + Math.log1p(-warm) + common_wander
  );
}

function fill(
  ship: Aboard,
  values: Value[],
  { at_ms, warm, intensity }: { at_ms: number; warm: number; intensity: number },
): void {
  const { plant, positions, noise } = ship;
  fillPlant(ship, values, { at_ms, intensity: intensity * warm });
  const common = 100 * warm * Math.exp(commonEffect(ship));
  const cadence_ms = cadenceOf(plant);
  const sampled_ms = Math.max(MINUTE_MS, plant.cadence_s * SECOND_MS);
  const off = plant.noise * Math.sqrt(Math.min(1, sampled_ms / cadence_ms));
  for (let at = 0; at < positions.length; at += 1) {
    const tags = lampTags[at];
    const position = positions[at];
    const dark = isDark(position);
    const { lamp, depth, ballast_loss, wander, operation_off } = position;
    const burn_in = 1 + 0.02 * Math.exp(-lamp.hours / 40);
    const sleeve = Math.exp(-plant.sleeve_share * depth);
    const outlier = noise.unit() < OUTLIER ? 0.6 + 0.5 * noise.unit() : 1;
    const share =
      lamp.light(lamp.hours) *
      burn_in *
      sleeve *
      (1 - ballast_loss) *
      (1 + wander + operation_off + off * noise.bell());
    const { stepped } = plant;
    const isStepped = stepped !== null && ship.hours > stepped.at_h && at < stepped.lamps;
    const figure = common * share * outlier * (isStepped ? stepped.to : 1);
    values[tags.status] = dark ? "FAILED" : "ACTIVE";
    values[tags.efficiency] = dark ? 0 : rounded(figure, plant.isCoarse ? 1 : 10);
    if (plant.failures_h !== null) values[tags.efficiency] = null;
    values[tags.runtime] = counterOf(plant, position);
    values[tags.power] = !plant.hasLampPower
      ? null
      : dark
        ? 0
        : Math.round(30 * ship.power_pct * (1 - ballast_loss));
  }
  if (plant.hasOneFigure) oneFigure(values);
  if (plant.by_hand_h !== null && warm === 1) hold(ship, values, plant.by_hand_h);
  if (noise.unit() < TORN) tear(values, Math.floor(noise.unit() * 64));
}

/** The mean of the lamps' figures as the figure of each. */
function oneFigure(values: Value[]): void {
  const figures = lampTags.map(({ efficiency }) => Number(values[efficiency])).filter((one) => one);
  const mean = figures.reduce((sum, one) => sum + one, 0) / figures.length;
  for (const { efficiency } of lampTags)
    if (Number(values[efficiency]) > 0) values[efficiency] = rounded(mean, 10);
}

/** Figures stand until the next measurement by hand, also of lamps fitted since. */
function hold(ship: Aboard, values: Value[], every_h: number): void {
  const isMeasured = ship.hours >= ship.figures_until_h;
  if (isMeasured) {
    ship.figures = lampTags.map(({ efficiency }) => Number(values[efficiency]));
    ship.figures_until_h = ship.hours + every_h;
  }
  for (const [at, { efficiency }] of lampTags.entries())
    if (Number(values[efficiency]) > 0) values[efficiency] = ship.figures[at] || values[efficiency];
}

function fillPlant(
  { plant, power_pct, cleaned_ms, water, temperature_c, noise }: Aboard,
  values: Value[],
  { at_ms, intensity }: { at_ms: number; intensity: number },
): void {
  values[tag.state] = "RUNNING";
  values[tag.flow] = 800;
  values[tag.set] = plant.hasSetPower ? power_pct : null;
  values[tag.power] = plant.hasSetPower ? rounded(power_pct + 0.3 * noise.bell(), 10) : null;
  values[tag.intensity] = plant.hasSensor ? rounded(intensity, 10) : null;
  values[tag.normalized] = plant.hasSensor ? rounded((100 * intensity) / TARGET_W_M2, 10) : null;
  values[tag.temperature] = plant.hasTemperature ? rounded(temperature_c, 10) : null;
  values[tag.cleaned] = plant.hasCleaningCounter
    ? rounded((at_ms - cleaned_ms) / HOUR_MS, 10)
    : null;
  const told = plant.hasWater ? rounded(water * (1 + 0.01 * noise.bell()), 1_000) : 1;
  values[tag.water] = told;
}

function fillIdle(ship: Aboard, values: Value[], at_ms: number): void {
  fillPlant(ship, values, { at_ms, intensity: 0 });
  values[tag.state] = "IDLE";
  values[tag.flow] = 0;
  if (ship.plant.hasSetPower) values[tag.power] = 0;
  for (const [at, position] of ship.positions.entries()) {
    const tags = lampTags[at];
    values[tags.status] = isDark(position) ? "FAILED" : "STANDBY";
    values[tags.efficiency] = ship.plant.failures_h === null ? 0 : null;
    values[tags.runtime] = counterOf(ship.plant, position);
    values[tags.power] = ship.plant.hasLampPower ? 0 : null;
  }
}

function counterOf({ counts_an_hour }: Plant, { lamp, counter_off_h }: Position): number {
  return rounded(counts_an_hour * (lamp.hours + counter_off_h), 10);
}

/** A telegram that came torn: nonsense of one lamp, or nothing. */
function tear(values: Value[], draw: number): void {
  const tags = lampTags[draw % 16];
  const how = draw >> 4;
  if (how === 0) values[tags.runtime] = 0;
  else if (how === 1) values[tags.runtime] = 65_535;
  else if (how === 2) values[tags.status] = "FAILED";
  else {
    values[tags.status] = null;
    values[tags.efficiency] = null;
  }
}

function rounded(value: number, factor: number): number {
  return Math.round(value * factor) / factor;
}
