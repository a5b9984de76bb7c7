// Leaves out dimness of a lamp that went away: a ballast was mended, a sleeve wiped. Ageing can't
// be undone, so that dimness wasn't ageing, and its points say nothing about the lamp's curve.

import type { LampPoint } from "../light/likelihood.ts";
import { median } from "../ranks.ts";

/** A lamp's light in a stretch, by the stretch's number. */
export interface StretchPoint extends LampPoint {
  readonly bin: number;
}

type LightPoints = readonly StretchPoint[];

/**
 * Minimum rise of a lamp's light, as a log, above the other lamps' for a recovery: wander, and
 * cleanings of unequally foul sleeves, seldom lift one lamp so far at once.
 */
const STEP_MIN = 0.06;
/** Number of points on each side that must all show a recovery. */
const POINTS_BESIDE = 2;

/** Each lamp's points (by rising hours) without those of dimness that went away. */
export function withoutDimness(lamps: readonly LightPoints[]): readonly LightPoints[] {
  return lamps.map((points) => {
    let kept: StretchPoint[] = [];
    for (const [i, point] of points.entries()) {
      const level = recoveredLevel(lamps, points, i);
      if (level !== null) kept = keptBefore(kept, { level, hours: point.hours });
      kept.push(point);
    }
    return kept;
  });
}

/** The lowest light, as a log, of the first points after a recovery at `at`; null without one. */
function recoveredLevel(
  lamps: readonly LightPoints[],
  own: LightPoints,
  at: number,
): number | null {
  if (at < POINTS_BESIDE || at + POINTS_BESIDE > own.length) return null;
  let before = Number.NEGATIVE_INFINITY;
  let level = Number.POSITIVE_INFINITY;
  for (let i = 0; i < POINTS_BESIDE; i += 1) {
    before = Math.max(before, own[at - 1 - i].log_efficiency);
    level = Math.min(level, own[at + i].log_efficiency);
  }
  if (level - before <= STEP_MIN) return null;
  const others = lamps.filter((points) => points !== own);
  const common = commonRise(others, own[at - 1].bin, own[at].bin);
  return level - before - common > STEP_MIN ? level : null;
}

/** The median rise of lamps from a stretch to a later one; 0 if it fell, or is unknown. */
function commonRise(lamps: readonly LightPoints[], from: number, to: number): number {
  const rises = lamps.flatMap((points) => {
    const before = points.find(({ bin }) => bin === from);
    const after = points.find(({ bin }) => bin === to);
    return before === undefined || after === undefined
      ? []
      : [after.log_efficiency - before.log_efficiency];
  });
  return rises.length === 0 ? 0 : Math.max(0, median(rises));
}

/**
 * The points before a recovery, without those dimmer than the light after it. Dimness that came
 * slowly, as dirt does, began earlier than that: as many hours before are left out too.
 */
function keptBefore(points: LightPoints, { level, hours }: { level: number; hours: number }) {
  const last = points.findLastIndex(({ log_efficiency }) => log_efficiency >= level);
  if (last === -1) return [];
  const bright = points[last];
  const dim = points[last + 1];
  if (bright.log_efficiency - dim.log_efficiency > STEP_MIN) return points.slice(0, last + 1);
  return points.filter((each) => each.hours < 2 * dim.hours - hours);
}
