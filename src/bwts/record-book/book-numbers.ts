// Reads volumes as officers write them: 2013, 2,013.5 m3, 2.013,5, 2 013,5. Comma or dot as the
// decimal sign is decided for a whole file: if none of its numbers shows it, 2,013 is ambiguous and
// isn't read. Litres are converted; a mass isn't, since the density isn't known.

import { plainText } from "./book-words.ts";

export type DecimalSign = "." | ",";

/** Units with their size in m3; null: another quantity, or several units of one name. */
const UNITS: readonly (readonly [RegExp, number | null])[] = [
  [
    /m\^?3|cbm|cu\.? ?m(?:et(?:er|re)s?|\.)?|cubic met(?:er|re)s?|met(?:re|ro)s? cub(?:e|ico)s?|kl/,
    1,
  ],
  [/lit(?:er|re|ro)s?|ltrs?|l/, 0.001],
  [/metric tons?|tons?|tonnes?|toneladas?|m\/?t|k?t|lt|st|kgs?|lbs?/, null],
  [/bbls?|barrels?|gal(?:lon)?s?|[hdcm]l|[a-z]{1,2}3|cu\.? ?ft|cuft|%/, null],
];

/** A number in the usual forms, with groups of digits. */
const NUMBER = String.raw`\d+(?:[.,'\u2019 ]\d+)*`;
const UNIT_WORDS = UNITS.map(([words]) => words.source).join("|");
const WRITTEN = new RegExp(
  String.raw`^(?:abt|about|approx|approximately|ca|circa|env|environ|aprox|~|≈)?\.? ?` +
    String.raw`(${NUMBER}) ?(?:(${UNIT_WORDS})\.?)?(?: ?(?:est|approx|aprox|env)\.?)?$`,
);

export interface VolumeReading {
  /** The file's decimal sign; null if it doesn't show it. */
  readonly sign: DecimalSign | null;
  /** The unit that the column names; null: none. */
  readonly unit: string | null;
}

/** The decimal sign of a file's volumes; null if none shows it, or they contradict. */
export function decimalSignOf(texts: readonly string[]): DecimalSign | null {
  const signs = new Set(texts.flatMap((text) => signIn(numberIn(text) ?? "") ?? []));
  const [only, ...more] = signs;
  return more.length > 0 ? null : (only ?? null);
}

/** The decimal sign that one number shows by itself; null if it doesn't. */
function signIn(number: string): DecimalSign | null {
  const bare = ungrouped(number);
  const last = Math.max(bare.lastIndexOf("."), bare.lastIndexOf(","));
  if (last < 0) return null;
  const sign = bare[last] === "," ? "," : ".";
  const other = sign === "," ? "." : ",";
  const isAlone = bare.indexOf(sign) === last;
  if (!isAlone) return bare.includes(other) ? null : other;
  if (bare.includes(other)) return sign;
  return EITHER.test(bare) ? null : sign;
}

/** A number with three digits behind one sign, which may be a group or decimals. */
const EITHER = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** The number without spaces and apostrophes, which only group digits. */
const ungrouped = (number: string) => number.replace(/(?<=\d)[ '\u2019](?=\d{3}(?!\d))/g, "");

const plainNumber = (text: string) =>
  plainText(text)
    .replace(/[()[\]]/g, "")
    .replace(/\s+/g, " ")
    .trim();

function numberIn(text: string): string | null {
  return WRITTEN.exec(plainNumber(text))?.[1] ?? null;
}

/** True for one number, alone or with a unit of volumes; false for a rate. */
export function isAmount(text: string): boolean {
  const [, number, unit] = WRITTEN.exec(plainNumber(text)) ?? [];
  return number !== undefined && (unit === undefined || unitFactor(unit) !== null);
}

export interface ReadVolume {
  readonly volume_m3: number | null;
  /** The text that is expected instead; null if the volume was read. */
  readonly expected: string | null;
}

const unread = (expected: string): ReadVolume => ({ volume_m3: null, expected });

/** A number in brackets, which is how a spreadsheet writes a negative one. */
const NEGATIVE = /[([]\s*\d/;

/** The volume of a cell in cubic metres. */
export function writtenVolume(text: string, { sign, unit }: VolumeReading): ReadVolume {
  if (NEGATIVE.test(text)) return unread("a number without brackets: with them it is negative");
  const match = WRITTEN.exec(plainNumber(text));
  if (match === null) return unread("cubic metres, such as 2013.5");
  const [, number, own] = match;
  const factor = unitFactor(own ?? unit ?? "m3");
  if (factor === null) return unread("cubic metres or litres: of another unit they aren't known");
  const used = signIn(number) ?? sign;
  const bare = ungrouped(number);
  if (used === null && EITHER.test(bare)) {
    const [whole, decimals] = [bare.replace(/[.,]/, ""), Number(bare.replace(",", "."))];
    return unread(`${whole} or ${decimals}, written so: it could be either`);
  }
  const value = plainValue(bare, used ?? ".");
  if (value === null) return unread("one number of cubic metres, such as 2013.5");
  return { volume_m3: value * factor, expected: null };
}

function plainValue(bare: string, sign: DecimalSign): number | null {
  const group = sign === "," ? "\\." : ",";
  const isGrouped = new RegExp(`^\\d{1,3}(?:${group}\\d{3})+(?:[${sign}]\\d+)?$`).test(bare);
  const whole = isGrouped ? bare.replace(new RegExp(group, "g"), "") : bare;
  const plain = whole.replace(sign, ".");
  return /^\d{1,9}(\.\d{1,6})?$/.test(plain) ? Number(plain) : null;
}

/** Cubic metres in one unit; null if it isn't known, or isn't a unit of volume. */
function unitFactor(unit: string): number | null {
  const plain = plainText(unit)
    .replace(/[()[\].]/g, "")
    .trim();
  const known = UNITS.find(([words]) => new RegExp(`^(?:${words.source})$`).test(plain));
  return known?.[1] ?? null;
}

/** Texts in brackets of a column's name that aren't units. */
const NO_UNIT = /^(?:est|bw|in|out|sw|uv|wb)$/;

/** The unit in a column's name, in brackets or behind it; null without one. */
export function namedUnit(name: string): string | null {
  const plain = plainText(name).replace(/_/g, " ");
  const inside = [...plain.matchAll(/[([]\s*([^)\]]*?)\s*[)\]]/g)].map(([, text]) => text);
  const words = (plain.match(/[a-z]+3?/g) ?? []).filter((word) => word.length > 1);
  const known = [...inside, ...words].find(isUnit);
  // Up to three unknown letters in brackets count as an unknown unit.
  return known ?? inside.find((one) => /^[a-z]{1,3}\d?$/.test(one) && !NO_UNIT.test(one)) ?? null;
}

/** True for the name of a unit of volumes or masses. */
export function isUnit(word: string): boolean {
  const plain = word.replace(/\./g, "").trim();
  return UNITS.some(([words]) => new RegExp(`^(?:${words.source})$`).test(plain));
}

const IN_UNIT =
  /^(?:all |the )?(?:volumes?|quantit(?:y|ies)|amounts?|figures?)?(?: ?units?)?(?: (?:is|are|in|given))*[ :=]*([a-z][a-z0-9. ^]*)$/;

/** True for a title such as "Volumes in m3", which names the unit that is assumed anyway. */
export function isCubicMetres(title: string): boolean {
  const [, unit] = IN_UNIT.exec(plainNumber(title)) ?? [];
  return unit !== undefined && unitFactor(unit) === 1;
}
