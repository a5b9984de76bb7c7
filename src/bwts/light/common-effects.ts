// The effects that all lamps of a ship share: their light, as the PLC sends it, changes with the
// set power and with the sleeves. Both are learned from steps between neighbouring stretches, which
// ageing hardly touches, and taken out before a curve is fitted. A trend that all lamps share
// counts as ageing unless something explains it.

import { median } from "../ranks.ts";
import { type CommonStep, commonSteps, type LifeLogs } from "./common-steps.ts";
import { type Conditions, conditionsOf } from "./conditions.ts";
import { dimmedBy } from "./full-power.ts";
import { type Estimate, type FitRow, robustFit } from "./robust-fit.ts";
import { sensorYields } from "./sensor-yield.ts";
import type { OperatingStretch } from "./stretch.ts";

/** The common effects, and their coefficients as logs of efficiency. */
export interface Effects {
  /** For each stretch, by number: the sum of the common effects on all lamps' logs. */
  readonly off: readonly number[];
  /** For each stretch, by number: the part of `off` that is due to the set power. */
  readonly dimmed: readonly number[];
  /** Number of steps from which the effects were learned. */
  readonly steps: number;
  /** Effect of 10 points of set power; null if the power never moved. */
  readonly power: Estimate | null;
  /** Loss in 100 operating hours since the cleaning; null without a cleaning. */
  readonly fouling: Estimate | null;
  /** Effect of water that is 10 degC warmer; null if its temperature never changed. */
  readonly water: Estimate | null;
  /** Share of the sensor's change by sleeves that the lamps show too; null without a sensor. */
  readonly sensor: Estimate | null;
  /** The sensor's own drift, as a log per 1,000 operating hours; null if it isn't known. */
  readonly drift: Estimate | null;
}

/** Minimum common rise, as a log and in spreads, that shows a cleaning that wasn't sent. */
const RISE_MIN = 0.004;
const RISE_SPREADS = 4;
/** Minimum expected rise, as a log, at which a cleaning can be judged. */
const LIFT_MIN = 0.008;
/** Minimum noise of a step, as a log. */
const SCALE_MIN = 0.0007;
const SD_OF_MEDIAN = 1.4826;

const NO_SENSOR: ReturnType<typeof sensorYields> = { yields: [], drift: null };

/** The effects that the lives' steps show, under the conditions of the ship's stretches. */
export function commonEffects(
  lives: readonly LifeLogs[],
  stretches: readonly OperatingStretch[],
): Effects {
  const steps = commonSteps(lives);
  const seen = lives.map(({ first, values }) => first + values.length);
  const told = conditionsOf(stretches, Math.max(stretches.length, ...seen));
  const isTold = stretches.some(({ cleanings }) => cleanings !== null);
  const effects = learned(
    steps,
    isTold ? withoutVainCleanings(steps, told) : withUntoldCleanings(steps, told),
  );
  const powers = stretches.flatMap(({ power_pct }) => power_pct ?? []);
  const { off, power } = effects;
  const usual = dimmedBy(lives, { powers, power: power?.mean ?? 0, off });
  if (usual === 0) return effects;
  const atFull = (logs: readonly number[]) => logs.map((each) => each - usual);
  return { ...effects, off: atFull(off), dimmed: atFull(effects.dimmed) };
}

/** The conditions with cleanings found as rises that set power and water don't explain. */
function withUntoldCleanings(
  steps: readonly CommonStep[],
  conditions: readonly Conditions[],
): readonly Conditions[] {
  const { off } = learnedWith(NO_SENSOR, steps, conditions);
  const offs = steps.map(({ from, to, by }) => by - (off[to] - off[from]));
  const course = median(offs);
  const below = offs.filter((each) => each <= course).map((each) => course - each);
  const limit = Math.max(RISE_MIN, RISE_SPREADS * SD_OF_MEDIAN * median(below));
  const rises = new Set(steps.flatMap(({ to }, i) => (offs[i] - course > limit ? [to] : [])));
  return withIntervals(conditions, (i) =>
    rises.has(i) ? (conditions[i].time + conditions[i - 1].time) / 2 : null,
  );
}

/**
 * The conditions without ineffective cleanings: those that gained less than a third of the expected
 * light.
 */
function withoutVainCleanings(
  steps: readonly CommonStep[],
  conditions: readonly Conditions[],
): readonly Conditions[] {
  const { off, fouling } = learnedWith(NO_SENSOR, steps, conditions);
  const rate = fouling?.mean ?? 0;
  const vain = new Set(
    steps.flatMap(({ from, to, by }) => {
      const expected = rate * (depositOf(conditions[from]) - depositOf(conditions[to]));
      const lift = by - (off[to] - off[from]) + expected;
      return expected > LIFT_MIN && lift < expected / 3 ? [conditions[to].interval] : [];
    }),
  );
  return withIntervals(conditions, (i) => {
    const { time, since, interval } = conditions[i];
    const isTold = i > 0 && interval !== conditions[i - 1].interval;
    return isTold && !vain.has(interval) ? time - since : null;
  });
}

/** The conditions with other cleanings: `cleaned` gives the time of one before a stretch. */
function withIntervals(
  conditions: readonly Conditions[],
  cleaned: (stretch: number) => number | null,
): readonly Conditions[] {
  let interval = 0;
  let start = 0;
  return conditions.map((each, i) => {
    const time = cleaned(i);
    if (time !== null) {
      interval += 1;
      start = time;
    }
    return { ...each, interval, since: each.time - start };
  });
}

/** Indices of the coefficients. */
const POWER = 0;
const WATER = 1;
const WATER_SQUARE = 2;
const AGEING = 3;
const SENSOR = 4;
const FOULING = 5;
const BEFORE = 6;

/** Priors of the coefficients by index, as logs, in the units of `Conditions`. */
const PRIORS: readonly Estimate[] = [
  { mean: 0.03, sd: 0.04 },
  { mean: 0, sd: 0.03 },
  { mean: 0, sd: 0.02 },
  { mean: 0.005, sd: 0.02 },
  { mean: 0.3, sd: 0.3 },
  { mean: 0.003, sd: 0.003 },
  // For sleeves that were foul when the record began.
  { mean: 0, sd: 0.01 },
];

function learned(steps: readonly CommonStep[], conditions: readonly Conditions[]): Effects {
  const witness = sensorYields(conditions);
  const effects = learnedWith(witness, steps, conditions);
  // Sleeves dim the sensor and the lamps' figures alike: a sensor that disagrees isn't used.
  if (effects.sensor === null || effects.sensor.mean > 0) return effects;
  const without = learnedWith(NO_SENSOR, steps, conditions);
  return { ...without, drift: witness.drift };
}

function learnedWith(
  { yields, drift }: ReturnType<typeof sensorYields>,
  steps: readonly CommonStep[],
  conditions: readonly Conditions[],
): Effects {
  const isCleaned = (conditions.at(-1)?.interval ?? 0) > 0;
  const factors = factorsOf(conditions, yields);
  const rows = steps.map(({ from, to, by }): FitRow => {
    const changes = new Map(factors[to]);
    for (const [at, factor] of factors[from]) changes.set(at, (changes.get(at) ?? 0) - factor);
    changes.set(AGEING, conditions[from].time - conditions[to].time);
    return { value: by, terms: [...changes].filter(([, factor]) => factor !== 0) };
  });
  const found = robustFit(rows, { priors: PRIORS, scale_min: SCALE_MIN });
  const hasPower = conditions.some(({ power }) => power !== 0);
  return {
    off: factors.map((terms) =>
      terms.reduce((sum, [at, factor]) => sum + found[at].mean * factor, 0),
    ),
    dimmed: conditions.map((each) => found[POWER].mean * each.power),
    steps: steps.length,
    power: hasPower ? found[POWER] : null,
    water: conditions.some(({ water }) => water !== 0) ? found[WATER] : null,
    fouling: isCleaned ? found[FOULING] : null,
    sensor: drift === null ? null : found[SENSOR],
    drift,
  };
}

/**
 * Hundreds of hours in which sleeves foul to 63 % of their maximum: so the correction of a long
 * interval, in which a cleaning may not have been sent, is limited. The ship has one rate: separate
 * rates for the intervals between cleanings took ageing for fouling, and lost 4 to 14 % of the
 * interval score (docs/evaluation.md).
 */
const FULL = 6;

/** The deposit on the sleeves, in hundreds of hours of fouling. */
function depositOf({ since }: Pick<Conditions, "since">): number {
  return -FULL * Math.expm1(-since / FULL);
}

/** The factors of the coefficients, by number of the stretch. */
function factorsOf(
  conditions: readonly Conditions[],
  yields: readonly (number | null)[],
): readonly FitRow["terms"][] {
  const seen = filled(conditions.map((_, i) => yields[i] ?? null));
  const isCleaned = (conditions.at(-1)?.interval ?? 0) > 0;
  return conditions.map(({ power, water, interval, since }, i) => [
    [POWER, power],
    [WATER, water],
    [WATER_SQUARE, water * water],
    [SENSOR, seen[i]],
    [FOULING, isCleaned ? -depositOf({ since }) : 0],
    [BEFORE, isCleaned && interval === 0 ? -1 : 0],
  ]);
}

/** The values with gaps filled by the last known one, or by the first one at the start. */
function filled(values: readonly (number | null)[]): readonly number[] {
  let last = values.find((each) => each !== null) ?? 0;
  return values.map((each) => {
    last = each ?? last;
    return last;
  });
}
