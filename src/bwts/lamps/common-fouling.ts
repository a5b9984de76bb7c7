// Removes fouling from all lamps' points before a curve is fitted: losses that all lamps share, and
// that a cleaning of the sleeves restores, aren't ageing. Lamps never recover by themselves, so a
// rise that most lamps share is a cleaning, and its size is the fouling since the cleaning before.
// Only rises are measured: a common trend may as well be ageing.

import { median } from "../median.ts";

/** A life's log efficiencies by bin of the ship's operating hours, from bin `first` on. */
export interface LifeBins {
  readonly first: number;
  readonly values: readonly (number | null)[];
}

/** The log of efficiency that fouling took from all lamps, 0 or more, to be added back. */
export interface Fouling {
  at(bin: number): number;
  /** Bins that start with sleeves just cleaned. */
  readonly cleaned: readonly number[];
  /** The typical recovery by a cleaning; 0 if none was seen. */
  readonly given_back: number;
}

/** Bins before and after a rise, whose medians are compared. */
const WINDOW = 4;
/** Bins without a steady reading may stretch a window to this. */
const WINDOW_MAX = 10;
/** Fewer lives in a bin don't show a common change. */
const LIVES_MIN = 4;
/** A smaller common rise is noise: 0.4 %, or several times the spread of bins without a rise. */
const RISE_MIN = 0.004;
const RISE_SPREADS = 4;
const SD_OF_MEDIAN = 1.4826;
/** Since the last cleaning fouling can't exceed this multiple of its largest earlier value. */
const OPEN_MAX = 1.5;

interface Rise {
  readonly bin: number;
  readonly by: number;
}

/** The common fouling of the lives; 0 everywhere if no common rise was seen. */
export function commonFouling(lives: readonly LifeBins[]): Fouling {
  const rises = commonRises(lives);
  const cleaned = rises.map(({ bin }) => bin);
  const first_bin = lives.reduce((least, { first }) => Math.min(least, first), cleaned[0] ?? 0);
  const starts = [first_bin, ...cleaned];
  const closed = rises.map(({ bin, by }, i) => by / Math.max(1, bin - starts[i]));
  // The first stretch began before the readings, so its length is unknown.
  const typical = closed.length === 0 ? 0 : median(closed.length === 1 ? closed : closed.slice(1));
  const most = OPEN_MAX * Math.max(0, ...rises.map(({ by }) => by));
  const at = (bin: number) => {
    const next = rises.findIndex((rise) => rise.bin > bin);
    if (next === -1) return Math.min(most, typical * Math.max(0, bin - (cleaned.at(-1) ?? bin)));
    const { bin: to, by } = rises[next];
    if (next === 0) return Math.max(0, by - typical * (to - bin));
    return (by * (bin - cleaned[next - 1])) / (to - cleaned[next - 1]);
  };
  const given_back = rises.length === 0 ? 0 : median(rises.map(({ by }) => by));
  return { at, cleaned, given_back };
}

/**
 * The bins, ascending, at which most lamps rose together, with the rise relative to their trend.
 */
function commonRises(lives: readonly LifeBins[]): readonly Rise[] {
  const steps = commonSteps(lives);
  const values = steps.map(({ by }) => by);
  const course = median(values);
  const spread = SD_OF_MEDIAN * median(values.map((by) => Math.abs(by - course)));
  const limit = Math.max(RISE_MIN, RISE_SPREADS * spread);
  const high = steps.filter(({ by }) => by - course > limit);
  return high
    .filter((step) => !high.some((other) => isOutdoneBy(step, other)))
    .map(({ bin, by }) => ({ bin, by: by - course }));
}

function isOutdoneBy(step: Rise, other: Rise): boolean {
  const isNear = other.bin !== step.bin && Math.abs(other.bin - step.bin) <= WINDOW;
  return isNear && (other.by > step.by || (other.by === step.by && other.bin < step.bin));
}

/** The median change of the lamps' light from before each bin to after it. */
function commonSteps(lives: readonly LifeBins[]): readonly Rise[] {
  const byBin = new Map<number, number[]>();
  for (const { first, values } of lives) {
    const steps = stepsOf(values);
    for (const [i, by] of steps) {
      const others = byBin.get(first + i);
      if (others === undefined) byBin.set(first + i, [by]);
      else others.push(by);
    }
  }
  return [...byBin]
    .filter(([, all]) => all.length >= LIVES_MIN)
    .map(([bin, all]) => ({ bin, by: median(all) }))
    .sort((one, other) => one.bin - other.bin);
}

function stepsOf(values: readonly (number | null)[]): readonly (readonly [number, number])[] {
  const seen = values.flatMap((value, bin) => (value === null ? [] : [{ bin, value }]));
  return seen.flatMap(({ bin }, i) => {
    const before = seen.slice(Math.max(0, i - WINDOW), i);
    const after = seen.slice(i, i + WINDOW);
    const isFull = before.length === WINDOW && after.length === WINDOW;
    if (!isFull || bin - before[0].bin > WINDOW_MAX || after[WINDOW - 1].bin - bin > WINDOW_MAX)
      return [];
    return [[bin, medianOf(after) - medianOf(before)] as const];
  });
}

function medianOf(points: readonly { readonly value: number }[]): number {
  return median(points.map(({ value }) => value));
}
