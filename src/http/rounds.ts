// Shares work among rounds of the event loop. Node accepts one connection a round, so the length of
// a round times the connections that wait is the time for which a new client waits: whatever
// hundreds of connections can ask for at once is done in small parts, a few a round, in turn.

export interface Rounds {
  /** True, and one part is counted, if this round has room for it. */
  hasRoom(): boolean;
  /** Calls `goOn` in a later round, in turn. */
  later(goOn: () => void): void;
  /** Takes `goOn` out of the queue. */
  forget(goOn: () => void): void;
}

/** Rounds of at most `parts_max` parts: those counted by `hasRoom`, and as many of the queue. */
export function openRounds(parts_max: number): Rounds {
  /** Work for later rounds, in turn. */
  const waiting = new Set<() => void>();
  /** Parts counted in this round. */
  let parts = 0;
  let isTimed = false;
  const time = () => {
    if (isTimed) return;
    isTimed = true;
    setImmediate(() => {
      isTimed = false;
      parts = 0;
      for (const goOn of [...waiting].slice(0, parts_max)) {
        waiting.delete(goOn);
        goOn();
      }
      if (waiting.size > 0) time();
    });
  };
  return {
    hasRoom() {
      if (parts >= parts_max) return false;
      parts += 1;
      time();
      return true;
    },
    later(goOn) {
      waiting.add(goOn);
      time();
    },
    forget: (goOn) => void waiting.delete(goOn),
  };
}
