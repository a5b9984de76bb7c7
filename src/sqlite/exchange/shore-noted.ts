// The writer's records about the shore: acknowledgements and use, for people, and the revisions of
// hours. Each is in a transaction of its own.

import { DAY_MS, floorTo } from "../../ground/clock.ts";
import { type Connection, prepare, write } from "../file/open.ts";
import type { LedgerNumbers } from "./shore-ledger.ts";
import type { Heads } from "./shore-links.ts";

export interface ShoreNote {
  readonly now_ms: number;
  /** The newest acknowledged link of each chain. */
  readonly acknowledged: Partial<Heads>;
  /** The numbers up to which everything was ashore; null if that wasn't so since the last note. */
  readonly complete: ShoreComplete | null;
  readonly sent_bytes: number;
  readonly received_bytes: number;
  readonly sessions: number;
}

/**
 * The numbers up to which everything is ashore: segments with their readings, and the revision of
 * hours.
 */
export interface ShoreComplete {
  readonly segments: number;
  readonly hours: number;
  /** Newest documents of the ledger ashore; null if the shore's schema accepts none. */
  readonly ledger: LedgerNumbers | null;
}

/** Key of the row in shore_ack with the time of the last answer. */
export const ANY_ANSWER = "any";
/** Keys of the rows with the numbers at the last time when nothing was left to send. */
export const COMPLETE_SEGMENTS = "complete";
export const COMPLETE_HOURS = "complete_hours";
export const COMPLETE_LEDGER = {
  head: "complete_heads",
  statement: "complete_statements",
} as const;

/** Stores the shore's acknowledgements, and the use of the link. */
export function noteShore(db: Connection, note: ShoreNote): void {
  const { now_ms, acknowledged, complete, sent_bytes, received_bytes, sessions } = note;
  write(db, () => {
    for (const [chain, number] of Object.entries({ ...acknowledged, ...rowsOf(complete) }))
      prepare(db, "shore.ack").run({ chain, number, at_ms: now_ms });
    if (received_bytes > 0)
      prepare(db, "shore.ack").run({ chain: ANY_ANSWER, number: 0, at_ms: now_ms });
    const day_ms = floorTo(now_ms, DAY_MS);
    prepare(db, "shore.use").run({ day_ms, sent_bytes, received_bytes, sessions });
  });
}

function rowsOf(complete: ShoreComplete | null) {
  if (complete === null) return {};
  const { segments, hours, ledger } = complete;
  return {
    ...{ [COMPLETE_SEGMENTS]: segments, [COMPLETE_HOURS]: hours },
    ...(ledger && {
      [COMPLETE_LEDGER.head]: ledger.head,
      [COMPLETE_LEDGER.statement]: ledger.statement,
    }),
  };
}

/** Gives all hours new revisions, above the given one, so that they are sent ashore again. */
export function renumberHours(db: Connection, above: number): void {
  write(db, () => {
    prepare(db, "shore.hours_away").run({});
    prepare(db, "shore.hours_again").run({ revision: above });
  });
}
