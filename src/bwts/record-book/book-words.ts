// Words of an officer's file without the differences that mean nothing: case, accents, forms of
// letters. Sets of words are written as one text, which is easier to check than a list.

/** Diacritics and case aside; m³ is m3. */
export function plainText(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
