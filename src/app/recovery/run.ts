// Runs a service as a process: its first lines on stdout, with version, files and addresses, and
// its end by a signal, with all received data stored.

import { closeSync, openSync } from "node:fs";
import { isatty } from "node:tty";
import type { Config } from "../../config/config.ts";
import { EXIT, messageOf } from "../../ground/errors.ts";
import type { ProgramLog } from "../../ground/log.ts";
import { becomeOwnerOf } from "../../ground/owner.ts";
import type { StartConfig } from "../asked-support.ts";
import { openService, type Service } from "../service.ts";
import { openSupervisor, type Supervisor } from "./supervisor.ts";

/** A service to run, with optional work beside it. */
export interface ServiceRun {
  readonly config: Config;
  /** The configuration file that was read, null for none. */
  readonly file: string | null;
  /** The environment used for the configuration; by default the process's. */
  readonly env?: StartConfig["env"];
  readonly log: ProgramLog;
  readonly isSimulated: boolean;
  /** Work beside the service, until `stop` is aborted. */
  readonly beside?: (service: Service, stop: AbortSignal) => Promise<void>;
  /** Receiver of the process's state; by default the service manager that started it. */
  readonly supervisor?: Supervisor;
}

/** The request to end the process. */
export interface Stop {
  readonly signal: AbortSignal;
  readonly stopped: Promise<void>;
}

/**
 * Time in which a second signal counts as the same request: timeout(1) and npm pass on a signal
 * that the process group also got.
 */
const SAME_REQUEST_MS = 1000;

/**
 * Listens for SIGTERM and SIGINT, once a process. A second request, SAME_REQUEST_MS after the first
 * or later, ends the process at once.
 */
export function stopSignals(): Stop {
  const stop = new AbortController();
  let requested_ms = 0;
  const stopped = new Promise<void>((resolve) => {
    const onSignal = () => {
      if (stop.signal.aborted) {
        if (performance.now() - requested_ms < SAME_REQUEST_MS) return;
        process.exit(EXIT.failed);
      }
      requested_ms = performance.now();
      stop.abort();
      resolve();
    };
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  });
  // Without a listener Node would open its debugger on a port of this PC, without a token.
  process.on("SIGUSR1", () => {});
  return { signal: stop.signal, stopped };
}

/**
 * Starts the service and prints its versions, files and addresses. Resolves when it has ended and
 * all data is stored: true if changed settings ended it, and it has to be started again.
 */
export async function runUntilStopped(run: ServiceRun, stop = stopSignals()): Promise<boolean> {
  const { config, log } = run;
  becomeOwnerOf(config.storage.dir);
  const supervisor = run.supervisor ?? openSupervisor(process.env, () => log);
  supervisor.starting();
  const end = () => {
    log.info("told to start again: ending, the service manager starts it");
    process.exitCode = EXIT.temporary;
    process.kill(process.pid, "SIGTERM");
  };
  const again = Promise.withResolvers<true>();
  // With work beside it the service can't restart alone: the process ends.
  const restarts = { end, again: run.beside ? end : () => again.resolve(true) };
  let reload = () => {};
  const onHangUp = () => (terminalIsGone() ? process.kill(process.pid) : reload());
  process.on("SIGHUP", onHangUp);
  const service = await openService({
    config,
    given: { file: run.file, env: run.env ?? process.env },
    log,
    isSimulated: run.isSimulated,
    restarts,
    onLost(error) {
      log.error("the service can't go on, start it again", { problem: messageOf(error) });
      process.exit(EXIT.failed);
    },
  }).catch((error) => {
    process.off("SIGHUP", onHangUp);
    throw error;
  });
  reload = service.reload;
  supervisor.ready(service.alive);
  process.stdout.write(`${firstLines(run, service).join("\n")}\n`);
  log.info("started", { version: service.build.version, mode: config.mqtt.mode });
  const beside = run.beside?.(service, stop.signal);
  const isAgain = await Promise.race([
    stop.stopped.then(() => false),
    again.promise,
    ...(beside === undefined ? [] : [rejection(beside)]),
  ]);
  if (isAgain) log.info("settings were changed: starting again with them");
  else supervisor.stopping();
  await beside;
  process.off("SIGHUP", onHangUp);
  await service.close();
  log.info("stopped, everything received is stored");
  return isAgain && !stop.signal.aborted;
}

function firstLines(run: ServiceRun, service: Service): readonly string[] {
  const { build, sqlite, web, broker } = service;
  const node = process.versions.node;
  return [
    `ballastd ${build.version} (commit ${build.commit}, Node ${node}, SQLite ${sqlite})`,
    `configuration: ${run.file ?? "none, defaults and environment"}`,
    `data: ${run.config.storage.dir}${run.isSimulated ? " (SIMULATED)" : ""}`,
    `web: ${web.join(" ") || "no address yet"}`,
    `MQTT: ${broker.join(" ") || "no address yet"} (${run.config.mqtt.mode})`,
    ...service.missing.map((problem) => `waiting: ${problem}`),
  ];
}

/**
 * True if SIGHUP came from a closed terminal; any other SIGHUP asks to read the certificates again.
 */
export function terminalIsGone(): boolean {
  if (!isatty(0)) return false;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return false;
  } catch {
    return true;
  }
}

/** Never resolves; rejects when `work` does. */
function rejection(work: Promise<void>): Promise<never> {
  return new Promise((_resolve, reject) => {
    work.catch(reject);
  });
}
