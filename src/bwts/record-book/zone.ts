// Reads the zone of times: UTC, an offset such as +09:00, a name that stands for one offset only,
// or "LT", ship's time, whose offset must be stated. Many books are kept in ship's time.

import { plainText } from "./book-words.ts";

const OFFSET = /^([+-])(\d{2}):(\d{2})$/;
const AHEAD_MAX = 14 * 60;
const BEHIND_MAX = 12 * 60;
/** Step of offsets, in minutes: whole quarters of an hour. */
const STEP = 15;

export const ZONE_EXPECTED = "expected UTC, or an offset such as +09:00";

/** Minutes ahead of UTC; null for a text that is no zone. */
export function zoneMinutes(text: string): number | null {
  if (text === "UTC" || text === "Z") return 0;
  const [, sign, hours, minutes] = OFFSET.exec(text) ?? [];
  if (sign === undefined || Number(minutes) > 59) return null;
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  return Math.abs(ahead) > AHEAD_MAX ? null : ahead;
}

/** Minutes ahead of UTC, or ship's time without its offset. */
export type WrittenZone = number | "local";

/** Zone names that mean one offset only (in minutes): not IST, CST, EST and BST. */
const NAMES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ jst: 540, kst: 540, sgt: 480, hkt: 480, pht: 480, wib: 420, ict: 420, msk: 180 },
    ...{ eest: 180, eet: 120, cest: 120, cet: 60, brt: -180, nzst: 720, aest: 600, awst: 480 },
  }),
);

const UTC = "(?:utc|gmt|ut|z)";
const LOCAL =
  String.raw`(?:l\.?t\.?|l\.?m\.?t\.?|s\.?m\.?t\.?|local(?: mean)?(?: time)?|` +
  "ship'?s?'?(?: mean)? time|heure locale|heure du bord|hora local|hora de a bordo)";
const SIGNED = String.raw`([+-]|plus |minus ) ?(\d{1,2})(?:[:.]?(\d{2}))?(?: ?(?:h|hrs?|hours?))?`;

const NAMED_ZONE = new RegExp(
  String.raw`^(?:(${LOCAL})(?![a-z])(?:\W*(?=utc|gmt|[+-]))?)?(?:(${UTC})(?![a-z]))? ?` +
    String.raw`(?:${SIGNED})?(?!\w)`,
);

export interface ZoneAt {
  readonly length: number;
  readonly zone: WrittenZone;
}

/** The zone at the start of a text in plain letters; null without one. */
export function zoneAt(plain: string): ZoneAt | null {
  const name = /^[a-z]+/.exec(plain)?.[0] ?? "";
  const named = NAMES.get(name);
  if (named !== undefined) return { length: name.length, zone: named };
  const match = NAMED_ZONE.exec(plain);
  if (match === null || match[0].trim() === "") return null;
  const [whole, local, utc, sign, hours, minutes] = match;
  const { length } = whole;
  if (sign === undefined) {
    if (utc !== undefined) return { length, zone: 0 };
    return local === undefined ? null : { length, zone: "local" };
  }
  // "0600 LT-0800" is a span, not an offset.
  if (local !== undefined && utc === undefined && sign === "-" && minutes !== undefined)
    return null;
  const ahead = Number(hours) * 60 + Number(minutes ?? 0);
  const signed = /^(?:-|minus)/.test(sign) ? -ahead : ahead;
  const isOne = signed >= -BEHIND_MAX && signed <= AHEAD_MAX && signed % STEP === 0;
  return isOne && Number(minutes ?? 0) < 60 ? { length, zone: signed } : null;
}

/** The zone in a cell; null if it isn't exactly one zone. */
export function writtenZone(text: string): WrittenZone | null {
  const plain = zoneText(text);
  const found = zoneAt(plain);
  return found !== null && plain.slice(found.length).trim() === "" ? found.zone : null;
}

/** Zone names that several countries use, and marks of a zone that couldn't be read. */
const SEVERAL = /\b(?:[IBECMPA][SD]T|GST|WAT|PKT|A[EC]DT|NZDT|CLT|ART|Z[DT])\b/;
const UNREAD = /\b(?:utc|gmt)[a-z0-9]|\bzone\b|\boffset\b/;

/** Words that mean another zone than the named one: "9 hours ahead of GMT", "not in UTC". */
const OTHER_THAN = new RegExp(
  "\\b(?:not?|non|never|isn'?t|ahead|behind|before|after|fast|slow|differs?|pas|east|west|less|" +
    "more|add|subtract|instead|other|obtain)\\b|\\b(?:utc|gmt) ?\\d|" +
    "\\b(?!24)\\d{1,2} ?(?:h|hrs?|hours?)\\b",
);

/**
 * The zone that a name or title mentions, as "Start (UTC+9)"; undefined if none. One that isn't
 * understood counts as ship's time: its offset must be stated.
 */
export function mentionedZone(text: string): WrittenZone | undefined {
  const plain = zoneText(text);
  const [, offset = ""] = /\b(?:zone|offset)[ :=]*([+-].*)$/.exec(plain) ?? [];
  const signed = zoneAt(offset);
  if (signed !== null) return signed.zone;
  const begins = /(?:^|[^a-z0-9])(?=(?:utc|gmt|lt|lmt|smt|local|ship|heure|hora|[a-z]{3,4}\b))/g;
  const zones: WrittenZone[] = [];
  for (const { index, 0: before } of plain.matchAll(begins)) {
    const rest = plain.slice(index + before.length);
    const name = /^[a-z]+/.exec(rest)?.[0] ?? "";
    // "Cet" is a word, CET a zone.
    if (NAMES.has(name) && !text.includes(name.toUpperCase())) continue;
    const found = zoneAt(rest);
    if (found !== null) zones.push(found.zone);
  }
  const [first] = zones;
  const isOne = new Set(zones.filter((zone) => zone !== "local")).size < 2;
  if (first !== undefined)
    return !isOne || (first === 0 && OTHER_THAN.test(plain)) ? "local" : first;
  return SEVERAL.test(text) || UNREAD.test(plain) ? "local" : undefined;
}

/** The text in plain letters without brackets, and with an ASCII minus. */
export function zoneText(text: string): string {
  const plain = plainText(text)
    .replace(/[()[\]]/g, " ")
    .replace(/[\u2212\u2013\u2012]/g, "-");
  return plain.replace(/\s+/g, " ").trim();
}

/** Minutes ahead of UTC as `UTC`, or as an offset such as `+09:00`. */
export function printedZone(minutes: number): string {
  if (minutes === 0) return "UTC";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const digits = [hours, rest].map((part) => String(part).padStart(2, "0"));
  return `${minutes < 0 ? "-" : "+"}${digits.join(":")}`;
}
