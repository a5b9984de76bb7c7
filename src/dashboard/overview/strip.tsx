// The last operations as a strip, the newest at the right: each is a link, with its verdict as a
// shape and a colour. Running operations, and those without a verdict, are empty shapes.

import { overviewWords as t } from "../lang/words.ts";
import { printDay } from "../parts/moments.ts";
import { SIGNS, type SignWord } from "../parts/verdict-shapes.ts";
import type { PagePart } from "../store/ask.ts";
import { instant, isLike, listOf, numberOrNull, type Read, textOrNull } from "../store/checks.ts";

export const STRIP_PATH = "/api/operations?limit=24";

type StripWord = Exclude<SignWord, "bypassed">;

/** An operation as the strip shows it. */
export interface StripOperation {
  readonly id: number;
  readonly start_ms: number;
  readonly name: string;
  readonly word: StripWord;
}

const VERDICT_WORDS = ["within_limits", "outside_limits", "cannot_tell"] as const;

export const readStrip: Read<readonly StripOperation[]> = (body) => {
  const known = listOf(body, (given) => {
    if (!isLike<Record<"id" | "start" | "end" | "verdict", unknown>>(given)) return null;
    const { id, start, end, verdict } = given;
    const [number, start_ms] = [numberOrNull(id), instant(start)];
    if (number === null || start_ms === null) return null;
    const judged = VERDICT_WORDS.find((one) => one === verdict);
    const place = isLike<{ location: unknown }>(given) ? textOrNull(given.location) : null;
    const word: StripWord = judged ?? (end === null ? "running" : "unjudged");
    return { id: number, start_ms, name: place ?? `${number}`, word };
  });
  return known === null ? null : { value: [...known.value].reverse() };
};

/** The counts of verdicts in words: `23 within limits · 1 cannot tell`. */
export function stripWords({ known }: PagePart<readonly StripOperation[]>): string {
  const counted = VERDICT_WORDS.map((word) => {
    const n = known?.value.filter((one) => one.word === word).length ?? 0;
    return n === 0 ? "" : `${n} ${t(`strip_${word}`)}`;
  });
  return counted.filter((text) => text !== "").join(" · ");
}

export function OperationStrip({ operations }: { operations: readonly StripOperation[] }) {
  if (operations.length === 0) return <p class="quiet">{t("strip_none")}</p>;
  return (
    <ul class="strip">
      {operations.map(({ id, start_ms, name, word }) => {
        const label = `${printDay(start_ms)} ${name}: ${t(`strip_${word}`)}`;
        return (
          <li key={id}>
            <a href={`#/operations?id=${id}`} class={word}>
              <svg viewBox="0 0 24 24" role="img">
                <title>{label}</title>
                <path d={SIGNS[word]} />
              </svg>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
