// Decides which tabs of one browser hold a live connection. All tabs together have six connections
// to a host, so at most three hold one, and the others poll. Each visible tab reports itself to the
// others every second, and the oldest three hold a connection.

const LIVE_TABS_MAX = 3;
/** Time without a report after which a tab counts as closed or hidden. */
const HEARD_MAX_MS = 3_500;

export interface LiveTabs {
  /**
   * Called once a second by a visible tab: reports it to the others, and returns true if it may
   * hold a connection.
   */
  goesAhead(): boolean;
  /** Called when the tab is hidden: the others needn't count it. */
  leave(): void;
}

/**
 * Opens the exchange with the other tabs. Without a BroadcastChannel (Safari before 15.4) every tab
 * may hold a connection.
 */
export function liveTabs(): LiveTabs {
  const channel =
    typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("ballastd.live");
  const opened_ms = Date.now() + Math.random();
  const heard = new Map<number, number>();
  let told_ms: number | null = null;
  channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "number") heard.set(data, performance.now());
  });
  return {
    goesAhead() {
      if (channel === null) return true;
      const now_ms = performance.now();
      channel.postMessage(opened_ms);
      told_ms ??= now_ms;
      for (const [tab, at_ms] of heard) if (now_ms - at_ms > HEARD_MAX_MS) heard.delete(tab);
      const older = [...heard.keys()].filter((tab) => tab < opened_ms).length;
      // The others have a second to report themselves.
      return now_ms > told_ms && older < LIVE_TABS_MAX;
    },
    leave() {
      told_ms = null;
      heard.clear();
    },
  };
}
