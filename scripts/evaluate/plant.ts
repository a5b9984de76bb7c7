// The properties of a simulated ship, drawn once: her duty, her lamps' make, what her PLC measures
// and sends, what fouls her sleeves, and what her crew does. docs/evaluation.md gives the ranges.
// The same plan, seed and number give the same ship.

import { LAMP_COUNT } from "../../src/bwts/tags.ts";
import { DAY_MS, HOUR_MS } from "../../src/ground/clock.ts";
import { createRandom, type Random } from "../../src/simulator/random.ts";
import type { Family, FleetPlan } from "./families.ts";
import { type Oddity, oddsOf } from "./oddities.ts";

/** Lamps of the ship when its record begins. */
export type Start = "new" | "one age" | "any age";

export interface Plant {
  readonly random: Random;
  /** A family's name, or "mixed". */
  readonly label: string;
  /** Null: each lamp has a family of its own. */
  readonly family: Family | null;
  readonly families: readonly Family[];
  readonly plan: FleetPlan;
  readonly odds: ReturnType<typeof oddsOf>;
  readonly pressure: Family["pressure"];
  readonly rated_h: number;
  /** As the settings say. */
  readonly told_h: number;
  readonly end_pct: number;
  readonly duty: number;
  readonly cadence_s: number;
  readonly months: number;
  readonly operation_h: number;
  readonly start: Start;
  /** Hours at which lamps fail if that is known; the ship's first is number `first_failure`. */
  readonly failures_h: readonly number[] | null;
  readonly first_failure: number;
  readonly hasSensor: boolean;
  readonly hasSetPower: boolean;
  readonly hasCleaningCounter: boolean;
  readonly hasTemperature: boolean;
  readonly hasLampPower: boolean;
  /** The counters' unit: hours, or minutes. */
  readonly counts_an_hour: number;
  /** False: the water's factor is always told as 1. */
  readonly hasWater: boolean;
  /** True if the PLC rounds efficiencies to whole percents. */
  readonly isCoarse: boolean;
  /** Medians of the ship's lives over rated hours, and the spread of lamps and batches. */
  readonly life: number;
  readonly spread: number;
  readonly failure_shape: number;
  readonly failure_b10_h: number;
  readonly infant: number;
  /** Median optical depth an operation leaves, and how much of the sleeves lamps' figures see. */
  readonly fouling: number;
  readonly sleeve_share: number;
  /** Operating hours between cleanings, and the part that a usual one leaves. */
  readonly cleaned_every_h: number;
  readonly left: number;
  readonly power_effect: number;
  readonly temperature_effect: number;
  /** Loss of the UV sensor an hour. */
  readonly drift: number;
  /** True if the PLC holds the sensor's intensity by the power; else the power is `power_pct`. */
  readonly isTrimmed: boolean;
  /** Power at which the lamps' figures are right. */
  readonly power_pct: number;
  /** Null: usually runs near that power. */
  readonly dimmed_pct: number | null;
  readonly noise: number;
  readonly wander: number;
  readonly wander_over_h: number;
  readonly ballast_fails_h: number;
  /** True if the PLC sends the lamps' mean as the figure of each. */
  readonly hasOneFigure: boolean;
  /** Hours between measurements by hand; null: a figure is measured at each reading. */
  readonly by_hand_h: number | null;
  /** From these operating hours on, half of the lamps, or all, have this part of their light. */
  readonly stepped: { readonly at_h: number; readonly to: number; readonly lamps: number } | null;
  /** True if the crew replaces all lamps at the rated hours, whatever they are worth. */
  readonly byHours: boolean;
}

export const MONTH_MS = (365.25 / 12) * DAY_MS;
/** Share of ships with long records: forecasts at 36, 60 and 110 months. */
const LONG_SHARE = 0.08;
/** Shares of the time in which lamps burn, and those of most ships. */
const DUTY = [0.02, 0.6] as const;
const DUTY_USUAL = [0.06, 0.4] as const;
const MONTHS = 22;
const LONG_MONTHS = 110;
const RATED = { medium: [2_000, 3_000, 3_000, 3_000, 4_000, 5_000], low: [8_000, 12_000] } as const;
/** Ballasts: 1 % fail in 5,000 h. */
const BALLAST_FAILS_H = 0.01 / 5_000;
/** Usual power of dimmed ships, and the power of it by which their lamps' figures move. */
const DIMMED_PCT = [60, 75] as const;
const DIMMED_EFFECT = [0.1, 0.4] as const;
/** Known lives that a ship has for herself. */
const FAILURES = 50;
const STARTS = ["new", "one age", "any age", "any age"] as const;
const CADENCES_S = [1, 10, 60, 180, 180, 300, 600, 1_800] as const;

/** Labels of a plan's ships, in the order of their numbers. */
export function labelsOf({ families, hasMixed }: FleetPlan): readonly string[] {
  return [...Object.keys(families), ...(hasMixed ? ["mixed"] : [])];
}

/** Ship `number` of a fleet. */
export function plantOf(
  plan: FleetPlan,
  { seed, number, odd }: { seed: number; number: number; odd: Oddity },
): Plant {
  const random = createRandom((seed + plan.seed) * 1_000_003 + number);
  const labels = labelsOf(plan);
  const label = labels[number % labels.length];
  const family = plan.families[label] ?? null;
  const pressure = family?.pressure ?? "medium";
  const isLow = pressure === "low";
  const between = (low: number, high: number, name: string) => random.between(low, high, name);
  const has = (share: number, name: string) => random.unit(name) < share;
  const one = <Of>(of: readonly Of[], name: string) =>
    of[Math.floor(random.unit(name) * of.length)];
  const { constants } = plan;
  const real = family?.real ?? null;
  const rated_h = real?.rated_h ?? one(RATED[pressure], "rated");
  const odds = oddsOf(odd);
  const isWrong = (real?.failures_h ?? null) === null && has(odds.rated_wrong, "wrong");
  const isLong = real === null && has(LONG_SHARE, "long");
  const isFouled = !has(odds.no_fouling, "no fouling");
  const duty = isLong
    ? between(0.02, 0.08, "duty")
    : Math.exp(between(...logs(has(0.8, "usual") ? DUTY_USUAL : DUTY), "duty"));
  return {
    random,
    label,
    family,
    families: Object.values(plan.families).filter(({ pressure: of }) => of === "medium"),
    plan,
    odds,
    pressure,
    rated_h,
    told_h: isWrong ? rated_h * (has(0.5, "told too few") ? 2 / 3 : 4 / 3) : rated_h,
    end_pct:
      real?.end_pct ?? (isLow ? one([75, 80, 85], "end") : one([60, 70, 70, 70, 75, 80], "end")),
    duty: real === null ? duty : (real.sailed_h * HOUR_MS) / (MONTHS * MONTH_MS),
    cadence_s: one(CADENCES_S, "cadence"),
    months: isLong ? LONG_MONTHS : MONTHS,
    operation_h: between(8, 30, "operation"),
    start: real === null ? one(STARTS, "start") : "new",
    failures_h: real?.failures_h ?? null,
    first_failure: Math.floor(number / labels.length) * FAILURES,
    ...sent(random, odds),
    isCoarse: has(0.08, "coarse"),
    life: between(...constants.life, "life"),
    spread: between(...constants.life_spread, "spread"),
    failure_shape: between(...constants.failure_shape, "failure shape") + (isLow ? 1 : 0),
    failure_b10_h: rated_h * between(...constants.failure_b10, "failure b10") * (isLow ? 0.6 : 1),
    infant: between(...constants.infant, "infant"),
    fouling: isFouled ? Math.exp(between(...logs(constants.fouling), "fouling")) : 0,
    sleeve_share: has(0.15, "sees no sleeves") ? 0 : between(0.3, 1, "sleeve share"),
    cleaned_every_h: between(120, 450, "cleaned every"),
    left: between(0, 0.35, "left"),
    temperature_effect: isLow ? between(0.02, 0.1, "warm") : between(0, 0.015, "warm"),
    drift: between(...constants.drift, "drift") / 1_000,
    ...powerOf(random, { odds, isFouled, power_effect: constants.power_effect }),
    noise: between(...constants.noise, "noise"),
    wander: between(...constants.wander, "wander"),
    wander_over_h: between(30, 300, "wander over"),
    ballast_fails_h: BALLAST_FAILS_H * between(0.5, 3, "ballasts fail"),
    ...figuresOf(random, odds),
    byHours: has(0.2, "by hours"),
  };
}

/** The odd things of the lamps' figures. */
function figuresOf(
  random: Random,
  { one_figure, bank_dims, by_hand, rescaled }: Plant["odds"],
): Pick<Plant, "hasOneFigure" | "by_hand_h" | "stepped"> {
  const has = (share: number, name: string) => random.unit(name) < share;
  const at_h = random.between(200, 1_500, "stepped at");
  return {
    hasOneFigure: has(one_figure, "one figure"),
    by_hand_h: has(by_hand, "by hand") ? random.between(100, 400, "by hand every") : null,
    stepped: has(bank_dims, "bank dims")
      ? { at_h, to: random.between(0.8, 0.92, "bank"), lamps: LAMP_COUNT / 2 }
      : has(rescaled, "rescaled")
        ? { at_h, to: random.between(0.85, 1.15, "scale"), lamps: LAMP_COUNT }
        : null,
  };
}

/** The set power, and its effect on the lamps' figures. */
function powerOf(
  random: Random,
  given: { odds: Plant["odds"]; isFouled: boolean; power_effect: readonly [number, number] },
): Pick<Plant, "isTrimmed" | "power_pct" | "dimmed_pct" | "power_effect"> {
  const has = (share: number, name: string) => random.unit(name) < share;
  if (has(given.odds.dimmed, "dimmed"))
    return {
      isTrimmed: false,
      power_pct: 100,
      dimmed_pct: random.between(...DIMMED_PCT, "dimmed power"),
      power_effect: random.between(...DIMMED_EFFECT, "power effect"),
    };
  const isTrimmed = has(0.65, "trimmed");
  const fixed = [70, 80, 90][Math.floor(random.unit("power") * 3)];
  const isNone = !given.isFouled || has(0.25, "no power effect");
  return {
    isTrimmed,
    power_pct: isTrimmed ? 80 : fixed,
    dimmed_pct: null,
    power_effect: isNone ? 0 : random.between(...given.power_effect, "power effect"),
  };
}

/** The fields that a PLC sends. */
function sent(random: Random, odds: Plant["odds"]) {
  return {
    hasSensor: random.unit("no sensor") >= odds.no_sensor,
    hasSetPower: random.unit("no set power") >= odds.no_set_power,
    hasCleaningCounter: random.unit("no cleaning counter") >= odds.no_cleaning_counter,
    hasTemperature: random.unit("no temperature") >= odds.no_other,
    hasWater: random.unit("no water factor") >= odds.no_other,
    hasLampPower: random.unit("no lamp power") >= odds.no_other,
    counts_an_hour: random.unit("minutes") < odds.minutes ? 60 : 1,
  };
}

function logs([low, high]: readonly [number, number]): readonly [number, number] {
  return [Math.log(low), Math.log(high)];
}
