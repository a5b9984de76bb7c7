// Counts what vitest's JSON report says, for the last line of scripts/test: prints
// "<passed> <failed> <skipped>". A test file that failed without any failed test (it can't be
// loaded, its preparation failed) counts as one failure, or it would go unseen.

import { readFileSync } from "node:fs";
import * as z from "zod";

const Report = z.object({
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
});

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: node scripts/count-tests.ts <vitest's report>");

const counts = { passed: 0, failed: 0, skipped: 0 };
for (const { status, assertionResults } of Report.parse(readJson(file)).testResults) {
  const failedBefore = counts.failed;
  for (const test of assertionResults) {
    if (test.status === "passed" || test.status === "failed") counts[test.status] += 1;
    else counts.skipped += 1;
  }
  if (status === "failed" && counts.failed === failedBefore) counts.failed += 1;
}
console.log(`${counts.passed} ${counts.failed} ${counts.skipped}`);

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(name, "utf8"));
}
