// Tests if the other end is alive: a link that swallows everything closes nothing, so PINGREQ is
// sent. Any byte is a sign of life, because on a slow link the answer is queued behind other data,
// but it must come in the end. Time is counted in ticks, so that a stall of this process (or a
// clock that jumps) isn't taken for the broker's silence.

import type { ClientTiming } from "./timing.ts";

export interface PulseOptions extends Pick<ClientTiming, "ping_ms" | "silence_ms" | "pong_ms"> {
  /** Sends PINGREQ. */
  readonly ping: () => void;
  /** False while we don't read from the socket: then hearing nothing is our own doing. */
  readonly isReading: () => boolean;
  /** Called once, with the reason. */
  readonly onDead: (reason: string) => void;
}

export interface Pulse {
  /** Notes a received byte. */
  heard(): void;
  /** Notes a PINGRESP. */
  answered(): void;
  stop(): void;
}

/** Number of ticks in `silence_ms`; `onDead` may come one tick late. */
const TICKS_PER_SILENCE = 10;

/** Starts to test the link with PINGREQ. */
export function startPulse(options: PulseOptions): Pulse {
  const { ping_ms, silence_ms, pong_ms } = options;
  const tick_ms = Math.ceil(silence_ms / TICKS_PER_SILENCE);
  let isAsked = false;
  let since_ms = 0; // since the last PINGREQ or PINGRESP
  let silent_ms = 0;
  const beat = () => {
    if (!options.isReading()) return;
    since_ms += tick_ms;
    silent_ms += tick_ms;
    if (!isAsked && since_ms >= ping_ms) {
      isAsked = true;
      since_ms = 0;
      silent_ms = 0;
      options.ping();
    } else if (isAsked && (silent_ms >= silence_ms || since_ms >= pong_ms)) {
      clearInterval(timer);
      const silent = silent_ms >= silence_ms;
      const what = silent ? "nothing is heard from it" : "it answers no PINGREQ";
      options.onDead(`${what} for ${(silent ? silent_ms : since_ms) / 1000} s`);
    }
  };
  const timer = setInterval(beat, tick_ms);
  return {
    heard: () => {
      silent_ms = 0;
    },
    answered: () => {
      isAsked = false;
      since_ms = 0;
    },
    stop: () => clearInterval(timer),
  };
}
