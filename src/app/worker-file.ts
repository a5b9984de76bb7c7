// The file of every thread, which the bundler puts beside the program. It is a path, because a
// single executable can't load a URL.

import path from "node:path";

export const WORKER_FILE = path.join(import.meta.dirname, "worker.cjs");
