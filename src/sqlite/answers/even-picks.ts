// Picks some candidates so that they lie evenly: the first, the last, and gaps that differ by at
// most a factor of 2. Pure: candidates are ranks, which are numbers of readings.

/** The allowed gaps: from `gap_min` to twice that. */
interface Window {
  readonly gap_min: number;
  /** The intended mean gap; picks keep up with it. */
  readonly step: number;
}

/** Shares of the way to larger gaps, tried one after the other. */
const TRIES = [0, 1 / 8, 1 / 4, 1 / 2, 3 / 4, 1] as const;

/**
 * Indices into `ranks` (ascending, 2 or more), at most `max`, with the first and the last; no gap
 * between neighbours is more than twice another. Null if none were found.
 */
export function evenPicks(ranks: Float64Array, max: number): readonly number[] | null {
  const step = (ranks[ranks.length - 1] - ranks[0]) / (max - 1);
  const gaps = ranks.slice(1).map((rank, index) => rank - ranks[index]);
  gaps.sort();
  // A few larger distances hardly ever matter; with the largest there is always a next candidate.
  for (const distance of [gaps[gaps.length >> 1], gaps[gaps.length - 1]]) {
    // Whole multiples of the distance: the next multiple is within twice the gap.
    const gap_min = distance * Math.max(1, Math.floor(step / distance));
    for (const part of TRIES) {
      const picks = picksIn(ranks, { gap_min: Math.floor(gap_min * (1 + part)), step });
      if (picks !== null && picks.length <= max) return picks;
    }
  }
  return null;
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

/** 1 for each candidate from which allowed gaps lead to the last. */
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
