// The one live connection: server-sent events of /stream about changes. It is closed while the page
// is hidden, because all tabs of a browser share six connections to a host. Without it, or if a
// token is needed, the page polls.

import { type Beat, NEWS_TYPES } from "../../bwts/stream.ts";
import { instant, isLike, numberOrNull, parseAnswer } from "./checks.ts";

export const NEWS_KINDS = [...NEWS_TYPES, "resync"] as const;
/** `resync`: the news of some time are missing, so everything has to be asked for again. */
export type NewsKind = (typeof NEWS_KINDS)[number];

/**
 * Maximum time without a sign from the server, which sends one every 5 seconds: two may be lost.
 * The page shows a lost link within 12 s.
 */
export const SILENCE_MAX_MS = 10_000;
/** Pause before the next attempt after a refusal, as by a proxy while ballastd starts. */
const AFTER_REFUSAL_MS = 2_000;
/** Pause if no attempt has ever succeeded: there is no such stream. */
const WITHOUT_STREAM_MS = 60_000;

/** The members of a heartbeat that the page needs; null if the beat lacks them. */
export interface HeardBeat {
  readonly now_ms: number | null;
  readonly received_age_s: number | null;
}

interface LiveEvents {
  readonly onNews: (kind: NewsKind) => void;
  /** Called for every sign of life, with the beat if it is one. */
  readonly onSign: (beat: HeardBeat | null) => void;
  /**
   * Called when the connection continues after an event that may be newer than the page's answers.
   */
  readonly onOpen: () => void;
  /** Called when the connection was cut or refused: a request then shows if the link is lost. */
  readonly onCut: () => void;
}

export interface LiveConnection {
  /**
   * Opens the connection unless it is open, and again if it was silent for too long. `after` is the
   * id of the last event that the page knows; ballastd sends the later ones, or a resync.
   */
  keep(after: string | null): void;
  close(): void;
  /** True if something arrived in the last 10 seconds. */
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
    // The opening counts as a sign, so that the connection has time to be answered.
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
