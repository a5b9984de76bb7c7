// Checks single facts and settings for impossible values: a fact that hides readings which haven't
// expired, that wants heads over missing leaves, or that contradicts the audit log about the
// configuration. These rows have no proof of their own, so they are compared with facts from other
// tables; rows without any proof are listed.

import { DAY_MS, printTime } from "../../ground/clock.ts";
import { chainHead } from "../file/hash-chain.ts";
import { leavesOf, ledgerSize } from "../file/ledger.ts";
import { damagedFacts, putSetting } from "../file/mark.ts";
import { type Connection, prepare, type RowOf } from "../file/open.ts";
import { LIMITS } from "../records/limits-in-force.ts";
import { parsedJson } from "../records/operation-rows.ts";
import { newestToldVoid } from "../records/told-voids.ts";
import { segmentsOf } from "../sealed/segments.ts";
import { RAW_FROM, rawFrom } from "../sealed/timeline.ts";

/** The faults of marks, settings and heads of chains, as messages name them. */
export function factFaults(db: Connection): readonly string[] {
  const strange = prepare(db, "chain.strange").all({});
  return [
    ...damagedFacts(db).damaged,
    ...markFaults(db),
    ...settingFaults(db),
    ...strange.map(({ chain }) => `chain_head: the row of ${chain} is of no chain`),
  ];
}

const row = (name: string, why: string) => `mark: the row of ${name} ${why}`;

function markFaults(db: Connection): readonly string[] {
  const faults: string[] = [];
  const known = new Map(
    prepare(db, "mark.all")
      .all({})
      .map(({ name, value }) => [name, Number(value)]),
  );
  const size = ledgerSize(db);
  for (const name of ["ledger_stop", "ledger_export"])
    if ((known.get(name) ?? 0) > size) faults.push(row(name, `is beyond the ${size} leaves`));
  if (known.has(RAW_FROM)) faults.push(...expiryFaults(db));
  const voided = known.get("void_under_way");
  const hides_to_ms = known.get("void_hides_to_ms");
  if (voided === undefined && hides_to_ms === undefined) return faults;
  const found = prepare(db, "void.under_way").get({});
  if (found === undefined || !isHidingUpTo(found) || newestToldVoid(db) !== found.id)
    faults.push(row("void_under_way", "is of no void that hides up to there"));
  return faults;
}

/** True if `hides_to_ms` fits a void in progress; when the void is done, its marks are removed. */
function isHidingUpTo({ start_ms, end_ms, undone_ms, hides_to_ms }: RowOf<"void.under_way">) {
  if (undone_ms === null) return hides_to_ms >= start_ms - 1 && hides_to_ms < end_ms;
  return hides_to_ms >= start_ms && hides_to_ms <= end_ms;
}

/** Minimum time for which raw readings are kept before the newest one: a month, less a margin. */
const KEPT_MIN_MS = 27 * DAY_MS;

/**
 * Faults of the time before which readings have expired: retention removes them in the transaction
 * that sets it.
 */
function expiryFaults(db: Connection): readonly string[] {
  const raw_from_ms = rawFrom(db);
  const hidden = prepare(db, "segment.unexpired").get({ before_ms: raw_from_ms });
  const from = printTime(raw_from_ms);
  if (hidden !== undefined && hidden.count > 0)
    return [row(RAW_FROM, `(${from}) hides ${hidden.count} segments that haven't expired`)];
  const last_ms = segmentsOf(db).last_ms() ?? 0;
  return raw_from_ms > 0 && raw_from_ms > last_ms - KEPT_MIN_MS
    ? [row(RAW_FROM, `(${from}) is less than a month before the newest reading`)]
    : [];
}

/** The newest value of each changed setting, from the audit log. */
function changedSettings(db: Connection): ReadonlyMap<string, unknown> {
  const after = new Map<string, unknown>();
  for (const { detail } of prepare(db, "audit.config_changes").all({}))
    for (const [key, change] of Object.entries(Object(parsedJson(detail))))
      after.set(key, Object(change).after);
  return after;
}

/** Stores missing settings from the audit log. If all are missing, the start fills them instead. */
export function restoreSettings(db: Connection): void {
  const names = new Set(
    prepare(db, "setting.all")
      .all({})
      .map(({ key }) => key),
  );
  if (names.size === 0 || prepare(db, "audit.lost").get({}) !== undefined) return;
  for (const [key, after] of missingOf(changedSettings(db), names))
    putSetting(db, { key, value: JSON.stringify(after), salt: null });
}

/**
 * The changed settings missing from `names`. Left out are undefined, the value of a secret, and
 * null, the value of a removed key.
 */
const missingOf = (after: ReadonlyMap<string, unknown>, names: ReadonlySet<string>) =>
  [...after].filter(([key, value]) => (value ?? null) !== null && !names.has(key));

/** Settings that differ from their newest change in the audit log, or that are missing. */
function settingFaults(db: Connection): readonly string[] {
  // Entries of the audit log are missing, so the settings can't be compared.
  if (prepare(db, "audit.lost").get({}) !== undefined) return [];
  const after = changedSettings(db);
  const stored = prepare(db, "setting.all").all({});
  // A salvage may have lost the whole table; the next start fills it, and until then it is listed.
  if (stored.length === 0) return [];
  const wrong = stored.filter(({ key, value, salt }) => {
    const told = after.get(key);
    return salt === null && told !== undefined && JSON.stringify(told) !== value;
  });
  const names = new Set(stored.map(({ key }) => key));
  const missing = missingOf(after, names);
  return [
    ...wrong.map(({ key }) => `setting: the row of ${key} isn't as the audit log tells it`),
    ...missing.map(([key]) => `setting: the row of ${key} is missing, the audit log tells it`),
  ];
}

interface UnprovenFacts {
  /** True if the lines of segments were hashed. */
  readonly withRoots: boolean;
  /** The names of the limits, each of which is a setting. */
  readonly limits: readonly string[];
}

/** Unproven data in words. */
export function notProven(db: Connection, { withRoots, limits }: UnprovenFacts) {
  const tables = prepare(db, "schema.unproven").all({});
  const { unsummed } = damagedFacts(db);
  const signed = prepare(db, "ledger_head.newest").get({})?.size ?? 0;
  const unsigned = Math.max(0, ledgerSize(db) - signed);
  const facts = prepare(db, "mark.all").all({}).length;
  const unjudged = prepare(db, "operation.unjudged").get({})?.count ?? 0;
  const hot = prepare(db, "shore.hot").get({})?.count ?? 0;
  const after = changedSettings(db);
  const settings = prepare(db, "setting.all").all({});
  const names = settings.map(({ key }) => key);
  const limitKeys = limits.map((name) => `${LIMITS}${name}`);
  const isLimited = limitKeys.some((key) => names.includes(key));
  // Limits without a setting: an older ballastd knew fewer.
  const lacking = isLimited ? limitKeys.filter((key) => !names.includes(key)) : [];
  const first = settings.filter(({ key, salt }) => salt !== null || !after.has(key));
  return [
    ...(settings.length > 0 || after.size === 0 ? [] : ["settings: none is stored"]),
    ...(lacking.length === 0 ? [] : [`limits without a setting: ${lacking.join(", ")}`]),
    ...(unsigned === 0 ? [] : [`${unsigned} leaves of the ledger behind the newest signed head`]),
    ...(unjudged === 0 ? [] : [`operations that aren't judged yet (${unjudged})`]),
    ...(withRoots ? [] : ["the roots of segments (--lines)"]),
    `by checksums alone: readings that aren't sealed yet (${hot}), thinned parts, times and ` +
      `reasons of heads that stayed aboard, hours and days, health, forecasts, lamps, single ` +
      `facts (${facts}), ${first.length} settings that never changed or are secret`,
    ...(leavesOf(db, "verdict") === 0
      ? []
      : ["by the box's clock alone: when versions of verdicts were made"]),
    ...(unsummed === 0 ? [] : [`${unsummed} facts and settings without a checksum`]),
    `by nothing: ${tables.map(({ name, count }) => `${name} (${count})`).join(", ")}, ` +
      "user_version of the file",
  ];
}

/** Faults of the list of segments: rows whose segment doesn't exist. */
export function strayPlaces(db: Connection): readonly string[] {
  const places = prepare(db, "segment.places");
  const first = places.all({ id: Number.MIN_SAFE_INTEGER, limit: 1 }).filter(({ id }) => id < 1);
  const after = places.all({ id: chainHead(db, "segment").count, limit: 1 });
  return [...first, ...after].map(
    ({ id }) => `segment ${id}: it has a place in the list of segments, and isn't there`,
  );
}
