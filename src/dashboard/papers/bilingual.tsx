// A text of the inspection sheet: English for the officer, and in small letters the crew's
// language, if it is another one.

import { currentLanguage } from "../lang/area.ts";
import { inspectionWords as t } from "../lang/words.ts";

/** Keys of texts without placeholders. */
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

/** The small translation; nothing if the page is in English. */
export function Translation({ text }: { text: string }) {
  const { code } = currentLanguage();
  return code === "en" ? null : <small lang={code}> {text}</small>;
}

/** A box that the crew fills in by hand. */
export function FillIn() {
  return <span class="box" role="img" aria-label={t("to_fill_in")} />;
}
