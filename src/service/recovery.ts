// Recovery: with what the service can't be started (a configuration, a database, a certificate or a
// port), the process stays up, read-only, and says what is wrong and what to type. It tries again
// by itself, for aboard there may be nobody who can. Only where it can't be seen at all does it
// end.

import { existsSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type LoadedConfig, loadConfig } from "../config.ts";
import type { Listen } from "../config-values.ts";
import { codeOf, EXIT, Failure, messageOf } from "../errors.ts";
import type { Http } from "../http/server.ts";
import { openLog, type ProgramLog } from "../log.ts";
import { openRecoveryFront } from "./recovery-front.ts";
import type { Trouble } from "./recovery-page.ts";
import { runUntilStopped, type Stop, stopSignals } from "./run.ts";
import { openSupervisor, type Supervisor } from "./supervisor.ts";

/** To the next try, then twice as long and so on: each may leave its start in the audit log. */
const TRY_AGAIN_MS = 30_000;
const TRY_AGAIN_MAX_MS = 10 * 60_000;
/** Who mends the configuration wants to see it work. */
const LOOK_MS = 1000;
const USUAL: readonly Listen[] = [{ host: "127.0.0.1", port: 8080 }];

export interface RecoveringRun {
  /** `--config`; null for the usual places. */
  readonly file: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs the service until a signal ends it, in recovery as long as it can't be started. Throws a
 * Failure (exit 78) when not even the recovery page can be served.
 */
export async function runRecovering({ file, env }: RecoveringRun): Promise<void> {
  const stop = stopSignals();
  let log = openLog("info");
  let told: string | null = null;
  let wait_ms = TRY_AGAIN_MS;
  const supervisor = openSupervisor(env, () => log);
  while (!stop.signal.aborted) {
    let loaded: LoadedConfig | null = null;
    try {
      loaded = loadConfig({ file, env });
      log = openLog(loaded.config.log.level);
      await runUntilStopped({ ...loaded, log, isSimulated: false, supervisor }, stop);
      return;
    } catch (error) {
      // Whose folder another instance has must not answer in its place.
      if (error instanceof Failure && error.exitCode === EXIT.temporary) throw error;
      const problem = messageOf(error);
      if (problem !== told) log.error("recovery: the service can't be started", { problem });
      wait_ms = problem === told ? Math.min(2 * wait_ms, TRY_AGAIN_MAX_MS) : TRY_AGAIN_MS;
      told = problem;
      const named = loaded?.file ?? file ?? env.BALLASTD_CONFIG ?? null;
      const trouble = { problem, error, loaded, file: named };
      await recover(trouble, { stop, log, wait_ms, supervisor });
    }
  }
  supervisor.stopping();
}

/** Serves the recovery page until it is time to try again, or to end. */
async function recover(
  trouble: Trouble,
  {
    stop,
    log,
    wait_ms,
    supervisor,
  }: {
    readonly stop: Stop;
    readonly log: ProgramLog;
    readonly wait_ms: number;
    readonly supervisor: Supervisor;
  },
): Promise<void> {
  const http = await openSomewhere(trouble, log);
  // It is where it can be seen, and lives; the next try may take its time.
  supervisor.ready(async () => {});
  process.stdout.write(`RECOVERY: ${trouble.problem}\nweb: ${http.urls.join(" ")}\n`);
  try {
    const before = printOf(trouble.file);
    const again_ms = Date.now() + wait_ms;
    while (!stop.signal.aborted && Date.now() < again_ms && printOf(trouble.file) === before)
      await sleep(LOOK_MS, null, { signal: stop.signal }).catch(() => null);
  } finally {
    await http.close();
  }
}

/** On the configured addresses, else on the usual one. */
async function openSomewhere(
  trouble: Trouble,
  log: ProgramLog,
): Promise<Pick<Http, "close"> & { readonly urls: readonly string[] }> {
  const wanted = trouble.loaded?.config.http.listen ?? USUAL;
  try {
    return await openRecoveryFront(trouble, { listen: wanted, log });
  } catch (error) {
    log.warn("recovery: the configured address can't be had", { problem: messageOf(error) });
  }
  try {
    return await openRecoveryFront(trouble, { listen: USUAL, log });
  } catch (error) {
    throw new Failure(
      EXIT.config,
      `${trouble.problem}; and recovery can't be served: ${messageOf(error)}`,
    );
  }
}

/** Differs when the file was written or replaced. */
function printOf(file: string | null): string {
  if (file === null || !existsSync(file)) return "none";
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return `${ino}:${size}:${mtimeMs}`;
  } catch (error) {
    return codeOf(error) ?? "unreadable";
  }
}
