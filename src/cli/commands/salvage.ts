// `ballastd salvage`: for a damaged database. Makes a new one from all data that can be read and
// verified, keeps the damaged file, and lists the losses.

import { existsSync } from "node:fs";
import path from "node:path";
import { byCommand } from "../../bwts/audit.ts";
import { readBuild } from "../../ground/assets.ts";
import { callerName } from "../../ground/caller.ts";
import { syncPath } from "../../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { atPath } from "../../ground/owner.ts";
import { integrityProblem } from "../../sqlite/care/file-check.ts";
import type { Loss } from "../../sqlite/care/loss.ts";
import {
  clearAttempt,
  finishPlace,
  takePlace,
  waitsForPlace,
} from "../../sqlite/care/put-in-place.ts";
import { type SalvageCounts, salvage } from "../../sqlite/care/salvage.ts";
import { databaseProblem, isDamagedFile, salvagingFile, walFile } from "../../sqlite/care/trust.ts";
import { verifyChains } from "../../sqlite/care/verify.ts";
import { lockFolder } from "../../sqlite/file/lock.ts";
import { databaseFile, openReader } from "../../sqlite/file/open.ts";
import { printResult } from "../document.ts";
import { configOf } from "../instance-data.ts";
import { readOptions } from "../options.ts";

export const summary = "make a new database from the readable data of a damaged one";

export const help = `usage: ballastd salvage [--to FILE] [--json] [--config FILE]

Stop ballastd first. Every page of the database and of its write-ahead log is searched. Readings,
sealed segments, events, audit entries and quarantined messages are taken over if their checksum or
hash proves them, tokens, plants and health as far as their tables can be read; counts and hour and
day sums are recomputed. The damaged files stay in the data folder, byte for byte, under a name with
the time. Losses are listed with numbers and times, here and in the audit log, with the old heads of
the chains. A sound database isn't changed.

  --to FILE       write the new database there, and leave the data folder as it is
  --json          one JSON object
  --config FILE   the configuration of the instance whose data is salvaged`;

interface SalvageResult extends SalvageCounts {
  /** The damage found. */
  readonly problem: string;
  readonly database: string;
  /** The damaged files, under their new names. */
  readonly kept: readonly string[];
}

export async function run(args: readonly string[]): Promise<void> {
  const values = readOptions(args, {
    to: { type: "string" },
  });
  const config = configOf(values);
  const { dir } = config.storage;
  const to = values.to === undefined ? null : path.resolve(values.to);
  if (to !== null && atPath(path.dirname(to), () => existsSync(to)))
    throw new Failure(EXIT.cannot_create, `--to ${to}: is there already`);
  const lock = lockFolder(dir);
  try {
    const result = salvaged(dir, to);
    const text = result === null ? WHOLE : textOf(result);
    printResult(values.json, result ?? { problem: null }, text);
  } catch (error) {
    if (error instanceof Failure || codeOf(error) === null) throw error;
    throw new Failure(EXIT.io, `salvage: ${messageOf(error)}; the database is as it was`);
  } finally {
    lock.release();
  }
}

const WHOLE = "the database is whole: there is nothing to salvage\n";

/** Salvages the database in `dir`; null if there is nothing to salvage. */
function salvaged(dir: string, to: string | null): SalvageResult | null {
  if (waitsForPlace(dir)) {
    finishPlace(dir);
    process.stderr.write("the salvage that was cut off is finished\n");
  }
  clearAttempt(dir);
  const file = databaseFile(dir);
  if (!existsSync(file) && !existsSync(walFile(file)))
    throw new Failure(EXIT.failed, `${file}: there is no database yet; see storage.dir`);
  const problem = problemOf(dir);
  if (problem === null && to === null) return null;
  const now_ms = Date.now();
  const target = to ?? salvagingFile(dir);
  const found = atPath(path.dirname(target), () =>
    salvage({
      file,
      to: target,
      now_ms,
      built_ms: readBuild().built_ms,
      problem: problem ?? "none",
      by: byCommand(callerName()),
    }),
  );
  if (to !== null) return { ...found, problem: problem ?? "none", database: to, kept: [] };
  syncPath(dir);
  const kept = takePlace(dir, now_ms);
  return { ...found, problem: problem ?? "none", database: file, kept };
}

/**
 * The problem for which a start would refuse the database, else one that only a check of the whole
 * file finds; null for none.
 */
function problemOf(dir: string): string | null {
  const quick = databaseProblem(dir);
  if (quick !== null) return quick.problem;
  const db = openReader(databaseFile(dir));
  try {
    // A start doesn't compare indexes with their tables.
    return integrityProblem(db) ?? verifyChains(db, () => {}).problem;
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return messageOf(error);
  } finally {
    db.close();
  }
}

function textOf(result: SalvageResult): string {
  const { readings, sealed_before, losses, heads, heads_before } = result;
  const of = sealed_before === null ? "" : ` of ${sealed_before} that were counted`;
  const readable = [
    `${readings.sealed} sealed readings${of}, ${readings.unsealed} that weren't sealed yet`,
    `${result.events} events, ${result.audit} entries of the audit log`,
    `${result.quarantine} quarantined messages`,
  ];
  return [
    `what was wrong: ${result.problem}`,
    `new database: ${result.database}`,
    ...result.kept.map((name) => `kept as it was found: ${name}`),
    `taken over: ${readable.join(", ")}`,
    ...(result.log === null ? [] : [`write-ahead log not used: ${result.log}`]),
    `head of the segments:  ${heads.segment} (was ${heads_before.segment ?? "unknown"})`,
    `head of the events:    ${heads.event} (was ${heads_before.event ?? "unknown"})`,
    `head of the audit log: ${heads.audit} (was ${heads_before.audit ?? "unknown"})`,
    losses.length === 0 ? "nothing is known to be lost" : `lost, ${losses.length}:`,
    ...losses.map(lossLine),
    "",
  ].join("\n");
}

function lossLine({ what, name, readings, from, to, why }: Loss): string {
  const count = readings === null ? "" : `, ${readings} readings`;
  const times = from === null && to === null ? "" : ` from ${from ?? "?"} to ${to ?? "?"}`;
  return `  ${what}${name === null ? "" : ` ${name}`}${count}${times}: ${why}`;
}
