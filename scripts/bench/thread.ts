// Clients in threads of their own, so that what one of them does delays no other's clock. A thread
// is told to stop by any message, answers with one result, and ends.

import path from "node:path";
import { type MessagePort, parentPort, Worker } from "node:worker_threads";

/** Data for the threads. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** A thread's result: figures by name. */
export type Result = Readonly<Record<string, number>>;

export interface Thread {
  /** Lets it end, and returns its result. */
  stop(): Promise<Result>;
}

/** Starts `<name>-thread.ts` on a path of `base` (`http://host:port`). */
export function startThread(name: "rate" | "probe" | "drain", base: string, at: string): Thread {
  const url = new URL(at, base);
  const target: Target = {
    host: url.hostname,
    port: Number(url.port),
    path: url.pathname + url.search,
  };
  const file = path.join(import.meta.dirname, `${name}-thread.ts`);
  const worker = new Worker(file, { workerData: target });
  const result = new Promise<Result>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`${name} thread: ended with code ${code}`)));
  });
  // An early failure is the caller's to see, when it asks for the result.
  result.catch(() => undefined);
  return {
    async stop() {
      worker.postMessage("stop");
      return await result.finally(() => worker.terminate());
    },
  };
}

/** Inside of a thread: the port to answer on, and whether it is to stop. */
export function inThread(): { readonly port: MessagePort; readonly stopping: () => boolean } {
  const port = parentPort;
  if (port === null) throw new Error("expected to run as a thread of the benchmark");
  let stopping = false;
  port.once("message", () => {
    stopping = true;
  });
  return { port, stopping: () => stopping };
}
