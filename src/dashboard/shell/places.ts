// The pages that the search finds, each with other words for its purpose, and the settings, which
// have no page of their own. A test compares them with the list of pages.

import { shellWords, searchWords as t, whyWords } from "../lang/words.ts";
import type { Findable } from "./ranking.ts";

const RAIL = [
  ...["overview", "alerts", "lamps", "trends", "operations", "health", "handover"],
  ...["record-book", "inspection", "export", "system"],
] as const;

export function places(): readonly Findable[] {
  const place = (title: string, words: string, href: string): Findable => ({
    ...{ kind: "page", title, detail: "", code: "", words, href, isEnglish: false },
  });
  return [
    ...RAIL.map((name) => place(shellWords(name), t(`words_${name}`), `#/${name}`)),
    place(whyWords("title"), t("words_why"), "#/why"),
    place(shellWords("panel"), t("words_panel"), "#/panel"),
    place(shellWords("first-watch"), t("words_first_watch"), "#/first-watch"),
    place(shellWords("parts"), "", "#/parts"),
    place(shellWords("settings"), t("words_settings"), "manual/dashboard#palettes-and-the-dimmer"),
  ];
}
