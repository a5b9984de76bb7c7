// The page's texts. A folder or page has an area: one object of keys in English, which is the
// source and the type of every translation. English comes with the script that needs it; another
// language is two chunks: for the frame and the overview, and for the other pages. A text is chosen
// by the number `n` where it has plurals.

import { localNumber } from "./local-number.ts";

/** A text, with `{name}` for what is put in; forms by the plural rules of the language for `n`. */
export type Text = string | PluralText;

export interface PluralText {
  readonly one?: string;
  readonly many?: string;
  readonly other: string;
}

export type Texts = Readonly<Record<string, Text>>;

type Names<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type NamesOf<T> = T extends PluralText ? Names<T["other"]> | "n" : Names<T>;
type TextValues<T> = [NamesOf<T>] extends [never]
  ? readonly []
  : readonly [Readonly<Record<NamesOf<T>, string | number>>];

/** Answers the text of a key in the chosen language; a number put in is written as it writes. */
export interface AreaTexts<Source extends Texts> {
  <Key extends keyof Source & string>(key: Key, ...given: TextValues<Source[Key]>): string;
  readonly area: string;
  readonly source: Source;
}

/** The same keys in another language. */
export type TranslatedTexts<Of> =
  Of extends AreaTexts<infer Source>
    ? { readonly [Key in keyof Source]: Source[Key] extends string ? string : PluralText }
    : never;

/** Texts by the name of the area; a missing one is English. */
export type Areas = Readonly<Record<string, Texts>>;

export interface Language {
  /** As BCP 47 has it. */
  readonly code: string;
  /** Two of its letters, where a browser may lack them. */
  readonly sample?: readonly [string, string];
  readonly areas: Areas;
  /** Loads the areas that aren't there yet. */
  readonly pages?: () => Promise<Areas>;
  /** Changes each text before values are put in; for the pseudo-language. */
  readonly change?: (text: string) => string;
}

export const ENGLISH: Language = { code: "en", areas: {} };

let language = ENGLISH;
let plurals = new Intl.PluralRules(language.code);
const listeners: (() => void)[] = [];

export function currentLanguage(): Language {
  return language;
}

/**
 * Changes the language of all texts to `chosen`, and has the components that show texts drawn
 * again.
 */
export function speak(chosen: Language): void {
  language = chosen;
  plurals = new Intl.PluralRules(chosen.code);
  for (const listener of listeners) listener();
}

/** The language with the texts of every page. */
export async function wholeLanguage(chosen: Language): Promise<Language> {
  const { pages, ...first } = chosen;
  return pages === undefined ? first : { ...first, areas: { ...first.areas, ...(await pages()) } };
}

/** Has the texts of every page in the language that is spoken; rejects if they can't be loaded. */
export async function speakEverywhere(): Promise<void> {
  const spoken = language;
  if (spoken.pages === undefined) return;
  const whole = await wholeLanguage(spoken);
  if (language === spoken) speak(whole);
}

export function onLanguage(listener: () => void): void {
  listeners.push(listener);
}

export function area<const Source extends Texts>(name: string, source: Source): AreaTexts<Source> {
  const text = (key: string, ...[values]: readonly Readonly<Record<string, string | number>>[]) => {
    const found = language.areas[name]?.[key] ?? source[key] ?? key;
    const form = formOf(found, values?.n);
    return filled(language.change?.(form) ?? form, values ?? {});
  };
  return Object.assign(text, { area: name, source });
}

function formOf(text: Text, n: string | number | undefined): string {
  if (typeof text === "string") return text;
  const rule = plurals.select(Number(n));
  return (rule === "one" || rule === "many" ? text[rule] : undefined) ?? text.other;
}

function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const value = values[name];
    if (value === undefined) return hole;
    return typeof value === "number" ? localNumber(value, 2, language.code) : isolated(value);
  });
}

/** Hebrew, Arabic and their neighbours: what is put in must not turn round the words beside it. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/;

const isolated = (text: string) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
