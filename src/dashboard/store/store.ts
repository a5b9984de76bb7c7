// The one store of the page: the snapshot, kept current by the news of the live connection and by
// asking for everything every 15 seconds; without that connection every 5, slower after odd
// answers. Nothing is asked while the page is hidden. The link is lost when nothing answers, or
// when nothing was heard for 10 seconds; then every 2 seconds is an attempt.

import { liveConnection, NEWS_KINDS, type NewsKind, SILENCE_MAX_MS } from "./live.ts";
import { liveTabs } from "./live-tabs.ts";
import { blankSnapshot, isAllKnown, refreshed, type Snapshot } from "./snapshot.ts";
import { hasToken, onToken } from "./token.ts";

const PAUSE_MS = 5_000;
/** Well below the silence after which the link counts as lost. */
const PAUSE_MAX_MS = 8_000;
const PAUSE_LIVE_MS = 15_000;
const PAUSE_LOST_MS = 2_000;
/**
 * Limits of a cycle of requests, bodies included; the second while the link is lost. Each failure
 * doubles them, up to the highest: a slow ballastd is waited for, a line that is back is soon used.
 */
const CYCLE = { first_ms: 10_000, most_ms: 40_000 };
const CYCLE_LOST = { first_ms: 2_500, most_ms: 20_000 };
const TICK_MS = 1_000;
/** A pause of the timers, as of a computer that slept: the silence meanwhile isn't a loss. */
const SLEPT_MS = 5_000;

let snapshot = blankSnapshot();
const listeners = new Set<() => void>();
const newsListeners = new Set<(kind: NewsKind) => void>();
let due = new Set<NewsKind>();
let asking: AbortController | null = null;
let failures = 0;
let timer = 0;
let heard_ms = performance.now();
let ticked_ms = performance.now();

const tabs = liveTabs();
let goesAhead = false;
const live = liveConnection({
  onSign(beat) {
    heard_ms = performance.now();
    const { now_ms = null, received_age_s = null } = beat ?? {};
    // A beat is only milliseconds old, so its time is better than that of a header.
    const clock_offset_ms = now_ms === null ? snapshot.clock_offset_ms : now_ms - Date.now();
    const contact_ms = Date.now() + clock_offset_ms;
    const received_ms =
      received_age_s === null ? snapshot.received_ms : contact_ms - received_age_s * 1000;
    show({ ...snapshot, reached: true, contact_ms, received_ms, clock_offset_ms });
  },
  onOpen: () => tell("resync"),
  onCut: askAll,
  onNews(kind) {
    tell(kind);
    due.add(kind);
    void ask();
  },
});

export function currentSnapshot(): Snapshot {
  return snapshot;
}

/** Calls `listener` after each change of the snapshot; the answer ends that. */
export function onSnapshot(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls `listener` for each piece of news; without a live connection for `resync` now and then. */
export function onNews(listener: (kind: NewsKind) => void): () => void {
  newsListeners.add(listener);
  return () => newsListeners.delete(listener);
}

/** Refreshes the snapshot for as long as the page is open; pauses while it is hidden. */
export function keepRefreshing(): void {
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      tabs.leave();
      goesAhead = false;
      return live.close();
    }
    heard_ms = performance.now();
    askAll();
  });
  onToken(askAll);
  window.setInterval(tick, TICK_MS);
  askAll();
}

/** Tells the parts that have answers of their own. */
function tell(kind: NewsKind): void {
  for (const listener of newsListeners) listener(kind);
}

function show(changed: Snapshot): void {
  snapshot = changed;
  for (const listener of listeners) listener();
}

/** Asks for what is due until nothing is; news that come meanwhile are one round more. */
async function ask(): Promise<void> {
  if (asking !== null) return;
  while (due.size > 0 && !document.hidden) {
    const news = due;
    due = new Set();
    asking = new AbortController();
    const { first_ms, most_ms } = snapshot.reached || isFirst() ? CYCLE : CYCLE_LOST;
    const limit_ms = Math.min(most_ms, first_ms * 2 ** failures);
    const limit = window.setTimeout(() => asking?.abort(), limit_ms);
    for await (const after of refreshed(snapshot, news, asking.signal)) {
      if (after.reached) heard_ms = performance.now();
      // Without an answer a beat may have come meanwhile. Not the later one of both: ballastd's
      // clock may have been set back.
      const { contact_ms } = after.reached ? after : snapshot;
      show({ ...after, contact_ms, reached: after.reached || live.isAlive() });
      keepLive();
    }
    window.clearTimeout(limit);
    asking = null;
    failures = isAllKnown(snapshot) ? 0 : failures + 1;
  }
  plan();
}

function plan(): void {
  const pause_ms = Math.min(PAUSE_MS * 2 ** failures, PAUSE_MAX_MS);
  const calm_ms = live.isAlive() ? PAUSE_LIVE_MS : pause_ms;
  window.clearTimeout(timer);
  timer = window.setTimeout(askAll, snapshot.reached ? calm_ms : PAUSE_LOST_MS);
}

/** Asks for all that is shown, after an act that may have changed it. */
export function askEverything(): void {
  tell("resync");
  due = new Set(NEWS_KINDS);
  void ask();
}

function askAll(): void {
  if (document.hidden) return;
  if (!live.isAlive()) tell("resync");
  due = new Set(NEWS_KINDS);
  void ask();
}

/** With a token the page polls: EventSource can't send one. So it does behind other tabs. */
function keepLive(): void {
  const { access, overview } = snapshot;
  if (access.isNeeded || hasToken() || !goesAhead) live.close();
  else if (overview.known !== null && !document.hidden)
    live.keep(overview.known.value.last_event_id);
}

function tick(): void {
  const slept = performance.now() - ticked_ms > SLEPT_MS;
  ticked_ms = performance.now();
  if (document.hidden) return;
  if (slept) heard_ms = performance.now();
  goesAhead = tabs.goesAhead();
  keepLive();
  if (performance.now() - heard_ms < SILENCE_MAX_MS || !snapshot.reached) return;
  show({ ...snapshot, reached: false });
  if (!isFirst()) asking?.abort();
}

/** True until the first answer: a slow ballastd is no line that was lost. */
function isFirst(): boolean {
  return snapshot.overview.known === null;
}
