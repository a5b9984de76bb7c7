// The languages, and the choice of the page's language: the one in the address (`?lang=ja`), the
// one that this browser remembers, or the browser's own. English is always there; others are
// loaded, and the page stays English if that fails.

import { currentLanguage, ENGLISH, type Language, speak, wholeLanguage } from "../lang/area.ts";
import { remember, remembered } from "../store/remembered.ts";

interface LanguageChoice {
  readonly code: string;
  /** The language's own name, and its English name for users without its letters. */
  readonly name: string;
  readonly english: string;
  readonly load: () => Promise<Language>;
}

export const LANGUAGES: readonly LanguageChoice[] = [
  { code: "en", name: "English", english: "English", load: async () => ENGLISH },
  {
    code: "ja",
    name: "日本語",
    english: "Japanese",
    load: async () => ({
      code: "ja",
      sample: ["日", "水"],
      areas: (await import("../lang/ja.json?first")).default,
      pages: async () => (await import("../lang/ja.json?pages")).default,
    }),
  },
  {
    code: "ko",
    name: "한국어",
    english: "Korean",
    load: async () => ({
      code: "ko",
      sample: ["한", "물"],
      areas: (await import("../lang/ko.json?first")).default,
      pages: async () => (await import("../lang/ko.json?pages")).default,
    }),
  },
  {
    code: "es",
    name: "Español",
    english: "Spanish",
    load: async () => ({
      code: "es",
      areas: (await import("../lang/es.json?first")).default,
      pages: async () => (await import("../lang/es.json?pages")).default,
    }),
  },
  {
    code: "pt",
    name: "Português",
    english: "Portuguese",
    load: async () => ({
      code: "pt",
      areas: (await import("../lang/pt.json?first")).default,
      pages: async () => (await import("../lang/pt.json?pages")).default,
    }),
  },
];

/** A language for tests: only the address can ask for it, and no menu shows it. */
const HIDDEN: readonly LanguageChoice[] = [
  {
    code: "pseudo",
    name: "Pseudo",
    english: "Pseudo",
    load: async () => (await import("../lang/pseudo.ts")).PSEUDO,
  },
];

/** Chooses the first language; resolves when the page can be drawn in it. */
export async function startLanguage(): Promise<void> {
  const asked = new URLSearchParams(window.location.search).get("lang");
  const wanted = [asked, remembered("language"), ...window.navigator.languages];
  const choice = wanted.map(choiceOf).find((found) => found !== undefined);
  if (choice !== undefined) await load(choice.load);
}

/** Changes the language, and remembers it. */
export async function chooseLanguage(code: string): Promise<void> {
  const choice = choiceOf(code);
  if (choice === undefined) return;
  remember("language", code);
  // Loads the texts of all pages, because another page than the overview may be open.
  await load(async () => wholeLanguage(await choice.load()));
}

/** The language for a code; `es-MX` gives Spanish. */
function choiceOf(code: string | null): LanguageChoice | undefined {
  const primary = code?.split("-")[0].toLowerCase();
  return [...LANGUAGES, ...HIDDEN].find((choice) => choice.code === primary);
}

/** The language's English name if this browser lacks its letters; null if it has them. */
export function unreadableLanguage(): string | null {
  const { code, sample } = currentLanguage();
  if (sample === undefined || !lookAlike(sample)) return null;
  return LANGUAGES.find((choice) => choice.code === code)?.english ?? code;
}

const alike = new Map<string, boolean>();

/** True if two different letters are drawn as the same box: the font for them is missing. */
function lookAlike([one, other]: readonly [string, string]): boolean {
  const known = alike.get(one);
  if (known !== undefined) return known;
  const found = drawn(one) === drawn(other);
  alike.set(one, found);
  return found;
}

function drawn(letter: string): string {
  const canvas = document.createElement("canvas");
  canvas.width = 24;
  canvas.height = 24;
  const context = canvas.getContext("2d");
  if (context === null) return letter;
  context.font = "20px sans-serif";
  context.fillText(letter, 2, 20);
  return context.getImageData(0, 0, 24, 24).data.join();
}

async function load(ask: () => Promise<Language>): Promise<void> {
  const language = await ask().catch(() => currentLanguage());
  document.documentElement.lang = language.code;
  speak(language);
}
