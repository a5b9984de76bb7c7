// Runs once before all tests, and in watch mode before each further run: makes dist/ when it is
// older than the sources, so that the tests of the built program never test an old one. A tree that
// can't be built doesn't stop the tests that don't start the program; those that do fail with the
// bundler's words (see program.ts). All processes of a run share what V8 compiled of their scripts,
// as the service's unit has it: a start takes an eighth less processor time, a short command half.
// Python keeps what it compiled beside its scripts, where the tests of the sources would find it.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { bundleIfStale } from "./bundled.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The bundler's error; null if dist/ is current. */
    bundleProblem: string | null;
  }
}

export default function build(project: TestProject): () => void {
  const compileCache = mkdtempSync(path.join(os.tmpdir(), "ballastd-compiled-"));
  process.env.NODE_COMPILE_CACHE = compileCache;
  process.env.PYTHONDONTWRITEBYTECODE = "1";
  project.provide("bundleProblem", bundleIfStale());
  project.onTestsRerun(() => project.provide("bundleProblem", bundleIfStale()));
  return () => rmSync(compileCache, { recursive: true, force: true });
}
