// Handles a message in steps: a slice of its items is decoded at a time, its records are stored one
// by one until the step is late, and a position says where the next step continues.

import type { Message, Reject } from "../../bwts/message.ts";
import { decodeMessage } from "../../payload/decode.ts";
import type { DecodeContext, DecodedMessage } from "../../payload/decoded.ts";

/** The position in a message between two steps. */
export interface Position {
  /** First item of the current slice. */
  readonly item: number;
  /** Number of records of the current slice that are stored. */
  readonly done: number;
  readonly rejects: readonly Reject[];
  /** The current slice, if it is already decoded; some megabytes. */
  readonly slice: DecodedMessage | null;
}

export const BEGINNING: Position = { item: 0, done: 0, rejects: [], slice: null };

/** The limits of a step. */
export interface StepLimits {
  readonly isLate: () => boolean;
  /** Readings before this time have expired and go to quarantine. */
  readonly raw_from_ms: number;
}

/** The decoding settings of one message, and the limits of its step. */
export interface IngestContext extends DecodeContext, StepLimits {}

/** Number of items decoded together. It takes some 10 ms, and parses the whole text each time. */
const ITEMS = 4000;
/** Maximum number of rejects kept of a message; the payload has the rest. */
const REJECTS_MAX = 100;

/** The result of storing one record; `isNew` if it counts. */
export interface StoreResult {
  readonly isNew: boolean;
  readonly rejects: readonly Reject[];
}

/** The position after a step, and the number of its new records. */
interface Stepped extends Position {
  readonly isWhole: boolean;
  readonly stored: number;
}

/**
 * Stores records of a message from `begun` on until `isLate`, at least one. `calls` returns one
 * call per record of a slice, in order; null ends the message.
 */
export function step(
  begun: Position,
  { message, context }: { readonly message: Message; readonly context: IngestContext },
  calls: (slice: DecodedMessage, isFirst: boolean) => readonly (() => StoreResult)[] | null,
): Stepped {
  const { isLate } = context;
  const rejects = [...begun.rejects];
  let { item, done, slice } = begun;
  let stored = 0;
  for (;;) {
    const items = { from: item, to: item + ITEMS };
    const decoded: DecodedMessage = slice ?? decodeMessage(message, { ...context, items });
    slice = decoded;
    const stores = calls(decoded, item === 0 && done === 0);
    if (stores === null) return { isWhole: true, item, done, rejects, slice, stored };
    if (done === 0) rejects.push(...decoded.rejects);
    for (const store of stores.slice(done)) {
      const outcome = store();
      stored += outcome.isNew ? 1 : 0;
      rejects.push(...outcome.rejects);
      done += 1;
      if (isLate()) break;
    }
    rejects.splice(REJECTS_MAX);
    if (done === stores.length) {
      item += ITEMS;
      done = 0;
      slice = null;
    }
    const isWhole = item >= decoded.items && slice === null;
    if (isWhole || isLate()) return { isWhole, item, done, rejects, slice, stored };
  }
}
