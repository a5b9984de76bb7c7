// Words of an officer's file without differences that mean nothing: case, accents, forms of
// letters. A set of words is written as one text, which is easier to check than a list.

/** The text in lower case, without diacritics; m³ becomes m3. */
export function plainText(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
