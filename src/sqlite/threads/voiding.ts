// Makes and undoes voids step by step, each step in its own transaction, with commits of messages
// in between. A void that an earlier process left unfinished is finished first.

import type { Act } from "../../bwts/audit.ts";
import { lateAfter } from "../../ground/clock.ts";
import type { BegunVoid, NewVoid, VoidOutcome, VoidWrites } from "./void-writes.ts";

/** Duration of a step, without the writing of its changes. */
const STEP_MS = 40;

/**
 * Makes and undoes voids: each generator advances by a step of `step_ms` until it returns its
 * outcome.
 */
export interface Voiding {
  /** Hides the readings, or the events, of a span. */
  add(given: NewVoid, act: Act, step_ms?: number): Generator<void, VoidOutcome>;
  undo(id: number, act: Act, step_ms?: number): Generator<void, VoidOutcome>;
  /** Finishes the void in progress, if there is one. */
  end(): Generator<void, null>;
  isUnderWay(): boolean;
}

/** Opens the voiding; `change` runs a transaction that hides readings or shows them again. */
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
