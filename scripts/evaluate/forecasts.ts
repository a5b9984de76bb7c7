// The program's forecasts for a simulated ship, beside what becomes of her lamps: her readings go
// through the program's own tracker, one by one, and in given months the forecasts are made as the
// program makes them. The truth is the end that a lamp would have if nobody took it out.

import { predictionsOf } from "../../src/bwts/lamps/outlook.ts";
import { newState } from "../../src/bwts/lamps/state.ts";
import type { ScoredForecast } from "../../src/bwts/lamps/track-record.ts";
import { bookSight } from "../../src/bwts/lamps/tracker.ts";
import { openSightReader } from "../../src/bwts/light/lamp-fields.ts";
import type { Value } from "../../src/bwts/reading.ts";
import { type Aboard, board, isDark, START_MS } from "./aboard.ts";
import { type Known, knownForecast } from "./ceiling.ts";
import { openParts, type Parts } from "./parts.ts";
import { MONTH_MS, type Plant } from "./plant.ts";
import { type ProfileKind, tableFor } from "./profiles.ts";
import { operate } from "./readings.ts";

const HORIZON_H = 500;
const FLOW_MAX = { flow_max_imo: 1_000 };
/** Forecasts are asked for after so many months; the third are lamps near half their life. */
const MONTHS = [6, 12, 22] as const;
const MONTHS_LONG = [36, 60, 110] as const;
/** Between them, for lamps near half their life alone. */
const BETWEEN = [9, 17] as const;
/** Near half its life is a lamp with this share of it behind. */
const HALF = [0.4, 0.6] as const;
/** Forecasts for lamps near their end are asked for so many times a ship. */
const LATE_MAX = 5;
/** A lamp that has so many hours left is near its end. */
export const LATE_H = 100;
/** Hours on a lamp that are further off were told wrongly. */
const HOURS_OFF_MAX = 30;

export interface Case extends ScoredForecast {
  readonly cause: "worn" | "failed";
  /** By the lamps' maker, and by the settings. */
  readonly rated_h: number;
  readonly told_h: number;
  readonly months: number;
  /** Difference between the run-hours told and the lamp's is more than 30 h. */
  readonly isWrongLamp: boolean;
  /** True if its figure without noise is at the end of life, whatever dims it. */
  readonly isDim: boolean;
  /** By somebody who knows nearly all; null where that isn't known. */
  readonly known: Known | null;
}

/** A forecast as the program answers it. */
export interface Answered {
  readonly component_id: string;
  readonly predictions: Readonly<Record<string, unknown>>;
  readonly current_state: Readonly<Record<string, unknown>>;
}

/** Cases by the table that the ship was told. */
interface Told {
  readonly kind: ProfileKind;
  readonly cases: readonly Case[];
  readonly halves: readonly Case[];
}

export interface ShipResult {
  readonly label: string;
  readonly slices: readonly string[];
  readonly cases: readonly Case[];
  /** Lamps that wear out, near half their life. */
  readonly halves: readonly Case[];
  /** All burning lamps when one of them was near its end by wear. */
  readonly late: readonly Case[];
  /** Lamps that burnt when forecasts were asked for, with one or without, by months. */
  readonly asked: Readonly<Record<number, number>>;
  readonly readings: number;
  /** Milliseconds of processor time of each run of all the ship's forecasts. */
  readonly run_ms: readonly number[];
  readonly parts: Parts;
  readonly told: readonly Told[];
}

/** Sails a ship to the end of her record; makes forecasts with these tables besides. */
export function sail(plant: Plant, tables: readonly ProfileKind[] = []): ShipResult {
  const ship = board(plant);
  const state = newState();
  const sights = openSightReader(FLOW_MAX);
  const parts = openParts(plant);
  const limits = limitsOf(plant);
  let values: readonly Value[] = [];
  let readings = 0;
  const value = (tag: number) => values[tag];
  const read = (at_ms: number, given: readonly Value[]) => {
    values = given;
    readings += 1;
    bookSight(state, sights.read(at_ms, value));
    parts.see(ship, state);
  };
  const months: readonly number[] = plant.months > MONTHS[2] ? MONTHS_LONG : MONTHS;
  const times = [...months, ...(months === MONTHS ? BETWEEN : [])].sort((one, two) => one - two);
  const cases: Case[] = [];
  const halves = new Map<number, Case>();
  const late: Case[] = [];
  const told = tables.map((kind) => {
    const cases: Case[] = [];
    const halves = new Map<number, Case>();
    return { kind, limits: { ...limits, profile: tableFor(plant, kind) }, cases, halves };
  });
  const seen = new Set<number>();
  let lateTimes = 0;
  const run_ms: number[] = [];
  const asked: Record<number, number> = {};
  for (const month of times) {
    while (ship.now_ms < START_MS + month * MONTH_MS) {
      operate(ship, read);
      if (lateTimes >= LATE_MAX || !isLate(ship, seen)) continue;
      lateTimes += 1;
      late.push(...casesOf(ship, predictionsOf(state, limits), month).map(({ one }) => one));
    }
    const start = process.cpuUsage();
    const found = casesOf(ship, predictionsOf(state, limits), month);
    const { user, system } = process.cpuUsage(start);
    run_ms.push((user + system) / 1_000);
    for (const { number, one } of found) if (isNearHalf(one)) halves.set(number, one);
    for (const each of told) {
      const all = casesOf(ship, predictionsOf(state, each.limits), month);
      for (const { number, one } of all) if (isNearHalf(one)) each.halves.set(number, one);
      if (months.includes(month)) each.cases.push(...all.map(({ one }) => one));
    }
    if (!months.includes(month)) continue;
    asked[month] = ship.positions.filter(isCounted).length;
    cases.push(...found.map(({ one }) => one));
  }
  return {
    label: plant.label,
    slices: slicesOf(plant),
    cases,
    halves: [...halves.values()],
    late,
    asked,
    readings,
    run_ms,
    parts: parts.found(state),
    told: told.map((one) => ({
      kind: one.kind,
      cases: one.cases,
      halves: [...one.halves.values()],
    })),
  };
}

/** Settings of the program on a ship. */
export function limitsOf({ told_h, end_pct }: Plant) {
  return { rated_hours: told_h, end_of_life_efficiency: end_pct, horizon_hours: HORIZON_H };
}

export function isNearHalf({ cause, age_h, left_h }: Case): boolean {
  const share = age_h / (age_h + left_h);
  return cause === "worn" && share >= HALF[0] && share <= HALF[1];
}

/** True if a lamp is near its end by wear, at a random hour of its last, for the first time. */
function isLate({ plant, positions }: Aboard, seen: Set<number>): boolean {
  const late = positions.filter((position) => {
    const { number, worn_h, failed_h, hours } = position.lamp;
    const within_h = LATE_H * plant.random.unit("late", number);
    return isCounted(position) && worn_h < failed_h && worn_h - hours <= within_h;
  });
  const isNew = late.some(({ lamp }) => !seen.has(lamp.number));
  for (const { lamp } of late) seen.add(lamp.number);
  return isNew;
}

/** A lamp that burns and isn't at its end. */
function isCounted(position: Aboard["positions"][number]): boolean {
  const { lamp } = position;
  return !isDark(position) && lamp.hours < lamp.worn_h;
}

/** The forecasts of lamps that burn, with what becomes of them and the lamps' numbers. */
export function casesOf(
  { plant, positions }: Aboard,
  forecasts: readonly Answered[],
  months: number,
): readonly { readonly number: number; readonly one: Case }[] {
  return forecasts.flatMap(({ component_id, predictions, current_state }) => {
    const position = positions[Number(component_id.slice(-2)) - 1];
    if (!isCounted(position)) return [];
    const { lamp } = position;
    const left_h = Math.min(lamp.worn_h, lamp.failed_h) - lamp.hours;
    const horizon_h = HORIZON_H;
    const drawn = plant.random.bell("known light", lamp.number, months);
    const hours = (name: string) => Number(predictions[name] ?? Number.NaN);
    const one: Case = {
      age_h: lamp.hours,
      left_h,
      ended: true,
      cause: lamp.worn_h < lamp.failed_h ? "worn" : "failed",
      median_h: hours("remaining_useful_life_hours"),
      p05_h: hours("remaining_useful_life_hours_p05"),
      p95_h: hours("remaining_useful_life_hours_p95"),
      failure_probability: hours("failure_probability"),
      horizon_h,
      rated_h: plant.rated_h,
      told_h: plant.told_h,
      months,
      isWrongLamp: Math.abs(Number(current_state.runtime_hours) - lamp.hours) > HOURS_OFF_MAX,
      isDim: 100 * sleevedLight(plant, position) <= plant.end_pct,
      isSaidEnded: predictions.expected_end !== null,
      known: Number.isFinite(lamp.worn_h) ? knownForecast(plant, lamp, { horizon_h, drawn }) : null,
    };
    return [{ number: lamp.number, one }];
  });
}

/** A lamp's light as its figure shows it through the sleeve and by its ballast. */
function sleevedLight({ sleeve_share }: Plant, position: Aboard["positions"][number]): number {
  const { lamp, depth, ballast_loss } = position;
  return lamp.light(lamp.hours) * Math.exp(-sleeve_share * depth) * (1 - ballast_loss);
}

/** The slices of the report that a ship belongs to, but for its family and the months. */
function slicesOf(plant: Plant): readonly string[] {
  const { duty, cadence_s } = plant;
  return [
    plant.hasSensor ? "with sensor" : "without sensor",
    plant.hasSetPower ? "set power told" : "set power not told",
    plant.hasCleaningCounter ? "cleaning told" : "cleaning not told",
    duty < 0.05 ? "duty below 5 %" : duty < 0.2 ? "duty 5 to 20 %" : "duty above 20 %",
    cadence_s <= 60 ? "every minute or faster" : cadence_s < 600 ? "3 or 5 min" : "10 or 30 min",
    `first lamps: ${plant.start}`,
    ...(plant.told_h === plant.rated_h ? [] : ["rated hours told wrongly"]),
    ...(plant.byHours ? ["lamps replaced by hours"] : []),
    ...(plant.isTrimmed ? ["power trimmed"] : ["power fixed"]),
    ...(plant.isCoarse ? ["whole percents"] : []),
  ];
}
