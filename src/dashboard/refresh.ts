// Keeps the page's snapshot of the plant current: one cycle of requests at a time, every 5 seconds,
// slower after failures, none while the page is hidden. A failed request keeps the earlier data and
// reports the failure: the page shows both, never a blank. If a token is needed and missing, only
// /readyz is requested, which needs none.

import {
  type ActiveAlarm,
  errorMessage,
  type Health,
  parseAnswer,
  type Read,
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
  type Valid,
} from "./answers.ts";
import { authorization, hasToken, onToken, setToken } from "./token.ts";

/** One part of the page: the newest valid answer, and the problem with the last one. */
export interface PagePart<T> {
  readonly known: Valid<T> | null;
  readonly problem: string | null;
}

/** The page's access to ballastd. */
export interface PageAccess {
  readonly isNeeded: boolean;
  /** The reason why the last token was refused; null if none was. */
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
/** Limit of a whole cycle, bodies included. */
const CYCLE_MAX_MS = 10_000;
/** The Date header has whole seconds: a smaller change of the offset is its rounding. */
const OFFSET_STEP_MS = 1_500;

const UNKNOWN = { known: null, problem: null } as const;

/** The snapshot of a new page, without data. */
export function blankSnapshot(): Snapshot {
  return {
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
}

/** Calls `show` after each cycle for as long as the page is open; pauses while it is hidden. */
export function keepRefreshing(show: (snapshot: Snapshot) => void): void {
  let snapshot = blankSnapshot();
  let busy = false;
  let failures = 0;
  let timer = 0;

  async function cycle(): Promise<void> {
    if (busy) return plan(PAUSE_MS / 10);
    busy = true;
    try {
      snapshot = await refreshed(snapshot);
      failures = isWhole(snapshot) ? 0 : failures + 1;
      show(snapshot);
    } finally {
      busy = false;
      plan(Math.min(PAUSE_MS * 2 ** failures, PAUSE_MAX_MS));
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
  const refused = hasToken() ? (errorMessage(body) ?? "the token was refused") : null;
  setToken(null);
  return { isNeeded: true, refused };
}

interface PageReply {
  readonly path: string;
  /** Null without an answer. */
  readonly status: number | null;
  /** True if anything answered, even with an error. */
  readonly reached: boolean;
  readonly body: unknown;
  /** Text about the problem; null if `body` is the answer. */
  readonly problem: string | null;
  /** The box's clock minus the browser's, by the answer's Date header. */
  readonly offset_ms: number | null;
}

/** Never rejects: `problem` holds any failure. */
async function replyTo(path: string, signal: AbortSignal): Promise<PageReply> {
  const unanswered = { path, status: null, body: null, offset_ms: null };
  let reached = false;
  try {
    const sent_ms = Date.now();
    const response = await fetch(path.slice(1), {
      signal,
      cache: "no-store",
      headers: authorization(),
    });
    reached = true;
    const { status } = response;
    const offset_ms = offsetOf(response.headers.get("Date"), sent_ms);
    const body = parseAnswer(await response.text());
    // /readyz gives its reasons with 503; any other status but 200 is an Error.
    if (response.ok || (path === "/readyz" && status === 503)) {
      return { path, status, reached, body, problem: null, offset_ms };
    }
    const message = errorMessage(body) ?? "no reason given";
    const problem = `${path}: ${status}, ${message}`;
    return { path, status, reached, body, problem, offset_ms };
  } catch {
    return { ...unanswered, reached, problem: `no answer from ${path}` };
  }
}

function renewed<T>(before: PagePart<T>, reply: PageReply, read: Read<T>): PagePart<T> {
  if (reply.problem !== null) return { known: before.known, problem: reply.problem };
  const known = read(reply.body);
  if (known !== null) return { known, problem: null };
  return { known: before.known, problem: `unexpected answer from ${reply.path}` };
}

function offsetOf(date: string | null, sent_ms: number): number | null {
  if (date === null) return null;
  const server_ms = Date.parse(date);
  if (Number.isNaN(server_ms)) return null;
  // On average the header's second began half a second ago; the request took time too.
  return server_ms + 500 - (sent_ms + Date.now()) / 2;
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
