// All checks that work without internal access: configuration, folder, ports, clock, database,
// certificates, backups, and the report of a running instance. They work beside a running instance
// and change nothing; each finding names the next step.

import { withShipTime } from "../../bwts/ship-time.ts";
import type { Config } from "../../config/config.ts";
import { type LoadedConfig, loadConfig, readableConfig } from "../../config/load.ts";
import type { Build } from "../../ground/assets.ts";
import { DAY_MS, printTime } from "../../ground/clock.ts";
import { messageOf } from "../../ground/errors.ts";
import { actAsOwnerOf } from "../../ground/owner.ts";
import { listBackups } from "../../sqlite/care/backup.ts";
import { requireRules } from "../required-rules.ts";
import { checkDatabase } from "./check-database.ts";
import { instanceFindings, runningInstance, serviceFinding } from "./check-instance.ts";
import {
  checkCertificates,
  checkClock,
  checkDisk,
  checkFolder,
  checkLimits,
  checkLogins,
  checkReadable,
  checkSecrets,
  checkShared,
} from "./check-machine.ts";
import { checkBrokers, checkPorts } from "./check-network.ts";
import { checkRecovery } from "./check-recovery.ts";
import { type Finding, failed, ok, reasonOf, warning } from "./finding.ts";

export interface CheckOptions {
  /** Path from `--config`; null for the usual places. */
  readonly file: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly build: Build;
  /** True to check every day of readings instead of a sample. */
  readonly isThorough: boolean;
}

/** All findings, in the order in which to mend them. Problems that it finds are never thrown. */
export async function check(options: CheckOptions): Promise<readonly Finding[]> {
  const { build } = options;
  const read = readConfiguration(options);
  if ("problem" in read) {
    const recovery = await checkRecovery(readableConfig(options).config);
    const refused = failed("configuration", read.problem, "mend that line, and check again");
    return [refused, ...(recovery === null ? [] : [recovery])];
  }
  const { config, file } = read.loaded;
  // Root can read files that the service can't, so the check uses the service's rights.
  actAsOwnerOf(config.storage.dir);
  const running = await runningInstance(config);
  return [
    ...checkConfiguration(read.loaded),
    ...checkReadable(file),
    ...checkFolder(config),
    ...checkSecrets(config, file),
    ...checkLogins(config),
    ...checkShared(config),
    ...checkDisk(config),
    ...checkClock(config, build),
    ...checkCertificates(config, Date.now()),
    ...(running === null ? await checkPorts(config) : [serviceFinding(running)]),
    ...(await checkBrokers(config)),
    ...instanceFindings(running),
    ...checkDatabase(config, { isThorough: options.isThorough }),
    checkBackups(config, Date.now()),
  ];
}

function readConfiguration({
  file,
  env,
}: CheckOptions): { readonly loaded: LoadedConfig } | { readonly problem: string } {
  try {
    return { loaded: loadConfig({ file, env }) };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

function checkConfiguration({ config, file, origins }: LoadedConfig): readonly Finding[] {
  const what = "configuration";
  try {
    requireRules(config);
  } catch (error) {
    return [failed(what, reasonOf(error), "mend that line, and check again")];
  }
  const found = [ok(what, file ?? "none, defaults and environment")];
  if (origins.get("limits.source") === "default")
    found.push(
      warning(
        "limits",
        "are the defaults, not this ship's",
        "set limits.* from the type approval certificate, and limits.source to its number",
      ),
    );
  return [...found, ...checkLimits(config)];
}

/**
 * Age of the newest backup from which it is a warning: older than any daily one, even one that the
 * next start made late.
 */
const BACKUP_AGE_MAX_MS = 3 * DAY_MS;

function checkBackups({ backup, system }: Config, now_ms: number): Finding {
  const fix = "ballastd backup /path/of/a/stick";
  let listed: ReturnType<typeof listBackups>;
  try {
    listed = listBackups(backup.dir);
  } catch (error) {
    return failed("backup", messageOf(error), "look at backup.dir and who may read it");
  }
  const made_ms = listed
    .filter(({ label }) => (label?.damage ?? null) === null)
    .map(({ label }) => label?.made_ms)
    .find((at_ms) => at_ms !== undefined);
  if (made_ms === undefined) return warning("backup", `no sound one is in ${backup.dir}`, fix);
  const made = withShipTime(printTime(made_ms), system.utc_offset);
  const says = `the newest sound one in ${backup.dir} is of ${made}`;
  if (now_ms - made_ms > BACKUP_AGE_MAX_MS) return warning("backup", says, fix);
  const isAhead = made_ms - now_ms > DAY_MS;
  return isAhead ? warning("backup", `${says}, ahead of the clock`, fix) : ok("backup", says);
}
