// What every thread is started from: beside the program, as the bundler puts it. A path and no URL,
// which the one executable couldn't load.

import path from "node:path";

export const WORKER_FILE = path.join(import.meta.dirname, "worker.cjs");
