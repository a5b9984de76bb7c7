// The sixteen lamps. Each fitted lamp has its own pace of ageing and its own hour of sudden
// failure, drawn when it is fitted. Ageing is exponential in operating hours after a burn-in (the
// form of GB 19258 and TM-21), sudden failure a Weibull with shape 3.5, the usual assumption for
// lamps. Everything is a function of operating hours, so it can be computed for any instant.

import { LAMP_COUNT } from "../bwts/tags.ts";
import { HOUR_MS, SECOND_MS } from "../ground/clock.ts";
import type { PlantOperation } from "./operation.ts";
import type { Random } from "./random.ts";

/** One lamp in its socket at the start of an operation. */
export interface FittedLamp {
  /** 0 for the lamp found there at the start of the voyage, counted up at each replacement. */
  readonly serial: number;
  readonly hours_at_start: number;
  /** Share of the light lost in an operating hour. */
  readonly decay_per_h: number;
  /** Hours at which it fails suddenly. */
  readonly fails_at_h: number;
  /** Output in % of a new lamp below which the crew replaces it. */
  readonly retired_below_pct: number;
}

/** A lamp at one instant. */
export interface LampState {
  readonly failed: boolean;
  readonly runtime_h: number;
  /** Light in % of a new lamp, 0 once it failed. */
  readonly output_pct: number;
}

// 70 % of the light is left after 2,380 h typically, 1,490 to 3,960 h at the extremes.
const DECAY_PER_H = 1.5e-4;
const DECAY_SPREAD = 0.25;
const DECAY_RANGE = [0.9e-4, 2.4e-4] as const;
const WEIBULL_SHAPE = 3.5;
// About a quarter fail by 2,500 h: within the 35 to 50 % before rated life that the trade reports.
const WEIBULL_SCALE_H = 3600;
// Maximum hours of a lamp in use: above the rated 3,000 h, below the catalogue's 4,000 h.
const HOURS_MAX = 3300;
// Probability that a spare is aboard, to replace a failed lamp before the next operation.
const SPARE_ABOARD = 0.75;
const BURN_IN_H = 40;

/** The lamps at the start of the voyage, each in use for some hundred hours of its own. */
export function initialLamps(random: Random): readonly FittedLamp[] {
  return Array.from({ length: LAMP_COUNT }, (_, index) =>
    fitLamp({ random, index, serial: 0, hours: random.between(0, 1100, "first hours", index) }),
  );
}

/** The lamps after `operation`; failed and worn ones are replaced. */
export function lampsAfter(
  operation: PlantOperation,
  lamps: readonly FittedLamp[],
  random: Random,
): readonly FittedLamp[] {
  return lamps.map((lamp, index) => {
    const { failed, runtime_h, output_pct } = lampStateAt(lamp, operation, operation.end_ms);
    const spare = random.unit("spare aboard", index, operation.index) < SPARE_ABOARD;
    const spent = !failed && (output_pct < lamp.retired_below_pct || runtime_h > HOURS_MAX);
    return (failed && spare) || spent
      ? fitLamp({ random, index, serial: lamp.serial + 1, hours: 0 })
      : { ...lamp, hours_at_start: runtime_h };
  });
}

/** `lamp` at an instant of `operation`. */
export function lampStateAt(lamp: FittedLamp, operation: PlantOperation, at_ms: number): LampState {
  const burnt_h = lamp.hours_at_start + (at_ms - operation.start_ms) / HOUR_MS;
  if (burnt_h >= lamp.fails_at_h)
    return { failed: true, runtime_h: lamp.fails_at_h, output_pct: 0 };
  const burnIn = 1 + 0.015 * Math.exp(-burnt_h / BURN_IN_H);
  const output_pct = 100 * burnIn * Math.exp(-lamp.decay_per_h * burnt_h);
  return { failed: false, runtime_h: burnt_h, output_pct };
}

/** The time at which `lamp` fails within `operation`, to the second, or null. */
export function failureWithin(lamp: FittedLamp, operation: PlantOperation): number | null {
  const left_h = lamp.fails_at_h - lamp.hours_at_start;
  const at_ms = Math.ceil((operation.start_ms + left_h * HOUR_MS) / SECOND_MS) * SECOND_MS;
  return left_h > 0 && at_ms <= operation.end_ms ? at_ms : null;
}

interface Socket {
  readonly random: Random;
  readonly index: number;
  readonly serial: number;
  /** Operating hours of the lamp at its first reading. */
  readonly hours: number;
}

function fitLamp({ random, index, serial, hours }: Socket): FittedLamp {
  const spread = Math.exp(DECAY_SPREAD * random.bell("lamp decay", index, serial));
  const [decay_low, decay_high] = DECAY_RANGE;
  // Weibull distribution, given that the lamp has lived for `hours`.
  const survived = (hours / WEIBULL_SCALE_H) ** WEIBULL_SHAPE;
  const draw = -Math.log(1 - random.unit("lamp failure", index, serial));
  return {
    serial,
    hours_at_start: hours,
    decay_per_h: Math.min(decay_high, Math.max(decay_low, DECAY_PER_H * spread)),
    fails_at_h: WEIBULL_SCALE_H * (survived + draw) ** (1 / WEIBULL_SHAPE),
    retired_below_pct: random.between(62, 70, "lamp retired", index, serial),
  };
}
