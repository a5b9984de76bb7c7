// Judges every operation again from the readings, by the derivation that judged it first, and names
// what would be judged otherwise: who rewrites a verdict in the file, with all hashes behind it,
// doesn't change what the readings say. What readings no longer tell, or may still change, is
// listed as not judged again. Changes nothing.

import { isDeepStrictEqual } from "node:util";
import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../ground/clock.ts";
import { isByOtherRules } from "../derived/derived-repair.ts";
import { OPERATIONS } from "../derived/operations.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type ClosedRange, EVER } from "../file/query.ts";
import { lacksRows, recordOf, versionsOf } from "../records/operation-rows.ts";
import {
  ALL_DUE,
  hasNews,
  isDue,
  newestDueHour,
  touchesNewest,
} from "../records/waiting-operations.ts";
import { segmentsOf } from "../sealed/segments.ts";
import { newestTime, rawFrom, UNDAMAGED } from "../sealed/timeline.ts";

export interface JudgedAgain {
  /** Operations that were judged alike. */
  readonly judged: number;
  /** Differences in words. */
  readonly faults: readonly string[];
  /** Operations that weren't judged again, with the reason. */
  readonly not_judged: readonly string[];
}

/** In the caller's transaction. Some 2.5 ms an operation of 480 readings. */
export function judgedAgain(db: Connection, config: LampConfig): JudgedAgain {
  // The derivation waits too.
  if (prepare(db, "void.under_way").get({}) !== undefined || lacksRows(db))
    return { judged: 0, faults: [], not_judged: ["all operations: rows or a void are under way"] };
  const raw_from_ms = rawFrom(db);
  const newest_ms = newestDueHour(db) ?? 0;
  if (isByOtherRules(db, OPERATIONS) || newest_ms === ALL_DUE)
    return { judged: 0, faults: [], not_judged: ["all operations: they wait to be judged again"] };
  const newestHour = { start_ms: newest_ms, end_ms: newest_ms + HOUR_MS - 1 };
  const left = { expired: 0, waiting: 0 };
  const asked = new Set<number>();
  for (const { id, start_ms, end_ms } of prepare(db, "operation.touching").all(EVER)) {
    const newest = newestOf(db, id);
    if (newest === null) continue;
    const { made_ms } = newest;
    const range = { start_ms, end_ms: end_ms ?? start_ms };
    const isWaiting =
      isDue(db, range) || (touchesNewest(db, range) && hasNews(db, { ...newestHour, made_ms }));
    // Readings before the operation decide about it too.
    if (start_ms < raw_from_ms + DAY_MS && raw_from_ms > 0) left.expired += 1;
    else if (isWaiting) left.waiting += 1;
    else asked.add(id);
  }
  const isOpen = (range: ClosedRange) => isDue(db, range) || touchesNewest(db, range);
  const differing = withoutDamage(db, () => differences(db, { config, asked, isOpen }));
  // Its own proof names the damage.
  if (differing === null) return { judged: 0, faults: [], not_judged: ["all operations: damaged"] };
  return {
    judged: asked.size - new Set(differing.flatMap(({ id }) => id ?? [])).size,
    faults: differing.map(({ fault }) => fault),
    not_judged: [
      ...counted(left.expired, "whose readings have expired"),
      ...counted(left.waiting, "that wait to be judged again"),
    ],
  };
}

/** Null without a version, and of a damaged one, which is named elsewhere. */
const newestOf = (db: Connection, id: number) =>
  withoutDamage(db, () => versionsOf(db, id).at(-1) ?? null);

const counted = (count: number, which: string) =>
  count === 0 ? [] : [`${count} operation${count === 1 ? "" : "s"} ${which}`];

/** Hours that a call of the derivation takes. */
const CHUNK_HOURS = 2000;

interface AskedAgain {
  readonly config: LampConfig;
  /** Ids of the stored operations whose differences count. */
  readonly asked: ReadonlySet<number>;
  /** True for a time that the derivation has yet to judge. */
  readonly isOpen: (range: ClosedRange) => boolean;
}

interface JudgedOtherwise {
  readonly id: number | null;
  readonly fault: string;
}

function differences(
  db: Connection,
  { config, asked, isOpen }: AskedAgain,
): readonly JudgedOtherwise[] {
  const found = new Map<string, JudgedOtherwise>();
  const hours = hoursOf(db);
  for (let at = 0; at < hours.length; at += CHUNK_HOURS) {
    const pieces = hours.slice(at, at + CHUNK_HOURS);
    const { found: made } = OPERATIONS.compute(db, pieces, { config, isIdle: true });
    for (const { id, record, because } of made?.versions ?? []) {
      const { start, end } = record;
      const [start_ms, end_ms] = [Date.parse(start), Date.parse(end ?? start)];
      if (id === null) {
        const isFinal = end !== null && !isOpen({ start_ms, end_ms });
        const fault = `the readings from ${start} to ${end} tell an operation that isn't stored`;
        if (isFinal) found.set(`${start_ms}`, { id, fault });
        continue;
      }
      if (!asked.has(id)) continue;
      const newest = newestOf(db, id);
      const was = newest === null ? null : withoutDamage(db, () => recordOf(newest));
      const what = was === null ? [] : differing(was, record);
      const told = what.length === 0 ? because : `another ${what.join(", ")}`;
      found.set(`id ${id}`, { id, fault: `operation ${id}: its readings tell ${told}` });
    }
  }
  return [...found.values()];
}

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

/** A segment of a wrong clock may span years; its ends suffice. */
const SPAN_MAX_MS = 40 * DAY_MS;
/** Readings that aren't sealed yet are younger. */
const HOT_MS = 2 * DAY_MS;

/** The hours of which readings are stored, or a row of an operation. */
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
