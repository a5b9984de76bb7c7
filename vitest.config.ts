// Tests are run against real parts: databases, brokers, browsers and the built program as processes
// of their own. Three files at a time keep a processor busy: there are always some that wait for a
// job, a time limit or a disk.

import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { PATIENCE_MS } from "./test/rig/patience.ts";

/** They take or wait longest, and are among the smallest files: a first run would go by that. */
const FIRST = [
  ...["fleet-day", "fleet-kills", "kills", "siege", "update-units", "fuzz"],
  ...["http-patience", "sparkplug-faults"],
];

/** Tests of the executable and its package run only when one is named. */
const PACKAGED = ["test/e2e/packaged/**"];
/** Ceph and Prometheus are large downloads: their tests run in a run of everything alone. */
const SERVERS = ["fleet-objects", "fleet-payloads", "grafana"].map(
  (file) => `test/whole/${file}.*`,
);
const IS_WHOLE = process.env.TEST_ALL === "1";

/** Long ones begin first, so that at the end no processor waits for a single file. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      FIRST.includes(path.basename(moduleId, ".test.ts"))
        ? 0
        : /\/test\/(e2e|whole)\//.test(moduleId)
          ? 1
          : 2;
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...(process.env.TEST_PROGRAM ? [] : PACKAGED), ...(IS_WHOLE ? [] : SERVERS)],
    tags: [{ name: "long", description: "left to a run of everything" }],
    globalSetup: "test/rig/build.ts",
    // In watch mode: most tests start the built program, which vitest doesn't see them depend on.
    forceRerunTriggers: [
      `${import.meta.dirname}/{src,sql,docs,scripts}/**`,
      `${import.meta.dirname}/{package.json,vitest.config.ts}`,
    ],
    pool: "forks",
    maxWorkers: 3 * availableParallelism(),
    // A worker goes on with the next file, and with the modules that it has: a quarter of a second
    // less for each file. So a module of test/rig keeps nothing that a file's end removes.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // A test waits for what must happen, and PATIENCE_MS ends it when that doesn't. These two only
    // end a hang that waits for nothing, and a worker that can't end.
    testTimeout: 2 * PATIENCE_MS,
    hookTimeout: 2 * PATIENCE_MS,
    teardownTimeout: PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
