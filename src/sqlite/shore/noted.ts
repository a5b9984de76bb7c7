// The writer keeps of the shore: acknowledgements and use, for people, and the revisions of hours.
// Each is in a transaction of its own.

import { DAY_MS, floorTo } from "../../ground/clock.ts";
import { type Connection, prepare, write } from "../file/open.ts";
import type { Heads } from "./links.ts";

export interface ShoreNote {
  readonly now_ms: number;
  /** The newest acknowledged link of each chain. */
  readonly acknowledged: Partial<Heads>;
  readonly sent_bytes: number;
  readonly received_bytes: number;
  readonly sessions: number;
}

/** The row of shore_ack that tells of any answer. */
export const ANY_ANSWER = "any";

/** Notes what the shore acknowledged, and what that took. */
export function noteShore(db: Connection, note: ShoreNote): void {
  const { now_ms, acknowledged, sent_bytes, received_bytes, sessions } = note;
  write(db, () => {
    const links = Object.entries(acknowledged);
    for (const [chain, number] of links)
      prepare(db, "shore.ack").run({ chain, number, at_ms: now_ms });
    if (received_bytes > 0)
      prepare(db, "shore.ack").run({ chain: ANY_ANSWER, number: 0, at_ms: now_ms });
    const day_ms = floorTo(now_ms, DAY_MS);
    prepare(db, "shore.use").run({ day_ms, sent_bytes, received_bytes, sessions });
  });
}

/** Gives the hours new revisions above one, so that the shore is told of all of them again. */
export function renumberHours(db: Connection, above: number): void {
  write(db, () => {
    prepare(db, "shore.hours_away").run({});
    prepare(db, "shore.hours_again").run({ revision: above });
  });
}
