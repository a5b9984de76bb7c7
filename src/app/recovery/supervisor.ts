// Reports to systemd: ready, alive, stopping. Node has no Unix datagram sockets, so each report
// runs systemd-notify, which exists wherever systemd does. A sign of life is sent only after the
// threads have answered, so that systemd restarts a process that hangs.

import { spawn } from "node:child_process";
import { messageOf } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";

/** Number of signs of life within the watchdog's time: two may be late. */
const SIGNS = 3;

/** Interval of requests for more time than the unit's TimeoutStartSec, during the start. */
const EXTEND_EVERY_MS = 30_000;
const EXTENSION_USEC = 120_000_000;
/** Maximum time of a start, longer than any migration: a start that hangs must end. */
const START_MAX_MS = 2 * 3_600_000;

export interface Supervisor {
  /** Reports regularly that the start is in progress, until `ready`; a migration takes time. */
  starting(every_ms?: number): void;
  /**
   * Reports that the process is ready. Then calls `alive` as often as the unit's WatchdogSec
   * requires, and sends a sign of life when it resolves, which means that every part that must not
   * hang has answered. A later call replaces `alive`.
   */
  ready(alive: () => Promise<void>): void;
  /** Reports that the process stops; afterwards it isn't watched. */
  stopping(): void;
}

/** Connects to the service manager that `env` names; without one all calls do nothing. */
export function openSupervisor(
  env: Readonly<Record<string, string | undefined>>,
  log: () => Log,
): Supervisor {
  if (!env.NOTIFY_SOCKET) return { starting() {}, ready() {}, stopping() {} };
  const say = (...words: readonly string[]) => notify(words, log());
  const period_ms = watchdog_ms(env) / SIGNS;
  let timer: NodeJS.Timeout | null = null;
  let isReady = false;
  const end = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    starting(every_ms = EXTEND_EVERY_MS) {
      // Recovery mode has already reported that the process is ready.
      if (isReady) return;
      end();
      const began_ms = performance.now();
      timer = setInterval(() => {
        if (performance.now() - began_ms < START_MAX_MS)
          say(`EXTEND_TIMEOUT_USEC=${EXTENSION_USEC}`);
      }, every_ms).unref();
    },
    ready(alive) {
      isReady = true;
      end();
      say("--ready");
      if (period_ms > 0) timer = setInterval(openProof(alive, say, log), period_ms).unref();
    },
    stopping() {
      end();
      say("--stopping");
    },
  };
}

/**
 * Makes a function that sends a sign of life when `alive` has resolved; `alive` isn't called again
 * before.
 */
function openProof(
  alive: () => Promise<void>,
  say: (word: string) => void,
  log: () => Log,
): () => Promise<void> {
  let isAsked = false;
  return async () => {
    if (isAsked) return;
    isAsked = true;
    try {
      await alive();
      say("WATCHDOG=1");
    } catch (error) {
      log().warn("no sign of life for the watchdog", { problem: messageOf(error) });
    } finally {
      isAsked = false;
    }
  };
}

/**
 * The unit's WatchdogSec in ms, 0 for none. It applies to this process only, not to one that
 * started it.
 */
function watchdog_ms({ WATCHDOG_USEC = "0", WATCHDOG_PID }: NodeJS.ProcessEnv): number {
  if (WATCHDOG_PID !== undefined && Number(WATCHDOG_PID) !== process.pid) return 0;
  return Number(WATCHDOG_USEC) / 1000;
}

function notify(words: readonly string[], log: Log): void {
  const child = spawn("systemd-notify", words, { stdio: "ignore" });
  child.on("error", (error) =>
    log.warn("systemd-notify can't be run", { problem: messageOf(error) }),
  );
  child.unref();
}
