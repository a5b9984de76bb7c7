// Voids made and undone step by step, each step a transaction of its own: between two of them
// messages are committed. One that a process before has left under way is ended first.

import type { Act } from "../bwts/audit.ts";
import type { BegunVoid, NewVoid, VoidOutcome, VoidWrites } from "./void-writes.ts";

/** A step takes so long; to write what it changed comes on top. */
const STEP_MS = 40;

/** Each goes on when it is asked to, until it gives its outcome; a step takes `step_ms`. */
export interface Voiding {
  /** Hides the readings, or the events, of a span. */
  add(given: NewVoid, act: Act, step_ms?: number): Generator<void, VoidOutcome>;
  undo(id: number, act: Act, step_ms?: number): Generator<void, VoidOutcome>;
  /** Ends the void that is under way, if one is. */
  end(): Generator<void, null>;
  isUnderWay(): boolean;
}

/** `change` carries out a transaction that hides something or shows it again. */
export function openVoiding(
  writes: VoidWrites,
  change: <Result>(transaction: () => Result) => Result,
): Voiding {
  const step = (step_ms: number) => change(() => writes.moveOn(lateAfter(step_ms)));
  function* end(): Generator<void, null> {
    while (writes.isUnderWay()) {
      if (step(STEP_MS).isDone) break;
      yield;
    }
    return null;
  }
  function* whole(begin: () => BegunVoid, step_ms: number): Generator<void, VoidOutcome> {
    yield* end();
    const begun = change(begin);
    let { outcome, isDone } = begun;
    while (!isDone) {
      yield;
      const moved = step(step_ms);
      ({ isDone } = moved);
      if (begun.isCounting && "readings" in outcome)
        outcome = { ...outcome, readings: outcome.readings + moved.readings };
    }
    return outcome;
  }
  return {
    add: (given, act, step_ms = STEP_MS) =>
      whole(() => writes.addVoid(given, act, lateAfter(step_ms)), step_ms),
    undo: (id, act, step_ms = STEP_MS) =>
      whole(() => writes.undoVoid(id, act, lateAfter(step_ms)), step_ms),
    end,
    isUnderWay: writes.isUnderWay,
  };
}

/** All steps at once. */
export function ended<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function lateAfter(duration_ms: number): () => boolean {
  const until_ms = performance.now() + duration_ms;
  return () => performance.now() >= until_ms;
}
