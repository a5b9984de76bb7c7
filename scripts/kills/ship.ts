// The program of the kill test as a process: started on ports of its own, watched until it answers,
// killed without a word.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../test/rig/free-port.ts";

export interface Installed {
  /** The path of main.cjs. */
  readonly program: string;
  /** Its working folder, with its data in `data`. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Ship {
  readonly url: string;
  readonly mqtt_port: number;
  /** Resolves with the time from the start of the process to its first answer about readings. */
  answers_ms(): Promise<number>;
  /** Resolves when messages can be received. */
  ready(): Promise<void>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** The parsed body of a GET that must be answered 200. */
  json(path: string): Promise<ReturnType<typeof JSON.parse>>;
}

const POLL_MS = 10;
/** Beyond any start on a busy machine. */
const WAIT_MAX_MS = 60_000;

export async function startShip({ program, folder, env }: Installed): Promise<Ship> {
  const [http, mqtt_port] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${http}`;
  const began_ms = performance.now();
  const child = spawn(process.execPath, [program, "serve"], {
    cwd: folder,
    env: {
      ...environment(),
      ...env,
      BALLASTD_HTTP_LISTEN: `127.0.0.1:${http}`,
      BALLASTD_MQTT_LISTEN: `127.0.0.1:${mqtt_port}`,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const watched = watch(child);
  const until = async (path: string, statuses: readonly number[]) => {
    while (!statuses.includes((await statusOf(url + path)) ?? 0)) {
      const took_ms = performance.now() - began_ms;
      if (watched.isGone() || took_ms > WAIT_MAX_MS)
        throw new Error(`${path}: no answer after ${took_ms.toFixed()} ms: ${watched.said()}`);
      await sleep(POLL_MS);
    }
    return performance.now() - began_ms;
  };
  return {
    url,
    mqtt_port,
    // 404 is an answer too: there is no reading yet.
    answers_ms: () => until("/api/telemetry/latest", [200, 404]),
    ready: async () => void (await until("/readyz", [200])),
    async kill() {
      child.kill("SIGKILL");
      await watched.ended;
    },
    async stop() {
      child.kill("SIGTERM");
      await watched.ended;
      return child.exitCode;
    },
    async json(path) {
      const answer = await fetch(url + path);
      if (answer.status !== 200)
        throw new Error(`${path}: got ${answer.status}, expected 200: ${await answer.text()}`);
      return answer.json();
    },
  };
}

/** Runs a command of the program to its end; throws, with what it said, unless it succeeds. */
export async function runCommand(
  { program, folder, env }: Installed,
  args: readonly string[],
): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...environment(), ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const watched = watch(child);
  await watched.ended;
  if (child.exitCode !== 0) throw new Error(`${args.join(" ")}: ${watched.said()}`);
}

/** The machine's own configuration stays out of it. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(BALLASTD_|DISK_|STATE_DIRECTORY|NOTIFY_SOCKET|NODE_)/.test(name),
  );
  return Object.fromEntries(kept);
}

function watch(child: ChildProcess) {
  let said = "";
  let isGone = false;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4000);
  });
  // A harness that is stopped leaves no process behind.
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = once(child, "close").then(() => {
    isGone = true;
    process.off("exit", kill);
  });
  return { ended, isGone: () => isGone, said: () => said.trim() };
}

async function statusOf(url: string): Promise<number | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(WAIT_MAX_MS) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    // Nobody listens yet, or any more.
    return null;
  }
}
