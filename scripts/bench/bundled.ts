// Sees to it that the built program is measured as the sources are now: a stale bundle would be
// measured without anybody seeing it.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..", "..");

/** What goes into the bundle. The benchmark itself doesn't. */
const SOURCES = ["src", "sql", "scripts/bundle.ts", "package.json", "package-lock.json"];

/** The built program, made anew if it is older than its sources. */
export function bundledProgram(): string {
  const program = path.join(root, "dist", "main.cjs");
  const facts = path.join(root, "dist", "build.json");
  if (existsSync(facts) && statSync(facts).mtimeMs >= Math.max(...SOURCES.map(changed_ms)))
    return program;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/bundle.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm run bundle failed:\n${stdout}${stderr}`);
  return program;
}

/** When a file, or the newest file or folder inside of a folder, was changed. */
function changed_ms(source: string): number {
  const top = path.join(root, source);
  if (!statSync(top).isDirectory()) return statSync(top).mtimeMs;
  const inside = readdirSync(top, { recursive: true, withFileTypes: true });
  const times = inside.map((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs);
  return Math.max(statSync(top).mtimeMs, ...times);
}
