// Tests are run against real parts: databases, brokers, browsers and the built program as processes
// of their own. Three files at a time keep two processors busy: there is always one that waits for
// a job, a time limit or a disk.

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Tests of the executable and its package run only when one is named.
    exclude: process.env.TEST_PROGRAM ? [] : ["test/e2e/packaged/**"],
    globalSetup: "test/rig/build.ts",
    // In watch mode: most tests start the built program, which vitest doesn't see them depend on.
    forceRerunTriggers: [
      `${import.meta.dirname}/{src,sql,docs,scripts}/**`,
      `${import.meta.dirname}/{package.json,vitest.config.ts}`,
    ],
    pool: "forks",
    maxWorkers: 3,
    // Generous: a test waits for what must happen, and this is only for when it doesn't.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 180_000 } },
  },
});
