// Asks for one path every 5 ms over one connection: how long the server's main thread is away at
// most. The thread's own delays (two processors are shared with the server) are reported beside it.

import { Agent, get } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { inThread, type Target } from "./thread.ts";

const EVERY_MS = 5;

const target: Target = workerData;
const { port, stopping } = inThread();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const own = monitorEventLoopDelay({ resolution: 1 });

// The first ones connect and warm up.
for (let index = 0; index < 20; index += 1) await probe();
const took_ms: number[] = [];
own.enable();
while (!stopping()) {
  const one_ms = await probe();
  took_ms.push(one_ms);
  await sleep(Math.max(0, EVERY_MS - one_ms));
}
own.disable();
agent.destroy();
const sorted = Float64Array.from(took_ms).sort();
port.postMessage({
  probes: sorted.length,
  p99_ms: sorted[Math.floor(0.99 * sorted.length)] ?? 0,
  max_ms: sorted.at(-1) ?? 0,
  own_max_ms: own.max / 1e6,
});

/** One question, in ms until its last byte. */
function probe(): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    get({ ...target, agent }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(performance.now() - began));
      answer.once("error", reject);
    }).once("error", reject);
  });
}
