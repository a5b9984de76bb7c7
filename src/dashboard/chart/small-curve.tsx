// A small curve without axes, below the number at which it ends. It repeats what Trends shows in
// full, so it is hidden from screen readers. Gaps stay empty.

interface SmallCurveProps {
  readonly lines: readonly CurveLine[];
  readonly from_ms: number;
  readonly to_ms: number;
  /** Value of a line across, such as a limit; drawn only if it is within the curve's range. */
  readonly level?: number;
}

export type CurveLine = readonly (readonly [at_ms: number, value: number])[];

interface LinePoint {
  readonly at_ms: number;
  /** The value; null for no data. */
  readonly value: number | null;
}

/**
 * The lines through points in ascending order; missing values and times without data are gaps.
 * `joinOf` gives the longest time that a line may cross before the point with that index.
 */
export function linesThrough(
  points: readonly LinePoint[],
  joinOf: (index: number) => number,
): readonly CurveLine[] {
  const lines: (readonly [number, number])[][] = [];
  points.forEach(({ at_ms, value }, index) => {
    if (value === null) return;
    const before = points[index - 1];
    const isJoined = before?.value != null && at_ms - before.at_ms <= joinOf(index);
    if (isJoined) lines[lines.length - 1].push([at_ms, value]);
    else lines.push([[at_ms, value]]);
  });
  return lines;
}

const WIDTH = 120;
const HEIGHT = 24;

export function SmallCurve({ lines, from_ms, to_ms, level }: SmallCurveProps) {
  const [low, high] = rangeOf(lines);
  const x = (at_ms: number) => (WIDTH * (at_ms - from_ms)) / Math.max(1, to_ms - from_ms);
  const y = (value: number) => 2 + ((HEIGHT - 4) * (high - value)) / (high - low);
  const isSeen = level !== undefined && level > low && level < high;
  return (
    <svg
      class="curve small"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {isSeen && <path class="level" d={`M0 ${y(level)}H${WIDTH}`} />}
      <path class="line" d={linePath(lines, x, y)} />
    </svg>
  );
}

/** The path of all lines; a single point is a dot of the line's width. */
export function linePath(
  lines: readonly CurveLine[],
  x: (at_ms: number) => number,
  y: (value: number) => number,
): string {
  const place = (one: CurveLine[number]) => `${x(one[0]).toFixed(1)} ${y(one[1]).toFixed(1)}`;
  return lines
    .map((line) => (line.length === 1 ? `M${place(line[0])}h.1` : `M${line.map(place).join("L")}`))
    .join("");
}

/**
 * Minimum and maximum, widened to at least a tenth of the value, so that noise doesn't fill the
 * curve.
 */
function rangeOf(lines: readonly CurveLine[]): readonly [low: number, high: number] {
  const values = lines.flatMap((line) => line.map(([, value]) => value));
  if (values.length === 0) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const least = Math.max(0.1 * Math.abs(high), 1e-9);
  const more = Math.max(0, least - (high - low)) / 2;
  return [low - more, high + more];
}
