// The tabs of one browser that hold a live connection: a browser has six connections to a host for
// all of them, so three at most hold one, and the others ask at intervals. Each visible tab tells
// the others each second that it is there, and the oldest three go ahead.

const LIVE_TABS_MAX = 3;
/** A tab that wasn't heard for so long is closed, or hidden. */
const HEARD_MAX_MS = 3_500;

export interface LiveTabs {
  /** Called once a second by a visible tab: tells the others, and answers if it goes ahead. */
  goesAhead(): boolean;
  /** The tab is hidden: the others needn't count it. */
  leave(): void;
}

/** Browsers without a BroadcastChannel (Safari before 15.4) let every tab go ahead. */
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
      // The others have a second to tell that they are there.
      return now_ms > told_ms && older < LIVE_TABS_MAX;
    },
    leave() {
      told_ms = null;
      heard.clear();
    },
  };
}
