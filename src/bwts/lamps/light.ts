// Interprets the lamps' light: finds steady readings (lit long enough, normal power), the
// brightness over a stretch of operating hours, failures, a lamp that was replaced although its
// counter went on, and one that wasn't although its counter fell.

import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import type { LampSight, Sight } from "../light/lamp-fields.ts";
import { closedStretch, newStretch, takesValues } from "../light/stretch.ts";
import { median } from "../ranks.ts";
import { addNote, FALLEN_MAX_H, hours, resetLight } from "./counter.ts";
import { bookAlike, bookFigure, isStill } from "./figures.ts";
import { isSameLight } from "./set-back.ts";
import {
  type LampLife,
  newLife,
  type PositionState,
  presentLife,
  type TrackerState,
} from "./state.ts";
import { usualPower } from "./usual-power.ts";

/** Time from lighting until a lamp is steady: ten minutes. */
const WARMUP_H = 10 / 60;
/** Minimum dark time after which the light is compared, since it may be another lamp's. */
const INTERRUPTION_MS = 15 * MINUTE_MS;
/** Time without readings after which a burning lamp may have been out in between. */
const SILENCE_H = 3;
/** Points below the usual set power beyond which light doesn't count: the power is trimmed. */
const TRIM_PCT = 15;
/** Step of the usual set power to the present one, in points a reading: a running median. */
const SETPOINT_STEP_PCT = 0.05;
/** Minimum share of the others' power; below it the light shows the supply, not the lamp. */
const POWER_SHARE_MIN = 0.85;
/** Number of steady efficiencies kept, and number compared after an interruption. */
const RECENT_MAX = 15;
const COMPARED = 10;
/** Minimum output of a new lamp (%), and minimum gain, in points: usual, and after a failure. */
const NEW_MIN_PCT = 94;
const NEW_RISE_PCT = 6;
const CLEARED_RISE_PCT = 1.5;
/** Minimum hours of a new lamp before light alone, without its counter, shows another one. */
const AGE_MIN_H = 30;
/** Minimum number of steady readings in a stretch for its light. */
const BIN_VALUES_MIN = 3;
/** Smoothing step, for each value, of a lamp's share of the power. */
const SUPPLY_STEP = 0.1;
/** Change of a power share over an interruption that isn't smoothed: a mended ballast. */
const SUPPLY_MOVED = 0.02;
/** Number of FAILED readings that confirm a failure: a single one may be a torn telegram. */
const FAILED_READINGS = 2;

/** Processes the light of a sight, `apart_h` hours after the one before. */
export function bookLight(state: TrackerState, sight: Sight, apart_h: number): void {
  const power_w = usualPower(sight.lamps);
  const inBand = isInBand(state, sight);
  const power_pct = powerOf(state, sight, power_w);
  const isValue = sight.treating && inBand && takesValues(state.stretch, sight.at_ms);
  let steadyLight = 0;
  bookAlike(state, sight.lamps);
  for (let position = 0; position < sight.lamps.length; position += 1) {
    const lamp = sight.lamps[position];
    const at = state.positions[position];
    const life = presentLife(at);
    if (life === null) continue;
    bookBurning(at, lamp, sight.at_ms, apart_h);
    bookFailure(at, life, sight.at_ms);
    const { efficiency_pct } = lamp;
    if (efficiency_pct === null || efficiency_pct <= 0) continue;
    const share = lamp.power_w === null || !(power_w > 0) ? 1 : lamp.power_w / power_w;
    const isSteady =
      sight.treating &&
      inBand &&
      share >= POWER_SHARE_MIN &&
      at.burning === "lit" &&
      at.lit_h >= WARMUP_H - 1e-9;
    if (!isSteady || at.broken !== null) continue;
    steadyLight += efficiency_pct / 100;
    const isOpen = at.comparing !== null || at.failing !== null || at.verifying !== null;
    if (
      !isOpen ||
      bookOpen(state, { at, life, efficiency_pct, share, position, at_ms: sight.at_ms })
    )
      bookSteady(at, efficiency_pct, bookFigure(state, at, efficiency_pct) && isValue);
    if (isValue) at.supply += SUPPLY_STEP * (share - at.supply);
  }
  if (isValue && steadyLight > 0) bookConditions(state, sight, { light: steadyLight, power_pct });
}

function bookConditions(
  { stretch }: TrackerState,
  { intensity_w_m2, water, water_c }: Sight,
  { light, power_pct }: { light: number; power_pct: number | null },
): void {
  if (power_pct !== null) stretch.powers.push(power_pct);
  if (water_c !== null) stretch.waters_c.push(water_c);
  if (intensity_w_m2 === null || !(intensity_w_m2 > 0)) return;
  const clear = water !== null && water > 0 ? water : 1;
  stretch.yields.push(Math.log(intensity_w_m2 / (light * clear)));
}

/** The set power in %; if it isn't sent, the lamps' usual power in % of the first one known. */
function powerOf(state: TrackerState, { setpoint_pct }: Sight, power_w: number) {
  if (setpoint_pct !== null) return setpoint_pct;
  if (!(power_w > 0)) return null;
  state.first_power_w ??= power_w;
  return (100 * power_w) / state.first_power_w;
}

function isInBand(state: TrackerState, { treating, setpoint_pct }: Sight): boolean {
  if (setpoint_pct === null || !treating) return true;
  state.setpoint_pct ??= setpoint_pct;
  const off = setpoint_pct - state.setpoint_pct;
  state.setpoint_pct += Math.sign(off) * Math.min(SETPOINT_STEP_PCT, Math.abs(off));
  return off >= -TRIM_PCT;
}

function bookBurning(at: PositionState, lamp: LampSight, at_ms: number, apart_h: number): void {
  const burning = lamp.burning ?? at.burning;
  const wasLit = at.burning === "lit";
  at.burning = burning;
  if (burning !== "lit") {
    at.lit_h = 0;
    at.dark_ms ??= at_ms;
    return;
  }
  if (!wasLit || apart_h > SILENCE_H) {
    const dark_ms = at.dark_ms ?? at_ms - apart_h * HOUR_MS;
    if (at_ms - dark_ms >= INTERRUPTION_MS && at.recent.length > 0 && at.comparing === null)
      at.comparing = {
        before: median(at.recent) / at.supply,
        values: [],
        failed: at.failing !== null,
        since_ms: at_ms,
        counter_h: at.counter?.value_h ?? null,
      };
    at.lit_h = 0;
  } else at.lit_h += apart_h;
  at.dark_ms = null;
}

function bookFailure(at: PositionState, life: LampLife, at_ms: number): void {
  if (at.burning !== "failed") return;
  at.failing ??= { since_ms: at_ms, readings: 0 };
  at.failing.readings += 1;
  if (at.failing.readings >= FAILED_READINGS) life.failed_ms ??= at.failing.since_ms;
}

interface Steady {
  readonly at: PositionState;
  readonly life: LampLife;
  readonly efficiency_pct: number;
  /** Its power as a share of the others'. */
  readonly share: number;
  readonly position: number;
  readonly at_ms: number;
}

/** Decides which lamp shines; false if this reading's light was used for a comparison. */
function bookOpen(state: TrackerState, steady: Steady): boolean {
  const { at, efficiency_pct, share } = steady;
  if (at.comparing !== null) {
    at.comparing.values.push(efficiency_pct / share);
    if (at.comparing.values.length >= COMPARED) compare(state, steady);
    return false;
  }
  if (at.failing !== null) clearFailure(steady);
  if (at.verifying !== null) verify(state, steady);
  return true;
}

function bookSteady(at: PositionState, efficiency_pct: number, isValue: boolean): void {
  at.recent.push(efficiency_pct);
  if (at.recent.length > RECENT_MAX) at.recent.shift();
  if (isValue) at.bin.push(efficiency_pct);
}

function clearFailure({ at, life, at_ms }: Steady): void {
  at.failing = null;
  if (life.failed_ms === null) return;
  life.failed_ms = null;
  addNote(life, "failure_cleared", at_ms, "its status was FAILED, then it burnt as before");
}

/**
 * Compares the light after an interruption, and decides if it is another lamp's. Both are at full
 * power, since a mended ballast makes the same lamp brighter.
 */
function compare(state: TrackerState, steady: Steady): void {
  const { at, life, position } = steady;
  const { comparing } = at;
  if (comparing === null) return;
  at.comparing = null;
  const after = median(comparing.values);
  const rise = after - comparing.before;
  const others = othersRise(state, at);
  const least = comparing.failed ? CLEARED_RISE_PCT : NEW_RISE_PCT;
  const isOther = after >= NEW_MIN_PCT && rise - Math.max(0, others) >= least;
  const recentHours = life.hours - life.first_h;
  if (!isOther || (life.began !== "first_seen" && recentHours < AGE_MIN_H && !comparing.failed)) {
    if (at.failing !== null) clearFailure(steady);
    continueWith(steady, comparing.values);
    return;
  }
  life.ended_ms = comparing.since_ms;
  const counter_base_h = comparing.counter_h;
  const next = newLife(comparing.since_ms, {
    began: "light_returned",
    hours: 0,
    counter_base_h,
    position,
  });
  if (at.counter !== null && counter_base_h !== null)
    next.hours = Math.max(0, at.counter.value_h - counter_base_h);
  const rose = `from ${hundredths(comparing.before)} to ${hundredths(after)} %`;
  const text = `the light rose ${rose}, the counter went on from ${hours(counter_base_h ?? 0)}`;
  addNote(next, "counter_not_reset", comparing.since_ms, text);
  at.lives.push(next);
  resetLight(at);
  continueWith(steady, comparing.values);
}

function continueWith({ at, share }: Steady, at_full_power: readonly number[]): void {
  at.recent = at_full_power.map((each) => each * share);
  if (Math.abs(share - at.supply) > SUPPLY_MOVED) at.supply = share;
}

/** The other lamps' median gain since the interruption, in points: a cleaning lifts all. */
function othersRise(state: TrackerState, own: PositionState): number {
  const rises = state.positions.flatMap((other) => {
    if (other === own || other.comparing === null || other.comparing.values.length < 3) return [];
    return [median(other.comparing.values) - other.comparing.before];
  });
  return rises.length === 0 ? 0 : median(rises);
}

/** Undoes a replacement if the light stayed equal: the counter was reset, not the lamp replaced. */
function verify(state: TrackerState, { at, life, at_ms, efficiency_pct }: Steady): void {
  const { verifying } = at;
  if (verifying === null || isStill(state, at)) return;
  verifying.values.push(efficiency_pct);
  if (verifying.values.length < RECENT_MAX) return;
  if (verifying.values.length > RECENT_MAX) verifying.values.shift();
  // Counters that fell with most others may come back within 6 h: a PLC that starts sends zeros.
  if (verifying.isOneOfMany === true && life.hours - life.first_h <= FALLEN_MAX_H) return;
  at.verifying = null;
  const after = median(verifying.values);
  const before = at.lives.at(-2);
  if (!isSameLight(verifying, after) || before === undefined || life.began !== "counter_fell")
    return;
  at.lives.pop();
  before.ended_ms = null;
  before.hours += life.hours - life.first_h;
  before.counter_base_h = (at.counter?.value_h ?? 0) - before.hours;
  const text = `the counter fell to ${hours(life.first_h)}, the light stayed at`;
  addNote(before, "counter_set_back", at_ms, `${text} ${hundredths(after)} %`);
}

/** Ends the current stretch: stores each lamp's median light, and the ship's conditions. */
export function closeBins(state: TrackerState): void {
  const { stretch, stretches } = state;
  const bin = stretches.length;
  let hasLight = false;
  for (const at of state.positions) {
    const life = presentLife(at);
    if (life !== null && at.bin.length >= BIN_VALUES_MIN) {
      const middle_h = Math.max(life.first_h, life.hours - stretch.hours / 2);
      life.bins.push({
        ...{ bin, hours: tenths(middle_h), efficiency: hundredths(median(at.bin)) },
        ...{ supply: thousandths(at.supply), to_ms: stretch.value_ms },
      });
      hasLight = true;
    }
    at.bin = [];
  }
  const { hours, cleanings, since_cleaning_h } = state;
  const told = since_cleaning_h === null ? null : cleanings;
  if (hasLight) stretches.push(closedStretch(stretch, { hours, cleanings: told }));
  state.stretch = newStretch();
}

const tenths = (value: number) => Math.round(value * 10) / 10;
const thousandths = (value: number) => Math.round(value * 1_000) / 1_000;
const hundredths = (value: number) => Math.round(value * 100) / 100;
