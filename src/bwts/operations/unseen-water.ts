// Water that the totalisers tell and no reading does: it moved while none came, or while those that
// came told neither flow nor rest. Of each totaliser the last value before such a time is compared
// with several after it, less what the flow explains: a PLC that starts again may first tell 0, an
// old value, or none. Pure.

import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import type { Value } from "../reading.ts";
import { certifiedVolume, movingVolume } from "./moving-volume.ts";
import type { MovingLimit } from "./rising.ts";
import { RISE_FACTOR } from "./rules.ts";

/** Water moved between these two readings, and nobody saw how it was treated. */
export interface UnseenWater {
  /** The last reading before that told the totaliser. */
  readonly from_ms: number;
  /** The first one after the blind time. */
  readonly to_ms: number;
}

/** One reading, as far as it tells of water. */
export interface WaterReading {
  readonly at_ms: number;
  /** Since the reading before; 0 for the first. */
  readonly passed_ms: number;
  /** True if that was a silence, or the reading before told nothing of water. */
  readonly isBlind: boolean;
  /** True if the plant rested before it. */
  readonly wasAtRest: boolean;
  /** The flow in m3/h since the reading before, where water was treated or bypassed; else 0. */
  readonly seen_m3_h: number;
}

/** So many values after a blind time are compared with the one before it. */
const SETTLING = 10;
/** They settle within that time, and the value before may be as old. */
const SETTLED_MS = 6 * HOUR_MS;
/** A longer blind time is of neither side of it; after a rest it is SETTLED_MS. */
const BLIND_MAX_MS = 24 * HOUR_MS;
/** Water between two readings of the usual cadence, as an operation begins or ends. */
const EDGE_MS = MINUTE_MS;
/** Share by which flow and totaliser may differ. */
const METERS_DIFFER = 0.1;

interface TotalTold {
  readonly value: number;
  readonly at_ms: number;
  readonly seen_m3: number;
  readonly blind_ms: number;
}

/** A totaliser since the last blind time, until it is settled. */
interface SettlingTotal {
  readonly before: TotalTold;
  readonly to_ms: number;
  left: number;
}

/** Follows the totalisers from reading to reading, and lists the water that nobody saw. */
export function unseenWater(limits: MovingLimit) {
  const found: UnseenWater[] = [];
  return [openTotalisers(limits, (water) => found.push(water)), found] as const;
}

function openTotalisers(limits: MovingLimit, found: (water: UnseenWater) => void) {
  const lasts: (TotalTold | null)[] = [];
  const settlings: (SettlingTotal | null)[] = [];
  let [seen_m3, blind_ms] = [0, 0];
  /** First reading after the last blind time. */
  let seeing_ms = 0;
  return {
    /** Takes a reading with its totalisers, in the order of TOTALISER_FIELDS. */
    take(reading: WaterReading, totalisers: readonly ((index: number) => Value)[], index: number) {
      const { at_ms, passed_ms, isBlind, wasAtRest } = reading;
      const longest_ms = wasAtRest ? SETTLED_MS : BLIND_MAX_MS;
      if (isBlind) {
        blind_ms += passed_ms;
        seeing_ms = at_ms;
      } else seen_m3 += certifiedVolume(reading.seen_m3_h, passed_ms);
      for (const [place, told] of totalisers.entries()) {
        const value = told(index);
        const before = lasts[place] ?? null;
        const isLost = before !== null && seenTime(before, at_ms) > SETTLED_MS;
        if (isLost) [lasts[place], settlings[place]] = [null, null];
        if (typeof value !== "number") continue;
        const now: TotalTold = { value, at_ms, seen_m3, blind_ms };
        if (before !== null && !isLost && blind_ms > before.blind_ms)
          settlings[place] =
            blind_ms - before.blind_ms > longest_ms
              ? null
              : { before: settlings[place]?.before ?? before, to_ms: seeing_ms, left: SETTLING };
        settle(place, now);
        lasts[place] = now;
      }
    },
    /** False while nothing is known of before, or a value to come may tell of water before it. */
    isSure: () => lasts.some((one) => one !== null) && settlings.every((one) => one === null),
  };

  /** Time since a value, but for the blind one. */
  function seenTime(before: TotalTold, at_ms: number): number {
    return at_ms - before.at_ms - (blind_ms - before.blind_ms);
  }

  function settle(place: number, now: TotalTold): void {
    const settling = settlings[place] ?? null;
    if (settling === null) return;
    const { before, to_ms } = settling;
    const unseen_m3 = unseenBetween(before, now, limits);
    settling.left -= 1;
    const isOver = settling.left === 0 || now.at_ms - to_ms > SETTLED_MS;
    // Neither as before nor higher by what a plant can give: it was set back, or is another one.
    const isOther = unseen_m3 === null && isOver;
    if (isOther || (unseen_m3 !== null && unseen_m3 > 0)) {
      found({ from_ms: before.at_ms, to_ms });
      settlings[place] = null;
    } else if (isOver) settlings[place] = null;
  }
}

/** Water in m3 beyond what may have been seen; null if the totaliser doesn't tell. */
function unseenBetween(
  before: TotalTold,
  now: TotalTold,
  { flow_max_imo }: MovingLimit,
): number | null {
  const rise_m3 = now.value - before.value;
  const seen_m3 = now.seen_m3 - before.seen_m3;
  const time_ms = now.blind_ms - before.blind_ms;
  const most_m3 =
    RISE_FACTOR * certifiedVolume(flow_max_imo, time_ms) + seen_m3 * (1 + METERS_DIFFER);
  if (rise_m3 < 0 || rise_m3 > most_m3) return null;
  const least_m3 = Math.max(
    movingVolume(flow_max_imo, Math.min(time_ms, HOUR_MS)),
    certifiedVolume(flow_max_imo, EDGE_MS),
  );
  const unseen_m3 = rise_m3 - seen_m3 * (1 + METERS_DIFFER) - least_m3;
  return Math.max(0, unseen_m3);
}
