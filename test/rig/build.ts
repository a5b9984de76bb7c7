// Runs once before all tests, and in watch mode before each further run: makes dist/ when it is
// older than the sources, so that the tests of the built program never test an old one. A tree that
// can't be built doesn't stop the tests that don't start the program; those that do fail with the
// bundler's words (see program.ts).

import type { TestProject } from "vitest/node";
import { bundleIfStale } from "./bundled.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The bundler's error; null if dist/ is current. */
    bundleProblem: string | null;
  }
}

export default function build(project: TestProject): void {
  project.provide("bundleProblem", bundleIfStale());
  project.onTestsRerun(() => project.provide("bundleProblem", bundleIfStale()));
}
