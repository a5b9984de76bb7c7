// Interprets the lamps' hour counters: a counter that falls means another lamp, exchanged counters
// mean exchanged lamps, and a counter may jump. A break counts only if the next reading confirms
// it, so that a single odd value doesn't start a lamp's life.

import { HOUR_MS } from "../../ground/clock.ts";
import type { Sight } from "../light/lamp-fields.ts";
import { median } from "../ranks.ts";
import { markFallen, setBack } from "./set-back.ts";
import {
  type CounterMark,
  type LampLife,
  type NoteCode,
  newLife,
  type PositionState,
  presentLife,
  type TrackerState,
} from "./state.ts";

/** Tolerance of comparisons: counters may show whole hours, and clocks are set. */
const SLACK_H = 2;
/** Share of the elapsed time by which a counter may run ahead of the clock. */
const SLACK_SHARE = 0.1;
/** Steps in which some counters advance. */
const STEPS_H = [10, 100];
/** Minimum hours of a counter that came from another position; lower ones are of new lamps. */
const MOVED_MIN_H = 20;
/** Maximum burning hours between a lamp's replacement and the reset of its counter. */
const LATE_RESET_MAX_H = 300;
/** Maximum hours until a fallen counter returns to its old value, without another lamp. */
export const FALLEN_MAX_H = 6;

/** Maximum hours missed while a counter was wrong, if it falls back to its lamp's own hours. */
const MISSED_MAX_H = 48;
const OWN_SLACK_H = 1;

interface Confirmed {
  readonly position: number;
  readonly before: CounterMark;
  readonly after: CounterMark;
  readonly first_ms: number;
  readonly life: LampLife;
}

/** Applies the counters of a sight; `elapsed_h`: the ship's operating time since the last one. */
export function bookCounters(state: TrackerState, sight: Sight, elapsed_h: number): void {
  const { burning_h } = state;
  const confirmed: Confirmed[] = [];
  for (let position = 0; position < sight.lamps.length; position += 1) {
    const { counter_h } = sight.lamps[position];
    const at = state.positions[position];
    const life = presentLife(at);
    if (life === null) continue;
    if (counter_h === null) {
      if (at.burning === "lit") life.hours += elapsed_h;
      continue;
    }
    if (at.counter === null || life.counter_base_h === null) {
      if (tellsFirst(life, at.counter, sight.at_ms)) beginAt(life, counter_h);
      life.counter_base_h = counter_h - life.hours;
      at.counter = { value_h: counter_h, burning_h };
    } else if (goesOn(at.counter, counter_h, burning_h)) {
      const lit_h = at.burning === "lit" ? elapsed_h : 0;
      bookValue(life, at.counter, { counter_h, burning_h, lit_h });
      at.broken = null;
      // Taken from the second counter in a row: a single odd value would stay for ever.
      if (life.isUncounted === true && counter_h > life.hours) beginAt(life, counter_h);
    } else {
      const mark = { value_h: counter_h, burning_h };
      const since_ms = agreedBreak(at, mark, sight.at_ms);
      if (since_ms !== null)
        confirmed.push({ position, before: at.counter, after: mark, first_ms: since_ms, life });
    }
  }
  if (confirmed.length > 0) settleBreaks(state, confirmed);
}

/** Sets a life's hours from its counter, plus hours that the lamp burns while it stands still. */
function bookValue(
  life: LampLife,
  mark: CounterMark,
  now: { readonly counter_h: number; readonly burning_h: number; readonly lit_h: number },
): void {
  if (now.counter_h === mark.value_h) {
    mark.stood_h = (mark.stood_h ?? 0) + now.lit_h;
    life.hours += now.lit_h;
  } else {
    mark.stood_h = 0;
    mark.isFirst = false;
    life.hours = Math.max(0, now.counter_h - (life.counter_base_h ?? 0));
  }
  mark.value_h = now.counter_h;
  mark.burning_h = now.burning_h;
}

/** The time of the odd reading before if this one confirms another counter, else null. */
function agreedBreak(at: PositionState, mark: CounterMark, at_ms: number): number | null {
  const { broken } = at;
  if (broken === null || !continues(broken.last, mark.value_h, mark.burning_h)) {
    at.broken = { since_ms: at_ms, last: mark };
    return null;
  }
  at.broken = null;
  return broken.since_ms;
}

/** True if a counter continues its last value, perhaps late or in steps. */
function goesOn(before: CounterMark, value_h: number, burning_h: number): boolean {
  if (continues(before, value_h, burning_h)) return true;
  const late = { ...before, burning_h: before.burning_h - (before.stood_h ?? 0) };
  return continues(late, value_h, burning_h) || isStep(before.value_h, value_h);
}

/** True for a step of 10 or 100 h of counters that show only such steps; it may come early. */
function isStep(before_h: number, after_h: number): boolean {
  return STEPS_H.some((step_h) => after_h - before_h === step_h && after_h % step_h === 0);
}

function continues(before: CounterMark, value_h: number, burning_h: number): boolean {
  const burnt_h = burning_h - before.burning_h;
  const advance_h = value_h - before.value_h;
  return advance_h >= -SLACK_H && advance_h <= burnt_h * (1 + SLACK_SHARE) + SLACK_H;
}

function settleBreaks(state: TrackerState, changed: readonly Confirmed[]): void {
  const back = setBack(changed, state.positions);
  const confirmed = changed.filter((one) => !back.includes(one));
  const moves = movesAmong(confirmed);
  const gone = new Set(moves.values());
  // Lamps are removed from all their positions before any is put into a new one.
  for (const { position, life, first_ms } of confirmed) {
    const at = state.positions[position];
    if (gone.has(position)) at.lives.pop();
    else if (moves.has(position)) life.ended_ms = first_ms;
  }
  for (const one of confirmed) {
    const at = state.positions[one.position];
    const from = moves.get(one.position);
    const source = confirmed.find(({ position }) => position === from);
    if (source !== undefined) moveIn(at, one, source);
    else if (gone.has(one.position)) fitNew(at, one);
    else if (one.after.value_h < one.before.value_h) counterFell(at, one);
    else if (tellsFirst(one.life, one.before, one.first_ms)) beginAt(one.life, one.after.value_h);
    else if (!cameBack(at, one)) counterJumped(one);
    at.counter = one.after;
  }
  markFallen(confirmed, state.positions);
  for (const { position, life, before, after, first_ms } of back) {
    const fell = `the counter fell from ${hours(before.value_h)} to ${hours(after.value_h)}`;
    addNote(life, "counter_set_back", first_ms, `${fell}, as most did; hours are counted on`);
    life.counter_base_h = after.value_h - life.hours;
    state.positions[position].counter = after;
  }
}

/** The positions with a lamp from another one, by the counters, each with the former position. */
function movesAmong(confirmed: readonly Confirmed[]): ReadonlyMap<number, number> {
  const moves = new Map<number, number>();
  const pairs = confirmed.flatMap((to) =>
    confirmed
      .filter((from) => from !== to && isSame(from.before, to.after))
      .map((from) => ({ to, from, apart_h: Math.abs(to.after.value_h - from.before.value_h) })),
  );
  for (const { to, from } of pairs.sort((one, other) => one.apart_h - other.apart_h))
    if (!moves.has(to.position) && ![...moves.values()].includes(from.position))
      moves.set(to.position, from.position);
  return moves;
}

/** True if the counter `before` may have become the other; one below 20 h is of a new lamp. */
function isSame(before: CounterMark, { value_h, burning_h }: CounterMark): boolean {
  return value_h >= MOVED_MIN_H && continues(before, value_h, burning_h);
}

function moveIn(
  at: PositionState,
  { position, after, first_ms }: Confirmed,
  from: Confirmed,
): void {
  const { life } = from;
  life.places.push({ position, from_ms: first_ms });
  life.hours = after.value_h - (life.counter_base_h ?? 0);
  const before = `lamp ${from.position + 1}`;
  const text = `its counter, ${hours(from.before.value_h)}, moved here from ${before}`;
  addNote(life, "swapped", first_ms, text);
  at.lives.push(life);
  resetLight(at);
}

function counterFell(at: PositionState, one: Confirmed): void {
  const { life, before, after, first_ms } = one;
  const text = `the counter fell from ${hours(before.value_h)} to ${hours(after.value_h)}`;
  if (isResetLate(life)) {
    life.counter_base_h = after.value_h - life.hours;
    addNote(life, "counter_reset_late", first_ms, `${text} after the lamp was replaced`);
    return;
  }
  const missed_h = after.value_h - life.hours;
  if (life.counter_base_h !== null && life.counter_base_h !== 0 && isOwn(missed_h)) {
    life.counter_base_h = 0;
    life.hours = after.value_h;
    addNote(life, "counter_set_back", first_ms, `${text}, the lamp's own hours`);
    return;
  }
  life.ended_ms = first_ms;
  fitNew(at, one);
}

/** True if the lamp was fitted within the last 300 h, and its counter wasn't reset then. */
function isResetLate({ began, hours: now_h, first_h, counter_base_h }: LampLife): boolean {
  return (
    (began === "light_returned" || began === "confirmed") &&
    (counter_base_h ?? 0) > SLACK_H &&
    now_h - first_h <= LATE_RESET_MAX_H
  );
}

/** True if a counter that fell shows its lamp's own hours, `missed_h` more than were counted. */
function isOwn(missed_h: number): boolean {
  return missed_h >= -OWN_SLACK_H && missed_h <= MISSED_MAX_H;
}

function fitNew(at: PositionState, { position, after, first_ms, life }: Confirmed): void {
  const hasFailed = life.failed_ms !== null;
  const light = at.recent.length > 0 ? median(at.recent) : null;
  at.lives.push(
    newLife(first_ms, {
      began: "counter_fell",
      hours: after.value_h,
      counter_base_h: 0,
      position,
    }),
  );
  resetLight(at);
  if (!hasFailed && light !== null)
    at.verifying = { before: light, values: [], figure: at.figure?.pct };
}

/** Undoes a replacement if its counter returns: a PLC that starts sends zeros. True if it did. */
function cameBack(at: PositionState, { life, after, first_ms }: Confirmed): boolean {
  const before = at.lives.at(-2);
  const fallen_h = life.hours - life.first_h;
  if (life.began !== "counter_fell" || before?.ended_ms !== life.began_ms) return false;
  const base_h = before.counter_base_h ?? 0;
  const mark = { value_h: base_h + before.hours, burning_h: 0 };
  const since_h = (first_ms - life.began_ms) / HOUR_MS;
  const burnt_h = Math.max(fallen_h, Math.min(since_h, FALLEN_MAX_H));
  if (fallen_h > FALLEN_MAX_H || !continues(mark, after.value_h, burnt_h)) return false;
  at.lives.pop();
  before.ended_ms = null;
  before.hours = after.value_h - base_h;
  resetLight(at);
  const fell = `the counter fell to ${hours(life.first_h)}`;
  const text = `${fell}, and came back to ${hours(after.value_h)}`;
  addNote(before, "counter_set_back", life.began_ms, text);
  return true;
}

/** True if a counter gives a newly seen lamp's age: a PLC that starts sends zeros or none. */
function tellsFirst(life: LampLife, mark: CounterMark | null, at_ms: number): boolean {
  const isEarly = at_ms - life.began_ms <= FALLEN_MAX_H * HOUR_MS;
  const isUntold = mark === null ? life.isUncounted === true : mark.isFirst === true;
  return life.began === "first_seen" && isEarly && isUntold;
}

function beginAt(life: LampLife, counter_h: number): void {
  const missed_h = counter_h - life.hours;
  life.isUncounted = false;
  life.first_h += missed_h;
  life.hours = counter_h;
  life.bins = life.bins.map((bin) => ({ ...bin, hours: bin.hours + missed_h }));
  life.counter_base_h = 0;
}

function counterJumped({ life, before, after, first_ms }: Confirmed): void {
  const text =
    `the counter went from ${hours(before.value_h)} to ${hours(after.value_h)}, more than the ` +
    "clock allows; hours are counted on from before";
  life.counter_base_h = after.value_h - life.hours;
  addNote(life, "counter_jumped", first_ms, text);
}

/** Maximum number of notes of a life: a PLC that jumps daily says nothing new after these. */
const NOTES_MAX = 20;

export function addNote(life: LampLife, code: NoteCode, at_ms: number, text: string): void {
  if (life.notes.length < NOTES_MAX) life.notes.push({ code, at_ms, text });
}

/** Forgets a position's light, because another lamp's isn't compared with it. */
export function resetLight(at: PositionState): void {
  at.recent = [];
  at.comparing = null;
  at.verifying = null;
  at.failing = null;
  at.bin = [];
  at.supply = 1;
}

export function hours(value_h: number): string {
  return `${Math.round(value_h * 10) / 10} h`;
}
