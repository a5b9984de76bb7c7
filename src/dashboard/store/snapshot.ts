// The snapshot of the plant that all pages share, and its requests, each with the news after which
// it is sent again. The overview comes first and alone, because the verdict needs it. A failed
// request keeps the earlier data and reports the failure: the page shows both, never a blank. If a
// token is needed and missing, only /readyz is requested, which needs none.

import {
  OPEN_ALERTS,
  type OpenAlert,
  readAlarms,
  readReadiness,
  readVersion,
  type ShownReadiness,
  type ShownVersion,
} from "./answers.ts";
import { type PagePart, type PageReply, renewed, replyTo, UNKNOWN } from "./ask.ts";
import { type Read, type RefusalText, refusalText } from "./checks.ts";
import { NEWS_KINDS, type NewsKind } from "./live.ts";
import { readOverview } from "./overview-answer.ts";
import type { ShownOverview } from "./overview-shapes.ts";
import { hasToken, setToken } from "./token.ts";

/** The page's access to ballastd. */
export interface PageAccess {
  readonly isNeeded: boolean;
  /** The refusal of the last token; null if none was refused. */
  readonly refused: RefusalText | null;
}

export interface Snapshot {
  readonly access: PageAccess;
  readonly readiness: PagePart<ShownReadiness>;
  /** The present of the plant. */
  readonly overview: PagePart<ShownOverview>;
  /** The open alerts, the most urgent first. */
  readonly alarms: PagePart<readonly OpenAlert[]>;
  readonly version: PagePart<ShownVersion>;
  /** False while the link to ballastd is lost. */
  readonly reached: boolean;
  /** Time of ballastd's last sign, by its own clock; before that, of the page's opening. */
  readonly contact_ms: number;
  /** Last receipt of a message with readings, by ballastd's clock; null before the first. */
  readonly received_ms: number | null;
  /** Difference in ms that turns the browser's clock into the box's. */
  readonly clock_offset_ms: number;
}

const OVERVIEW = "/api/overview";

/** The requests, each with the news after which it is sent again. */
const REQUESTS: Readonly<Record<string, readonly NewsKind[]>> = {
  [OVERVIEW]: NEWS_KINDS,
  "/readyz": ["alert", "resync"],
  [OPEN_ALERTS]: ["alert", "resync"],
  "/version": ["resync"],
};

/** Smallest change of the offset that counts: the Date header is rounded to seconds. */
const OFFSET_STEP_MS = 1_500;

export function blankSnapshot(): Snapshot {
  return {
    access: { isNeeded: false, refused: null },
    readiness: UNKNOWN,
    overview: UNKNOWN,
    alarms: UNKNOWN,
    version: UNKNOWN,
    reached: true,
    contact_ms: Date.now(),
    received_ms: null,
    clock_offset_ms: 0,
  };
}

/**
 * Sends the requests that `news` concerns, and yields the snapshot after each step; never rejects.
 */
export async function* refreshed(
  before: Snapshot,
  news: ReadonlySet<NewsKind>,
  signal: AbortSignal,
): AsyncGenerator<Snapshot> {
  const concerned = Object.keys(REQUESTS).filter((path) =>
    REQUESTS[path]?.some((kind) => news.has(kind)),
  );
  let shown = before;
  // If the overview had no answer before, the others don't wait for it: all are sent together.
  const isFirst = before.overview === UNKNOWN && before.reached && !isShut(before);
  if (isFirst) {
    shown = await asked(before, [OVERVIEW], signal);
    yield shown;
    // The verdict is painted before the rest takes the network and the processor.
    await nextPaint();
  }
  const isAnswered = isFirst && shown.reached;
  const left = concerned.filter((path) => !isAnswered || path !== OVERVIEW);
  yield asked(shown, isShut(shown) ? ["/readyz"] : left, signal);
}

/** Maximum wait for a frame: a tab hidden meanwhile paints none. */
const PAINT_MAX_MS = 2_000;

/** Resolves in a task after the next frame is painted. */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    window.setTimeout(resolve, PAINT_MAX_MS);
    window.requestAnimationFrame(() => window.setTimeout(resolve));
  });
}

/** True if a token is needed and missing, so only /readyz can be requested. */
function isShut({ access }: Snapshot): boolean {
  return access.isNeeded && !hasToken();
}

async function asked(
  before: Snapshot,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Snapshot> {
  const replies = await Promise.all(paths.map((path) => replyTo(path, signal)));
  const reached = replies.some((reply) => reply.reached);
  // Without any answer one banner reports it, and the parts keep their texts.
  if (!reached) return { ...before, reached };
  const part = <T>(path: string, old: PagePart<T>, read: Read<T>) => {
    const reply = replies.find((one) => one.path === path);
    return reply === undefined ? old : renewed(old, reply, read);
  };
  const first = replies.find(({ path }) => path === OVERVIEW);
  const clock_offset_ms = clockOffset(before.clock_offset_ms, replies[0]);
  const overview = part(OVERVIEW, before.overview, readOverview);
  const contact_ms = Date.now() + clock_offset_ms;
  return {
    access: first === undefined ? before.access : accessBy(first),
    overview,
    readiness: part("/readyz", before.readiness, readReadiness),
    alarms: part(OPEN_ALERTS, before.alarms, readAlarms),
    version: part("/version", before.version, readVersion),
    reached,
    contact_ms,
    received_ms:
      overview.known === before.overview.known ? before.received_ms : receipt(overview, contact_ms),
    clock_offset_ms,
  };
}

/** Time of the last receipt, by an answer that has just come. */
function receipt({ known }: PagePart<ShownOverview>, now_ms: number): number | null {
  const seconds = known?.value.ages?.value.received_ago_s ?? null;
  return seconds === null ? null : now_ms - seconds * 1000;
}

/** The access by an answer. A refused token is forgotten, so that it isn't sent again and again. */
function accessBy({ status, body }: PageReply): PageAccess {
  if (status !== 401 && status !== 429) return { isNeeded: false, refused: null };
  const refused = hasToken() ? refusalText(body) : null;
  setToken(null);
  return { isNeeded: true, refused };
}

/** The offset after a measurement. Small changes are noise, and would make ages jump. */
function clockOffset(before_ms: number, { offset_ms }: PageReply): number {
  if (offset_ms === null) return before_ms;
  return Math.abs(offset_ms - before_ms) < OFFSET_STEP_MS ? before_ms : offset_ms;
}

/** True if ballastd was reached and all answers were valid. */
export function isAllKnown(snapshot: Snapshot): boolean {
  if (!snapshot.reached) return false;
  const { readiness, overview, alarms, version } = snapshot;
  const parts = [readiness, overview, alarms, version];
  return parts.every((part) => part.problem === null);
}
