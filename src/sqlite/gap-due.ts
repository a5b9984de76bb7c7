// Which days (UTC) have to be looked through for gaps. The day that is under way stays due on disk
// until a later one begins, and what has changed in it is told in memory: a commit a second costs
// one page a day for it.

import { DAY_MS, floorTo } from "../clock.ts";
import { type Connection, prepare } from "./open.ts";

/** A day that waits, and which state of it. */
export interface DueDay {
  readonly start_ms: number;
  readonly revision: number;
}

export interface GapDue {
  /** Notes that readings or events changed; inside the transaction that changes them. */
  mark(changed: readonly { readonly at_ms: number }[]): void;
  /** As `mark`, of an operation's events: what they say goes on into the next day. */
  markEvents(events: readonly { readonly at_ms: number }[]): void;
  /** The oldest days that changed since they were looked through, at most `limit`. */
  waiting(limit: number): readonly DueDay[];
  /** The day was looked through as of its revision; inside a transaction where `isOver`. */
  settle(day: DueDay): void;
  /** Whether a later day has begun. */
  isOver(day: DueDay): boolean;
  /** Forgets what the batch in hand added, after a rollback. */
  forget(): void;
  /** The batch in hand is committed. */
  keep(): void;
}

export function openGapDue(db: Connection): GapDue {
  const add = prepare<{ start_ms: number }, never>(db, "gap.mark_due");
  const remove = prepare<{ start_ms: number }, never>(db, "gap.settle");
  const all = prepare<object, { start_ms: number }>(db, "gap.due").all({});
  const revisions = new Map(all.map(({ start_ms }) => [start_ms, 1]));
  const looked = new Map<number, number>();
  let added: number[] = [];
  let newest_ms = Math.max(...revisions.keys());
  const isOver = ({ start_ms }: DueDay) => start_ms < newest_ms;
  const markDay = (start_ms: number) => {
    const revision = revisions.get(start_ms);
    if (revision === undefined) {
      add.run({ start_ms });
      added.push(start_ms);
    }
    revisions.set(start_ms, (revision ?? 0) + 1);
    newest_ms = Math.max(newest_ms, start_ms);
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
        if (start_ms + DAY_MS <= newest_ms) markDay(start_ms + DAY_MS);
      }
    },
    waiting: (limit) =>
      [...revisions]
        .map(([start_ms, revision]) => ({ start_ms, revision }))
        .filter((day) => looked.get(day.start_ms) !== day.revision || isOver(day))
        .sort((one, other) => one.start_ms - other.start_ms)
        .slice(0, limit),
    settle(day) {
      const { start_ms, revision } = day;
      if (revisions.get(start_ms) !== revision) return;
      looked.set(start_ms, revision);
      if (!isOver(day)) return;
      remove.run({ start_ms });
      revisions.delete(start_ms);
      looked.delete(start_ms);
    },
    isOver,
    forget() {
      for (const start_ms of added) revisions.delete(start_ms);
      added = [];
    },
    keep() {
      added = [];
    },
  };
}
