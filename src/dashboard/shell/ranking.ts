// Ranks everything that can be found by a query as users type it: in any case, without accents,
// with a letter missing. Rare words of the query count more. Pure: the page and the test of the
// forty questions use the same function.

/** The kinds of hits, in the order for equal scores. */
export const FOUND_KINDS = ["moment", "page", "operation", "alert", "field", "manual"] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

export interface Findable {
  readonly kind: FoundKind;
  readonly title: string;
  /** Context shown beside the title: its page, its time, its unit. */
  readonly detail: string;
  /** Wire name, number or code, shown in small letters. */
  readonly code: string;
  /** Other words that users may search for; they aren't shown. */
  readonly words: string;
  readonly href: string;
  /** True for a text that is English in every language. */
  readonly isEnglish: boolean;
}

/** A findable thing with its words, prepared once for many queries. */
export interface IndexEntry {
  readonly of: Findable;
  readonly parts: readonly (readonly [weight: number, text: string, words: readonly string[]])[];
}

/** Weights of a match by the part that contains it. */
const WEIGHTS = { title: 1, code: 0.95, words: 0.9, detail: 0.4 } as const;
/**
 * Weights of kinds: a page answers more questions than a chapter of the manual with the same words.
 */
const KIND_WEIGHTS: Readonly<Record<FoundKind, number>> = {
  ...{ moment: 2, page: 1.35, operation: 1, alert: 0.9, field: 1, manual: 0.85 },
};
/** Score added for a title of which every word was typed. */
const WHOLE_TITLE = 0.3;
/** Minimum score of a hit, in itself and as a share of the best one's. */
const SCORE_MIN = 0.3;
const SHARE_MIN = 0.45;
const HITS_MAX = 20;

export function indexed(of: Findable): IndexEntry {
  const part = (name: keyof typeof WEIGHTS) => {
    const text = plain(of[name]);
    return [WEIGHTS[name], text, wordsOf(text)] as const;
  };
  return { of, parts: [part("title"), part("code"), part("words"), part("detail")] };
}

/** The best hits first; `stop` lists words without information, such as "how". */
export function ranked(
  all: readonly IndexEntry[],
  query: string,
  stop: string,
): readonly Findable[] {
  const tokens = tokensOf(query, stop);
  if (tokens.length === 0) return [];
  const matches = tokens.map((token) => all.map((one) => matchOf(one, token)));
  const rarity = matches.map((found) => {
    const frequency = found.filter((one) => one > 0).length;
    return Math.log(1 + all.length / (1 + frequency));
  });
  const whole = rarity.reduce((sum, one) => sum + one, 0);
  const scored = all.map((one, index) => {
    const sum = matches.reduce((all, found, at) => all + found[index] * rarity[at], 0);
    const score = sum / whole + (sum === 0 ? 0 : WHOLE_TITLE * titleShare(one, tokens));
    return { of: one.of, score: score * KIND_WEIGHTS[one.of.kind] };
  });
  const best = Math.max(...scored.map(({ score }) => score), 0);
  return scored
    .filter(({ score }) => score >= SCORE_MIN && score >= SHARE_MIN * best)
    .sort(byScore)
    .slice(0, HITS_MAX)
    .map(({ of }) => of);
}

interface Scored {
  readonly of: Findable;
  readonly score: number;
}

const byScore = (one: Scored, other: Scored) =>
  other.score - one.score || FOUND_KINDS.indexOf(one.of.kind) - FOUND_KINDS.indexOf(other.of.kind);

/** The text in lower case, without accents; digits and letters of full width become narrow. */
export function plain(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim();
}

const wordsOf = (text: string) => text.split(" ").filter((word) => word !== "");

/** Runs of one script: Japanese has no spaces, so a change of script ends a word. */
const RUNS =
  /[\p{Script=Katakana}ー]+|\p{Script=Han}+|\p{Script=Hiragana}+|[^\p{Script=Katakana}\p{Script=Han}\p{Script=Hiragana}ー]+/gu;
const HIRAGANA = /^\p{Script=Hiragana}+$/u;

/** The words of a query without those of `stop`; all words if no others are left. */
function tokensOf(query: string, stop: string): readonly string[] {
  const tokens = wordsOf(plain(query)).flatMap((word) => word.match(RUNS) ?? []);
  const dull = new Set(wordsOf(plain(stop)));
  const telling = tokens.filter((token) => !dull.has(token) && !HIRAGANA.test(token));
  return [...new Set(telling.length === 0 ? tokens : telling)];
}

/** The best match of a token in any part, from 0 to 1. */
function matchOf({ parts }: IndexEntry, token: string): number {
  let best = 0;
  for (const [weight, text, words] of parts) {
    if (weight <= best) continue;
    const found = text.includes(token) || token.length > 3 ? likeness(text, words, token) : 0;
    best = Math.max(best, weight * found);
  }
  return best;
}

/** The share of a title's words that were typed; for scripts without spaces, of its letters. */
function titleShare({ parts: [[, text, words]] }: IndexEntry, tokens: readonly string[]): number {
  if (text === "") return 0;
  const shareOf = (word: string) =>
    Math.max(
      ...tokens.map((token) => {
        if (wordLikeness(word, token) >= 0.7) return 1;
        return isDense(token) && word.includes(token) ? token.length / word.length : 0;
      }),
    );
  return words.reduce((sum, word) => sum + shareOf(word), 0) / words.length;
}

function likeness(text: string, words: readonly string[], token: string): number {
  let best = 0;
  for (const word of words) {
    best = Math.max(best, wordLikeness(word, token));
    if (best === 1) return 1;
  }
  // In scripts without spaces a word may begin anywhere in the text.
  const isPart = best < 0.6 && isDense(token) && text.includes(token);
  return isPart ? 0.6 : best;
}

/** True for scripts in which two letters can be a word. */
const isDense = (token: string) => /[\u3040-\u9fff\uac00-\ud7af]/.test(token);

function wordLikeness(word: string, token: string): number {
  if (word === token) return 1;
  // A number with another digit is another number.
  if (/^\d+$/.test(token)) return Number(word) === Number(token) ? 0.95 : 0;
  if (word.startsWith(token)) return token.length === 1 ? 0.3 : 0.8;
  if (word.length > 3 && token.startsWith(word)) return 0.75;
  // Most words of four letters differ from others by one letter: only two swapped letters count.
  const isSlip = token.length > 4 ? isOneOff(word, token) : isSwapped(word, token);
  return token.length >= 4 && isSlip ? 0.5 : 0;
}

/** True if one letter is missing, added or wrong, or two neighbouring ones are swapped. */
function isOneOff(word: string, token: string): boolean {
  if (Math.abs(word.length - token.length) > 1) return false;
  let at = 0;
  while (at < token.length && word[at] === token[at]) at += 1;
  const [restOfWord, restOfToken] = [word.slice(at), token.slice(at)];
  return (
    restOfWord.slice(1) === restOfToken.slice(1) ||
    restOfWord.slice(1) === restOfToken ||
    restOfWord === restOfToken.slice(1) ||
    isSwapped(word, token)
  );
}

/** True if two neighbouring letters changed places. */
function isSwapped(word: string, token: string): boolean {
  if (word.length !== token.length) return false;
  const at = [...token].findIndex((letter, index) => letter !== word[index]);
  return (
    at >= 0 &&
    word[at] === token[at + 1] &&
    word[at + 1] === token[at] &&
    word.slice(at + 2) === token.slice(at + 2)
  );
}
