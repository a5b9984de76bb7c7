// The profile of a make of lamp: its maker's table of hours and output, as one more shape beside
// those of curve.ts. The table's course is stretched in hours, because ships wear lamps sooner or
// later than the maker's test did; each hour of the end of life belongs to the stretch nearest to
// it. The ship's own lamps outvote a table that is wrong (docs/evaluation.md has the figures).

import { clustersAbout, type EndCluster } from "./clusters.ts";
import {
  type CurveShape,
  END_SHARES,
  type LampPrior,
  type MakersTable,
  type Rise,
  withoutDrop,
} from "./curve.ts";

/** The shapes of a make, one for each stretch of its table, and the expected ends. */
export interface MakeProfile {
  readonly shapes: readonly StretchedShape[];
  /** The end of life by the table, as a share of the rated hours. */
  readonly end_share: number;
  /** Clusters of ends, as many as `CLUSTERS`. */
  readonly clusters: readonly EndCluster[];
}

/** A shape, with the `END_SHARES` nearest to its end. */
interface StretchedShape {
  readonly shape: CurveShape;
  readonly from: number;
  /** Index after the last one. */
  readonly to: number;
}

/** Range of the stretches of the table's hours, in even ratios; other ends aren't the table's. */
const STRETCH_FIRST = 0.5;
const STRETCH_LAST = 2;
const STRETCH_COUNT = 18;
/** Standard deviation of the log of a ship's stretch. */
const STRETCH_SD = 0.3;
/** Output at 0 h, in %, where the table doesn't have it. */
const NEW_PERCENT = 100;
/** Minimum output of which a log is taken, in %. */
const PERCENT_MIN = 1;

/** The points of texts such as "4000 85". */
export function makersTable(texts: readonly string[]): MakersTable {
  return texts.map((text) => {
    const [hours, percent] = text.split(/ +/).map(Number);
    return { hours, percent };
  });
}

/** The profile by the table of `prior`; null without one. */
export function makeProfile({ rated_h, end_efficiency, profile }: LampPrior): MakeProfile | null {
  if (profile === undefined) return null;
  const course = courseOf(profile);
  const end_share = endOf(profile, course, end_efficiency) / rated_h;
  const ratio = (STRETCH_LAST / STRETCH_FIRST) ** (1 / (STRETCH_COUNT - 1));
  const steps = END_SHARES.map((share) =>
    Math.round(Math.log(share / end_share / STRETCH_FIRST) / Math.log(ratio)),
  );
  const shapes = Array.from({ length: STRETCH_COUNT }, (_, at) => ({
    shape: withoutDrop(stretched(course, STRETCH_FIRST * ratio ** at, rated_h)),
    from: steps.indexOf(at),
    to: steps.lastIndexOf(at) + 1,
  })).filter(({ to }) => to > 0);
  const density = (share: number) =>
    Math.exp(-0.5 * (Math.log(share / end_share) / STRETCH_SD) ** 2);
  return { shapes, end_share, clusters: clustersAbout({ unit: end_share, density }) };
}

/** The loss of output after some hours, as a log, by the table; and its slope. */
interface Course {
  lost(hours: number): number;
  slope(hours: number): number;
}

function stretched({ lost, slope }: Course, stretch: number, rated_h: number): Rise {
  const hours = (share: number) => (share * rated_h) / stretch;
  return {
    at: (share) => lost(hours(share)) - lost(0),
    slope: (share) => (slope(hours(share)) * rated_h) / stretch,
    family: "table",
    parameter: stretch,
  };
}

const HALVINGS = 50;

/** The first hour at which the course is at the end of life, between two points of the table. */
function endOf(table: MakersTable, { lost }: Course, end_efficiency: number): number {
  const after = table.findIndex(({ percent }) => percent <= 100 * end_efficiency);
  const end = -Math.log(end_efficiency);
  let low = table[after - 1]?.hours ?? 0;
  let high = table[after].hours;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (lost(middle) < end) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The smooth monotone course through the table's points (Fritsch and Carlson 1980, with the slopes
 * of Fritsch and Butland 1984). Past the last point it is straight.
 */
function courseOf(table: MakersTable): Course {
  const points = table[0].hours === 0 ? table : [{ hours: 0, percent: NEW_PERCENT }, ...table];
  const hours = points.map((point) => point.hours);
  const logs = points.map(({ percent }) => -Math.log(Math.max(percent, PERCENT_MIN) / 100));
  const widths = hours.slice(1).map((hour, i) => hour - hours[i]);
  const chords = widths.map((width, i) => (logs[i + 1] - logs[i]) / width);
  const slopes = slopesAt(widths, chords);
  const last = points.length - 1;
  const pieceAt = (hour: number) => {
    let i = 0;
    while (i < last - 1 && hour > hours[i + 1]) i++;
    return { i, t: (hour - hours[i]) / widths[i] };
  };
  return {
    lost(hour) {
      if (hour >= hours[last]) return logs[last] + (hour - hours[last]) * chords[last - 1];
      const { i, t } = pieceAt(hour);
      const [t2, t3] = [t * t, t * t * t];
      return (
        (2 * t3 - 3 * t2 + 1) * logs[i] +
        (t3 - 2 * t2 + t) * widths[i] * slopes[i] +
        (3 * t2 - 2 * t3) * logs[i + 1] +
        (t3 - t2) * widths[i] * slopes[i + 1]
      );
    },
    slope(hour) {
      if (hour >= hours[last]) return chords[last - 1];
      const { i, t } = pieceAt(hour);
      return (
        6 * (t - t * t) * chords[i] +
        (1 - 4 * t + 3 * t * t) * slopes[i] +
        (3 * t * t - 2 * t) * slopes[i + 1]
      );
    },
  };
}

/** The slope at each point: a mean of those beside it, 0 where they turn. */
function slopesAt(widths: readonly number[], chords: readonly number[]): readonly number[] {
  const last = chords.length;
  return Array.from({ length: last + 1 }, (_, i) => {
    if (i === 0) return outerSlope(widths, chords, [0, 1]);
    if (i === last) return outerSlope(widths, chords, [last - 1, last - 2]);
    const [before, after] = [chords[i - 1], chords[i]];
    if (before * after <= 0) return 0;
    const [one, two] = [widths[i - 1], widths[i]];
    return (3 * (one + two)) / ((2 * two + one) / before + (two + 2 * one) / after);
  });
}

/** The slope of a parabola at an outer point, between 0 and three times that of the chord. */
function outerSlope(
  widths: readonly number[],
  chords: readonly number[],
  [near, next]: readonly [near: number, next: number],
): number {
  const chord = chords[near];
  if (next < 0 || next >= chords.length) return chord;
  const bend = (widths[near] * (chord - chords[next])) / (widths[near] + widths[next]);
  const slope = chord + bend;
  return chord >= 0
    ? Math.min(Math.max(slope, 0), 3 * chord)
    : Math.max(Math.min(slope, 0), 3 * chord);
}
