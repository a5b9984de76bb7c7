// The snapshot of the plant that all pages share, and the requests that it is made of: each with
// the news after which it is asked again. The overview comes first and alone, because the verdict
// is made of it. A failed request keeps the earlier data and reports the failure: the page shows
// both, never a blank. If a token is needed and missing, only /readyz is requested, which needs
// none.

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
import { errorMessage, type Read } from "./checks.ts";
import { NEWS_KINDS, type NewsKind } from "./live.ts";
import { readOverview } from "./overview-answer.ts";
import type { ShownOverview } from "./overview-shapes.ts";
import { hasToken, setToken } from "./token.ts";

/** The page's access to ballastd. */
export interface PageAccess {
  readonly isNeeded: boolean;
  /** The reason why the last token was refused, "" if none was told; null if none was refused. */
  readonly refused: string | null;
}

export interface Snapshot {
  readonly access: PageAccess;
  readonly readiness: PagePart<ShownReadiness>;
  /** The plant now. */
  readonly overview: PagePart<ShownOverview>;
  /** The open alerts, the most urgent first. */
  readonly alarms: PagePart<readonly OpenAlert[]>;
  readonly version: PagePart<ShownVersion>;
  /** False while the link to ballastd is lost. */
  readonly reached: boolean;
  /** Time of its last sign, by its own clock; before that, the time the page was opened. */
  readonly contact_ms: number;
  /** When a message with readings came last, by its clock; null before the first. */
  readonly received_ms: number | null;
  /** Added to the browser's clock it gives the box's. */
  readonly clock_offset_ms: number;
}

const OVERVIEW = "/api/overview";

/** The requests, and the news that each is asked again for. */
const REQUESTS: Readonly<Record<string, readonly NewsKind[]>> = {
  [OVERVIEW]: NEWS_KINDS,
  "/readyz": ["alert", "resync"],
  [OPEN_ALERTS]: ["alert", "resync"],
  "/version": ["resync"],
};

/** The Date header has whole seconds: a smaller change of the offset is its rounding. */
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

/** The snapshot after each step of asking for all that `news` concerns; never rejects. */
export async function* refreshed(
  before: Snapshot,
  news: ReadonlySet<NewsKind>,
  signal: AbortSignal,
): AsyncGenerator<Snapshot> {
  const concerned = Object.keys(REQUESTS).filter((path) =>
    REQUESTS[path]?.some((kind) => news.has(kind)),
  );
  let shown = before;
  // Once it was without an answer, the others don't wait for it, and it is asked beside them.
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

/** A tab that is hidden meanwhile paints nothing. */
const PAINT_MAX_MS = 2_000;

/** Resolves in a task after the next frame is painted. */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    window.setTimeout(resolve, PAINT_MAX_MS);
    window.requestAnimationFrame(() => window.setTimeout(resolve));
  });
}

/** Only what needs no token can be asked for. */
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
  // No answer: one banner reports it, and the parts keep their texts.
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

/** The instant of the last receipt by an answer that came just now. */
function receipt({ known }: PagePart<ShownOverview>, now_ms: number): number | null {
  const seconds = known?.value.ages?.value.received_ago_s ?? null;
  return seconds === null ? null : now_ms - seconds * 1000;
}

/** A refused token is forgotten, so that it isn't sent again and again. */
function accessBy({ status, body }: PageReply): PageAccess {
  if (status !== 401 && status !== 429) return { isNeeded: false, refused: null };
  const refused = hasToken() ? (errorMessage(body) ?? "") : null;
  setToken(null);
  return { isNeeded: true, refused };
}

/** The offset after a measurement: small changes are noise, ages would jump by them. */
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
