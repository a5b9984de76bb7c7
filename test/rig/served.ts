// The built program as a running instance, for tools that work outside of the test runner: on
// reserved ports, with the default configuration, all of its data in one folder.

import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PATIENCE_MS } from "./patience.ts";
import { reservePort } from "./port.ts";
import { runProcess, startProcess } from "./process.ts";

/** The program and where it keeps its data. */
export interface Installed {
  /** The path of main.cjs. */
  readonly program: string;
  /** Its working folder, with its data in `data`. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The ports to listen on, for one that starts again; without them others at each start. */
  readonly ports?: Ports;
}

export interface Ports {
  readonly http: number;
  readonly mqtt: number;
}

export interface Served {
  readonly pid: number;
  /** `http://host:port` */
  readonly http: string;
  /** `mqtt://host:port` */
  readonly mqtt: string;
  readonly mqtt_port: number;
  /** Resolves, when `path` is answered with one of `statuses`, with the ms since its start. */
  answers(path: string, statuses?: readonly number[]): Promise<number>;
  /** Resolves when messages can be received. */
  ready(): Promise<void>;
  /** The parsed body of a GET that must be answered 200. */
  json(path: string): Promise<ReturnType<typeof JSON.parse>>;
  /** Its log so far. */
  log(): string;
  /** Ends it cleanly, with everything in the database file. Throws unless it exits with 0. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

const POLL_MS = 5;

/** Starts it and returns at once, when its ports are chosen. */
export async function startServed(installed: Installed): Promise<Served> {
  const { ports, release } = await portsFor(installed);
  const { http: http_port, mqtt: mqtt_port } = ports;
  const { program, folder } = installed;
  const env = {
    ...environment(installed),
    BALLASTD_HTTP_LISTEN: `127.0.0.1:${http_port}`,
    BALLASTD_MQTT_LISTEN: `127.0.0.1:${mqtt_port}`,
  };
  const began_ms = performance.now();
  const child = startProcess({ file: process.execPath, args: [program, "serve"], folder, env });
  child.ended.then(release, release);
  const http = `http://127.0.0.1:${http_port}`;
  const answers: Served["answers"] = async (at, statuses = [200]) => {
    const isAnswered = async () => statuses.includes((await statusOf(http + at)) ?? 0);
    const wait = { poll_ms: POLL_MS };
    await child.waitUntil(`${statuses.join(" or ")} for ${at}`, isAnswered, wait);
    return performance.now() - began_ms;
  };
  return {
    pid: child.pid,
    http,
    mqtt: `mqtt://127.0.0.1:${mqtt_port}`,
    mqtt_port,
    answers,
    ready: async () => void (await answers("/readyz")),
    async json(at) {
      const answer = await fetch(http + at);
      if (answer.status === 200) return answer.json();
      throw new Error(`${at}: got ${answer.status}, expected 200: ${await answer.text()}`);
    },
    log: child.stderr,
    async stop() {
      const { code, signal } = await child.stop("SIGTERM");
      if (code !== 0)
        throw new Error(`SIGTERM: ended with ${code ?? signal}, expected 0\n${child.stderr()}`);
    },
    kill: async () => void (await child.stop("SIGKILL")),
  };
}

/** Starts it and waits until it is ready. */
export async function startReady(installed: Installed): Promise<Served> {
  const served = await startServed(installed);
  await served.ready();
  return served;
}

/** Runs a command of the program to its end, on the same data; returns its stdout. */
export function runInstalled(installed: Installed, ...args: readonly string[]): Promise<string> {
  const { program, folder } = installed;
  const env = environment(installed);
  return runProcess({ file: process.execPath, args: [program, ...args], folder, env });
}

export function dataFolder(folder: string): string {
  return path.join(folder, "data");
}

/** The configuration of a program started in `folder`; one of all defaults if there is none. */
export function ownConfig(folder: string): { readonly BALLASTD_CONFIG: string } {
  const file = path.join(folder, "ballastd.toml");
  // A file of 0 bytes would be refused once there is data.
  if (!existsSync(file)) writeFileSync(file, "# all defaults\n");
  return { BALLASTD_CONFIG: file };
}

async function portsFor({ ports }: Installed) {
  if (ports !== undefined) return { ports, release: () => undefined };
  const [http, mqtt] = [await reservePort(), await reservePort()];
  const release = () => {
    http.release();
    mqtt.release();
  };
  return { ports: { http: http.port, mqtt: mqtt.port }, release };
}

function environment({ folder, env }: Installed): Readonly<Record<string, string>> {
  return {
    ...ownConfig(folder),
    BALLASTD_STORAGE_DIR: dataFolder(folder),
    BALLASTD_LOG_LEVEL: "warn",
    // As the service's unit has it.
    MALLOC_ARENA_MAX: "1",
    MALLOC_MMAP_THRESHOLD_: "1048576",
    ...env,
  };
}

async function statusOf(url: string): Promise<number | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    // Nobody listens yet, or any more.
    return null;
  }
}
