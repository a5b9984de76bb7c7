// Hits of the search for a typed moment: the time machine at that moment, and the curves and the
// operations of its day.

import { shellWords, searchWords as t } from "../lang/words.ts";
import { printMoment } from "../parts/moments.ts";
import type { Findable } from "./ranking.ts";
import { typedMoments } from "./typed-moment.ts";

export function foundMoments(query: string, now_ms: number): readonly Findable[] {
  const words = {
    ...{ months: t("months"), today: t("today"), yesterday: t("yesterday") },
    weekdays: t("weekdays"),
  };
  const found = typedMoments(query, now_ms, words);
  const hit = (title: string, detail: string, href: string): Findable => ({
    ...{ kind: "moment", title, detail, code: "", words: "", href, isEnglish: false },
  });
  return [
    ...found.map(({ at_ms }) =>
      hit(
        printMoment(at_ms, now_ms),
        t("time_machine"),
        `#/overview?at=${new Date(at_ms).toISOString()}`,
      ),
    ),
    ...found.flatMap(({ day }) => [
      hit(day, shellWords("trends"), `#/trends?from=${day}&to=${day}`),
      hit(day, shellWords("operations"), `#/operations?from=${day}&to=${day}`),
    ]),
  ];
}
