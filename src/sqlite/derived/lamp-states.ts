// Saved states of the lamp tracker, and the engineer's statements. A run resumes from the newest
// valid state and reads only newer readings. Late readings and statements remove the states that
// they contradict, in the transaction that stores them.

import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { newState, TRACKER_VERSION, type TrackerState } from "../../bwts/lamps/state.ts";
import type { LampWord } from "../../bwts/lamps/word.ts";
import { expiredProblem, WORD_REACH_MS } from "../../bwts/lamps/word.ts";
import { damageOf } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { isWholeRow, keyOf, rowProblem, withRowChecksum } from "../file/row-checksum.ts";
import type { Change } from "./derivation.ts";

export const STATE_KEY = ["through_ms"];

/** A state that includes every reading up to `through_ms`: JSON, compressed with zstd. */
export interface PackedState {
  readonly through_ms: number;
  readonly state: Uint8Array;
}

export function packState(state: TrackerState): Uint8Array {
  return zstdCompressSync(JSON.stringify(state));
}

/** The newest valid state and the time up to which it has read; a new state if there is none. */
export function newestState(db: Connection): { state: TrackerState; through_ms: number } {
  const rows = prepare(db, "lamp.states").iterate({
    version: TRACKER_VERSION,
  });
  for (const row of rows) {
    const { state, through_ms } = row;
    if (isWholeRow(row))
      return { state: JSON.parse(zstdDecompressSync(state).toString()), through_ms };
    damageOf(db).note(rowProblem("lamp_state", keyOf(row, STATE_KEY)));
  }
  return { state: newState(), through_ms: Number.NEGATIVE_INFINITY };
}

/** Stores states; of the earlier ones the last of each month stays. */
export function putStates(db: Connection, states: readonly PackedState[]): void {
  for (const { through_ms, state } of states)
    prepare(db, "lamp.put_state").run(
      withRowChecksum({ through_ms, version: TRACKER_VERSION, state }),
    );
  prepare(db, "lamp.thin_states").run({});
}

/** Removes the states that a change at an instant contradicts. */
export function forgetStates(db: Connection, at_ms: number): void {
  const newest = prepare(db, "lamp.newest_state").get({});
  // Readings are nearly always newer than any state, and to test this costs less than to delete.
  if (at_ms <= (newest?.at_ms ?? -1)) prepare(db, "lamp.forget_states").run({ at_ms });
}

/** The engineer's statements in the order of receipt. */
export function lampWords(db: Connection): readonly LampWord[] {
  return prepare(db, "lamp.words")
    .all({})
    .map((row) => ({ ...row, replaced: row.replaced === 1 }));
}

/**
 * Stores the engineer's statement in the caller's transaction; returns null or the reason of a
 * refusal.
 */
export function addLampWord(
  db: Connection,
  changed: (change: Change) => void,
  word: LampWord,
): string | null {
  const toldFrom = prepare<"lamp.told_from", { at_ms: number }>(db, "lamp.told_from").get({});
  if (toldFrom !== undefined && word.at_ms <= toldFrom.at_ms)
    return expiredProblem(word, toldFrom.at_ms);
  prepare(db, "lamp.add_word").run({ ...word, replaced: word.replaced ? 1 : 0 });
  changed({ of: "lamp_words", instants: [word.at_ms - WORD_REACH_MS] });
  return null;
}
