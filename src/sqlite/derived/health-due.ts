// The 15-minute slots that are due for scoring. A due slot is on disk with the readings that
// changed it. Further changes are counted in memory, so that a commit a second costs no page for
// it. A slot that changes while it is being scored stays due.

import { SLOT_MS } from "../../bwts/health.ts";
import { floorTo } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import { mirrored } from "../file/transaction.ts";

/** A slot that is due, and its revision. */
export interface DueSlot {
  readonly start_ms: number;
  readonly revision: number;
}

/** All methods but `closed` run in the caller's transaction. */
export interface HealthDue {
  /** Notes that readings changed. */
  mark(readings: readonly { readonly at_ms: number }[]): void;
  /** The oldest slots that ended by `closed_ms`, at most `limit`. */
  closed(closed_ms: number, limit: number): readonly DueSlot[];
  /** Notes that the slot was scored as of its revision. */
  settle(slot: DueSlot): void;
  /** Readings of the slot are damaged: it waits until it changes, or until the next start. */
  setAside(slot: DueSlot): void;
}

export function openHealthDue(db: Connection): HealthDue {
  const add = prepare<{ start_ms: number }, never>(db, "health.mark_due");
  const remove = prepare<{ start_ms: number }, never>(db, "health.settle");
  const all = prepare<object, { start_ms: number }>(db, "health.due");
  // Never reused: a slot that is being scored isn't settled after a rollback.
  let newest = 0;
  const next = () => {
    newest += 1;
    return newest;
  };
  const due = mirrored(db, () => new Map(all.all({}).map(({ start_ms }) => [start_ms, next()])));
  const aside = new Map<number, number>();
  return {
    mark(readings) {
      const revisions = due();
      for (const start_ms of new Set(readings.map(({ at_ms }) => floorTo(at_ms, SLOT_MS)))) {
        if (!revisions.has(start_ms)) add.run({ start_ms });
        revisions.set(start_ms, next());
      }
    },
    closed: (closed_ms, limit) =>
      [...due()]
        .filter(([start_ms]) => start_ms + SLOT_MS <= closed_ms)
        .filter(([start_ms, revision]) => aside.get(start_ms) !== revision)
        .map(([start_ms, revision]) => ({ start_ms, revision }))
        .sort((one, other) => one.start_ms - other.start_ms)
        .slice(0, limit),
    settle({ start_ms, revision }) {
      if (due().get(start_ms) !== revision) return;
      remove.run({ start_ms });
      due().delete(start_ms);
      aside.delete(start_ms);
    },
    setAside({ start_ms, revision }) {
      aside.set(start_ms, revision);
    },
  };
}
