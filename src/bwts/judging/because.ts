// The reason for a new version of a judgement, in words with counts: what differs between the
// record before and the one now. `verify` makes the words of a version of the present rules again,
// so other words need another version of the rules. Pure.

import { HOUR_MS, printTime } from "../../ground/clock.ts";
import type { JudgedOperation } from "../operations/judging.ts";
import { LIMIT_WORDS, printedUnit } from "../operations/operation-words.ts";

/** The reason for the first version. */
export const FIRST_BECAUSE = "the operation ended";

/** Two records of an operation, and when the one before left the ship; null if it didn't. */
interface TwoRecords {
  readonly before: JudgedOperation;
  readonly after: JudgedOperation;
  readonly given_out_ms: number | null;
  /** The end of the last cleaning that is stored before it; null without one. */
  readonly cleaned_ms: number | null;
}

/** Why `after` takes the place of `before`, which was given out or not. */
export function becauseOf({ before, after, given_out_ms, cleaned_ms }: TwoRecords): string {
  const told = [
    ...existence(before, after),
    ...rules(before, after),
    ...readings(before, after),
    ...voids(before, after),
    ...bounds(before, after),
    ...limits(before, after),
    ...sources(before, after),
    ...cleanings(before, after, cleaned_ms),
    ...counted(after.alerts.length - before.alerts.length, "alert"),
    ...counted(after.clock_steps.length - before.clock_steps.length, "clock step"),
  ];
  const why = told.length === 0 ? ["data of it that came later differs"] : told;
  const out =
    given_out_ms === null
      ? []
      : [`the version before was given out on ${printTime(given_out_ms).slice(0, 10)}`];
  return [...why, ...out].join("; ");
}

/**
 * The reasons that a stored version may have, whatever the last cleaning was then, if the one
 * before may have left the ship at one of some times.
 */
export function possibleBecause({
  before,
  after,
  given_out_ms,
}: Pick<TwoRecords, "before" | "after"> & {
  readonly given_out_ms: readonly (number | null)[];
}): readonly string[] {
  return [cleanedAt(after), Number.NaN].flatMap((cleaned_ms) =>
    given_out_ms.map((at_ms) => becauseOf({ before, after, given_out_ms: at_ms, cleaned_ms })),
  );
}

function existence(before: JudgedOperation, after: JudgedOperation): readonly string[] {
  const [was, is] = [before, after].map(({ remarks }) => remarks.includes("withdrawn"));
  if (was === is) return [];
  return [is ? "later data says that there was no such operation" : "later data shows it again"];
}

function rules(before: JudgedOperation, after: JudgedOperation): readonly string[] {
  if (before.rules_version === after.rules_version) return [];
  return [`rules version ${after.rules_version}`];
}

/** Readings that a changed start or end includes may have been stored long before. */
function readings(before: JudgedOperation, after: JudgedOperation): readonly string[] {
  const [had, has] = [before, after].map((one) => one.readings + one.readings_hidden);
  const isMoved = before.start !== after.start || before.end !== after.end;
  if (has > had) return [`${plural(has - had, "reading")} ${isMoved ? "more in it" : "came late"}`];
  return has < had ? [`${plural(had - has, "reading")} no longer in it`] : [];
}

function voids(before: JudgedOperation, after: JudgedOperation): readonly string[] {
  const undone = before.voids.filter(({ id }) => !after.voids.some((one) => one.id === id));
  const hiding = after.voids.filter(
    ({ id, readings: count }) =>
      !before.voids.some((one) => one.id === id && one.readings === count),
  );
  return [
    ...undone.map(({ id }) => `void ${id} was undone`),
    ...hiding.map(({ id, readings: count }) => `void ${id} hides ${plural(count, "reading")}`),
  ];
}

function bounds(before: JudgedOperation, after: JudgedOperation): readonly string[] {
  const told = ([name, was, is]: readonly [string, string | null, string | null]) =>
    was === is ? [] : [`its ${name} is ${is ?? "unknown"} instead of ${was ?? "unknown"}`];
  return (
    [
      ["start", before.start, after.start],
      ["end", before.end, after.end],
      ["type", before.operation_type, after.operation_type],
      ["place", before.location, after.location],
    ] as const
  ).flatMap(told);
}

function limits(before: JudgedOperation, after: JudgedOperation): readonly string[] {
  const units = new Map(after.limits.map(({ key, unit }) => [key, unit]));
  return [...units].flatMap(([key, unit]) => {
    const [was, is] = [before, after].map((one) => limitValues(one, key));
    if (was === "" || was === is) return [];
    const now = [LIMIT_WORDS[key] ?? key, is, printedUnit(unit ?? "")].join(" ").trim();
    return [`the limit is now ${now} instead of ${was}`];
  });
}

function sources({ limits_source: was }: JudgedOperation, { limits_source: is }: JudgedOperation) {
  return was === is || was === null ? [] : [`the limits are of "${is}" instead of "${was}"`];
}

/** Values of a limit: several if it was changed during the operation, "" without one. */
const limitValues = ({ limits: all }: JudgedOperation, key: string) =>
  all.flatMap((one) => (one.key === key ? [one.value] : [])).join(" and ");

/**
 * The reason if the last cleaning changed: only if the hours since it follow from the stored one.
 */
function cleanings(
  before: JudgedOperation,
  after: JudgedOperation,
  cleaned_ms: number | null,
): readonly string[] {
  const [was_ms, is_ms] = [before, after].map(cleanedAt);
  if (was_ms === is_ms || is_ms !== cleaned_ms) return [];
  if (is_ms === null) return ["a cleaning was withdrawn or corrected: none is known before it"];
  const end = `the last one before it ended at ${printTime(is_ms)}`;
  if (was_ms === null) return [`a cleaning came late: ${end}`];
  const what = is_ms > was_ms ? "came late" : "was withdrawn or corrected";
  return [`a cleaning ${what}: ${end} instead of ${printTime(was_ms)}`];
}

/** When the last cleaning ended before an operation, to the millisecond; null if it isn't known. */
function cleanedAt({ start, hours_since_cip }: JudgedOperation): number | null {
  if (hours_since_cip === null) return null;
  return Math.round(Date.parse(start) - hours_since_cip * HOUR_MS);
}

function counted(more: number, name: string): readonly string[] {
  if (more === 0) return [];
  return [more > 0 ? `${plural(more, name)} more` : `${plural(-more, name)} fewer`];
}

const plural = (count: number, name: string) => `${count} ${name}${count === 1 ? "" : "s"}`;
