// The one live connection: server-sent events of /stream, which tell what has changed. It is closed
// while the page is hidden, because a browser has six connections to a host for all of its tabs;
// without it, or where a token is needed, the page polls as before.

export const NEWS_KINDS = [
  "reading",
  "event",
  "alert",
  "health",
  "forecast",
  "operation",
  "resync",
] as const;
/** `resync`: what came meanwhile isn't known, everything has to be asked for again. */
export type NewsKind = (typeof NEWS_KINDS)[number];

/** The server says something every 5 seconds; two may be late. */
export const SILENCE_MAX_MS = 12_000;
/** Until the next attempt after a refusal, as of a proxy while ballastd starts. */
const AFTER_REFUSAL_MS = 2_000;
/** The same where no attempt has succeeded: there is no such stream. */
const WITHOUT_STREAM_MS = 60_000;

interface LiveEvents {
  readonly onNews: (kind: NewsKind) => void;
  /** Called for every sign of life; the server's time is told by a beat. */
  readonly onSign: (server_ms: number | null) => void;
}

export interface LiveConnection {
  /** Opens it, if it isn't; opens it again if it has been silent for too long. */
  keep(): void;
  close(): void;
  /** True while something was heard from it in the last 12 seconds. */
  isAlive(): boolean;
}

export function liveConnection({ onNews, onSign }: LiveEvents): LiveConnection {
  let source: EventSource | null = null;
  let wasOpen = false;
  let heard_ms = Number.NEGATIVE_INFINITY;
  let notBefore_ms = Number.NEGATIVE_INFINITY;

  function close(): void {
    source?.close();
    source = null;
    heard_ms = Number.NEGATIVE_INFINITY;
  }

  function open(): void {
    const opened = new EventSource("stream");
    const sign = (server_ms: number | null) => {
      if (source !== opened) return;
      heard_ms = performance.now();
      onSign(server_ms);
    };
    source = opened;
    // A new connection counts as heard, so that it has its time to be answered.
    heard_ms = performance.now();
    opened.onopen = () => {
      sign(null);
      // Events between two connections are lost to this page; before the first it missed none.
      if (wasOpen) onNews("resync");
      wasOpen = true;
    };
    opened.onerror = () => {
      if (source !== opened || opened.readyState !== EventSource.CLOSED) return;
      close();
      notBefore_ms = performance.now() + (wasOpen ? AFTER_REFUSAL_MS : WITHOUT_STREAM_MS);
    };
    opened.addEventListener("beat", (event) => sign(timeIn(event.data)));
    for (const kind of NEWS_KINDS)
      opened.addEventListener(kind, () => {
        sign(null);
        if (source === opened) onNews(kind);
      });
  }

  const isAlive = () =>
    source?.readyState === EventSource.OPEN && performance.now() - heard_ms < SILENCE_MAX_MS;

  return {
    keep() {
      if (typeof EventSource === "undefined" || performance.now() < notBefore_ms) return;
      if (source !== null && performance.now() - heard_ms < SILENCE_MAX_MS) return;
      close();
      open();
    },
    close,
    isAlive,
  };
}

/** The server's time in a beat's data, null if it has none. */
function timeIn(data: unknown): number | null {
  try {
    const { now } = JSON.parse(String(data));
    const at_ms = typeof now === "number" ? now : Date.parse(String(now));
    return Number.isFinite(at_ms) ? at_ms : null;
  } catch {
    return null;
  }
}
