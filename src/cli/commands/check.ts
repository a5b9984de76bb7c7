// `ballastd check`: checks configuration, machine, data and instance, and gives the next step for
// each problem.

import { check } from "../../app/recovery/check.ts";
import type { Finding } from "../../app/recovery/finding.ts";
import { readBuild } from "../../ground/assets.ts";
import { EXIT } from "../../ground/errors.ts";
import { escapedJson } from "../../ground/quoted.ts";
import { printListDocument } from "../document.ts";
import { readOptions } from "../options.ts";

export const summary = "check configuration, folder, ports, clock, database, certificates, backups";

export const help = `usage: ballastd check [--thorough] [--json] [--config FILE]

Checks the configuration, permissions, free space, clock, certificates, ports, the ship's broker,
the database's integrity, chains and buckets, the backups, and asks a running instance for its own
problems, such as failing jobs. For each it prints ok, warning or failed, and the next step. It
changes nothing and may run beside the instance; run by root, it uses the rights of the service's
user. The exit code is 1 if something failed, else 0.

  --thorough      recompute every day from its raw readings, not a sample of 30
  --json          a JSON list of objects: what, state, says, fix
  --config FILE   the configuration to be checked`;

export async function run(args: readonly string[]): Promise<void> {
  const values = readOptions(args, {
    thorough: { type: "boolean", default: false },
  });
  const findings = await check({
    file: values.config ?? null,
    env: process.env,
    build: readBuild(),
    isThorough: values.thorough,
  });
  if (values.json) printListDocument(findings);
  else
    process.stdout.write(
      [...findings.map(findingLine), ...reminder(findings, values.config), ""].join("\n"),
    );
  if (findings.some(({ state }) => state === "failed")) process.exitCode = EXIT.failed;
}

/** The reminder to add --config: without it, the advised commands would act on another system. */
function reminder(findings: readonly Finding[], config: string | undefined): readonly string[] {
  const isNeeded = findings.some(({ fix }) => fix?.includes("ballastd ") === true);
  return config !== undefined && isNeeded
    ? [`with each of these commands: --config ${config}`]
    : [];
}

/** A finding as text: state and subject, and below them the next step. */
export function findingLine({ what, state, says, fix }: Finding): string {
  const advice = fix === null ? "" : `\n         do: ${fix}`;
  return `${state.padEnd(7)}  ${escapedJson(what)}: ${escapedJson(says)}${advice}`;
}
