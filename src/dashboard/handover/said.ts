// The sentences of the handover, one a change, made of the answers of the API. Each function takes
// what is known and answers the sentences of the time since `since_ms`.

import { isCleaning } from "../../bwts/operations/operation-words.ts";
import { indexOfTag, TAGS } from "../../bwts/tags.ts";
import { operationsWords, shellWords, handoverWords as t } from "../lang/words.ts";
import { alertMeaning, alertName, alertPlace } from "../parts/alert-words.ts";
import { printAge, printSecond } from "../parts/moments.ts";
import { MISSING, printNumber, printValue } from "../parts/numbers.ts";
import { operationName, reasonsInWords, verdictWord } from "../parts/operation-words.tsx";
import type { ShownAlert } from "../store/alerts.ts";
import type { KnownOperation } from "../store/operations.ts";
import type {
  AsideCount,
  ClockChange,
  NewLamp,
  Score,
  Standing,
  ToldGap,
} from "./handover-answers.ts";

const INTENSITY = TAGS[indexOfTag("UVR_INTENSITY")];

/** In the order of the page. */
export const SECTIONS = [
  "operations",
  "alerts",
  "lamps",
  "condition",
  "cleanings",
  "data",
] as const;

export interface ToldChange {
  readonly section: (typeof SECTIONS)[number];
  readonly at_ms: number;
  readonly text: string;
  /** The address of the page that tells more. */
  readonly more?: string;
}

export interface ToldSpan {
  readonly since_ms: number;
  readonly now_ms: number;
}

/** Each operation with its volume, its least light, and its verdict with the reasons. */
export function saidOfOperations(
  operations: readonly KnownOperation[],
  { now_ms }: ToldSpan,
): readonly ToldChange[] {
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

/** Messages that ballastd couldn't take in, by the reason. */
export function saidOfAside(
  counts: readonly AsideCount[],
  { now_ms }: ToldSpan,
): readonly ToldChange[] {
  return counts.map(({ at_ms, reason, messages, isExact }) => ({
    ...{ section: "data", at_ms, more: "system" },
    text: t(isExact ? "set_aside" : "set_aside_least", {
      ...{ n: messages, reason, moment: printSecond(at_ms, now_ms) },
    }),
  }));
}

/**
 * Equal alerts are one: that they rose, how often and when last; that the last of them ended; and
 * each name under which they were acknowledged.
 */
export function saidOfAlerts(
  alerts: readonly ShownAlert[],
  { since_ms, now_ms }: ToldSpan,
): readonly ToldChange[] {
  const isIn = (at_ms: number | null): at_ms is number =>
    at_ms !== null && at_ms >= since_ms && at_ms <= now_ms;
  return [...equalAlerts(alerts).values()].flatMap((equal) => {
    const [first] = equal;
    const section = first.code?.startsWith("LAMP_") === true ? "lamps" : "alerts";
    const name = [alertName(first), alertPlace(first)].filter((one) => one !== null).join(", ");
    const about =
      alertMeaning(first) ?? (first.description === alertName(first) ? "" : first.description);
    const priority = shellWords(`worst_${first.priority}`);
    const say = (at_ms: number, text: (moment: string) => string): ToldChange => ({
      ...{ section, at_ms, more: "alerts" },
      text: text(printSecond(at_ms, now_ms)).trim(),
    });
    const risen = equal.filter((one) => isIn(one.last_ms ?? one.since_ms));
    const n = risen.reduce((sum, { count }) => sum + count, 0);
    const last_ms = Math.max(...risen.map((one) => one.last_ms ?? one.since_ms ?? 0));
    const ends = equal.flatMap(({ cleared_ms }) => (isIn(cleared_ms) ? [cleared_ms] : []));
    const isOver = ends.length > 0 && equal.every(({ cleared_ms }) => cleared_ms !== null);
    return [
      ...(risen.length === 0
        ? []
        : [
            say(last_ms, (moment) =>
              n > 1
                ? t("rose_again", { n, moment, priority, name, about })
                : t("rose", { moment, priority, name, about }),
            ),
          ]),
      ...(isOver ? [say(Math.max(...ends), (moment) => t("over", { moment, name }))] : []),
      ...acknowledgements(equal.filter((one) => isIn(one.acknowledged_ms))).map((one) => {
        const { acknowledged_by, acknowledged_ms, acknowledged_note: note } = one;
        const by = acknowledged_by ?? MISSING;
        return say(acknowledged_ms ?? now_ms, (moment) =>
          note === null
            ? t("acknowledged", { moment, name, by })
            : t("acknowledged_note", { moment, name, by, note }),
        );
      }),
    ];
  });
}

/** Alerts of one code and place, the first of each as they came. */
function equalAlerts(alerts: readonly ShownAlert[]) {
  const kinds = new Map<string, [ShownAlert, ...ShownAlert[]]>();
  for (const alert of alerts) {
    const { source, priority, code, description, lamp, parameter } = alert;
    const kind = JSON.stringify([source, priority, code ?? description, lamp, parameter]);
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [alert]);
    else known.push(alert);
  }
  return kinds;
}

/** The newest of each name and remark. */
function acknowledgements(alerts: readonly ShownAlert[]): readonly ShownAlert[] {
  const kinds = new Map<string, ShownAlert>();
  for (const alert of alerts) {
    const kind = JSON.stringify([alert.acknowledged_by, alert.acknowledged_note]);
    const before_ms = kinds.get(kind)?.acknowledged_ms ?? 0;
    if ((alert.acknowledged_ms ?? 0) > before_ms) kinds.set(kind, alert);
  }
  return [...kinds.values()];
}

export function saidOfLamps(
  lamps: readonly NewLamp[],
  { since_ms, now_ms }: ToldSpan,
): readonly ToldChange[] {
  return lamps
    .filter(({ at_ms }) => at_ms >= since_ms && at_ms <= now_ms)
    .map(({ at_ms, lamp }) => ({
      section: "lamps",
      at_ms,
      text: t("replaced", { moment: printSecond(at_ms, now_ms), lamp }),
    }));
}

/** From the first score of the time to the last; the answer is newest first. */
export function saidOfHealth(scores: readonly Score[]): readonly ToldChange[] {
  const [last] = scores;
  if (last === undefined) return [];
  const first = scores[scores.length - 1];
  const [from, to] = [printNumber(first.score), printNumber(last.score)];
  const text =
    first === last || from === to ? t("health", { to }) : t("health_changed", { from, to });
  return [{ section: "condition", at_ms: last.at_ms, text }];
}

/** Between two moments in which water was treated; nothing where either tells no intensity. */
export function saidOfIntensity(
  first: Standing | null,
  last: Standing | null,
): readonly ToldChange[] {
  const [from, to] = [first?.intensity ?? null, last?.intensity ?? null];
  if (first === null || last === null || from === null || to === null) return [];
  const given = { from: printValue(INTENSITY, from), to: printValue(INTENSITY, to) };
  return [{ section: "condition", at_ms: last.at_ms, text: t("intensity", given) }];
}

export function saidOfGaps(gaps: readonly ToldGap[], { now_ms }: ToldSpan): readonly ToldChange[] {
  return gaps.map(({ start_ms, end_ms }) => {
    const moment = printSecond(start_ms, now_ms);
    const given = { moment, age: printAge((end_ms ?? now_ms) - start_ms) };
    return {
      section: "data",
      at_ms: start_ms,
      text: end_ms === null ? t("gap_lasts", given) : t("gap", given),
    };
  });
}

export function saidOfClocks(
  steps: readonly ClockChange[],
  { now_ms }: ToldSpan,
): readonly ToldChange[] {
  return steps.map(({ at_ms, clock, seconds }) => {
    const age = printAge(Math.abs(seconds) * 1000);
    const way = seconds < 0 ? "back" : "forward";
    const text = t(`${clock}_${way}`, { moment: printSecond(at_ms, now_ms), age });
    return { section: "data", at_ms, text };
  });
}
