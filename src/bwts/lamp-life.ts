// A lamp life: one lamp from the moment it was fitted (or first seen) to its end, with the hours
// that it burnt and how bright it was. Everything in it is plain data, so that it can be stored
// with the tracker's state and taken up again.

/** How a life began: seen first, a counter that fell, light that came back, the engineer's word. */
export type Beginning = "first_seen" | "counter_fell" | "light_returned" | "confirmed";

export type NoteCode =
  | "counter_not_reset"
  | "counter_reset_late"
  | "counter_set_back"
  | "counter_jumped"
  | "swapped"
  | "failure_cleared";

/** Something odd about a life, and what shows it. */
export interface LifeNote {
  readonly code: NoteCode;
  readonly at_ms: number;
  readonly text: string;
}

/** Where a lamp has been: position 0 to 15, since an instant. */
export interface Place {
  readonly position: number;
  readonly from_ms: number;
}

/** The median efficiency over ten hours in which the ship treated water. */
export interface LifeBin {
  /** Which ten operating hours of the ship, counted from the first reading: the same for all. */
  readonly bin: number;
  /** On the lamp at the end of the bin, hours. */
  readonly hours: number;
  /** % of a new lamp. */
  readonly efficiency: number;
}

/** Mutable: the tracker's own. */
export interface LampLife {
  began_ms: number;
  began: Beginning;
  /** On the lamp when it was first seen. */
  first_h: number;
  /** On the lamp now, operating hours. */
  hours: number;
  /** What the counter shows when the lamp has none; null while there is no counter. */
  counter_base_h: number | null;
  /** When another lamp took its place; null while it is fitted. */
  ended_ms: number | null;
  /** Since when its status is FAILED. */
  failed_ms: number | null;
  /** The engineer's. */
  serial: string | null;
  places: Place[];
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

/** Where the lamp was at an instant of its life, null outside it. */
export function placeAt(life: LampLife, at_ms: number): number | null {
  if (at_ms < life.began_ms || (life.ended_ms !== null && at_ms >= life.ended_ms)) return null;
  return life.places.findLast(({ from_ms }) => from_ms <= at_ms)?.position ?? null;
}
