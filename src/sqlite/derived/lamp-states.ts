// Saved states of the lamp tracker. A run resumes from the newest valid one and reads only newer
// readings. Late readings and the engineer's statements remove the states that they contradict, in
// the transaction that stores them.

import { newState, TRACKER_VERSION, type TrackerState } from "../../bwts/lamps/state.ts";
import type { LampWord } from "../../bwts/lamps/word.ts";
import { expiredProblem, WORD_REACH_MS } from "../../bwts/lamps/word.ts";
import type { Prediction } from "../../bwts/prediction.ts";
import { damageOf } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { isWhole, rowProblem, withChecksum, withoutChecksum } from "../file/row-checksum.ts";
import { putForecasts } from "./forecasts.ts";
import { putScores, type ScoreChanges } from "./lamp-scores.ts";
import { unpackState } from "./lamp-state-pack.ts";

/** A packed state that includes every reading up to `through_ms`. */
export interface PackedState {
  readonly through_ms: number;
  readonly state: Uint8Array;
}

/** The latest forecasts: their reading, operating hours, and lamp signature. */
export interface ForecastMark {
  readonly at_ms: number;
  readonly hours: number;
  readonly signature: string;
}

/** The result of a run over the lamps. */
export interface LampRun {
  /** The writer's revision at the start of the run. */
  readonly revision: number;
  readonly states: readonly PackedState[];
  readonly predictions: readonly Prediction[];
  /** Null if no forecasts were due. */
  readonly mark: ForecastMark | null;
  /** Changes to the scores of forecasts for lamps that have ended. */
  readonly scores: ScoreChanges;
  /** The reason why there are no forecasts, for a warning; null if there are. */
  readonly problem: string | null;
}

/** The newest valid state and the time up to which it has read; a new state if there is none. */
export function newestState(db: Connection): { state: TrackerState; through_ms: number } {
  const rows = prepare<object, PackedState>(db, "lamp.states").iterate({
    version: TRACKER_VERSION,
  });
  for (const { state, through_ms } of rows) {
    const beside = besideState(through_ms);
    if (isWhole(state, beside)) return { state: unpackState(withoutChecksum(state)), through_ms };
    damageOf(db).note(rowProblem("lamp_state", beside));
  }
  return { state: newState(), through_ms: Number.NEGATIVE_INFINITY };
}

const besideState = (through_ms: number): string => `${through_ms} ${TRACKER_VERSION}`;

/** The engineer's statements in the order of receipt. */
export function lampWords(db: Connection): readonly LampWord[] {
  return prepare<object, Omit<LampWord, "replaced"> & { replaced: number }>(db, "lamp.words")
    .all({})
    .map((row) => ({ ...row, replaced: row.replaced === 1 }));
}

/** The writer's side. */
export interface LampStore {
  /** Notes that readings changed, in the transaction that changes them. */
  mark(readings: readonly { readonly at_ms: number }[]): void;
  /**
   * Stores the engineer's statement in the caller's transaction; returns null or the reason of a
   * refusal.
   */
  addWord(word: LampWord): string | null;
  /** A number that rises with each change that contradicts a run in progress. */
  revision(): number;
  /** Stores a run's results, except those contradicted since it began. */
  save(run: LampRun): void;
}

export function openLampStore(db: Connection): LampStore {
  const forget = prepare<{ at_ms: number }, never>(db, "lamp.forget_states");
  const newest = prepare<object, { at_ms: number | null }>(db, "lamp.newest_state");
  const toldFrom = prepare<object, { at_ms: number }>(db, "lamp.told_from");
  const putState = prepare<object, never>(db, "lamp.put_state");
  let revision = 0;
  /** Time of the oldest change since the run's revision. */
  let changed_from_ms = Number.POSITIVE_INFINITY;

  const contradict = (at_ms: number) => {
    changed_from_ms = Math.min(changed_from_ms, at_ms);
    // Readings are nearly always newer than any state, and to test this costs less than to delete.
    if (at_ms <= (newest.get({})?.at_ms ?? -1)) forget.run({ at_ms });
  };

  return {
    mark(readings) {
      const oldest = readings[0];
      if (oldest !== undefined) contradict(oldest.at_ms);
    },
    addWord(word) {
      const told_from_ms = toldFrom.get({})?.at_ms ?? null;
      if (told_from_ms !== null && word.at_ms <= told_from_ms)
        return expiredProblem(word, told_from_ms);
      prepare(db, "lamp.add_word").run({ ...word, replaced: word.replaced ? 1 : 0 });
      contradict(word.at_ms - WORD_REACH_MS);
      return null;
    },
    revision() {
      revision += 1;
      changed_from_ms = Number.POSITIVE_INFINITY;
      return revision;
    },
    save(run) {
      if (run.revision !== revision) return;
      const holding = run.states.filter(({ through_ms }) => through_ms < changed_from_ms);
      for (const { through_ms, state } of holding)
        putState.run({
          through_ms,
          state: withChecksum(state, besideState(through_ms)),
          version: TRACKER_VERSION,
        });
      prepare(db, "lamp.thin_states").run({});
      putForecasts(db, run.predictions);
      putScores(db, run.scores);
      if (run.mark !== null) prepare(db, "lamp.put_run").run({ ...run.mark });
    },
  };
}
