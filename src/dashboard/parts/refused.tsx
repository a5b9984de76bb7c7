// A refusal of ballastd in the page's language: a sentence for each of its reasons, with the values
// that they name. A reason without a sentence, as of a newer ballastd, is the general sentence of
// the HTTP status, and ballastd's own words below it, which are English.

import { useEffect } from "preact/hooks";
import { speakEverywhere } from "../lang/area.ts";
import { settingName } from "../lang/settings.ts";
import { reasonsWords, laterWords as t } from "../lang/words.ts";
import { isLike, listOf, type RefusalText, textOrNull } from "../store/checks.ts";
import { printMoment } from "./moments.ts";

const WORDS = new Map([
  [400, "refused_not_taken"],
  [401, "refused_no_token"],
  [403, "refused_no_right"],
  [404, "refused_not_there"],
  [409, "refused_changed"],
  [413, "refused_too_large"],
  [429, "refused_too_often"],
  [500, "refused_own_fault"],
  [503, "refused_busy"],
] as const);

interface RefusedProps extends RefusalText {
  readonly status: number | null;
}

export function RefusedRequest({ status, ...text }: RefusedProps) {
  const words = [...WORDS].find(([of]) => of === status)?.[1] ?? "refused_other";
  return <RefusalWords general={t(words)} {...text} />;
}

/** The refusal of a token, whose status isn't kept. */
export function RefusedToken(text: RefusalText) {
  return <RefusalWords general={t("token_refused")} {...text} />;
}

interface RefusalWordsProps extends RefusalText {
  /** Sentence before ballastd's own words. */
  readonly general?: string;
}

/** The sentences of the reasons, or ballastd's own words. */
export function RefusalWords({ general = "", message, reasons: given }: RefusalWordsProps) {
  const reasons = refusalReasons(given);
  // The overview speaks another language with the words of the first view alone.
  useEffect(() => void speakEverywhere().catch(() => {}), []);
  if (reasons.length > 0) return <>{reasons.map(sentence).join(" ")}</>;
  return (
    <>
      {general} {message !== null && message !== "" && <span lang="en">{message}</span>}
    </>
  );
}

/** A reason for which the page has a sentence. */
interface SaidReason {
  readonly code: keyof typeof reasonsWords.source;
  readonly values: Readonly<Record<string, string | number>>;
}

/** The reasons of an error answer; none if the page lacks the sentence of one. */
export function refusalReasons(given: unknown): readonly SaidReason[] {
  return listOf(given, reasonIn)?.value ?? [];
}

const hasSentence = (code: unknown): code is SaidReason["code"] =>
  typeof code === "string" && Object.keys(reasonsWords.source).includes(code);

function reasonIn(given: unknown): SaidReason | null {
  if (!isLike<SaidReason>(given) || !hasSentence(given.code)) return null;
  if (!isLike<Record<string, unknown>>(given.values)) return null;
  const values = Object.entries(given.values).map(([name, value]) => [
    name,
    typeof value === "number" ? value : (textOrNull(value) ?? ""),
  ]);
  return { code: given.code, values: Object.fromEntries(values) };
}

/** Reasons whose values are times, but for a number of hours. */
const OF_TIMES: readonly SaidReason["code"][] = ["time_early", "time_late", "time_ahead"];

/** The sentence of a reason: settings by their names, times as people write them. */
function sentence({ code, values }: SaidReason): string {
  const shown = Object.entries(values).map(([name, value]) => {
    if (name === "setting" || name === "other") return [name, settingName(String(value))];
    const isTime = OF_TIMES.includes(code) && name !== "hours";
    return [name, isTime ? printMoment(Date.parse(String(value)), Date.now()) : value];
  });
  return reasonsWords(code, Object.fromEntries(shown));
}
