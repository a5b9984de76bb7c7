// A reporter of vitest: writes the result of each test file as soon as it is known, one JSON line
// each, to the file that TEST_REPORT names. vitest's own JSON report is written at the end of a
// run; one whose runner was killed would have none, and what it had found would go unseen. So
// would the reason of a failure: it is printed at once as well.

import { appendFileSync, writeFileSync } from "node:fs";
import { inspect } from "node:util";
import type {
  Reporter,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSpecification,
} from "vitest/node";
import type { Line } from "./count-tests.ts";

export default class ReportTests implements Reporter {
  readonly #file: string;

  constructor() {
    const file = process.env.TEST_REPORT;
    if (!file) throw new Error("TEST_REPORT: expected the name of the file for the report");
    this.#file = file;
    writeFileSync(file, "");
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#write({ planned: specifications.map(({ moduleId }) => moduleId) });
  }

  onTestCaseResult(test: TestCase): void {
    const { errors = [] } = test.result();
    for (const error of errors)
      printFailure(`${test.module.relativeModuleId}: ${test.fullName}`, error);
  }

  onTestModuleEnd(module: TestModule): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === "passed" || state === "failed" ? state : "skipped"] += 1;
    }
    // It can't be loaded, or its preparation failed: no test of it says so.
    if (module.state() === "failed" && counts.failed === 0) counts.failed = 1;
    for (const error of module.errors()) printFailure(module.relativeModuleId, error);
    const seconds = module.diagnostic().duration / 1000;
    this.#write({ file: module.moduleId, ...counts, seconds });
  }

  onTestRunEnd(
    _modules: readonly TestModule[],
    errors: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    this.#write({ ended: reason, errors: errors.length });
  }

  #write(line: Line): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

interface FailedWith {
  readonly message: string;
  readonly diff?: string;
  readonly stack?: string;
  readonly cause?: unknown;
}

function printFailure(name: string, { message, diff, stack, cause }: FailedWith): void {
  const because = cause === undefined ? "" : `because: ${inspect(cause)}`;
  console.log(["", `failed: ${name}`, message, diff, stack, because].join("\n"));
}
