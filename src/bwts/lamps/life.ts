// A lamp life: one lamp from its fitting (or first reading) to its end, with its hours and its
// brightness. It is plain data, so that it can be stored with the tracker's state.

/**
 * The beginning of a life: first reading, a counter that fell, light that returned, the engineer's
 * statement.
 */
export type Beginning = "first_seen" | "counter_fell" | "light_returned" | "confirmed";

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

/** The median efficiency over ten hours in which the ship treated water. */
export interface LifeBin {
  /**
   * Number of the ship's ten operating hours, counted from the first reading; the same for all
   * lamps.
   */
  readonly bin: number;
  /** On the lamp at the end of the bin, hours. */
  readonly hours: number;
  /** % of a new lamp. */
  readonly efficiency: number;
}

/** Mutable: owned by the tracker. */
export interface LampLife {
  began_ms: number;
  began: Beginning;
  /** On the lamp when it was first seen. */
  first_h: number;
  /** On the lamp now, operating hours. */
  hours: number;
  /** The counter's value for a new lamp; null without a counter. */
  counter_base_h: number | null;
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
