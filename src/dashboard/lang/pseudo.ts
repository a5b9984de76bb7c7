// The pseudo-language: English with accents, 40 % longer, in brackets. It shows in a test which
// text isn't in a language file, and where a longer language would not fit.

import type { Language } from "./area.ts";

const LONGER = 0.4;
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ a: "á", e: "é", i: "í", o: "ó", u: "ú", y: "ý", c: "ç", n: "ñ" },
  ...{ A: "Á", E: "É", I: "Í", O: "Ó", U: "Ú", Y: "Ý", C: "Ç", N: "Ñ" },
};

export const PSEUDO: Language = { code: "en", areas: {}, change: lengthened };

/** Names in braces stay, so that values are still put in. */
function lengthened(text: string): string {
  const accented = text.replace(/\{\w+\}|[a-z]/gi, (part) => ACCENTS[part] ?? part);
  const words = "lorem ipsum dolor sit amet ".repeat(Math.ceil(text.length / 27));
  return `[${accented} ${words.slice(0, Math.ceil(text.length * LONGER)).trim()}]`;
}
