// The one store of the page: what every page shows of the plant, kept current by one cycle of
// requests at a time, every 5 seconds, slower after odd answers, none while the page is hidden. A
// failed request keeps the earlier data and reports the failure: the page shows both, never a
// blank. If a token is needed and missing, only /readyz is requested, which needs none.

import {
  type ActiveAlarm,
  errorMessage,
  type Health,
  readAlarms,
  readEvents,
  readForecasts,
  readLatestHealth,
  readLatestReading,
  readReadiness,
  readRecentEvents,
  readVersion,
  type ShownEvent,
  type ShownForecast,
  type ShownReadiness,
  type ShownReading,
  type ShownVersion,
} from "./answers.ts";
import { type PagePart, type PageReply, renewed, replyTo, UNKNOWN } from "./ask.ts";
import { hasToken, onToken, setToken } from "./token.ts";

/** The page's access to ballastd. */
export interface PageAccess {
  readonly isNeeded: boolean;
  /** The reason why the last token was refused, "" if none was told; null if none was refused. */
  readonly refused: string | null;
}

export interface Snapshot {
  readonly access: PageAccess;
  readonly readiness: PagePart<ShownReadiness>;
  readonly reading: PagePart<ShownReading | null>;
  readonly health: PagePart<Health | null>;
  readonly events: PagePart<readonly ShownEvent[]>;
  readonly forecasts: PagePart<readonly ShownForecast[]>;
  /** The active alarms. */
  readonly alarms: PagePart<readonly ActiveAlarm[]>;
  /** The newest PROCESS_START, if any: the recent events may not include it. */
  readonly starts: PagePart<readonly ShownEvent[]>;
  readonly stops: PagePart<readonly ShownEvent[]>;
  readonly version: PagePart<ShownVersion>;
  /** True if ballastd answered any request in the last cycle. */
  readonly reached: boolean;
  /** Time of its last answer, by its own clock; before that, the time the page was opened. */
  readonly contact_ms: number;
  /** Added to the browser's clock it gives the box's. */
  readonly clock_offset_ms: number;
}

const PAUSE_MS = 5_000;
const PAUSE_MAX_MS = 30_000;
/** While nothing answers: the page has to notice within 3 seconds that ballastd is back. */
const PAUSE_LOST_MS = 2_000;
/** Limit of a whole cycle, bodies included. */
const CYCLE_MAX_MS = 10_000;
/** The Date header has whole seconds: a smaller change of the offset is its rounding. */
const OFFSET_STEP_MS = 1_500;

let snapshot: Snapshot = {
  access: { isNeeded: false, refused: null },
  readiness: UNKNOWN,
  reading: UNKNOWN,
  health: UNKNOWN,
  events: UNKNOWN,
  forecasts: UNKNOWN,
  alarms: UNKNOWN,
  starts: UNKNOWN,
  stops: UNKNOWN,
  version: UNKNOWN,
  reached: true,
  contact_ms: Date.now(),
  clock_offset_ms: 0,
};
const listeners = new Set<() => void>();

export function currentSnapshot(): Snapshot {
  return snapshot;
}

/** Calls `listener` after each change of the snapshot; the answer ends that. */
export function onSnapshot(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Refreshes the snapshot for as long as the page is open; pauses while it is hidden. */
export function keepRefreshing(): void {
  let busy = false;
  let failures = 0;
  let timer = 0;

  async function cycle(): Promise<void> {
    if (busy) return plan(PAUSE_MS / 10);
    busy = true;
    try {
      snapshot = await refreshed(snapshot);
      failures = isWhole(snapshot) ? 0 : failures + 1;
      for (const listener of listeners) listener();
    } finally {
      busy = false;
      const pause_ms = Math.min(PAUSE_MS * 2 ** failures, PAUSE_MAX_MS);
      plan(snapshot.reached ? pause_ms : PAUSE_LOST_MS);
    }
  }

  function plan(pause_ms: number): void {
    window.clearTimeout(timer);
    if (!document.hidden) timer = window.setTimeout(cycle, pause_ms);
  }

  document.addEventListener("visibilitychange", () => plan(0));
  onToken(() => plan(0));
  plan(0);
}

async function refreshed(before: Snapshot): Promise<Snapshot> {
  const abort = new AbortController();
  const timer = window.setTimeout(() => abort.abort(), CYCLE_MAX_MS);
  const ask = (path: string) => replyTo(path, abort.signal);
  if (before.access.isNeeded && !hasToken()) {
    const readyz = await ask("/readyz");
    window.clearTimeout(timer);
    const readiness = renewed(before.readiness, readyz, readReadiness);
    return { ...before, readiness, reached: readyz.reached };
  }
  const [readyz, stats, predictions, alarms, starts, stops, version] = await Promise.all([
    ask("/readyz"),
    ask("/api/stats"),
    ask("/api/predictions?limit=16"),
    ask("/api/alarms?state=active"),
    ask("/api/events?limit=1&type=PROCESS_START"),
    ask("/api/events?limit=1&type=PROCESS_STOP"),
    ask("/version"),
  ]);
  window.clearTimeout(timer);
  const clock_offset_ms = clockOffset(before.clock_offset_ms, readyz);
  const reached = [readyz, stats, predictions, alarms, starts, stops, version].some(
    (r) => r.reached,
  );
  // No answer: one banner reports it, and the parts keep their texts.
  if (!reached) return { ...before, reached };
  const access = accessBy(stats);
  return {
    access,
    readiness: renewed(before.readiness, readyz, readReadiness),
    reading: renewed(before.reading, stats, readLatestReading),
    health: renewed(before.health, stats, readLatestHealth),
    events: renewed(before.events, stats, readRecentEvents),
    forecasts: renewed(before.forecasts, predictions, readForecasts),
    alarms: renewed(before.alarms, alarms, readAlarms),
    starts: renewed(before.starts, starts, readEvents),
    stops: renewed(before.stops, stops, readEvents),
    version: renewed(before.version, version, readVersion),
    reached,
    contact_ms: Date.now() + clock_offset_ms,
    clock_offset_ms,
  };
}

/** A refused token is forgotten, so that it isn't sent again and again. */
function accessBy({ status, body }: PageReply): PageAccess {
  if (status !== 401 && status !== 429) return { isNeeded: false, refused: null };
  const refused = hasToken() ? (errorMessage(body) ?? "") : null;
  setToken(null);
  return { isNeeded: true, refused };
}

function clockOffset(before_ms: number, reply: PageReply): number {
  if (reply.offset_ms === null) return before_ms;
  return Math.abs(reply.offset_ms - before_ms) < OFFSET_STEP_MS ? before_ms : reply.offset_ms;
}

/** True if the last cycle was answered and all of it was valid. */
function isWhole(snapshot: Snapshot): boolean {
  if (!snapshot.reached) return false;
  const { readiness, reading, health, events, forecasts, alarms, starts, stops, version } =
    snapshot;
  const parts = [readiness, reading, health, events, forecasts, alarms, starts, stops, version];
  return parts.every((part) => part.problem === null);
}
