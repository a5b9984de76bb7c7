// Derives lamp lives from readings in order of time: the lamp that a reading concerns, its
// operating hours and its brightness. Time is counted in the ship's operating hours, because a lamp
// burns only a fraction of calendar time.

import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import type { Sight } from "../light/lamp-fields.ts";
import { endsBefore } from "../light/stretch.ts";
import { median } from "../ranks.ts";
import { bookCounters, resetLight } from "./counter.ts";
import { bookLight, closeBins } from "./light.ts";
import { bookNewestLight } from "./newest-light.ts";
import { bookPace } from "./pace.ts";
import {
  type LampLife,
  newLife,
  type PositionState,
  presentLife,
  type TrackerState,
} from "./state.ts";
import { counterUnit, inHours, unitShown, withoutOdd } from "./unit.ts";
import { type LampWord, WORD_REACH_MS } from "./word.ts";

/** Maximum time between readings in which lamps burnt on: plants send every 30 min at least. */
const APART_MAX_MS = 40 * MINUTE_MS;
/** Time without treatment after which an operation has ended. */
const OPERATION_GAP_MS = 2 * HOUR_MS;
/** Maximum number of operations kept, to measure the duty, and of cleanings. */
const OPERATIONS_MAX = 100;
const CLEANINGS_MAX = 50;
/** Fall of the counter of hours since cleaning beyond which the sleeves were cleaned. */
const CLEANING_FALL_H = 1;
/** Hours below its lamp's at which a counter was reset for another lamp. */
const RESET_FALL_H = 10;
/**
 * Applies a sight to the state; it must be later than those before. `words`: the statements in
 * force.
 */
export function bookSight(state: TrackerState, seen: Sight, words: readonly LampWord[] = []): void {
  state.first_ms ??= seen.at_ms;
  const shown = unitShown(state, seen);
  const counted = inHours(seen, shown);
  const burning_h = burningHours(state, counted);
  state.burning_h += burning_h;
  const isGap = apartHours(state, seen) * HOUR_MS > APART_MAX_MS;
  const elapsed_h = state.treating || isGap ? burning_h : 0;
  const thought = counterUnit(state);
  if (state.treating) bookPace(state, counted, elapsed_h);
  const unit = counterUnit(state);
  const compared = unit === thought ? counted : inHours(seen, unit);
  const sight = withoutOdd(compared, state);
  if (endsStretch(state, sight)) closeBins(state);
  if (unit !== null) {
    seeFirst(state, sight);
    const near = nearWords(state, sight, words);
    const before = hearWords(state, sight, near);
    bookCounters(state, sight, elapsed_h);
    bookLight(state, sight, apartHours(state, sight));
    for (const [index, { position }] of near.entries())
      undo(state.positions[position], before[index]);
  }
  bookNewestLight(state, sight, elapsed_h);
  bookShip(state, sight, elapsed_h);
  // By index: this runs for each lamp of millions of readings.
  for (let position = 0; position < sight.lamps.length; position += 1) {
    const { counter_h } = compared.lamps[position];
    if (counter_h === null) continue;
    state.positions[position].raw_h = counter_h;
    state.counted_ms = sight.at_ms;
  }
  state.treating = sight.treating;
  state.last_ms = sight.at_ms;
}

const NO_WORDS: readonly LampWord[] = [];

/** The statements near a sight: within reach on either side, or in the first operation after. */
function nearWords(
  { operations }: TrackerState,
  { at_ms: now_ms }: Sight,
  words: readonly LampWord[],
): readonly LampWord[] {
  if (words.length === 0) return NO_WORDS;
  const before = operations.findLast(({ start_ms }) => now_ms - start_ms > WORD_REACH_MS);
  const operated_ms = before?.end_ms ?? Number.NEGATIVE_INFINITY;
  return words.filter(({ at_ms }) =>
    at_ms > now_ms ? at_ms - now_ms <= WORD_REACH_MS : isReached(at_ms),
  );

  function isReached(at_ms: number): boolean {
    return now_ms - at_ms <= WORD_REACH_MS || at_ms > operated_ms;
  }
}

/** The longest possible burning time since the sight before: over a gap, by the median counter. */
function burningHours(state: TrackerState, sight: Sight): number {
  const apart_h = apartHours(state, sight);
  if (apart_h * HOUR_MS <= APART_MAX_MS) return apart_h;
  const advances = sight.lamps.flatMap(({ counter_h }, position) => {
    const { raw_h } = state.positions[position];
    return counter_h === null || raw_h === null || counter_h < raw_h ? [] : [counter_h - raw_h];
  });
  const advance_h = advances.length === 0 ? 0 : median(advances);
  return advance_h <= apart_h + 1 ? advance_h : 0;
}

function apartHours({ last_ms }: TrackerState, { at_ms }: Sight): number {
  return last_ms === null ? 0 : (at_ms - last_ms) / HOUR_MS;
}

function bookShip(state: TrackerState, sight: Sight, elapsed_h: number): void {
  state.hours += elapsed_h;
  state.stretch.hours += elapsed_h;
  const operation = state.operations.at(-1);
  const isOn = sight.treating || elapsed_h > 0;
  if (operation !== undefined && sight.at_ms - operation.end_ms <= OPERATION_GAP_MS) {
    operation.hours += elapsed_h;
    if (isOn) operation.end_ms = sight.at_ms;
  } else if (isOn)
    state.operations.push({ start_ms: sight.at_ms, end_ms: sight.at_ms, hours: elapsed_h });
  if (state.operations.length > OPERATIONS_MAX) state.operations.shift();
  const { since_cleaning_h } = sight;
  if (since_cleaning_h === null) return;
  if (isCleaned(state, sight)) {
    state.cleanings += 1;
    state.cleanings_ms.push(Math.round(sight.at_ms - since_cleaning_h * HOUR_MS));
    if (state.cleanings_ms.length > CLEANINGS_MAX) state.cleanings_ms.shift();
  }
  state.since_cleaning_h = since_cleaning_h;
}

/** True if the current stretch ends before a sight: see `endsBefore`. */
function endsStretch(state: TrackerState, sight: Sight): boolean {
  if (!sight.treating) return isCleaned(state, sight);
  const operation = state.operations.at(-1);
  return endsBefore(state.stretch, {
    power_pct: sight.setpoint_pct,
    isCleaned: isCleaned(state, sight),
    isNewOperation: operation !== undefined && sight.at_ms - operation.end_ms > OPERATION_GAP_MS,
  });
}

/** True if the counter of hours since cleaning was reset. */
function isCleaned(state: TrackerState, { since_cleaning_h }: Sight): boolean {
  if (since_cleaning_h === null) return false;
  return (state.since_cleaning_h ?? 0) - since_cleaning_h > CLEANING_FALL_H;
}

/** A lamp exists once it has a counter, or burns with a known efficiency. */
function seeFirst(state: TrackerState, sight: Sight): void {
  for (let position = 0; position < sight.lamps.length; position += 1) {
    const at = state.positions[position];
    if (presentLife(at) !== null) continue;
    const { counter_h, efficiency_pct, burning } = sight.lamps[position];
    if (counter_h === null && !(burning === "lit" && efficiency_pct !== null)) continue;
    const counter_base_h = counter_h === null ? null : 0;
    const hours = counter_h ?? 0;
    const life = newLife(sight.at_ms, { began: "first_seen", hours, counter_base_h, position });
    at.lives.push(counter_h === null ? { ...life, isUncounted: true } : life);
    const { burning_h } = state;
    at.counter = counter_h === null ? null : { value_h: counter_h, burning_h, isFirst: true };
  }
}

/** Fits the lamps of the statements; returns their positions' lamps, which nothing may replace. */
function hearWords(
  state: TrackerState,
  sight: Sight,
  near: readonly LampWord[],
): readonly (LampLife | null)[] {
  for (const word of near)
    if (word.replaced && sight.at_ms >= word.at_ms && (state.last_ms ?? 0) < word.at_ms)
      fitAsSaid(state, word, sight);
  return near.map(({ position }) => presentLife(state.positions[position]));
}

function fitAsSaid(state: TrackerState, word: LampWord, sight: Sight): void {
  const at = state.positions[word.position];
  const counter_h = sight.lamps[word.position].counter_h;
  const life = presentLife(at);
  // A lamp first seen at the stated time or later is the stated one.
  const isSeen = life !== null && life.began_ms >= word.at_ms;
  if (isSeen) at.lives.pop();
  else if (life !== null) life.ended_ms = word.at_ms;
  // A counter that has fallen already belongs to the new lamp.
  const stood_h = at.counter?.stood_h ?? 0;
  const reset_h = life === null ? 0 : life.hours - stood_h - RESET_FALL_H;
  const fell = counter_h !== null && counter_h < reset_h;
  const hours = fittedHours(word, { counter_h, fell, isSeen, at_ms: sight.at_ms });
  const { position, serial } = word;
  const counter_base_h = counter_h === null ? null : counter_h - hours;
  at.lives.push(
    newLife(word.at_ms, { began: "confirmed", hours, counter_base_h, position, serial }),
  );
  resetLight(at);
  at.counter = counter_h === null ? null : { value_h: counter_h, burning_h: state.burning_h };
  at.broken = null;
}

/** The hours of a lamp fitted by a statement: those stated, or its counter's if it was reset. */
function fittedHours(
  { at_ms: fitted_ms, hours: said_h }: LampWord,
  seen: { counter_h: number | null; fell: boolean; isSeen: boolean; at_ms: number },
): number {
  const { counter_h, fell, isSeen, at_ms } = seen;
  if (counter_h === null) return said_h ?? 0;
  if (!isSeen) return said_h ?? (fell ? counter_h : 0);
  // A lamp that was first seen after it was fitted has burnt for the time between at the most.
  const burnt_h = counter_h - (said_h ?? 0);
  const isReset = burnt_h >= 0 && burnt_h <= (at_ms - fitted_ms) / HOUR_MS + RESET_FALL_H;
  return isReset ? counter_h : (said_h ?? 0);
}

/** Undoes a recognised replacement that the engineer's statement denies. */
function undo(at: PositionState, life: LampLife | null): void {
  if (life === null || presentLife(at) === life) return;
  const kept = at.lives.lastIndexOf(life);
  if (kept === -1) return;
  at.lives.length = kept + 1;
  life.ended_ms = null;
  const { counter } = at;
  if (counter !== null) life.counter_base_h = counter.value_h - life.hours;
  resetLight(at);
}
