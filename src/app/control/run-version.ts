// Runs an installed version for an answer, with a limit of time: a new version that hangs, even one
// that hears no signal but SIGKILL, must not hang the update.

import { spawnSync } from "node:child_process";
import { MINUTE_MS } from "../../ground/clock.ts";
import { codeOf, EXIT, Failure } from "../../ground/errors.ts";
import { actingOwner, asCaller, isOwners } from "../../ground/owner.ts";

/** Maximum time for a run: longer than the slowest disk aboard needs for 24 months. */
const RUN_MAX_MS = 10 * MINUTE_MS;

/**
 * Runs a version as root, or as the data's owner if the owner could have put the file there;
 * returns its output. Throws a Failure if it fails, or doesn't end in time.
 */
export function runVersion(
  target: string,
  args: readonly string[],
  { who = "the new version", max_ms = RUN_MAX_MS } = {},
): string {
  const account = isOwners(target) ? actingOwner() : null;
  const { status, signal, stdout, stderr, error } = asCaller(() =>
    spawnSync(target, args, {
      encoding: "utf8",
      timeout: max_ms,
      killSignal: "SIGKILL",
      ...(account === null ? {} : { uid: account.uid, gid: account.gid }),
    }),
  );
  if (status === 0) return stdout;
  const ended =
    codeOf(error) === "ETIMEDOUT"
      ? `it didn't end within ${max_ms / MINUTE_MS} min and was killed`
      : error?.message;
  const problem = ended ?? (stderr.trim() || (signal ?? `exit ${status}`));
  throw new Failure(EXIT.failed, `${who} can't do ${args[0]}: ${problem}`);
}
