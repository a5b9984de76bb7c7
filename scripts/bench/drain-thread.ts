// Fetches one long answer again and again, as fast as it comes, and throws the bytes away: in a
// thread of its own, so that the probe beside it isn't kept waiting by it.

import { get } from "node:http";
import { workerData } from "node:worker_threads";
import { inThread, type Target } from "./thread.ts";

const target: Target = workerData;
const { port, stopping } = inThread();

const began = performance.now();
let bytes = 0;
let answers = 0;
while (!stopping() || answers === 0) {
  await drain();
  answers += 1;
}
port.postMessage({ answers, bytes, took_s: (performance.now() - began) / 1000 });

function drain(): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ ...target, agent: false }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${target.path}: got ${answer.statusCode}`));
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.once("end", resolve);
      answer.once("error", reject);
    }).once("error", reject);
  });
}
