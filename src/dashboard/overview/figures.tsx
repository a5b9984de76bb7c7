// The ages: three facts with a sign each, namely the last receipt, the newest reading, and the
// plant's clock. And the text of a value that isn't believed.

import { shellWords, overviewWords as t } from "../lang/words.ts";
import { printAge, printDuration, printMoment, printSecond } from "../parts/moments.ts";
import { printValue } from "../parts/numbers.ts";
import type { ShownQuarantining, ShownReadiness } from "../store/answers.ts";
import { freshness, readingAge, readingTimes } from "../store/data-age.ts";
import type { ShownAges, ShownIntensity } from "../store/overview-shapes.ts";

/** The text of a number that was sent but isn't believed, with the reason. */
export function doubtedWords(
  tag: Parameters<typeof printValue>[0],
  { value, why }: NonNullable<ShownIntensity["intensity"]["doubted"]>,
): string {
  return t(why === "bad_quality" ? "bad_quality" : "doubted", { value: printValue(tag, value) });
}

interface AgesProps {
  readonly ages: ShownAges;
  /** Time of the last receipt of readings; null before the first. */
  readonly received_ms: number | null;
  readonly readiness: ShownReadiness | null;
  readonly isPast: boolean;
  /** False while the link to ballastd is lost: then it isn't known that data is fresh. */
  readonly reached: boolean;
  readonly now_ms: number;
}

export function Ages({ ages, received_ms, readiness, isPast, reached, now_ms }: AgesProps) {
  const { reading_ms } = ages;
  const { quarantining = null, plcClock = null } = readiness ?? {};
  const aside = quarantining?.areAll === true ? quarantining : null;
  // While all messages are quarantined, the PLC's clock may have changed since the last reading.
  const offset_s = plcClock?.off_s ?? (aside === null ? ages.offset_s : null);
  const reading = readingTimes(ages);
  const age_ms = reading === null ? null : readingAge(reading, now_ms);
  const { data, isReceiving } = freshness(ages, { received_ms, now_ms });
  const isOld = data === "old" || data === "silent";
  const isFresh = reached && data === "fresh" && aside === null;
  if (isPast)
    return (
      <ul class="ages">
        <Age name={t("age_received")} text={momentOf(ages.received_ms, now_ms)} state="quiet" />
        <Age name={t("age_reading")} text={momentOf(reading_ms, now_ms)} state="quiet" />
      </ul>
    );
  return (
    <ul class="ages">
      <Age
        name={t("age_received")}
        text={aside === null ? receivedWords(received_ms, now_ms) : asideWords(aside, now_ms)}
        state={aside !== null ? "bad" : reached && isReceiving ? "good" : "quiet"}
      />
      <Age
        name={t("age_reading")}
        text={age_ms === null ? t("age_unknown") : agoOf(age_ms)}
        state={isFresh ? "good" : "quiet"}
        tag={isOld ? t("stale") : null}
        test="age"
      />
      <Age name={t("age_clock")} {...clockOf(offset_s, isFresh)} />
    </ul>
  );
}

const receivedWords = (received_ms: number | null, now_ms: number) =>
  received_ms === null ? t("age_unknown") : agoOf(now_ms - received_ms);

const asideWords = ({ since_ms }: ShownQuarantining, now_ms: number) =>
  shellWords("quarantined_since", { moment: printMoment(since_ms, now_ms) });

/** Offset of the plant's clock, in s, above which it is marked: a watch would mistake its times. */
const OFFSET_MAX_S = 60;

/** True if the reading is dated more than 60 s ahead, beyond normal clock error. */
export const isAhead = (age_ms: number) => age_ms < -60_000;

/** The age in words; a time ahead of the clock is shown as such, not as fresh. */
export const agoOf = (age_ms: number) =>
  isAhead(age_ms) ? t("ahead", { age: printAge(-age_ms) }) : t("ago", { age: printAge(age_ms) });

const momentOf = (at_ms: number | null, now_ms: number) =>
  at_ms === null ? t("age_unknown") : printSecond(at_ms, now_ms);

/**
 * Text and sign of the plant's clock. Its offset at an old reading isn't known to be the present
 * one.
 */
function clockOf(offset_s: number | null, isFresh: boolean) {
  if (offset_s !== null && Math.abs(offset_s) > OFFSET_MAX_S)
    return { text: clockWords(offset_s), state: "bad" } as const;
  return offset_s === null || !isFresh
    ? ({ text: t("age_unknown"), state: "quiet" } as const)
    : ({ text: clockWords(offset_s), state: "good" } as const);
}

function clockWords(offset_s: number): string {
  if (Math.abs(offset_s) < 5) return t("clock_right");
  const age = printDuration(Math.abs(offset_s) * 1000);
  return t(offset_s > 0 ? "clock_ahead" : "clock_behind", { age });
}

interface AgeProps {
  readonly name: string;
  readonly text: string;
  readonly state: "good" | "quiet" | "bad";
  readonly tag?: string | null;
  readonly test?: string;
}

/** One of the ages, with its sign: a disc (good), a ring (quiet) or a triangle (bad). */
function Age({ name, text, state, tag = null, test }: AgeProps) {
  return (
    <li class={`sign ${state}`}>
      <span class="quiet small">{name}</span>
      <span data-test={test}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          {state === "good" && <circle class="solid" cx="12" cy="12" r="8" />}
          {state === "quiet" && <circle cx="12" cy="12" r="8" />}
          {state === "bad" && <path d="M12 4l9 16H3z" />}
        </svg>
        {text}
        {tag !== null && <strong class="tag">{tag}</strong>}
      </span>
    </li>
  );
}
