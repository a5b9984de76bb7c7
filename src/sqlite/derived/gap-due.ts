// The days (UTC) that must be searched for gaps. The current day stays due on disk until a later
// one begins, and its changes are counted in memory: a commit a second thus costs one page a day.

import { DAY_MS, floorTo } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import { mirrored } from "../file/transaction.ts";

/** A day that is due, and its revision. */
export interface DueDay {
  readonly start_ms: number;
  readonly revision: number;
}

/** Methods that mark or settle run in the caller's transaction. */
export interface GapDue {
  /** Notes that readings or events changed. */
  mark(changed: readonly { readonly at_ms: number }[]): void;
  /** As `mark`, for an operation's events, which also decide about gaps on the next day. */
  markEvents(events: readonly { readonly at_ms: number }[]): void;
  /** The oldest days that changed since they were searched, at most `limit`. */
  waiting(limit: number): readonly DueDay[];
  /** Notes that the day was searched as of its revision. */
  settle(day: DueDay): void;
  /** True if a later day has begun. */
  isOver(day: DueDay): boolean;
}

interface Due {
  readonly revisions: Map<number, number>;
  /** The revision at which each day was searched. */
  readonly looked: Map<number, number>;
  newest_ms: number;
}

export function openGapDue(db: Connection): GapDue {
  const add = prepare<{ start_ms: number }, never>(db, "gap.mark_due");
  const remove = prepare<{ start_ms: number }, never>(db, "gap.settle");
  const all = prepare<object, { start_ms: number }>(db, "gap.due");
  // Never reused: a day that is being searched isn't settled after a rollback.
  let newest = 0;
  const next = () => {
    newest += 1;
    return newest;
  };
  const due = mirrored(db, (): Due => {
    const revisions = new Map(all.all({}).map(({ start_ms }) => [start_ms, next()]));
    return { revisions, looked: new Map(), newest_ms: Math.max(...revisions.keys()) };
  });
  const isOver = ({ start_ms }: DueDay) => start_ms < due().newest_ms;
  const markDay = (start_ms: number) => {
    const known = due();
    if (!known.revisions.has(start_ms)) add.run({ start_ms });
    known.revisions.set(start_ms, next());
    known.newest_ms = Math.max(known.newest_ms, start_ms);
  };
  return {
    mark(changed) {
      let last_ms: number | null = null;
      for (const { at_ms } of changed) {
        const start_ms = floorTo(at_ms, DAY_MS);
        if (start_ms !== last_ms) markDay(start_ms);
        last_ms = start_ms;
      }
    },
    markEvents(events) {
      for (const { at_ms } of events) {
        const start_ms = floorTo(at_ms, DAY_MS);
        markDay(start_ms);
        if (start_ms + DAY_MS <= due().newest_ms) markDay(start_ms + DAY_MS);
      }
    },
    waiting(limit) {
      const { revisions, looked } = due();
      return [...revisions]
        .map(([start_ms, revision]) => ({ start_ms, revision }))
        .filter((day) => looked.get(day.start_ms) !== day.revision || isOver(day))
        .sort((one, other) => one.start_ms - other.start_ms)
        .slice(0, limit);
    },
    settle(day) {
      const { revisions, looked } = due();
      const { start_ms, revision } = day;
      if (revisions.get(start_ms) !== revision) return;
      looked.set(start_ms, revision);
      if (!isOver(day)) return;
      remove.run({ start_ms });
      revisions.delete(start_ms);
      looked.delete(start_ms);
    },
    isOver,
  };
}
