// An operation in words: its name, its verdict with a sign, the reasons, and its volume. A verdict
// is a word and a shape: a tick, a cross, a question mark; a dash without one.

import { notRecordedMinutes } from "../../bwts/operations/operation-words.ts";
import { wordOf } from "../../bwts/plc-word.ts";
import { rulesWords } from "../lang/rules.ts";
import { operationsWords as t } from "../lang/words.ts";
import type { KnownOperation } from "../store/operations.ts";
import { printDuration, printSecond } from "./moments.ts";
import { printNumber } from "./numbers.ts";
import { SIGNS, type SignWord } from "./verdict-shapes.ts";

type PerhapsJudged = Pick<KnownOperation, "verdict" | "end_ms">;

/** The word of its verdict, or of the reason why it has none. */
export function verdictWord({ verdict, end_ms }: PerhapsJudged): Exclude<SignWord, "bypassed"> {
  return verdict ?? (end_ms === null ? "running" : "unjudged");
}

export function VerdictSign({ word }: { word: SignWord }) {
  return (
    <span class={`verdict-sign ${word}`}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={SIGNS[word]} />
      </svg>{" "}
      {t(word)}
    </span>
  );
}

const KINDS = { BALLAST: "uptake", DEBALLAST: "discharge", CIP: "cleaning" } as const;

/** The kind of operation, such as `Discharge`; an unknown kind as the plant sent it. */
export function kindInWords(operation_type: string | null): string {
  const word = operation_type === null ? "" : wordOf(operation_type);
  const known = Object.entries(KINDS).find(([type]) => type === word)?.[1];
  return known === undefined ? (operation_type ?? t("unknown")) : t(known);
}

/** Kind and place: `Discharge, Busan`. */
export function operationName({
  operation_type,
  location,
}: Pick<KnownOperation, "operation_type" | "location">): string {
  return [kindInWords(operation_type), location].filter((one) => one !== null).join(", ");
}

/** `20 of 480 min not recorded`; null if all is recorded. */
export function notRecordedInWords({
  not_recorded,
}: Pick<KnownOperation, "not_recorded">): string | null {
  const missing = notRecordedMinutes(not_recorded);
  return missing === null ? null : t("not_recorded", missing);
}

/** Each rule that was broken or couldn't be judged, with the total time. */
export function reasonsInWords({ reasons }: Pick<KnownOperation, "reasons">): string {
  const sums_s = new Map<string, number>();
  for (const { rule, seconds, is_hidden } of reasons ?? [])
    if (!is_hidden) sums_s.set(rule, (sums_s.get(rule) ?? 0) + seconds);
  return [...sums_s]
    .map(([rule, sum_s]) => `${rulesWords(rule)} (${printDuration(1000 * sum_s)})`)
    .join("; ");
}

type KnownVolume = Pick<KnownOperation, "volume_m3" | "volume_source">;

/** The volume; null if it isn't known. */
export function volumeInWords({ volume_m3, volume_source }: KnownVolume): string | null {
  if (volume_m3 === null) return null;
  const volume = printNumber(volume_m3);
  return volume_source === null ? `${volume} m³` : t(`by_${volume_source}`, { volume });
}

/** Both ends with their clock; the second has its day if that differs. */
export function printSpan(start_ms: number, end_ms: number | null, now_ms: number): string {
  const from = printSecond(start_ms, now_ms);
  if (end_ms === null) return t("since", { from });
  return t("span", { from, to: printSecond(end_ms, start_ms) });
}
