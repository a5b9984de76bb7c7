// The built program as the benchmark runs it: on free ports, with the default configuration, all of
// its data in one folder.

import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openClient } from "./ask.ts";
import { freePort, runCommand, startChild } from "./child.ts";

/** The program and where it keeps its data. */
export interface Installed {
  /** The path of main.cjs. */
  readonly program: string;
  readonly folder: string;
}

export interface Ballastd {
  readonly pid: number;
  /** `http://host:port` */
  readonly http: string;
  /** `mqtt://host:port` */
  readonly mqtt: string;
  /** From the start of the process until `path` was answered with 200. */
  readonly first_answer_ms: number;
  /** Ends it cleanly, with everything in the database file. */
  stop(): Promise<void>;
}

const POLL_MS = 5;

/** Starts it, waits until `firstPath` is answered with 200, then until it is ready. */
export async function startBallastd(
  { program, folder }: Installed,
  firstPath: string,
): Promise<Ballastd> {
  const [http, mqtt] = [await freePort(), await freePort()];
  const env = {
    ...configured(folder),
    BALLASTD_HTTP_LISTEN: `127.0.0.1:${http}`,
    BALLASTD_MQTT_LISTEN: `127.0.0.1:${mqtt}`,
  };
  const began = performance.now();
  const child = startChild({ file: process.execPath, args: [program, "serve"], folder, env });
  const base = `http://127.0.0.1:${http}`;
  await child.until(`200 for ${firstPath}`, () => answers(base, firstPath), POLL_MS);
  const first_answer_ms = performance.now() - began;
  await child.until("200 for /readyz", () => answers(base, "/readyz"));
  return {
    pid: child.pid,
    http: base,
    mqtt: `mqtt://127.0.0.1:${mqtt}`,
    first_answer_ms,
    stop: () => child.stop("SIGTERM"),
  };
}

/** Stores the readings of a file in the data folder of a program that isn't running. */
export async function importReadings({ program, folder }: Installed, file: string): Promise<void> {
  const env = configured(folder);
  await runCommand({ file: process.execPath, args: [program, "import", file], folder, env });
}

/** Duration of `verify` on a stopped program, in s; null if it has no such command. */
export async function verify_s({ program, folder }: Installed): Promise<number | null> {
  const env = configured(folder);
  const run = (...args: readonly string[]) =>
    runCommand({ file: process.execPath, args: [program, ...args], folder, env });
  const known = await run("verify", "--help").then(
    () => true,
    () => false,
  );
  if (!known) return null;
  const began = performance.now();
  await run("verify");
  return (performance.now() - began) / 1000;
}

/** The data folder; and the database in it. */
export function dataFolder(folder: string): string {
  return path.join(folder, "data");
}

export function databaseFile(folder: string): string {
  return path.join(dataFolder(folder), "ballastd.db");
}

function configured(folder: string): Readonly<Record<string, string>> {
  const config = path.join(folder, "ballastd.toml");
  if (!existsSync(config)) writeFileSync(config, "");
  return {
    BALLASTD_CONFIG: config,
    BALLASTD_STORAGE_DIR: dataFolder(folder),
    BALLASTD_LOG_LEVEL: "warn",
    // As the service's unit has it.
    MALLOC_ARENA_MAX: "1",
    MALLOC_MMAP_THRESHOLD_: "1048576",
  };
}

async function answers(base: string, at: string): Promise<boolean> {
  const client = openClient(base);
  try {
    return (await client.ask(at)).status === 200;
  } catch {
    // Nobody listens yet.
    return false;
  } finally {
    client.close();
  }
}
