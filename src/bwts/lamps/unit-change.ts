// Corrects lives when the counters' unit turns out to have changed some hours before: each life
// goes on from its hours when the counters last kept pace with the clock, and what was derived
// since is dropped.

import type { Sight } from "../light/lamp-fields.ts";
import { addNote, hours } from "./counter.ts";
import {
  type LampLife,
  newLife,
  newPosition,
  type PositionState,
  type ProvenHours,
  presentLife,
  type TrackerState,
} from "./state.ts";
import { counterUnit, OFF_WINDOWS } from "./unit.ts";

/** Hours below its lamp's at which a counter is another lamp's, or was set back. */
const FALL_H = 10;
/** Tolerance of a continuing counter, below its lamp's hours and above the maximum. */
const SLACK_H = 2;

/** A life with its newest proven hours, and its counter now. */
interface ProvenLife {
  readonly life: LampLife;
  readonly proven: ProvenHours;
  readonly counter_h: number | null;
  /** Hours since then by the counter; null if they aren't known. */
  readonly passed_h: number | null;
}

/** Stores the lamps' hours as proven; hours of odd counters continue by the clock. */
export function proveHours({ positions, hours: ship_h }: TrackerState, at_ms: number): void {
  for (const at of positions) {
    const life = presentLife(at);
    if (life === null) continue;
    const isOdd = (at.off_windows ?? 0) > 0 && (at.off_windows ?? 0) < OFF_WINDOWS;
    if (!isOdd) life.proven = { at_ms, hours: life.hours, base_h: life.counter_base_h, ship_h };
    else if (life.proven !== undefined)
      life.proven = { at_ms, hours: clockHours(life.proven, ship_h), base_h: null, ship_h };
  }
}

const clockHours = ({ hours, ship_h }: ProvenHours, now_h: number) => hours + now_h - ship_h;

/**
 * Stops the use of a single counter that is out of the clock's pace, and undoes a new lamp that it
 * seemed to show. Hours continue by the clock: from the proven ones, else from the `part` of the
 * counter that is hours (null: not known).
 */
export function setAside(
  state: TrackerState,
  at: PositionState,
  { at_ms, part }: { readonly at_ms: number; readonly part: number | null },
): void {
  const [before, last] = at.lives.slice(-2);
  const isSame = last?.began === "counter_fell" && last.proven === undefined && before.proven;
  if (isSame) at.lives.pop();
  const life = at.lives.at(-1);
  if (life === undefined || (life.ended_ms !== null && !isSame)) return;
  if (life.proven !== undefined) life.hours = clockHours(life.proven, state.hours);
  else if (part !== null) {
    life.hours = (at.raw_h ?? 0) * part;
    life.first_h = Math.min(life.hours, life.first_h * part);
  }
  life.ended_ms = null;
  life.counter_base_h = null;
  at.counter = null;
  at.broken = null;
  const text =
    "the counter is out of the clock's pace, unlike others; hours are counted without it";
  addNote(life, "counter_jumped", at_ms, text);
}

/**
 * Recomputes lives by counters in the detected unit. A counter that fell belongs to another lamp if
 * any lamp's counter continues; otherwise the PLC reset all of them.
 */
export function recomputeLives(state: TrackerState, sight: Sight): void {
  const proven_ms = Math.max(...state.positions.flatMap(provenTimes));
  const known = state.positions.map((at, position) =>
    knownLife(at, proven_ms, sight.lamps[position].counter_h),
  );
  const isUnitKnown = counterUnit(state) !== null;
  const areSetBack = !known.some((one) => one !== null && goesOn(one, state.hours));
  state.positions = state.positions.map((at, position) => {
    const one = known[position];
    const past = at.lives.filter(({ ended_ms }) => ended_ms !== null && ended_ms <= proven_ms);
    if (one === null) return { ...newPosition(), lives: past };
    const fell = isUnitKnown && one.passed_h !== null && one.passed_h < -FALL_H;
    if (fell && (!areSetBack || one.life.ended_ms !== null))
      return withOther(state, at, { ...one, position });
    if (fell) noteFall(one, sight.at_ms);
    return withSame(state, at, one);
  });
}

const provenTimes = ({ lives }: PositionState) =>
  lives.flatMap(({ proven }) => proven?.at_ms ?? []);

function knownLife(
  { lives }: PositionState,
  proven_ms: number,
  counter_h: number | null,
): ProvenLife | null {
  const life = lives.findLast(({ proven }) => proven?.at_ms === proven_ms);
  if (life?.proven === undefined) return null;
  const { proven } = life;
  const { base_h } = proven;
  const passed_h = counter_h === null || base_h === null ? null : counter_h - base_h - proven.hours;
  return { life, proven, counter_h, passed_h };
}

function goesOn({ proven, passed_h }: ProvenLife, ship_h: number): boolean {
  const most_h = ship_h - proven.ship_h + SLACK_H;
  return passed_h !== null && passed_h >= -SLACK_H && passed_h <= most_h;
}

function noteFall({ life, proven, counter_h }: ProvenLife, at_ms: number): void {
  const fall = `from ${hours(proven.hours + (proven.base_h ?? 0))} to ${hours(counter_h ?? 0)}`;
  const text = `the counter fell ${fall} with all others as their unit changed`;
  addNote(life, "counter_set_back", at_ms, `${text}; hours are counted on`);
}

/** The state of a position whose lamp burnt on. */
function withSame(
  state: TrackerState,
  at: PositionState,
  { life, proven }: ProvenLife,
): PositionState {
  life.hours = proven.hours + (life.failed_ms === null ? state.hours - proven.ship_h : 0);
  life.counter_base_h = null;
  life.ended_ms = null;
  const anew = {
    off_windows: 0,
    counter: null,
    broken: null,
    raw_h: null,
    comparing: null,
    verifying: null,
  };
  return { ...at, ...anew, lives: at.lives.slice(0, at.lives.indexOf(life) + 1) };
}

/** The state of a position with another lamp since it was recognised, or since the last start. */
function withOther(
  { hours: ship_h, operations }: TrackerState,
  { lives }: PositionState,
  { life, proven, counter_h, position }: ProvenLife & { readonly position: number },
): PositionState {
  const next = lives.at(-1);
  const said = next?.began === "confirmed" && next !== life ? next : null;
  const began_ms = life.ended_ms ?? Math.max(proven.at_ms, operations.at(-1)?.start_ms ?? 0);
  life.hours = proven.hours;
  life.ended_ms = began_ms;
  const other = newLife(began_ms, {
    began: said === null ? "counter_fell" : "confirmed",
    hours: said === null ? (counter_h ?? 0) : said.first_h + ship_h - proven.ship_h,
    ...{ counter_base_h: null, position, serial: said?.serial },
  });
  return { ...newPosition(), lives: [...lives.slice(0, lives.indexOf(life) + 1), other] };
}
