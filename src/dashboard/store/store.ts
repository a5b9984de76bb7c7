// The page's one store: the snapshot, kept current by the news of the live connection and by asking
// for everything every 15 seconds; without that connection every 5, slower after invalid answers.
// Nothing is asked while the page is hidden. The link counts as lost when nothing answers, or after
// 10 seconds without a sign; then there is an attempt every 2 seconds.

import { liveConnection, NEWS_KINDS, type NewsKind, SILENCE_MAX_MS } from "./live.ts";
import { liveTabs } from "./live-tabs.ts";
import { blankSnapshot, isAllKnown, refreshed, type Snapshot } from "./snapshot.ts";
import { hasToken, onToken } from "./token.ts";

const PAUSE_MS = 5_000;
/** Maximum pause between polls, well below the time after which the link counts as lost. */
const PAUSE_MAX_MS = 8_000;
const PAUSE_LIVE_MS = 15_000;
const PAUSE_LOST_MS = 2_000;
/**
 * Time limits of a cycle of requests, bodies included; the second while the link is lost. Each
 * failure doubles them up to the maximum, so that a slow ballastd is waited for, and a restored
 * line is soon used.
 */
const CYCLE = { first_ms: 10_000, most_ms: 40_000 };
const CYCLE_LOST = { first_ms: 2_500, most_ms: 20_000 };
const TICK_MS = 1_000;
/**
 * Pause of the timers from which the computer has slept: no signs in that time don't mean a lost
 * link.
 */
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
    // A beat is only milliseconds old, so its time is more exact than a header's.
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

/** Calls `listener` after each change of the snapshot; returns a function that ends this. */
export function onSnapshot(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Calls `listener` for each piece of news; without a live connection, with `resync` at intervals.
 */
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

/** Passes news on to the parts that have answers of their own. */
function tell(kind: NewsKind): void {
  for (const listener of newsListeners) listener(kind);
}

function show(changed: Snapshot): void {
  snapshot = changed;
  for (const listener of listeners) listener();
}

/** Sends the due requests until none is due; news during a round cause another one. */
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
      // If no answer came, a beat may have come meanwhile. The later time isn't used, because
      // ballastd's clock may have been set back.
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

/** Requests everything shown again, after an act that may have changed it. */
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

/**
 * Keeps the live connection. With a token the page polls instead, because EventSource can't send
 * one; so it does if other tabs go ahead.
 */
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

/** True until the first answer: a slow ballastd isn't a lost link. */
function isFirst(): boolean {
  return snapshot.overview.known === null;
}
