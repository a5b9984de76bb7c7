// `npm run dev`: builds ballastd with source maps into out/dev, runs it on the simulated ship, and
// at every change of its sources builds it again and, if that succeeded, starts it again. After a
// build that fails the program of before runs on. Its data is in out/dev-data; BALLASTD_HTTP_LISTEN
// and the demo's other variables are heard.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { watchFolders } from "./dev/watch-folders.ts";

const root = path.resolve(import.meta.dirname, "..");
const program = path.join(root, "out", "dev", "main.cjs");
/** Folders whose files are in the program, or make it. */
const WATCHED = ["src", "sql", "docs", "scripts"];
/** An editor writes a file in several steps. */
const SETTLED_MS = 200;

const env = { BALLASTD_STORAGE_DIR: path.join("out", "dev-data"), ...process.env };
const changed = { file: "", times: 0 };
let running: ChildProcess | null = null;

watchFolders(
  WATCHED.map((name) => path.join(root, name)),
  (file) => {
    changed.file = path.relative(root, file);
    changed.times += 1;
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    void end(running).then(() => process.exit(0));
  });

for (;;) {
  const built = changed.times;
  if (await isBuilt()) {
    await end(running);
    running = node(["--enable-source-maps", program, "demo"]);
  } else console.error("dev: the build failed (above)");
  while (changed.times === built) await sleep(SETTLED_MS);
  console.log(`dev: ${changed.file} has changed`);
  await sleep(SETTLED_MS);
}

async function isBuilt(): Promise<boolean> {
  const [code] = await once(node(["scripts/bundle.ts", "--dev"]), "close");
  return code === 0;
}

function node(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
}

/** Ends a program, with everything that it has received stored. */
async function end(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "close");
}
