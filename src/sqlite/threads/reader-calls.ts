// THE CALLS TO A READER beside queries: name to function, carried out in a reader's thread. Types
// follow from this table: `readers.call("prove", place)` takes what the function takes and resolves
// with what it returns.

import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { type KnownNews, newsSince } from "../answers/news.ts";
import { type ProofPlace, proveAfter } from "../care/proving.ts";
import type { Ask, Due } from "../derived/derivation.ts";
import { derive } from "../derived/derivations.ts";
import { operationNow } from "../derived/gaps.ts";
import { limitsNow } from "../derived/limits-now.ts";
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
  /** Computes due pieces of a derivation from the current data. */
  derive: ({ db, config }: ReaderParts, due: Due, ask: Ask) => derive(db, due, ask, config),
  /** Proves the next part after a place. */
  prove: ({ db }: ReaderParts, after: ProofPlace) => proveAfter(db, after),
  /** The operation now, as far as it is known. */
  operation_now: ({ db, config }: ReaderParts) => operationNow(db, config.limits),
  /** The values that have a limit, at the newest reading; null without one. */
  limits_now: ({ db, config }: ReaderParts) => limitsNow(db, config),
  /** The news since a state, for who listens to the stream. */
  news: ({ db, config }: ReaderParts, known: KnownNews | null) => newsSince(db, known, config),
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
