// The reason why a message is quarantined, in words, with its code beside it. A code without words,
// as of a newer ballastd, is shown as it is.

import { REASONS } from "../../bwts/message.ts";
import { systemWords as t } from "../lang/words.ts";

/** The reason in words. */
export function asideWords(code: string): string {
  const known = REASONS.find((one) => one === code);
  return known === undefined ? code : t(`aside_${known}`);
}

export function AsideReason({ code }: { readonly code: string }) {
  const words = asideWords(code);
  return (
    <>
      {words} {words !== code && <small class="quiet">{code}</small>}
    </>
  );
}
