// A service manager in a few lines: starts the current version, starts it again however it ended,
// until it is told to stop. Exit 78, a configuration that is refused, is the end.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const CONFIG_EXIT = 78;
const PAUSE_MS = 100;

export interface Supervisor {
  /** Output of all starts so far. */
  output(): string;
  /** Sends a signal to the start that runs now. */
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

export function supervise(prefix: string, env: NodeJS.ProcessEnv): Supervisor {
  let child: ChildProcess | null = null;
  let stopping = false;
  let output = "";
  const run = async () => {
    while (!stopping) {
      const program = path.join(prefix, "current", "ballastd");
      child = spawn(program, ["serve"], { env, stdio: ["ignore", "pipe", "pipe"] });
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
      const [code] = await once(child, "close");
      if (code === CONFIG_EXIT) return;
      await sleep(PAUSE_MS);
    }
  };
  const running = run();
  process.once("exit", () => child?.kill("SIGKILL"));
  return {
    output: () => output,
    kill: (signal) => void child?.kill(signal),
    async stop() {
      stopping = true;
      child?.kill("SIGTERM");
      await running;
    },
  };
}
