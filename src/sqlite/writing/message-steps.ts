// Steps through a long message: an array of readings can take seconds, a writer's step some 60 ms.
// A slice of the message's items is decoded at a time, and its records are stored one by one. The
// position between two steps says where to go on. Ingest and replay share this loop.

import type { Reject } from "../../bwts/message.ts";
import type { Decoded } from "../../payload/decoded.ts";

/** Items that are decoded together. It takes some 10 ms, and parses the whole text each time. */
export const ITEMS = 4000;
/** Rejects kept of a message. People read them, and the payload tells the rest. */
const REJECTS_MAX = 100;

/** Tells when a step that begins now has lasted `duration_ms`, by the steady clock. */
export function lateAfter(duration_ms: number): () => boolean {
  const until_ms = performance.now() + duration_ms;
  return () => performance.now() >= until_ms;
}

/** The position in a message between two steps. */
export interface Position {
  /** First item of the current slice. */
  readonly item: number;
  /** Number of records of the current slice that are stored. */
  readonly done: number;
  readonly rejects: readonly Reject[];
  /** The current slice, if it is decoded already; some megabytes. */
  readonly slice: Decoded | null;
}

export const BEGINNING: Position = { item: 0, done: 0, rejects: [], slice: null };

/** The result of storing one record; `isNew` if it is to be counted. */
export interface Stored {
  readonly isNew: boolean;
  readonly rejects: readonly Reject[];
}

export interface Stepping {
  readonly decode: (items: { readonly from: number; readonly to: number }) => Decoded;
  /** One call per record of the slice, in order; null ends the message here. */
  readonly calls: (slice: Decoded, isFirst: boolean) => readonly (() => Stored)[] | null;
  readonly isLate: () => boolean;
}

/** The position after a step, and the number of its new records. */
export interface Stepped extends Position {
  readonly isWhole: boolean;
  readonly stored: number;
}

/** Stores records from `begun` on until it is late, at least one. */
export function step(begun: Position, { decode, calls, isLate }: Stepping): Stepped {
  const rejects = [...begun.rejects];
  let { item, done, slice } = begun;
  let stored = 0;
  for (;;) {
    const decoded: Decoded = slice ?? decode({ from: item, to: item + ITEMS });
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
