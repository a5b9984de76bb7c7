// The times without a reading, and if water moved at the readings on their two sides. At the edge
// of an operation without an event they leave open where it began or ended. Pure.

/** A time without a reading; infinite before the first reading and after the last one. */
export interface UnreadTime {
  readonly from_ms: number;
  readonly to_ms: number;
  /** False if no water moved at the reading on this side. */
  readonly movesBefore: boolean;
  readonly movesAfter: boolean;
}

/** Lists the times without a reading; `mayMove` returns if water moves at the newest one. */
export function unreadTimes(mayMove: () => boolean) {
  const found: UnreadTime[] = [];
  let [last_ms, moves] = [Number.NEGATIVE_INFINITY, false];
  const add = (to_ms: number, movesAfter: boolean) =>
    found.push({ from_ms: last_ms, to_ms, movesBefore: moves, movesAfter });
  return {
    take(at_ms: number, isUnread: boolean): void {
      const movesAfter = mayMove();
      if (isUnread) add(at_ms, movesAfter);
      [last_ms, moves] = [at_ms, movesAfter];
    },
    found(): readonly UnreadTime[] {
      if (found.length > 0) add(Number.POSITIVE_INFINITY, false);
      return found;
    },
  };
}
