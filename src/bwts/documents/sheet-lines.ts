// The lines of the inspection sheet about operations: the newest ones, and the exceptions with the
// rule that was broken, its evidence, and the entries that the record book needs.

import type { Operation, OperationReason } from "../operations/operation.ts";
import { printedUnit } from "../operations/operation-words.ts";
import { letterOf } from "../record-book/draft.ts";
import { malfunctionsOf } from "../record-book/malfunction.ts";
import { partsOfEntry } from "../record-book/water-parts.ts";
import type { ExceptionLine, OperationLine } from "./inspection.ts";
import { amountOf, counted, lengthOf, VERDICT_WORDS } from "./sheet-words.ts";

/** An operation as a line of the sheet. */
export function operationLine(operation: Operation): OperationLine {
  const { id, operation_type, location, start, end, volume_m3, volume_source } = operation;
  const { verdict_with_hidden, version, remarks, mode } = operation;
  const verdict = isJudged(operation) ? operation.verdict : null;
  return {
    ...{ id, operation_type, location, start, end, volume_m3, volume_source },
    uv_min_w_m2: operation.values.UVR_INTENSITY.min,
    uv_limit_w_m2: uvLimitOf(operation),
    ...{ mode, verdict, verdict_with_hidden, version, remarks },
    not_recorded: operation.not_recorded,
    given_out: givenOut(operation),
  };
}

function givenOut({ version, versions }: Operation): string | null {
  return versions.find((one) => one.version === version)?.given_out ?? null;
}

function uvLimitOf({ mode, limits }: Operation): number | null {
  if (mode === null) return null;
  const key = `limits.uv_${mode.toLowerCase()}`;
  return limits.find((limit) => limit.key === key)?.value ?? null;
}

/** True once a verdict of the ended operation is stored; from then on each change is recorded. */
export function isJudged({ version, verdict }: Operation): boolean {
  return version > 0 && verdict !== null;
}

/** True for an operation that the officer must see: outside limits, unclear, changed, bypassed. */
export function isException(operation: Operation): boolean {
  const { verdict, verdict_with_hidden, bypass_seconds } = operation;
  if (!isJudged(operation)) return false;
  if (verdict === "outside_limits" || verdict === "cannot_tell") return true;
  const isChanged = verdict_with_hidden !== null && verdict_with_hidden !== verdict;
  return isChanged || bypass_seconds > 0;
}

/**
 * An exception as a line, by the reasons that decide its verdict; `relaxed`: limits that were
 * relaxed for it.
 */
export function exceptionLine(
  operation: Operation,
  relaxed: readonly string[] = [],
): ExceptionLine {
  const { id, operation_type, location, verdict } = operation;
  const reasons = decisive(operation);
  const starts = reasons.map(({ start }) => start).sort();
  const ends = reasons.map(({ end }) => end).sort();
  return {
    ...{ operation_id: id, given_out: givenOut(operation) },
    ...{ operation_type, location, verdict },
    what: whatOf(operation, { reasons, relaxed }),
    start: starts[0] ?? operation.start,
    end: ends.at(-1) ?? operation.end ?? operation.start,
    volume_m3: volumeOf(operation, reasons),
    evidence: evidenceOf(operation, reasons),
    record_book: recordBookOf(operation, reasons),
  };
}

/** The reasons that decide the verdict; if a void improved it, the hidden reasons. */
function decisive({ reasons, verdict }: Operation): readonly OperationReason[] {
  const shown = reasons.filter(({ is_hidden }) => !is_hidden);
  const deciding = shown.filter((reason) => reason.verdict === verdict);
  if (deciding.length > 0) return deciding;
  return shown.length > 0 ? shown : reasons;
}

/**
 * The volume of the parts in which the reasons lie, each counted once, since two rules may be
 * broken at a time. Null if a part's volume isn't known.
 */
function volumeOf({ parts }: Operation, reasons: readonly OperationReason[]): number | null {
  const [only, ...more] = reasons;
  const touched = parts.filter(
    (one) =>
      one.part !== "within_limits" &&
      reasons.some(({ start, end }) => start < one.end && end > one.start),
  );
  if (touched.length === 0) return more.length === 0 ? (only?.volume_m3 ?? null) : null;
  const volumes = touched.flatMap(({ volume_m3 }) => (volume_m3 === null ? [] : [volume_m3]));
  if (volumes.length < touched.length) return null;
  return volumes.reduce((sum, volume_m3) => sum + volume_m3, 0);
}

const RULE_WORDS: Readonly<Record<string, (limit: string) => string>> = {
  uv_below_limit: (limit) => `UV below ${limit}`,
  flow_above_certified: (limit) => `flow above ${limit}`,
  bypass: () => "bypassed",
  fault: () => "water moved in state FAULT",
  no_readings: () => "no readings",
  clock_stepped: () => "a clock was set, and not all was seen",
  no_intensity: () => "UV intensity not told",
  no_mode: () => "mode not told, within one limit only",
  warmup_stopping: () => "water moved in warm-up or stopping",
  untreated: () => "water moved untreated",
  uv_below_once: (limit) => `one reading of UV below ${limit}`,
  flow_above_once: (limit) => `one reading of flow above ${limit}`,
  untreated_once: () => "untreated water, by one witness",
  unknown_state: () => "water moved in an unknown state",
  no_flow: () => "flow not told by meter or totaliser",
  no_state: () => "state not told",
  uv_frozen: () => "UV sensor frozen",
  flow_frozen: () => "flow sensor frozen",
  light_without_lamps: () => "UV light without lamps",
  flow_contradicted: () => "flow and totaliser contradict each other",
  water_unseen: () => "more water may have moved while no reading came",
  trickle: () => "water moved too slowly to be judged",
  contradicted: () => "messages of one time contradict each other",
};

/**
 * The worst value as `least 201.5 W/m²`, rounded away from the limit, so that a value just beyond
 * it doesn't look as if it was within.
 */
export function worstInWords(
  value: number,
  { isLow, unit }: { readonly isLow: boolean; readonly unit: string | null },
): string {
  const tenths = isLow ? Math.floor(value * 10) : Math.ceil(value * 10);
  return `${isLow ? "least" : "most"} ${tenths / 10} ${printedUnit(unit ?? "")}`.trim();
}

/** A broken rule as text, such as `UV below 252 W/m²`. */
export function ruleInWords({
  rule,
  limit,
  unit,
}: Pick<OperationReason, "rule" | "limit" | "unit">): string {
  const written =
    limit === null ? "the limit" : `${amountOf(limit)} ${printedUnit(unit ?? "")}`.trim();
  return RULE_WORDS[rule]?.(written) ?? rule.replaceAll("_", " ");
}

interface ExceptionCauses {
  readonly reasons: readonly OperationReason[];
  readonly relaxed: readonly string[];
}

function whatOf({ bypass_seconds }: Operation, { reasons, relaxed }: ExceptionCauses): string {
  const rules = [...new Set(reasons.map(({ rule }) => rule))];
  const parts = rules.map((rule) => {
    const of = reasons.filter((reason) => reason.rule === rule);
    const seconds = of.reduce((sum, reason) => sum + reason.seconds, 0);
    const words = ruleInWords(of[0] ?? { rule, limit: null, unit: null });
    return seconds === 0 ? words : `${words} for ${lengthOf(seconds)}`;
  });
  if (bypass_seconds > 0 && !rules.includes("bypass"))
    parts.push(`bypassed for ${lengthOf(bypass_seconds)}`);
  parts.push(...relaxed);
  return parts.length === 0 ? "no reason is stored" : parts.join("; ");
}

function evidenceOf(operation: Operation, reasons: readonly OperationReason[]): string {
  const parts: string[] = [];
  const worst = reasons.find((reason) => reason.worst !== null && reason.parameter !== null);
  if (worst !== undefined && worst.worst !== null) {
    const all = reasons.filter(({ rule }) => rule === worst.rule);
    const values = all.flatMap((reason) => (reason.worst === null ? [] : [reason.worst]));
    const isLow = worst.limit === null || worst.worst < worst.limit;
    const value = isLow ? Math.min(...values) : Math.max(...values);
    parts.push(worstInWords(value, { isLow, unit: worst.unit }));
  }
  const readings = reasons.reduce((sum, reason) => sum + reason.readings, 0);
  if (reasons.length > 1) parts.push(counted(reasons.length, "interval"));
  if (readings > 0) parts.push(counted(readings, "reading"));
  const { verdict_with_hidden, verdict, voids } = operation;
  if (verdict_with_hidden !== null && verdict_with_hidden !== verdict) {
    const names = voids.map(({ id }) => id).join(", ");
    parts.push(`with the readings that void ${names} hides: ${VERDICT_WORDS[verdict_with_hidden]}`);
  }
  const newest = operation.versions.at(-1);
  if (newest !== undefined) parts.push(`ledger: verdict ${newest.ledger_number}`);
  return parts.join(", ");
}

/** The entries of the draft for the operation; whether the officer made them isn't known aboard. */
function recordBookOf(operation: Operation, reasons: readonly OperationReason[]): string {
  const subjects = new Set(partsOfEntry(operation).map(({ subject }) => subject));
  const letter = letterOf(operation.operation_type) ?? "A or B";
  const words: string[] = [];
  if (subjects.has("outside")) words.push(`${letter}, item 5 with the reason`);
  if (subjects.has("bypassed")) words.push(`${letter}, item 6 None, for the bypass`);
  const isUnread = reasons.some(({ rule }) => rule === "no_readings");
  if (words.length === 0) words.push(letter, isUnread ? "H for the time without data" : OWN_NOTES);
  if (malfunctionsOf(operation).length > 0) words.push("F for the malfunction");
  else if (operation.verdict === "outside_limits") words.push("F if it failed");
  return words.join("; ");
}

const OWN_NOTES = "the officer's own notes of this time";
