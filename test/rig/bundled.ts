// Sees to it that the built program is tested and measured as the sources are now: a stale bundle
// would be, without anybody seeing it.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..", "..");

/** Sources of the bundle, and of its build. */
const SOURCES = ["src", "sql", "docs", "scripts", "package.json", "package-lock.json"];

/** The built program, made anew if it is older than its sources. */
export function bundledProgram(): string {
  const problem = bundleIfStale();
  if (problem !== null) throw new Error(problem);
  return path.join(root, "dist", "main.cjs");
}

/** Makes dist/ if it is older than its sources; what the bundler said when it failed, else null. */
export function bundleIfStale(): string | null {
  const facts = path.join(root, "dist", "build.json");
  if (existsSync(facts) && statSync(facts).mtimeMs >= Math.max(...SOURCES.map(changed_ms)))
    return null;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/bundle.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  return status === 0 ? null : `npm run bundle failed:\n${stdout}${stderr}`;
}

/** When a file, or the newest file or folder inside of a folder, was changed. */
function changed_ms(source: string): number {
  const top = path.join(root, source);
  if (!statSync(top).isDirectory()) return statSync(top).mtimeMs;
  const inside = readdirSync(top, { recursive: true, withFileTypes: true });
  const times = inside.map((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs);
  return Math.max(statSync(top).mtimeMs, ...times);
}
