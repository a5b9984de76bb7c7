// What systemd is told while the service runs: that it is ready, that it lives, that it stops. Node
// has no datagram sockets of the system's own kind, so each word is a run of systemd-notify, which
// is there wherever systemd is. A sign of life is sent only after the threads have answered: a
// process that is there and does nothing must be started again.

import { spawn } from "node:child_process";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";

/** Signs of life within the watchdog's time: two may be late before it bites. */
const SIGNS = 3;

/** While it starts, so often it asks for so much more time than the unit's TimeoutStartSec. */
const EXTEND_EVERY_MS = 30_000;
const EXTENSION_USEC = 120_000_000;
/** Beyond any migration: a start that hangs has to end. */
const START_MAX_MS = 2 * 3_600_000;

export interface Supervisor {
  /** Says again and again that the start goes on, until `ready`: a migration takes its time. */
  starting(every_ms?: number): void;
  /**
   * Says that the process serves, and goes on proving by `alive` that it lives, as often as the
   * unit's WatchdogSec wants it; a later call is about another proof. `alive` resolves when
   * everything that must not hang has answered.
   */
  ready(alive: () => Promise<void>): void;
  /** Says that the process stops; from now on nobody watches over it. */
  stopping(): void;
}

/** Speaks with the service manager that `env` names; without one it does nothing. */
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
      // In recovery it was ready before.
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

/** Gives a sign of life when `alive` has resolved; while it hasn't, it isn't asked again. */
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

/** The unit's WatchdogSec, 0 for none. It is of this process alone, not of one that started it. */
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
