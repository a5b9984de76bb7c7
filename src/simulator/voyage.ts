// The voyage: place and time of each operation, counters at its start, lamps fitted, cleanings of
// the reactor. Times follow from the operation's number alone; counters are carried from one
// operation to the next and kept, so that later ones are found fast. The voyage is anchored: 73
// operations are before the anchor, and one is running at it.

import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from "../ground/clock.ts";
import { type FittedLamp, initialLamps, lampsAfter } from "./lamp.ts";
import { backflushesAt, type PlantOperation, volumeAt, WARMUP_MS } from "./operation.ts";
import { ROUTE } from "./port.ts";
import type { Random } from "./random.ts";

/** A cleaning in place (CIP) between two operations. */
export interface Cleaning {
  readonly location: string;
  readonly start_ms: number;
  readonly end_ms: number;
}

/** One operation with the counters and lamps at its start, and the cleaning after it, if any. */
export interface Leg {
  readonly operation: PlantOperation;
  readonly lamps: readonly FittedLamp[];
  readonly ballast_m3: number;
  readonly deballast_m3: number;
  readonly backflushes: number;
  readonly cleaned_ms: number;
  /** Operations since the last cleaning. */
  readonly uncleaned: number;
  readonly cleaning: Cleaning | null;
}

export interface Voyage {
  /**
   * The legs whose operation, or cleaning after it, touches `from_ms` to `to_ms`, in order; made on
   * demand, so that `to_ms` may be Infinity.
   */
  legsBetween(from_ms: number, to_ms: number): Generator<Leg>;
  leg(index: number): Leg;
}

/** Operations before the anchor: 24 months of them, one every ten days. */
export const OPERATIONS_BEFORE_ANCHOR = 73;
const PACE_MS = 10 * DAY_MS;
// Time from the start of the operation to the anchor: it lasts at least 20 h, so 16 h remain live.
const LEAD_MS = 4 * HOUR_MS;
const DELAY_MAX_MS = 5 * DAY_MS;

export function createVoyage(random: Random, anchor_ms: number): Voyage {
  const origin_ms = floorTo(anchor_ms - LEAD_MS, MINUTE_MS) - OPERATIONS_BEFORE_ANCHOR * PACE_MS;
  const legs: Leg[] = [];

  const leg = (index: number): Leg => {
    for (let next = legs.length; next <= index; next += 1) {
      const before = legs.at(-1);
      const operation = planOperation(random, origin_ms, next);
      legs.push(before === undefined ? firstLeg(operation, random) : legAfter(before, operation));
    }
    return legs[index] ?? raise(`operation ${index}: expected an integer from 0`);
  };

  const legAfter = (before: Leg, operation: PlantOperation): Leg => {
    const { operation: done, cleaning } = before;
    const volume_m3 = volumeAt(done, done.end_ms);
    const uncleaned = cleaning === null ? before.uncleaned + 1 : 1;
    return {
      operation,
      lamps: lampsAfter(done, before.lamps, random),
      ballast_m3: before.ballast_m3 + (done.type === "BALLAST" ? volume_m3 : 0),
      deballast_m3: before.deballast_m3 + (done.type === "DEBALLAST" ? volume_m3 : 0),
      backflushes: before.backflushes + backflushesAt(done, done.end_ms),
      cleaned_ms: cleaning === null ? before.cleaned_ms : cleaning.end_ms,
      uncleaned,
      cleaning: planCleaning(random, operation, uncleaned),
    };
  };

  return {
    leg,
    *legsBetween(from_ms, to_ms) {
      // An operation begins at most DELAY_MAX_MS into its ten days, and lasts into no later ones.
      let index = Math.max(0, Math.floor((from_ms - origin_ms) / PACE_MS) - 1);
      for (; origin_ms + index * PACE_MS <= to_ms; index += 1) {
        const next = leg(index);
        const until_ms = (next.cleaning ?? next.operation).end_ms;
        if (next.operation.start_ms <= to_ms && until_ms >= from_ms) yield next;
      }
    },
  };
}

function planOperation(random: Random, origin_ms: number, index: number): PlantOperation {
  const delay_ms =
    index === OPERATIONS_BEFORE_ANCHOR ? 0 : random.between(0, DELAY_MAX_MS, "delay", index);
  const start_ms = origin_ms + index * PACE_MS + floorTo(delay_ms, MINUTE_MS);
  const lasts_ms = floorTo(random.between(20 * HOUR_MS, 28 * HOUR_MS, "lasts", index), MINUTE_MS);
  const backflush_period_ms = random.between(80, 200, "backflush period", index) * MINUTE_MS;
  const type = index % 2 === 0 ? "DEBALLAST" : "BALLAST";
  const muddy = type === "BALLAST" && random.unit("muddy", index) < 0.15;
  const starved = random.unit("low flow", index) < 0.04;
  return {
    index,
    type,
    port: ROUTE[index % ROUTE.length] ?? raise(`operation ${index}: no port`),
    start_ms,
    end_ms: start_ms + lasts_ms,
    target_flow_m3_h: 10 * Math.round(random.between(68, 90, "target flow", index)),
    backflush_period_ms,
    clarity: 1 + 0.04 * random.bell("clarity", index),
    mud_cycle: muddy ? 2 + Math.floor(4 * random.unit("mud cycle", index)) : null,
    low_flow_start_ms: starved
      ? start_ms +
        WARMUP_MS +
        floorTo(random.between(0.2, 0.8, "low flow", index, 1) * lasts_ms, MINUTE_MS)
      : null,
  };
}

function firstLeg(operation: PlantOperation, random: Random): Leg {
  return {
    operation,
    lamps: initialLamps(random),
    ballast_m3: random.between(250_000, 350_000, "first ballast volume"),
    deballast_m3: random.between(230_000, 330_000, "first deballast volume"),
    backflushes: Math.floor(random.between(200, 400, "first backflushes")),
    cleaned_ms: operation.start_ms - Math.round(random.between(2, 6, "first cleaning") * DAY_MS),
    uncleaned: 1,
    cleaning: null,
  };
}

// Cleaned after every third operation, sometimes only after the fourth: at the latest after 47
// days, inside the 50 days (1,200 h) that the catalogue gives as usual.
function planCleaning(
  random: Random,
  operation: PlantOperation,
  uncleaned: number,
): Cleaning | null {
  const postponed = random.unit("cleaning postponed", operation.index) < 0.2;
  if (uncleaned < 3 || (uncleaned === 3 && postponed)) return null;
  const wait_min = Math.floor(random.between(120, 480, "cleaning wait", operation.index));
  const lasts_min = Math.floor(random.between(100, 170, "cleaning lasts", operation.index));
  const start_ms = operation.end_ms + wait_min * MINUTE_MS;
  return {
    location: operation.port.name,
    start_ms,
    end_ms: start_ms + lasts_min * MINUTE_MS,
  };
}

function raise(message: string): never {
  throw new Error(message);
}
