// Judges every operation again from the readings, with the same derivation, and names the
// differences: somebody who rewrites a verdict in the file, with all hashes after it, can't change
// the readings' result. Operations whose readings have expired or may still change are listed as
// not judged again. Rows without proof decide whether one waits, so a waiting one is a fault if it
// is outside by its readings and nothing about it has changed. Changes nothing.

import { isDeepStrictEqual } from "node:util";
import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../ground/clock.ts";
import { isByOtherRules } from "../derived/derived-repair.ts";
import { judgementsOfPieces, OPERATIONS } from "../derived/operations.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type ClosedRange, EVER } from "../file/query.ts";
import { lacksRows, recordOf, versionsOf } from "../records/operation-rows.ts";
import {
  ALL_DUE,
  hasNews,
  isDue,
  JUDGED_BESIDE_MS,
  newestDueHour,
  touchesNewest,
} from "../records/waiting-operations.ts";
import { segmentsOf } from "../sealed/segments.ts";
import { newestTime, rawFrom, STORED_UNDAMAGED, timeline, UNDAMAGED } from "../sealed/timeline.ts";

export interface JudgedAgain {
  /** Number of operations with the same result as stored. */
  readonly judged: number;
  /** Differences in words. */
  readonly faults: readonly string[];
  /** Operations that weren't judged again, with the reason. */
  readonly not_judged: readonly string[];
}

/**
 * Judges all operations again, in the caller's transaction; some 2.5 ms for an operation of 480
 * readings.
 */
export function judgedAgain(db: Connection, config: LampConfig): JudgedAgain {
  // Missing rows are reported elsewhere.
  if (lacksRows(db))
    return { judged: 0, faults: [], not_judged: ["all operations: rows are missing"] };
  const raw_from_ms = rawFrom(db);
  const newest_ms = newestDueHour(db) ?? 0;
  const areAllWaiting = isByOtherRules(db, OPERATIONS) || newest_ms === ALL_DUE;
  const newestHour = { start_ms: newest_ms, end_ms: newest_ms + HOUR_MS - 1 };
  const asked = new Set<number>();
  const waiting = new Map<number, WaitingOperation>();
  let expired = 0;
  for (const { id, start_ms, end_ms } of prepare(db, "operation.touching").all(EVER)) {
    const newest = newestOf(db, id);
    if (newest === null) continue;
    const { made_ms, rules_version } = newest;
    const range = { start_ms, end_ms: end_ms ?? start_ms };
    const isHiding = isBesideVoid(db, range);
    const isWaiting =
      areAllWaiting ||
      isHiding ||
      isDue(db, range) ||
      (touchesNewest(db, range) && hasNews(db, { ...newestHour, made_ms }));
    // Readings before the operation also affect its verdict.
    if (start_ms < raw_from_ms + DAY_MS && raw_from_ms > 0) expired += 1;
    else if (!isWaiting) asked.add(id);
    else {
      const isOfRules = rules_version === OPERATIONS.rules_version;
      const isAsItWas = () => isOfRules && !isHiding && !isChanged(db, range, made_ms);
      waiting.set(id, { isAsItWas });
    }
  }
  const isOpen = (range: ClosedRange) =>
    areAllWaiting || isDue(db, range) || touchesNewest(db, range) || isBesideVoid(db, range);
  const differing = withoutDamage(db, () => differences(db, { config, asked, waiting, isOpen }));
  // The proof of the damaged data itself names the damage.
  if (differing === null) return { judged: 0, faults: [], not_judged: ["all operations: damaged"] };
  const faulty = differing.filter(({ isFault }) => isFault);
  const faultyIds = new Set(faulty.flatMap(({ id }) => id ?? []));
  return {
    judged: [...asked].filter((id) => !faultyIds.has(id)).length,
    faults: faulty.map(({ fault }) => fault),
    not_judged: [
      ...counted(expired, "whose readings have expired"),
      ...counted(waiting.size, "that wait to be judged again"),
      ...firstOf(differing.flatMap(({ isFault, fault }) => (isFault ? [] : [fault]))),
    ],
  };
}

/** An operation that waits to be judged again. */
interface WaitingOperation {
  /**
   * True if it was judged by the present rules and nothing about it has changed since, so that its
   * result should be the same.
   */
  isAsItWas(): boolean;
}

const beside = ({ start_ms, end_ms }: ClosedRange, near_ms: number): ClosedRange => ({
  start_ms: start_ms - near_ms,
  end_ms: end_ms + near_ms,
});

/**
 * True if data that affects an operation was received after its judgement; later readings don't
 * count, since they arrive after it anyway.
 */
function isChanged(db: Connection, { start_ms, end_ms }: ClosedRange, made_ms: number): boolean {
  const near = beside({ start_ms, end_ms }, DAY_MS);
  if (prepare(db, "operation.changed_since").get({ ...near, made_ms })?.is_changed === 1)
    return true;
  const before = { start_ms: start_ms - JUDGED_BESIDE_MS, end_ms };
  for (const { block, from, to } of timeline(db, before, STORED_UNDAMAGED))
    for (let index = from; index < to; index += 1)
      if (block.received_ms(index) > made_ms) return true;
  return false;
}

/** True if a void near a time is being made or undone. */
function isBesideVoid(db: Connection, range: ClosedRange): boolean {
  const hiding = prepare(db, "void.under_way").get({});
  const near = beside(range, JUDGED_BESIDE_MS);
  return hiding !== undefined && hiding.start_ms <= near.end_ms && hiding.end_ms >= near.start_ms;
}

/**
 * Maximum number of waiting operations in the list of those that the readings judge differently.
 */
const LISTED_MAX = 5;

function firstOf(all: readonly string[]): readonly string[] {
  const more = all.length - LISTED_MAX;
  return more > 0 ? [...all.slice(0, LISTED_MAX), `${more} more that wait`] : all;
}

/**
 * An operation's newest version; null without one, or if it is damaged, which is reported
 * elsewhere.
 */
const newestOf = (db: Connection, id: number) =>
  withoutDamage(db, () => versionsOf(db, id).at(-1) ?? null);

const counted = (count: number, which: string) =>
  count === 0 ? [] : [`${count} operation${count === 1 ? "" : "s"} ${which}`];

/** Number of hours that one call of the derivation judges. */
const CHUNK_HOURS = 2000;

interface AskedAgain {
  readonly config: LampConfig;
  /** Ids of the stored operations whose differences count. */
  readonly asked: ReadonlySet<number>;
  /** Operations that wait to be judged again, by id. */
  readonly waiting: ReadonlyMap<number, WaitingOperation>;
  /** True for a time that still waits for the derivation. */
  readonly isOpen: (range: ClosedRange) => boolean;
}

interface JudgedOtherwise {
  readonly id: number | null;
  readonly fault: string;
  /** False if newer data may explain the difference. */
  readonly isFault: boolean;
}

function differences(
  db: Connection,
  { config, asked, waiting, isOpen }: AskedAgain,
): readonly JudgedOtherwise[] {
  const found = new Map<string, JudgedOtherwise>();
  const hours = hoursOf(db);
  for (let at = 0; at < hours.length; at += CHUNK_HOURS) {
    const pieces = hours.slice(at, at + CHUNK_HOURS);
    const { found: made } = judgementsOfPieces(db, pieces, { config, isIdle: true });
    for (const { id, record, because } of made?.versions ?? []) {
      const { start, end } = record;
      const [start_ms, end_ms] = [Date.parse(start), Date.parse(end ?? start)];
      if (id === null) {
        if (end === null) continue;
        const isFault = !isOpen({ start_ms, end_ms });
        const fault = `the readings from ${start} to ${end} tell an operation that isn't stored`;
        found.set(`${start_ms}`, { id, fault, isFault });
        continue;
      }
      const waits = waiting.get(id);
      if (!asked.has(id) && waits === undefined) continue;
      const newest = newestOf(db, id);
      const was = newest === null ? null : withoutDamage(db, () => recordOf(newest));
      const what = was === null ? [] : differing(was, record);
      const told = what.length === 0 ? because : `another ${what.join(", ")}`;
      const isWorse = was?.verdict !== OUTSIDE && record.verdict === OUTSIDE;
      const isFault = waits === undefined || (isWorse && waits.isAsItWas());
      found.set(`id ${id}`, { id, isFault, fault: `operation ${id}: its readings tell ${told}` });
    }
  }
  return [...found.values()];
}

const OUTSIDE = "outside_limits";

/** The members of two records that differ, the verdict first. */
function differing(
  was: { readonly verdict: string | null },
  is: { readonly verdict: string | null },
): readonly string[] {
  const had = new Map(Object.entries(was));
  const names = Object.entries(is)
    .filter(([name, value]) => had.has(name) && !isDeepStrictEqual(had.get(name), value))
    .map(([name]) => name);
  const others = names.filter((name) => name !== "verdict");
  if (was.verdict === is.verdict) return others;
  return [`verdict (${is.verdict}, stored is ${was.verdict})`, ...others];
}

/**
 * Maximum span of a segment whose hours are all judged; one by a wrong clock may span years, and
 * its ends suffice.
 */
const SPAN_MAX_MS = 40 * DAY_MS;
/** Maximum age of readings that aren't sealed yet. */
const HOT_MS = 2 * DAY_MS;

/** Starts of the hours with stored readings or a row of an operation. */
function hoursOf(db: Connection): readonly number[] {
  const newest_ms = newestTime(db, UNDAMAGED) ?? 0;
  const spans = [
    ...segmentsOf(db).within(EVER),
    { first_ms: newest_ms - HOT_MS, last_ms: newest_ms },
    ...prepare(db, "operation.touching")
      .all(EVER)
      .map(({ start_ms }) => ({ first_ms: start_ms, last_ms: start_ms })),
  ];
  const hours = new Set<number>();
  for (const { first_ms, last_ms } of spans) {
    const isShort = last_ms - first_ms <= SPAN_MAX_MS;
    const step_ms = isShort ? HOUR_MS : last_ms - first_ms;
    for (let at = first_ms; at <= last_ms; at += step_ms) hours.add(floorTo(at, HOUR_MS));
    hours.add(floorTo(last_ms, HOUR_MS));
  }
  return [...hours].filter((hour) => hour >= 0).sort((one, other) => one - other);
}
