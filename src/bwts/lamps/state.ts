// Lamp lives, and the state of the tracker between two readings: plain data, stored as JSON, so
// that a run continues where the one before ended. A life is one lamp from its fitting (or first
// reading) to its end, with its hours and its brightness.

import { newStretch, type OpenStretch, type OperatingStretch } from "../light/stretch.ts";
import { LAMP_COUNT } from "../tags.ts";

/**
 * The beginning of a life: first reading, a counter that fell, light that returned, the engineer's
 * statement.
 */
export const BEGINNINGS = ["first_seen", "counter_fell", "light_returned", "confirmed"] as const;
export type Beginning = (typeof BEGINNINGS)[number];

export type NoteCode =
  | "counter_not_reset"
  | "counter_reset_late"
  | "counter_set_back"
  | "counter_jumped"
  | "swapped"
  | "failure_cleared";

/** An oddity of a life, with its evidence. */
export interface LifeNote {
  readonly code: NoteCode;
  readonly at_ms: number;
  readonly text: string;
}

/** The position of a lamp, 0 to 15, since an instant. */
export interface LampPlace {
  readonly position: number;
  readonly from_ms: number;
}

/** The median efficiency over a stretch of operating time. */
export interface LifeBin {
  /** Number of the ship's stretch, counted from the first reading; the same for all lamps. */
  readonly bin: number;
  /** Hours of the lamp in the middle of the stretch. */
  readonly hours: number;
  /** Median output, in % of a new lamp. */
  readonly efficiency: number;
  /** Its power as a share of the others': a ballast ages too. */
  readonly supply: number;
  /** Time of its newest reading. */
  readonly to_ms: number;
}

/** Hours of a lamp and of the ship at a time when the counters' unit was proven. */
export interface ProvenHours {
  readonly at_ms: number;
  readonly hours: number;
  readonly base_h: number | null;
  readonly ship_h: number;
}

/** The newest efficiency above 0 that was sent while the lamp wasn't known to be unlit. */
export interface NewestLight {
  pct: number;
  at_ms: number;
  /** Hours since then in which water was treated. */
  hours_ago: number;
}

/** The life of one lamp; mutable, owned by the tracker. */
export interface LampLife {
  began_ms: number;
  began: Beginning;
  /** Hours of the lamp when it was first seen. */
  first_h: number;
  /** Operating hours of the lamp now. */
  hours: number;
  /** Its hours when the counters last kept pace with the clock. */
  proven?: ProvenHours;
  /** The counter's value when the lamp was new; null without a counter. */
  counter_base_h: number | null;
  /** True until its first counter, if it was first seen without one. */
  isUncounted?: boolean;
  /** Its newest light; without one it was never seen to burn. */
  light?: NewestLight;
  /** Time at which another lamp replaced it; null while it is fitted. */
  ended_ms: number | null;
  /** Time since which its status is FAILED. */
  failed_ms: number | null;
  /** Serial number from the engineer. */
  serial: string | null;
  places: LampPlace[];
  notes: LifeNote[];
  bins: LifeBin[];
}

export function newLife(
  at_ms: number,
  life: {
    readonly began: Beginning;
    readonly hours: number;
    readonly counter_base_h: number | null;
    readonly position: number;
    readonly serial?: string | null;
  },
): LampLife {
  const { began, hours, counter_base_h, position, serial = null } = life;
  return {
    began_ms: at_ms,
    began,
    first_h: hours,
    hours,
    counter_base_h,
    ended_ms: null,
    failed_ms: null,
    serial,
    places: [{ position, from_ms: at_ms }],
    notes: [],
    bins: [],
  };
}

/** The lamp's position at an instant of its life, null outside it. */
export function placeAt(life: LampLife, at_ms: number): number | null {
  if (at_ms < life.began_ms || (life.ended_ms !== null && at_ms >= life.ended_ms)) return null;
  return life.places.findLast(({ from_ms }) => from_ms <= at_ms)?.position ?? null;
}

/**
 * Version of the tracker, raised if it would derive other lives. They are then recomputed from the
 * remaining raw readings, onwards from the last state whose readings have expired.
 */
export const TRACKER_VERSION = 5;

/** A counter's value, and `burning_h` at its reading. */
export interface CounterMark {
  value_h: number;
  burning_h: number;
  /** Hours that the lamp burnt since the counter reached that value. */
  stood_h?: number;
  /** True while the counter shows the first value of its lamp's record. */
  isFirst?: boolean;
}

/** A counter that doesn't continue the one before; it counts once the next reading agrees. */
export interface CounterBreak {
  /** Time of the first odd value. */
  readonly since_ms: number;
  last: CounterMark;
}

/** Light after an interruption, to be compared with the light before it. */
export interface Comparison {
  /** % of a new lamp at full power: the median before, and values after. */
  readonly before: number;
  values: number[];
  /** True if the lamp had failed. */
  readonly failed: boolean;
  readonly since_ms: number;
  readonly counter_h: number | null;
}

/** Light after a counter fell, to be compared with the light before. */
export interface LightCheck {
  readonly before: number;
  values: number[];
  isOneOfMany?: boolean;
  /** The output sent when the counter fell; the same figure again is no new measurement. */
  readonly figure?: number;
}

/** The state of one position. */
export interface PositionState {
  /** In order; the last is the one fitted, if it hasn't ended. */
  lives: LampLife[];
  counter: CounterMark | null;
  broken: CounterBreak | null;
  /** Windows in a row in which its counter alone was out of the clock's pace. */
  off_windows?: number;
  /** The newest counter, in hours. */
  raw_h: number | null;
  burning: "lit" | "dark" | "failed" | null;
  /** Time since which its status is FAILED without interruption. */
  failing: { since_ms: number; readings: number } | null;
  /** Hours since it was lit; it is steady after the warm-up. */
  lit_h: number;
  dark_ms: number | null;
  /** The newest steady efficiencies. */
  recent: number[];
  comparing: Comparison | null;
  /** After a counter fell: the evidence whether the light is another lamp's. */
  verifying: LightCheck | null;
  /** Its power as a share of the others', smoothed. */
  supply: number;
  /** Its newest efficiency, and the ship's operating hours when that last changed. */
  figure?: { pct: number; moved_h: number };
  /** Steady efficiencies of the current stretch. */
  bin: number[];
}

/** A stretch of time in which water was treated. */
export interface ShipOperation {
  readonly start_ms: number;
  end_ms: number;
  hours: number;
}

/** Counters compared with the clock, over half an hour of operation. */
export interface PaceWindow {
  hours: number;
  advance_h: number[];
}

export interface TrackerState {
  first_ms: number | null;
  last_ms: number | null;
  treating: boolean;
  /** Longest possible burning time so far: by the clock, over gaps by the median counter. */
  burning_h: number;
  /** Operating hours of the ship since the first reading. */
  hours: number;
  operations: ShipOperation[];
  setpoint_pct: number | null;
  /** The lamps' usual power (W) when it was first sent. */
  first_power_w: number | null;
  since_cleaning_h: number | null;
  /** Times of the sleeves' cleanings, newest last, and the number of all. */
  cleanings_ms: number[];
  cleanings: number;
  /** The conditions that all lamps shared, by number of the stretch. */
  stretches: OperatingStretch[];
  stretch: OpenStretch;
  /** Share of the newest readings in which all lamps that burn have the same figure, smoothed. */
  alike?: number;
  pace: PaceWindow;
  /** The newest windows: the clock's hours, and the counters' as sent. */
  paces: { readonly hours: number; readonly advance_h: number }[];
  /** True if the counters aren't in hours. Their unit is set and read by unit.ts. */
  counters_fast: boolean;
  /** Divisor of the counters: 1, or a plain factor by which they outrun the clock. */
  counter_factor: number;
  /** Time of the newest reading with a counter. */
  counted_ms: number | null;
  /** A new factor in the newest counters, used if the next ones show it too. */
  unit_seen: number | null;
  positions: PositionState[];
}

export function newPace(): PaceWindow {
  return { hours: 0, advance_h: Array.from({ length: LAMP_COUNT }, () => 0) };
}

export function newState(): TrackerState {
  return {
    first_ms: null,
    last_ms: null,
    treating: false,
    burning_h: 0,
    hours: 0,
    operations: [],
    setpoint_pct: null,
    first_power_w: null,
    since_cleaning_h: null,
    cleanings_ms: [],
    cleanings: 0,
    stretches: [],
    stretch: newStretch(),
    pace: newPace(),
    paces: [],
    counters_fast: false,
    counter_factor: 1,
    counted_ms: null,
    unit_seen: null,
    positions: Array.from({ length: LAMP_COUNT }, newPosition),
  };
}

export function newPosition(): PositionState {
  return {
    lives: [],
    counter: null,
    broken: null,
    off_windows: 0,
    raw_h: null,
    burning: null,
    failing: null,
    lit_h: 0,
    dark_ms: null,
    recent: [],
    comparing: null,
    verifying: null,
    supply: 1,
    bin: [],
  };
}

/** The fitted lamp; null if none was ever seen. */
export function presentLife({ lives }: PositionState): LampLife | null {
  if (lives.length === 0) return null;
  const last = lives[lives.length - 1];
  return last.ended_ms === null ? last : null;
}
