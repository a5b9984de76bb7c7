// Checks of the stored data: the file is readable and whole, its chains verify, hours and days
// agree with their readings, and the quarantine has room.

import { existsSync } from "node:fs";
import { qualifiedBy } from "../../bwts/quality-names.ts";
import type { Config } from "../../config/config.ts";
import { printTime } from "../../ground/clock.ts";
import { printedSize } from "../../ground/disk.ts";
import { codeOf, Failure, messageOf } from "../../ground/errors.ts";
import { TAGS_FIX } from "../../jobs/tags.ts";
import { similarField } from "../../payload/similar-field.ts";
import { checkBuckets } from "../../sqlite/care/bucket-check.ts";
import { countProblem, integrityProblem } from "../../sqlite/care/file-check.ts";
import { type DatabaseProblem, databaseProblem } from "../../sqlite/care/trust.ts";
import { verifyChains } from "../../sqlite/care/verify.ts";
import { type OddLately, oddLately } from "../../sqlite/derived/doubted-now.ts";
import { headSchema, missingMigrations, newestSchema } from "../../sqlite/file/migrate.ts";
import { type Connection, databaseFile, openReader, prepare } from "../../sqlite/file/open.ts";
import { refusal } from "../../sqlite/file/refused.ts";
import {
  quarantineFill,
  quarantineWaiting,
  type WaitingMessages,
} from "../../sqlite/records/quarantine.ts";
import { TAG_NAMES_MAX, tagNameCount, tagNames } from "../../sqlite/sealed/tag-names.ts";
import { ledgerKeyFile } from "../control/key-file.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/**
 * Maximum number of days recomputed from raw readings: about 1 s for 24 months at one reading a
 * second.
 */
const DAYS_MAX = 30;
/** Problems that refuse a start, but still allow further checks. */
const CAN_BE_OPENED: ReadonlySet<DatabaseProblem["check"]> = new Set(["chains", "sums"]);
const RESTORE = "ballastd backup --list, then ballastd restore FILE";

export function checkDatabase(
  { storage, quarantine }: Config,
  { isThorough }: { readonly isThorough: boolean },
): readonly Finding[] {
  const file = databaseFile(storage.dir);
  if (!existsSync(file)) {
    const refused = refusal(file, "read");
    if (refused !== null) return [failed("database", refused.message, null)];
    return [warning("database", `${file} isn't there yet`, "the first start makes it")];
  }
  try {
    const found = databaseProblem(storage.dir);
    const whole =
      found === null
        ? ok("database", `${file} is whole`)
        : failed("database", `${file}: ${found.problem}`, `${found.advice}; or ${RESTORE}`);
    // A database that can't be opened can't be checked further.
    if (found !== null && !CAN_BE_OPENED.has(found.check)) return [whole];
    const db = openReader(file);
    try {
      const { max_bytes } = quarantine;
      const days_max = isThorough ? null : DAYS_MAX;
      const found = findings(db, { file, whole, days_max, max_bytes });
      return [...found, ...keyFindings(db, ledgerKeyFile(storage.dir))];
    } finally {
      db.close();
    }
  } catch (error) {
    if (!(error instanceof Failure) && codeOf(error) === null) throw error;
    // The database is another version's, or not readable for us: the message names the next step.
    const fix = error instanceof Failure ? null : RESTORE;
    return [failed("database", `${file}: ${messageOf(error)}`, fix)];
  }
}

interface Looked {
  readonly file: string;
  /** The finding about the whole database, as a start would report it. */
  readonly whole: Finding;
  /** Maximum number of days to recompute; null for all. */
  readonly days_max: number | null;
  /** Limit of the quarantine, in bytes. */
  readonly max_bytes: number;
}

function findings(
  db: Connection,
  { file, whole, days_max, max_bytes }: Looked,
): readonly Finding[] {
  const missing = missingMigrations(db);
  if (missing.length > 0) {
    const says = `${file} is of an older schema`;
    return [warning("database", says, "the next start backs it up and brings it up to date")];
  }
  const damage = integrityProblem(db);
  if (damage !== null) return [failed("database", `${file} is damaged: ${damage}`, RESTORE)];
  const { problem, segments, readings, events, audit } = verifyChains(db, () => {});
  const sealed = `${segments} segments with ${readings} readings`;
  const links = `${sealed}, ${events} events, ${audit} entries of the audit log`;
  const buckets = checkBuckets(db, days_max);
  const wrong = buckets.problem ?? countProblem(db);
  const days = `${buckets.checked} of ${buckets.days} days recomputed from raw readings`;
  return [
    whole,
    schemaFinding(db),
    problem === null
      ? ok("chains", `${links} verify`)
      : failed("chains", problem, `keep a copy of ${file} as evidence; ${RESTORE}`),
    wrong === null ? ok("buckets", `${days}: the same`) : failed("buckets", wrong, RESTORE),
    quarantineFinding(db, max_bytes),
    tagsFinding(db),
    ...readingsFindings(db),
    fieldsFinding(db),
  ];
}

/**
 * Checks that the key of the signed heads is still there: heads of another key don't continue them.
 */
function keyFindings(db: Connection, file: string): readonly Finding[] {
  if (missingMigrations(db).length > 0) return [];
  const heads = prepare(db, "ledger_head.count").get({})?.count ?? 0;
  if (heads === 0) return [];
  if (existsSync(file)) return [ok("ledger key", `${file} is there, ${heads} heads are signed`)];
  const says = `${file} isn't there, and the ledger has ${heads} signed heads`;
  return [warning("ledger key", says, KEY_FIX)];
}

const KEY_FIX =
  "put it back before the service is started again, or tell the office: without it a new key is " +
  "made, for which the old one doesn't vouch";

function schemaFinding(db: Connection): Finding {
  const [found, expected] = [headSchema(db), newestSchema()];
  if (found === expected) return ok("schema", `user_version is ${found}, the newest migration's`);
  const says = `user_version is ${found}, expected ${expected}, the newest migration's`;
  return warning("schema", says, "the next start sets it");
}

/** Maximum number of fields named; a gateway may mark all of its values. */
const SENSORS_NAMED = 8;

function readingsFindings(db: Connection): readonly Finding[] {
  const { readings, doubted, untimed } = oddLately(db);
  return [sensorsFinding(doubted), timesFinding({ readings, untimed })];
}

function sensorsFinding(found: OddLately["doubted"]): Finding {
  if (found.size === 0) return ok("sensors", "no implausible values in the last day of readings");
  const fields = [...found].sort(([, one], [, other]) => other - one);
  const named = fields.slice(0, SENSORS_NAMED).map(([name, count]) => `${name} (${count})`);
  const more = fields.length > SENSORS_NAMED ? ` and ${fields.length - SENSORS_NAMED} more` : "";
  const says = `implausible values, or of bad quality, in the last day: ${named.join(", ")}${more}`;
  return warning("sensors", says, SENSORS_FIX);
}

function timesFinding({ readings, untimed }: Omit<OddLately, "doubted">): Finding {
  if (untimed === 0) return ok("times", "no readings without a time of their own in the last day");
  const says = `${untimed} of ${readings} readings of the last day have no time of their own`;
  return warning("times", `${says}, but that of receipt`, TIMES_FIX);
}

const TIMES_FIX = "make the PLC send timestamp: readings that it sends late then keep their time";
const SENSORS_FIX = "look at these sensors and their wires; set sensors.spans if they are right";

function tagsFinding(db: Connection): Finding {
  const names = tagNameCount(db);
  const says = `${names} names of unknown tags of ${TAG_NAMES_MAX}`;
  if (names < TAG_NAMES_MAX) return ok("tags", says);
  return warning("tags", `${says}: further ones go to quarantine`, TAGS_FIX);
}

/** Maximum number of names that a finding lists. */
const NAMES_MAX = 10;

/**
 * Reports unknown tags whose names are close to a field's; names for marks of quality don't count.
 */
function fieldsFinding(db: Connection): Finding {
  const similar = tagNames(db).flatMap((name) => {
    const field = qualifiedBy(name) === null ? similarField(name) : null;
    return field === null ? [] : [`${name} (${field}?)`];
  });
  if (similar.length === 0) return ok("fields", "no unknown tag looks like a field");
  const more = similar.length > NAMES_MAX ? `, and ${similar.length - NAMES_MAX} more` : "";
  const says = `unknown tags look like fields: ${similar.slice(0, NAMES_MAX).join(", ")}${more}`;
  return warning("fields", says, "correct the name in the PLC, or map it with [map]");
}

function quarantineFinding(db: Connection, max_bytes: number): Finding {
  const { entries, bytes, without_payload, counted_only } = quarantineFill(db);
  const says = `${entries} entries, ${printedSize(bytes)} of ${printedSize(max_bytes)}`;
  if (without_payload === 0) {
    const waiting = quarantineWaiting(db);
    return waiting.length === 0
      ? ok("quarantine", says)
      : warning("quarantine", `${says}: ${waiting.map(waitingText).join("; ")}`, WAITING);
  }
  const lost = `only hashes are kept of ${without_payload}`;
  const counted = counted_only === 0 ? "" : `, ${counted_only} messages are only counted`;
  return warning("quarantine", `${says}: it is full, ${lost}${counted}`, FULL);
}

function waitingText({ reason, messages, first_ms, last_ms, detail }: WaitingMessages): string {
  const times = `from ${printTime(first_ms)} to ${printTime(last_ms)}`;
  const problem = JSON.stringify(detail.slice(0, 200));
  return `${messages} messages wait that came ${times}, ${reason}: ${problem}`;
}

const WAITING =
  "mend the cause (ballastd quarantine list), then ballastd quarantine replay, with --shift if " +
  "the PLC's clock was wrong";
const FULL =
  "see what they are by ballastd quarantine list, stop their sender, raise quarantine.max_bytes";
