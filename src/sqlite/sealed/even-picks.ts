// Picks some candidates evenly: the first, the last, and others with gaps that differ by at most a
// factor of 2. Pure: candidates are ranks, which are numbers of readings.

/** A range of allowed gaps: from `gap_min` to twice that. */
interface Window {
  readonly gap_min: number;
  /** The intended mean gap; picks keep up with it. */
  readonly step: number;
}

/** Shares of `gap_min` that are added to it, tried one after another. */
const TRIES = [0, 1 / 8, 1 / 4, 1 / 2, 3 / 4, 1] as const;
/** Factor from one window to the next if none of the tried ones has enough picks. */
const GROWTH = 1.05;
/** Share of the allowed number of picks at which no other window is tried. */
const ENOUGH = 15 / 16;

/**
 * Indices into `ranks` (ascending, 2 or more), at most `max`, with the first and the last; no gap
 * between neighbours is more than twice another. Those of the window with the most picks, or with
 * some 94 % of `max`; null if no window has any.
 */
export function evenPicks(ranks: Float64Array, max: number): readonly number[] | null {
  const total = ranks[ranks.length - 1] - ranks[0];
  const step = total / (max - 1);
  let best: readonly number[] = [];
  for (const gap_min of smallestGaps(ranks, step)) {
    // A window can't have more picks than gaps of its smallest size.
    if (1 + total / gap_min <= best.length) continue;
    const picks = picksIn(ranks, { gap_min, step });
    if (picks !== null && picks.length <= max && picks.length > best.length) best = picks;
    if (best.length >= ENOUGH * max) break;
  }
  return best.length === 0 ? null : best;
}

/** The smallest gaps of the windows to try: first those that even segments fill at once. */
function* smallestGaps(ranks: Float64Array, step: number): Generator<number> {
  const gaps = ranks.slice(1).map((rank, index) => rank - ranks[index]);
  gaps.sort();
  // The median distance, and the largest, after which there always is a next candidate.
  for (const distance of [gaps[gaps.length >> 1], gaps[gaps.length - 1]]) {
    // Whole multiples of the distance: the next multiple is within twice the gap.
    const gap_min = distance * Math.max(1, Math.floor(step / distance));
    for (const part of TRIES) yield Math.floor(gap_min * (1 + part));
  }
  // A mean gap of `step` doesn't fit a window that ends below it.
  const total = ranks[ranks.length - 1] - ranks[0];
  for (let gap = step / 2; gap < total; gap = Math.max(gap + 1, gap * GROWTH)) yield Math.ceil(gap);
}

function picksIn(ranks: Float64Array, { gap_min, step }: Window): readonly number[] | null {
  const onward = reachEnd(ranks, gap_min);
  if (onward[0] === 0) return null;
  const last = ranks.length - 1;
  const picks = [0];
  for (let at = 0; at < last; ) {
    const target = ranks[0] + picks.length * step;
    let next = at;
    for (let index = at + 1; index <= last; index += 1) {
      const gap = ranks[index] - ranks[at];
      if (gap > 2 * gap_min) break;
      if (gap < gap_min || onward[index] === 0) continue;
      next = index;
      if (ranks[index] >= target) break;
    }
    picks.push(next);
    at = next;
  }
  return picks;
}

/** For each candidate 1 if allowed gaps lead from it to the last one, else 0. */
function reachEnd(ranks: Float64Array, gap_min: number): Uint8Array {
  const last = ranks.length - 1;
  const onward = new Uint8Array(ranks.length);
  onward[last] = 1;
  // Number of candidates from `near` to `far` (excluded) that lead to the last.
  let near = ranks.length;
  let far = ranks.length;
  let reaching = 0;
  for (let index = last - 1; index >= 0; index -= 1) {
    while (near > index + 1 && ranks[near - 1] - ranks[index] >= gap_min) {
      near -= 1;
      reaching += onward[near];
    }
    while (far > near && ranks[far - 1] - ranks[index] > 2 * gap_min) {
      far -= 1;
      reaching -= onward[far];
    }
    onward[index] = reaching > 0 ? 1 : 0;
  }
  return onward;
}
