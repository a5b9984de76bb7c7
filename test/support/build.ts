// Runs once before all tests: makes dist/ when it is older than the sources, so that the tests of
// the built program never test an old one. A tree that can't be built doesn't stop the tests that
// don't start the program; those that do fail with the bundler's words (see program.ts).

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** What the bundler said when it failed; null when dist/ is current. */
    bundleProblem: string | null;
  }
}

const root = path.resolve(import.meta.dirname, "..", "..");
const SOURCES = ["src", "sql", "scripts", "package.json", "package-lock.json"];

export default function build(project: TestProject): void {
  project.provide("bundleProblem", isCurrent() ? null : bundleProblem());
}

function bundleProblem(): string | null {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/bundle.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  return status === 0 ? null : `npm run bundle failed:\n${stdout}${stderr}`;
}

function isCurrent(): boolean {
  const facts = path.join(root, "dist", "build.json");
  return existsSync(facts) && statSync(facts).mtimeMs >= Math.max(...SOURCES.map(changed_ms));
}

/** When a file, or the newest file or folder inside of a folder, was changed. */
function changed_ms(source: string): number {
  const top = path.join(root, source);
  if (!statSync(top).isDirectory()) return statSync(top).mtimeMs;
  const inside = readdirSync(top, { recursive: true, withFileTypes: true });
  const times = inside.map((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs);
  return Math.max(statSync(top).mtimeMs, ...times);
}
