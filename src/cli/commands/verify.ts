// `ballastd verify`: verifies the chains of readings, events and the audit log, and the ledger. It
// reads beside a running instance and changes nothing.

import type { Config } from "../../config/config.ts";
import { EXIT } from "../../ground/errors.ts";
import { type VerifyResult, verifyChains } from "../../sqlite/care/verify.ts";
import { printResult } from "../document.ts";
import { configOf, readDatabase } from "../instance-data.ts";
import { signedAboard } from "../ledger-check.ts";
import { readOptions } from "../options.ts";

export const summary = "verify that no stored data was altered, removed or cut off";

export const help = `usage: ballastd verify [--lines] [--json] [--config FILE]

Walks the chains of sealed readings, of events and of the audit log from their first link to their
head: decodes every segment and checks every hash. Walks the ledger, of which each link is a leaf:
checks every hash, and the signature of every head. Judges each operation again from its readings.
Names the first broken link, and what is judged otherwise, and ends with exit code 1. Prints the
heads: kept elsewhere (in a log, on paper), they prove later that the database still holds the same
data. The last line lists what is stored and isn't proven.

  --lines         also make the root of each segment anew from the lines of its readings, which
                  takes about ten times as long
  --json          one JSON object
  --config FILE   the configuration of the instance whose data is verified`;

export async function run(args: readonly string[]): Promise<void> {
  const values = readOptions(args, {
    lines: { type: "boolean", default: false },
  });
  const config = configOf(values);
  const showsProgress = process.stderr.isTTY && !values.json;
  const verified = readDatabase(config, (db) =>
    verifyChains(
      db,
      ({ done, total }) => {
        if (showsProgress) process.stderr.write(`\rverifying: ${done} of ${total} links`);
      },
      { withRoots: values.lines, judging: config },
    ),
  );
  const found = verified.ledger_root === null ? verified : await withSigned(verified, config);
  if (showsProgress) process.stderr.write("\n");
  printResult(values.json, found, text(found));
  if (found.problem !== null) process.exitCode = EXIT.failed;
}

/** Adds the comparison of the ledger with the newest head signed here. */
async function withSigned(verified: VerifyResult, config: Config): Promise<VerifyResult> {
  const signed = await signedAboard(config);
  const problems = [verified.problem, signed.problem].filter((problem) => problem !== null);
  return {
    ...verified,
    not_proven: [...signed.not_proven, ...verified.not_proven],
    problem: problems.length === 0 ? null : problems.join("; "),
  };
}

function text(found: VerifyResult): string {
  const { segments, expired, readings, events, audit } = found;
  const sealed = `${segments} segments (${expired} expired) with ${readings} readings`;
  return [
    `${sealed}, ${events} events, ${audit} entries of the audit log`,
    `head of the segments:  ${found.segment_head}`,
    `head of the events:    ${found.event_head}`,
    `head of the audit log: ${found.audit_head}`,
    `root of the ledger:    ${found.ledger_root ?? "damaged"} (${found.ledger} leaves)`,
    `operations judged alike again from their readings: ${found.judged}`,
    found.problem === null ? "the chains are whole" : `BROKEN: ${found.problem}`,
    `not proven: ${found.not_proven.join("; ")}`,
    "",
  ].join("\n");
}
