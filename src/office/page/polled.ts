// An answer of the fleet's server, requested again and again while the page is visible. The earlier
// answer stays until the next has arrived, so that nothing flickers.

import { useEffect, useState } from "preact/hooks";
import { type PagePart, renewed, replyTo, UNKNOWN } from "../../dashboard/store/ask.ts";
import type { Read } from "../../dashboard/store/checks.ts";

/** Interval of requests, ms; a ship reports every ten minutes. */
const EVERY_MS = 15_000;
/** Interval of requests while there is a problem, ms. */
const AGAIN_MS = 5_000;
const ANSWER_MAX_MS = 30_000;

export interface PolledPart<T> extends PagePart<T> {
  /** Time of the last answer, by the steady clock; null before the first. */
  readonly answered_ms: number | null;
}

const NOTHING = { ...UNKNOWN, answered_ms: null };

/** The newest answer to a path; none from the path before. */
export function usePolled<T>(path: string, read: Read<T>): PolledPart<T> {
  const [polled, setPolled] = useState<PolledPart<T> & { readonly path: string }>({
    ...NOTHING,
    path,
  });
  useEffect(() => {
    let isLeft = false;
    let timer = 0;
    let asking: AbortController | null = null;
    const ask = async () => {
      window.clearTimeout(timer);
      if (asking !== null || document.hidden) return;
      asking = new AbortController();
      const limit = window.setTimeout(() => asking?.abort(), ANSWER_MAX_MS);
      const reply = await replyTo(path, asking.signal);
      window.clearTimeout(limit);
      asking = null;
      if (isLeft) return;
      setPolled((before) => {
        const earlier = before.path === path ? before : NOTHING;
        const part = renewed(earlier, reply, read);
        const answered_ms = part.problem === null ? performance.now() : earlier.answered_ms;
        return { ...part, path, answered_ms };
      });
      timer = window.setTimeout(ask, reply.problem === null ? EVERY_MS : AGAIN_MS);
    };
    void ask();
    document.addEventListener("visibilitychange", ask);
    return () => {
      isLeft = true;
      document.removeEventListener("visibilitychange", ask);
      window.clearTimeout(timer);
      asking?.abort();
    };
  }, [path, read]);
  return polled.path === path ? polled : NOTHING;
}

/** The office's clock: the time of an answer plus the time since. */
export function useShoreNow(as_of_ms: number | null, answered_ms: number | null): number {
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => draw((count) => count + 1), 1000);
    return () => window.clearInterval(timer);
  }, []);
  if (as_of_ms === null || answered_ms === null) return Date.now();
  return as_of_ms + performance.now() - answered_ms;
}
