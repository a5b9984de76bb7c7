// The one live connection: server-sent events of /stream, which tell what has changed. It is closed
// while the page is hidden, because a browser has six connections to a host for all of its tabs;
// without it, or where a token is needed, the page polls as before.

import { type Beat, NEWS_TYPES } from "../../bwts/stream.ts";
import { instant, isLike, numberOrNull, parseAnswer } from "./checks.ts";

export const NEWS_KINDS = [...NEWS_TYPES, "resync"] as const;
/** `resync`: the news of some time aren't known, everything has to be asked for again. */
export type NewsKind = (typeof NEWS_KINDS)[number];

/** The server says something every 5 seconds; two may be lost. Told within 12 s. */
export const SILENCE_MAX_MS = 10_000;
/** Until the next attempt after a refusal, as of a proxy while ballastd starts. */
const AFTER_REFUSAL_MS = 2_000;
/** The same where no attempt has succeeded: there is no such stream. */
const WITHOUT_STREAM_MS = 60_000;

/** A beat as the page needs it; null where it isn't told. */
export interface HeardBeat {
  readonly now_ms: number | null;
  readonly received_age_s: number | null;
}

interface LiveEvents {
  readonly onNews: (kind: NewsKind) => void;
  /** Called for every sign of life; a beat tells more. */
  readonly onSign: (beat: HeardBeat | null) => void;
  /** It goes on after an event that is perhaps newer than what was answered before. */
  readonly onOpen: () => void;
  /** The connection was cut, or isn't to be had: a request tells if the link is lost. */
  readonly onCut: () => void;
}

export interface LiveConnection {
  /**
   * Opens it, if it isn't; opens it again if it has been silent for too long. `after` is the id of
   * the last event that the page knows of; ballastd tells what came since, or a resync.
   */
  keep(after: string | null): void;
  close(): void;
  /** True while something was heard from it in the last 10 seconds. */
  isAlive(): boolean;
}

export function liveConnection({ onNews, onSign, onOpen, onCut }: LiveEvents): LiveConnection {
  let source: EventSource | null = null;
  let wasOpen = false;
  let heard_ms = Number.NEGATIVE_INFINITY;
  let notBefore_ms = Number.NEGATIVE_INFINITY;

  function close(): void {
    source?.close();
    source = null;
    heard_ms = Number.NEGATIVE_INFINITY;
  }

  function open(after: string | null): void {
    const from = after === null ? "" : `?last_event_id=${encodeURIComponent(after)}`;
    const opened = new EventSource(`stream${from}`);
    const sign = (beat: HeardBeat | null) => {
      if (source !== opened) return;
      heard_ms = performance.now();
      onSign(beat);
    };
    source = opened;
    // A new connection counts as heard, so that it has its time to be answered.
    heard_ms = performance.now();
    opened.onopen = () => {
      sign(null);
      wasOpen = true;
      if (after === null) onNews("resync");
      else onOpen();
    };
    opened.onerror = () => {
      if (source !== opened) return;
      if (opened.readyState === EventSource.CLOSED) {
        close();
        notBefore_ms = performance.now() + (wasOpen ? AFTER_REFUSAL_MS : WITHOUT_STREAM_MS);
      }
      onCut();
    };
    opened.addEventListener("beat", (event) => sign(beatIn(event.data)));
    for (const kind of NEWS_KINDS)
      opened.addEventListener(kind, () => {
        sign(null);
        if (source === opened) onNews(kind);
      });
  }

  const isAlive = () =>
    source?.readyState === EventSource.OPEN && performance.now() - heard_ms < SILENCE_MAX_MS;

  return {
    keep(after) {
      if (typeof EventSource === "undefined" || performance.now() < notBefore_ms) return;
      if (source !== null && performance.now() - heard_ms < SILENCE_MAX_MS) return;
      close();
      open(after);
    },
    close,
    isAlive,
  };
}

function beatIn(data: unknown): HeardBeat {
  const beat = parseAnswer(String(data));
  if (!isLike<Beat>(beat)) return { now_ms: null, received_age_s: null };
  return { now_ms: instant(beat.now), received_age_s: numberOrNull(beat.received_age_s) };
}
