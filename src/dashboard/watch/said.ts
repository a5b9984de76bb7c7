// The sentences of the handover, one for each change, made from the API's answers. Each function
// takes the known data and returns the sentences about the time since `since_ms`.

import { isCleaning } from "../../bwts/operations/operation-words.ts";
import { indexOfTag, TAGS } from "../../bwts/tags.ts";
import { isTreatingState } from "../../bwts/treating.ts";
import { operationsWords, handoverWords as t } from "../lang/words.ts";
import { printAge, printSecond } from "../parts/moments.ts";
import { printNumber, printValue } from "../parts/numbers.ts";
import { operationName, reasonsInWords, verdictWord } from "../parts/operation-words.tsx";
import type { KnownOperation } from "../store/operations.ts";
import type {
  AsideCount,
  ClockChange,
  NewLamp,
  ReportedGap,
  Score,
  ShownReading,
} from "./handover-answers.ts";

const INTENSITY = TAGS[indexOfTag("UVR_INTENSITY")];

/** The sections, in the order of the page. */
export const SECTIONS = [
  "operations",
  "alerts",
  "lamps",
  "condition",
  "cleanings",
  "data",
  "ballastd",
] as const;

export interface ReportedChange {
  readonly section: (typeof SECTIONS)[number];
  readonly at_ms: number;
  readonly text: string;
  /** The code of an alert, shown in small letters beside its text. */
  readonly code?: string;
  /** The address of the page with more information. */
  readonly more?: string;
}

export interface ReportedSpan {
  readonly since_ms: number;
  readonly now_ms: number;
}

/**
 * A sentence for each operation, with its volume, its minimum UV, and its verdict with the reasons.
 */
export function saidOfOperations(
  operations: readonly KnownOperation[],
  { now_ms }: ReportedSpan,
): readonly ReportedChange[] {
  return operations.map((operation) => {
    const { id, start_ms, end_ms, known_by } = operation;
    const isCleaned = isCleaning(operation);
    const facts = [
      isCleaned ? null : volumeWords(operation),
      isCleaned ? null : lightWords(operation),
      operation.verdict === null ? null : t("op_verdict", { verdict: verdictWords(operation) }),
      known_by === "readings" ? t("op_readings") : null,
    ].filter((one) => one !== null);
    const what = operationName(operation);
    const given = { from: printSecond(start_ms, now_ms), what, facts: facts.join(" ") };
    const text =
      end_ms === null
        ? t("op_runs", given)
        : t("op_ended", { ...given, to: printSecond(end_ms, now_ms) });
    return {
      ...{ section: isCleaned ? "cleanings" : "operations", at_ms: start_ms },
      ...{ text: text.trim(), more: `operations?id=${id}` },
    };
  });
}

function volumeWords({ volume_m3, volume_source }: KnownOperation): string {
  if (volume_m3 === null) return t("op_no_volume");
  const volume = printNumber(volume_m3);
  return t(volume_source === "flow" ? "op_volume_flow" : "op_volume", { volume });
}

function lightWords({ values, limits, mode }: KnownOperation): string | null {
  const [, { min = null } = {}] = values?.find(([name]) => name === INTENSITY.name) ?? [];
  if (min === null) return null;
  const value = printValue(INTENSITY, min);
  const key = `limits.uv_${mode?.toLowerCase()}`;
  const limit = limits?.find((one) => one.key === key);
  if (limit === undefined || mode === null) return t("op_no_limit", { value });
  return t("op_least", { value, mode, limit: printValue(INTENSITY, limit.value) });
}

function verdictWords(operation: KnownOperation): string {
  const why = reasonsInWords(operation);
  const word = operationsWords(verdictWord(operation));
  return why === "" ? word : `${word}: ${why}`;
}

/** A sentence for each reason of messages that ballastd couldn't store. */
export function saidOfAside(
  counts: readonly AsideCount[],
  { now_ms }: ReportedSpan,
): readonly ReportedChange[] {
  return counts.map(({ newest_ms, reason, messages, exact }) => ({
    ...{ section: "data", at_ms: newest_ms, more: "system" },
    text: t(exact ? "set_aside" : "set_aside_least", {
      ...{ n: messages, reason, moment: printSecond(newest_ms, now_ms) },
    }),
  }));
}

export function saidOfLamps(
  lamps: readonly NewLamp[],
  { since_ms, now_ms }: ReportedSpan,
): readonly ReportedChange[] {
  return lamps
    .filter(({ at_ms }) => at_ms >= since_ms && at_ms <= now_ms)
    .map(({ at_ms, lamp }) => ({
      section: "lamps",
      at_ms,
      text: t("replaced", { moment: printSecond(at_ms, now_ms), lamp }),
    }));
}

/** The change of health from the first score to the last; `scores` is newest first. */
export function saidOfHealth(scores: readonly Score[]): readonly ReportedChange[] {
  const [last] = scores;
  if (last === undefined) return [];
  const first = scores[scores.length - 1];
  const [from, to] = [printNumber(first.score), printNumber(last.score)];
  const text =
    first === last || from === to ? t("health", { to }) : t("health_changed", { from, to });
  return [{ section: "condition", at_ms: last.at_ms, text }];
}

/**
 * The change of UV intensity: from the first reading of treated water in the first quarter of an
 * hour to the last one in the last. Nothing if either has none, since lamps at rest give hardly any
 * light.
 */
export function saidOfIntensity(
  first: readonly ShownReading[],
  last: readonly ShownReading[],
  limits: TreatedBy | null,
): readonly ReportedChange[] {
  const flow_max_imo = limits?.flow_max_imo ?? Number.POSITIVE_INFINITY;
  const isTreated = ({ state, flow, intensity }: ShownReading) =>
    intensity !== null && isTreatingState(state, flow, { flow_max_imo });
  const [from, to] = [first.find(isTreated), [...last].reverse().find(isTreated)];
  if (from === undefined || to === undefined || from.at_ms >= to.at_ms) return [];
  const [begin, end] = [from, to].map((one) => printValue(INTENSITY, one.intensity));
  const text = t("intensity", { from: begin, to: end });
  return [{ section: "condition", at_ms: to.at_ms, text }];
}

interface TreatedBy {
  readonly flow_max_imo: number | null;
}

/** Sentences about gaps. A gap with `hidden` readings isn't a lack of data. */
export function saidOfGaps(
  gaps: readonly ReportedGap[],
  hidden: readonly ReportedGap[],
  { now_ms }: ReportedSpan,
): readonly ReportedChange[] {
  return gaps.map(({ start_ms, end_ms }) => {
    const moment = printSecond(start_ms, now_ms);
    const given = { moment, age: printAge((end_ms ?? now_ms) - start_ms) };
    const isHidden = hidden.some(
      (one) => one.start_ms <= (end_ms ?? now_ms) && (one.end_ms ?? now_ms) >= start_ms,
    );
    const lack = end_ms === null ? t("gap_lasts", given) : t("gap", given);
    return {
      section: "data",
      at_ms: start_ms,
      text: isHidden ? t("gap_hidden", given) : lack,
    };
  });
}

export function saidOfClocks(
  steps: readonly ClockChange[],
  { now_ms }: ReportedSpan,
): readonly ReportedChange[] {
  return steps.map(({ at_ms, clock, seconds }) => {
    const age = printAge(Math.abs(seconds) * 1000);
    const way = seconds < 0 ? "back" : "forward";
    const text = t(`${clock}_${way}`, { moment: printSecond(at_ms, now_ms), age });
    return { section: "data", at_ms, text };
  });
}
