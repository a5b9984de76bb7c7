// The sentences of the handover, one a change, made of the answers of the API. Each function takes
// what is known and answers the sentences of the time since `since_ms`.

import { indexOfTag, TAGS } from "../../bwts/tags.ts";
import { handoverWords as t } from "../language/en/handover.ts";
import { shellWords } from "../language/en/shell.ts";
import { alertMeaning, alertName, alertPlace } from "../parts/alert-words.ts";
import { printAge, printSecond } from "../parts/moments.ts";
import { MISSING, printNumber, printValue } from "../parts/numbers.ts";
import type { ShownAlert } from "../store/alerts.ts";
import type { ShownEvent } from "../store/answers.ts";
import type { ClockChange, NewLamp, Score, Standing, ToldGap } from "./handover-answers.ts";

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
}

export interface ToldSpan {
  readonly since_ms: number;
  readonly now_ms: number;
}

export function saidOfEvents(
  events: readonly ShownEvent[],
  { now_ms }: ToldSpan,
): readonly ToldChange[] {
  return events.flatMap(({ at_ms, event_type, operation_type, location }) => {
    const word =
      event_type === "PROCESS_START" ? "started" : event_type === "PROCESS_STOP" ? "ended" : null;
    if (word === null) return [];
    const section = operation_type?.toUpperCase() === "CIP" ? "cleanings" : "operations";
    const moment = printSecond(at_ms, now_ms);
    const given = { moment, type: operation_type ?? t("operation") };
    const text = location === null ? t(word, given) : t(`${word}_at`, { ...given, location });
    return [{ section, at_ms, text }];
  });
}

/** An alert that rose, was over or was acknowledged in the time is a sentence for each. */
export function saidOfAlerts(
  alerts: readonly ShownAlert[],
  { since_ms, now_ms }: ToldSpan,
): readonly ToldChange[] {
  return alerts.flatMap((alert) => {
    const { code, acknowledged_by, acknowledged_ms, cleared_ms, last_ms, count } = alert;
    const section = code?.startsWith("LAMP_") === true ? "lamps" : "alerts";
    const place = alertPlace(alert);
    const name = [alertName(alert), place].filter((one) => one !== null).join(", ");
    const about =
      alertMeaning(alert) ?? (alert.description === alertName(alert) ? "" : alert.description);
    const say = (at_ms: number | null, text: (moment: string) => string) =>
      at_ms !== null && at_ms >= since_ms && at_ms <= now_ms
        ? [{ section, at_ms, text: text(printSecond(at_ms, now_ms)).trim() } as const]
        : [];
    const priority = shellWords(`worst_${alert.priority}`);
    return [
      ...say(last_ms ?? alert.since_ms, (moment) =>
        count > 1
          ? t("rose_again", { n: count, moment, priority, name, about })
          : t("rose", { moment, priority, name, about }),
      ),
      ...say(cleared_ms, (moment) => t("over", { moment, name })),
      ...say(acknowledged_ms, (moment) =>
        t("acknowledged", { moment, name, by: acknowledged_by ?? MISSING }),
      ),
    ];
  });
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

const INTENSITY = TAGS[indexOfTag("UVR_INTENSITY")];

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
