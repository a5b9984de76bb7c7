// Parts of the model scored alone: how much of what all lamps share (fouling, set power, water
// temperature) is still in the points that curves are fitted to. For each bin it is the median over
// lamps of the point less the lamp's own light; a ship's mean of it does no harm and is taken off.

import { effectsOf } from "../../src/bwts/lamps/outcome.ts";
import type { TrackerState } from "../../src/bwts/lamps/state.ts";
import { median } from "../../src/bwts/ranks.ts";
import type { Aboard } from "./aboard.ts";
import type { Plant } from "./plant.ts";

/** Sums over bins or cleanings, so that ships add up. */
export interface Parts {
  readonly bins: number;
  /** Squares of the common effect in the points, before and after the program's correction. */
  readonly before: number;
  readonly after: number;
  /** Cleanings that lifted all lamps by 0.5 % or more, and those of them that were taken out. */
  readonly cleanings: number;
  readonly cleanings_found: number;
  /** Over steps of set power: products with the steps of the points, and squares. */
  readonly power_before: number;
  readonly power_after: number;
  readonly power_squares: number;
}

interface SeenBin {
  readonly bin: number;
  /** Logarithms of the lamps' own light, by position. */
  readonly light: readonly number[];
  readonly power: number;
  readonly cleanings: number;
}

const LAMPS_MIN = 4;
const LIFT_MIN = 0.005;
/** Steps of the set power that count, as a logarithm. */
const POWER_STEP_MIN = 0.02;
/** Bins before and after a cleaning that are compared. */
const AROUND = 3;

/** Collects the truth while a ship sails. */
export function openParts(plant: Plant) {
  const bins: SeenBin[] = [];
  let through: number | null = null;
  let power = 0;
  let readings = 0;
  return {
    see({ positions, power_pct, cleanings }: Aboard, state: TrackerState): void {
      power += Math.log(power_pct);
      readings += 1;
      const bin = newestBin(state);
      if (bin === through) return;
      through = bin;
      if (bin !== null)
        bins.push({
          bin,
          light: positions.map(({ lamp }) => Math.log(lamp.light(lamp.hours))),
          power: power / readings,
          cleanings,
        });
      power = 0;
      readings = 0;
    },
    found: (state: TrackerState) => partsOf(plant, state, bins),
  };
}

function newestBin({ positions }: TrackerState): number | null {
  for (const { lives } of positions) {
    const bin = lives.at(-1)?.bins.at(-1)?.bin;
    if (bin !== undefined) return bin;
  }
  return null;
}

/** The program's correction of the points for what lamps share, as a log, by bin. */
function correction(state: TrackerState): (bin: number) => number {
  const { off } = effectsOf(state);
  return (bin) => -(off[bin] ?? 0);
}

function partsOf(plant: Plant, state: TrackerState, seen: readonly SeenBin[]): Parts {
  const corrected = correction(state);
  const points = state.positions.map(
    ({ lives: all }) =>
      new Map(all.flatMap(({ bins }) => bins.map(({ bin, efficiency }) => [bin, efficiency]))),
  );
  const raw = seen.flatMap((one) => {
    const offs = points.flatMap((efficiencies, position) => {
      const efficiency = efficiencies.get(one.bin);
      return efficiency === undefined ? [] : [Math.log(efficiency / 100) - one.light[position]];
    });
    return offs.length < LAMPS_MIN ? [] : [{ ...one, off: median(offs) }];
  });
  const before = centred(raw.map(({ off }) => off));
  const after = centred(raw.map(({ off, bin }) => off + corrected(bin)));
  const sums = { cleanings: 0, found: 0, power_before: 0, power_after: 0, power_squares: 0 };
  for (let at = 1; at < raw.length; at += 1) {
    if (raw[at].cleanings > raw[at - 1].cleanings) {
      const lift = riseAt(before, at);
      if (lift >= LIFT_MIN) {
        sums.cleanings += 1;
        sums.found += +(Math.abs(riseAt(after, at)) <= lift / 2);
      }
      continue;
    }
    const step = raw[at].power - raw[at - 1].power;
    if (Math.abs(step) < POWER_STEP_MIN || plant.power_effect === 0) continue;
    sums.power_before += step * (before[at] - before[at - 1]);
    sums.power_after += step * (after[at] - after[at - 1]);
    sums.power_squares += step * step;
  }
  const squares = (values: readonly number[]) => values.reduce((sum, off) => sum + off * off, 0);
  return {
    bins: raw.length,
    before: squares(before),
    after: squares(after),
    cleanings: sums.cleanings,
    cleanings_found: sums.found,
    power_before: sums.power_before,
    power_after: sums.power_after,
    power_squares: sums.power_squares,
  };
}

function centred(values: readonly number[]): readonly number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

function riseAt(values: readonly number[], at: number): number {
  const before = values.slice(Math.max(0, at - AROUND), at);
  return median(values.slice(at, at + AROUND)) - median(before);
}

/** The parts of two ships together. */
export function summed(one: Parts, other: Parts): Parts {
  return {
    bins: one.bins + other.bins,
    before: one.before + other.before,
    after: one.after + other.after,
    cleanings: one.cleanings + other.cleanings,
    cleanings_found: one.cleanings_found + other.cleanings_found,
    power_before: one.power_before + other.power_before,
    power_after: one.power_after + other.power_after,
    power_squares: one.power_squares + other.power_squares,
  };
}
