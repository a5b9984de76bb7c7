// The store's hooks: the snapshot that all pages share, the engineer's token, the box's clock, and
// the answer of a path that only one page needs.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";

import { mayPass, type PagePart, renewed, replyTo, UNKNOWN } from "./ask.ts";
import type { Read } from "./checks.ts";
import { awaitFirstAnswer } from "./first-answers.ts";
import { type NewsKind, SILENCE_MAX_MS } from "./live.ts";
import type { Snapshot } from "./snapshot.ts";
import { currentSnapshot, onNews, onSnapshot } from "./store.ts";
import { type EngineerToken, engineerToken, onEngineerToken } from "./token.ts";

/** Time limit of one request, its body included. */
const ANSWER_MAX_MS = 60_000;
/** Pause before a new request after a failure that may pass. */
const RETRY_MS = 8_000;

/**
 * Draws the component again whenever `listen` calls its listener. It begins to listen in the same
 * turn as the drawing, because a change in between would be missed.
 */
export function useChangesOf(listen: (listener: () => void) => () => void): void {
  const [, draw] = useState(0);
  useLayoutEffect(() => listen(() => draw((count) => count + 1)), [listen]);
}

export function useSnapshot(): Snapshot {
  useChangesOf(onSnapshot);
  return currentSnapshot();
}

/** Time of the newest reading; null without one. */
export function useNewestTime(): number | null {
  return useSnapshot().overview.known?.value.ages?.value.reading_ms ?? null;
}

export function useEngineerToken(): EngineerToken {
  useChangesOf(onEngineerToken);
  return engineerToken();
}

/** The box's clock, updated once a second by one timer, so that all ages on the page agree. */
export function useNow(): number {
  const { clock_offset_ms } = useSnapshot();
  const [now_ms, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => window.clearInterval(timer);
  }, []);
  return now_ms + clock_offset_ms;
}

/**
 * The value of an answer that is requested every `every_ms`, while it is current: null with a
 * problem, while the link is lost, and if the next answer is overdue by as long as a link that is
 * silent. A component that draws each second, with `useNow`, drops it in time.
 */
export function currentValue<T>({ known, problem }: PagePart<T>, every_ms: number): T | null {
  if (known === null || problem !== null || !currentSnapshot().reached) return null;
  const age_ms = performance.now() - (known.heard_ms ?? 0);
  return age_ms < every_ms + SILENCE_MAX_MS ? known.value : null;
}

/**
 * Interval of requesting operations again: a running one continues without an event, and an ended
 * one is judged some seconds later.
 */
export const OPERATIONS_POLL_MS = 10_000;

/**
 * The answer at `path`, read by `read`. It is requested when the path changes, and again after news
 * of the `renewing` kinds or at an interval while the page is shown; soon after a failure that may
 * pass. Until the new path's answer comes the earlier one stays; `known.path` shows which it is. A
 * null path requests nothing.
 */
export function useAnswer<T>(
  path: string | null,
  read: Read<T>,
  renewing: readonly NewsKind[] = [],
  every_ms: number | null = null,
): PagePart<T> {
  const [part, setPart] = useState<PagePart<T>>(UNKNOWN);
  const kinds = renewing.join();
  useEffect(() => {
    if (path === null) return;
    let isLeft = false;
    let asking: AbortController | null = null;
    let isDue = false;
    let retry = 0;
    const answered = awaitFirstAnswer();
    const ask = async () => {
      isDue = true;
      if (asking !== null) return;
      while (isDue && !isLeft) {
        isDue = false;
        window.clearTimeout(retry);
        asking = new AbortController();
        const timer = window.setTimeout(() => asking?.abort(), ANSWER_MAX_MS);
        const reply = await replyTo(path, asking.signal);
        window.clearTimeout(timer);
        if (isLeft) return;
        setPart((before) => renewed(before, reply, read));
        answered();
        if (mayPass(reply)) retry = window.setTimeout(tryAgain, RETRY_MS);
      }
      asking = null;
    };
    const again = () => {
      if (!document.hidden) void ask();
    };
    const tryAgain = () => {
      if (document.hidden) retry = window.setTimeout(tryAgain, RETRY_MS);
      else void ask();
    };
    void ask();
    const wanted = kinds.split(",");
    const stop = onNews((kind) => {
      if (kinds !== "" && (kind === "resync" || wanted.includes(kind))) void ask();
    });
    const interval = every_ms === null ? 0 : window.setInterval(again, every_ms);
    return () => {
      isLeft = true;
      answered();
      window.clearInterval(interval);
      window.clearTimeout(retry);
      stop();
      asking?.abort();
    };
  }, [path, read, kinds, every_ms]);
  return part;
}
