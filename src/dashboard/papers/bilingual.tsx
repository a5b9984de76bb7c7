// A text of the sheet: English for the officer, and in small letters the language of the crew, if
// it is another one.

import { currentLanguage } from "../lang/area.ts";
import { inspectionWords as t } from "../lang/words.ts";

/** The keys of texts into which nothing is put. */
export type PlainKey = {
  [Key in keyof typeof t.source]: (typeof t.source)[Key] extends `${string}{${string}`
    ? never
    : Key;
}[keyof typeof t.source];

export function Both({ text }: { text: PlainKey }) {
  return (
    <>
      {t.source[text]}
      <Translation text={t(text)} />
    </>
  );
}

/** Nothing where the page is in English. */
export function Translation({ text }: { text: string }) {
  const { code } = currentLanguage();
  return code === "en" ? null : <small lang={code}> {text}</small>;
}

/** A place that the crew fills in by hand. */
export function FillIn() {
  return <span class="box" role="img" aria-label={t("to_fill_in")} />;
}
