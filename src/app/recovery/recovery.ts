// Recovery: if the service can't be started (by its configuration, database, certificate), the
// process keeps running read-only, and reports the problem and the next step. It tries again by
// itself, since nobody aboard may be able to, and at once when one of its files changes or on
// SIGHUP. It never ends by itself, and waits for an address that can't be bound.

import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/config.ts";
import { loadConfig, readableConfig } from "../../config/load.ts";
import { printListen } from "../../config/values.ts";
import { codeOf, EXIT, Failure, FolderBusy, messageOf } from "../../ground/errors.ts";
import { openLog, type ProgramLog } from "../../ground/log.ts";
import { openRecoveryFront, type RecoveryFront } from "./recovery-front.ts";
import type { Trouble } from "./recovery-page.ts";
import { runUntilStopped, type Stop, stopSignals, terminalIsGone } from "./run.ts";
import { openSupervisor, type Supervisor } from "./supervisor.ts";

/**
 * First interval between tries; it doubles each time, because each try may leave a start in the
 * audit log.
 */
const TRY_AGAIN_MS = 30_000;
const TRY_AGAIN_MAX_MS = 10 * 60_000;
/** Interval of checks for a changed configuration: short, because a user waits for the result. */
const LOOK_MS = 1000;
/** Interval of tries while another instance uses the data folder. */
const FOLDER_AGAIN_MS = 2000;
/** Address of the page if none of the configured ones can be bound. */
export const USUAL = { host: "127.0.0.1", port: 8080 } as const;

export interface RecoveringRun {
  /** Path from `--config`; null for the usual places. */
  readonly file: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs the service until a signal ends it; while it can't be started, serves recovery mode instead.
 */
export async function runRecovering(source: RecoveringRun): Promise<void> {
  const stop = stopSignals();
  let log = openLog("info");
  let told: string | null = null;
  let wait_ms = TRY_AGAIN_MS;
  const supervisor = openSupervisor(source.env, () => log);
  const hangUp = { isHeard: false };
  process.on("SIGHUP", () => {
    hangUp.isHeard = true;
  });
  while (!stop.signal.aborted) {
    hangUp.isHeard = false;
    try {
      const loaded = loadConfig(source);
      log = openLog(loaded.config.log.level);
      if (await runUntilStopped({ ...loaded, log, isSimulated: false, supervisor }, stop)) continue;
      return;
    } catch (error) {
      // Exit code 75 means that the service manager must start another version.
      const isBusy = error instanceof FolderBusy;
      if (!isBusy && error instanceof Failure && error.exitCode === EXIT.temporary) throw error;
      const problem = messageOf(error);
      if (isBusy) {
        if (problem !== told) log.error("waiting for the data folder", { problem });
        told = problem;
        await waitForFolder(stop, supervisor);
        continue;
      }
      if (problem !== told) log.error("recovery: the service can't be started", { problem });
      wait_ms = problem === told ? Math.min(2 * wait_ms, TRY_AGAIN_MAX_MS) : TRY_AGAIN_MS;
      told = problem;
      const trouble = { problem, error, readable: readableConfig(source) };
      await recover(trouble, { stop, hangUp, log, wait_ms, supervisor });
    }
  }
  supervisor.stopping();
}

/**
 * Waits for a folder that another instance uses. It serves no page, because it must not answer in
 * the other's place.
 */
async function waitForFolder(stop: Stop, supervisor: Supervisor): Promise<void> {
  supervisor.ready(async () => {});
  await sleep(FOLDER_AGAIN_MS, null, { signal: stop.signal }).catch(() => null);
}

interface Recovering {
  readonly stop: Stop;
  /** Set by SIGHUP. A SIGHUP from a closed terminal ends the process. */
  readonly hangUp: { readonly isHeard: boolean };
  readonly log: ProgramLog;
  readonly wait_ms: number;
  readonly supervisor: Supervisor;
}

/** Serves the recovery page until it is time to try again, or to end. */
async function recover(trouble: Trouble, recovering: Recovering): Promise<void> {
  const { stop, hangUp, log, wait_ms, supervisor } = recovering;
  const { config, file } = trouble.readable;
  const before = printsOf(config, file);
  const front = await openSomewhere(trouble, log);
  // Reported as ready: the page is served, and the next try may take long.
  supervisor.ready(async () => {});
  process.stdout.write(`${firstLines(trouble, front).join("\n")}\n`);
  try {
    const again_ms = performance.now() + wait_ms;
    while (!stop.signal.aborted && !hangUp.isHeard && performance.now() < again_ms) {
      if (printsOf(config, file) !== before) break;
      await sleep(LOOK_MS, null, { signal: stop.signal }).catch(() => null);
    }
    if (hangUp.isHeard && terminalIsGone()) process.kill(process.pid);
  } finally {
    await front.close();
  }
}

function firstLines({ problem }: Trouble, front: RecoveryFront): readonly string[] {
  return [
    `RECOVERY: ${problem}`,
    `web: ${front.urls.join(" ") || "no address yet"}`,
    ...front.missing.map((missing) => `waiting: ${missing}`),
  ];
}

/** Listens on the configured addresses, and on USUAL if none of them can be bound now. */
async function openSomewhere(trouble: Trouble, log: ProgramLog): Promise<RecoveryFront> {
  const { listen } = trouble.readable.config.http;
  const front = await openRecoveryFront(trouble, { listen, log });
  const usual = printListen(USUAL);
  if (front.urls.length > 0 || listen.some((one) => printListen(one) === usual)) return front;
  await front.close();
  return openRecoveryFront(trouble, { listen: [...listen, USUAL], log });
}

/** A fingerprint that changes when one of the files is written, replaced or made readable. */
function printsOf({ http, mqtt, sparkplug }: Config, file: string | null): string {
  const files = [
    ...[file ?? "", http.tls_cert, http.tls_key],
    ...[mqtt, sparkplug].flatMap(({ tls_cert, tls_key, tls_ca, password_file }) => [
      ...[tls_cert, tls_key, tls_ca, password_file],
    ]),
  ];
  return files.map((one) => (one === "" ? "none" : printOf(one))).join(" ");
}

function printOf(file: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file);
    return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  } catch (error) {
    return codeOf(error) ?? "unreadable";
  }
}
