// THE CALLS TO A READER beside queries: name to function, carried out in a reader's thread. Types
// follow from this table: `readers.call("prove", place)` takes what the function takes and resolves
// with what it returns.

import { type ProofPlace, proveAfter } from "../care/proving.ts";
import type { DueDay } from "../derived/gap-due.ts";
import { findGaps, operationNow } from "../derived/gaps.ts";
import type { DueSlot } from "../derived/health-due.ts";
import { type LampCall, type LampConfig, runLamps } from "../derived/lamp-tracking.ts";
import { limitsNow } from "../derived/limits-now.ts";
import { scoreSlots } from "../derived/scoring.ts";
import type { Connection } from "../file/open.ts";
import type { CallOf, Given } from "./calls.ts";

/** A reader's connection, and the limits by which it judges. */
export interface ReaderParts {
  readonly db: Connection;
  readonly config: LampConfig;
}

const READER_CALLS = {
  /** Proof of life. */
  ping: (_: ReaderParts) => null,
  /** Scores slots over the current readings. */
  score: ({ db, config }: ReaderParts, slots: readonly DueSlot[]) =>
    scoreSlots(db, slots, config.limits),
  /** Tracks lamp lives from readings since the last call, and makes forecasts if they are due. */
  track_lamps: ({ db, config }: ReaderParts, call: LampCall) => runLamps(db, call, config),
  /** Searches days for gaps. */
  find_gaps: ({ db, config }: ReaderParts, days: readonly DueDay[]) =>
    findGaps(db, days, config.limits),
  /** Proves the next part after a place. */
  prove: ({ db }: ReaderParts, after: ProofPlace) => proveAfter(db, after),
  /** The operation now, as far as it is known. */
  operation_now: ({ db, config }: ReaderParts) => operationNow(db, config.limits),
  /** The values that have a limit, at the newest reading; null without one. */
  limits_now: ({ db, config }: ReaderParts) => limitsNow(db, config.limits),
};
export type ReaderCalls = typeof READER_CALLS;

const functions: {
  readonly [K in keyof ReaderCalls]: (
    parts: ReaderParts,
    ...given: Given<ReaderCalls[K]>
  ) => ReturnType<ReaderCalls[K]>;
} = READER_CALLS;

/** Carries out a call. */
export function readerResult<N extends keyof ReaderCalls>(
  { name, given }: CallOf<ReaderCalls, N>,
  parts: ReaderParts,
): ReturnType<ReaderCalls[N]> {
  return functions[name](parts, ...given);
}
