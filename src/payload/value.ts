// Reads single values tolerantly: numbers as text with a point or a comma, booleans as 0 and 1 or
// in any case. null and "" mean no value. A problem names what was expected.

import type { Scalar, Value } from "../bwts/reading.ts";
import type { TagType } from "../bwts/tags.ts";
import { type Comma, isOfTwoMeanings } from "../config/map.ts";
import { parseTime } from "../ground/clock.ts";
import { exactJson } from "../ground/exact-json.ts";

/** A value, or the problem with it. */
export type ReadValue = { readonly value: Value } | { readonly problem: string };

// One separator only: "1.234,5" could be either of two numbers.
const NUMBER_TEXT = /^\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*$/;
/** Numbers with grouped thousands, by the meaning of the comma; the other separator groups. */
const GROUPED: Readonly<Record<Comma, RegExp>> = {
  decimal: /^\s*[+-]?\d{1,3}(\.\d{3})+,\d*([eE][+-]?\d+)?\s*$/,
  thousands: /^\s*[+-]?\d{1,3}(,\d{3})+(\.\d*)?([eE][+-]?\d+)?\s*$/,
};

/** Limit below which a numeric time is in seconds: 1e11 s is the year 5138, 1e11 ms is 1973. */
const SECONDS_MAX = 1e11;
/** The last millisecond of the year 9999. */
const TIME_MAX_MS = 253_402_300_799_999;

/** Reads `given` as a field of `type`; `comma` is the map rule's meaning of a comma in a number. */
export function readValue(given: unknown, type: TagType, comma: Comma | null = null): ReadValue {
  if (saysNothing(given)) return { value: null };
  switch (type) {
    case "number":
      return readNumber(given, comma);
    case "integer":
      return readInteger(given, comma);
    case "boolean":
      return readBoolean(given);
    case "string":
      return readText(given);
  }
}

/** True if a member has no value. */
export function saysNothing(given: unknown): given is null | undefined | "" {
  return given === null || given === undefined || given === "";
}

/** Reads a tag that the catalogue doesn't know: any scalar, verbatim. */
export function readScalar(given: unknown): ReadValue {
  if (saysNothing(given)) return { value: null };
  if (typeof given === "number")
    return Number.isFinite(given) ? { value: given } : problem(given, "a finite number");
  if (typeof given === "boolean" || typeof given === "bigint") return { value: given };
  if (typeof given === "string") return readText(given);
  return problem(given, "a number, a text, true or false");
}

/** A zone behind a time of day: Z or an offset, whose + may have become a blank. */
const ZONE = /\d{2}:\d{2}.*(?:[Zz]|[+ -]\d{2}(?::?\d{2})?)$/;

/**
 * Reads an instant: ISO 8601, or seconds or milliseconds since 1970, also as text; null: absent.
 * `local_ms`: the sender's local time minus UTC, for a text without a zone.
 */
export function readInstant(
  given: unknown,
  local_ms = 0,
): { at_ms: number | null } | { problem: string } {
  if (saysNothing(given)) return { at_ms: null };
  const text = typeof given === "string" ? given.trim() : "";
  const iso = parseTime(text);
  const ahead_ms = ZONE.test(text) ? 0 : local_ms;
  // A comma is unambiguous in a time: 1777629570,123 is the same in seconds and milliseconds.
  const number = iso === null ? readNumber(given, "decimal") : { value: iso.at_ms - ahead_ms };
  if ("problem" in number || typeof number.value !== "number")
    return problem(given, "ISO 8601, or seconds or milliseconds since 1970");
  const isSeconds = iso === null && Math.abs(number.value) < SECONDS_MAX;
  const at_ms = Math.floor(isSeconds ? millisecondsOf(number.value) : number.value);
  return Math.abs(at_ms) > TIME_MAX_MS ? problem(given, "a year up to 9999") : { at_ms };
}

// Rounded to microseconds first: 1746057600.123 as a double is less, and must not give 122 ms.
function millisecondsOf(seconds: number): number {
  return Math.round(seconds * 1e6) / 1000;
}

function readNumber(given: unknown, comma: Comma | null): ReadValue {
  if (typeof given === "string") return readNumberText(given, comma);
  const value = typeof given === "bigint" ? Number(given) : given;
  return typeof value === "number" && Number.isFinite(value)
    ? { value }
    : problem(given, "a finite number");
}

function readNumberText(given: string, comma: Comma | null): ReadValue {
  const isGrouped = comma !== null && GROUPED[comma].test(given);
  const isPlain = NUMBER_TEXT.test(given) && !(comma === "thousands" && given.includes(","));
  if (!isGrouped && !isPlain) return problem(given, "a finite number");
  if (comma === null && isOfTwoMeanings(given)) return problem(given, COMMA_EXPECTED);
  const digits = isGrouped ? given.replaceAll(comma === "decimal" ? "." : ",", "") : given;
  const value = Number(digits.replace(",", "."));
  return Number.isFinite(value) ? { value } : problem(given, "a finite number");
}

const COMMA_EXPECTED =
  "a number that can't be two: say in a map rule if comma is decimal or thousands";

function readInteger(given: unknown, comma: Comma | null): ReadValue {
  const read = readNumber(given, comma);
  if ("problem" in read && typeof given === "string" && isOfTwoMeanings(given)) return read;
  return "value" in read && Number.isSafeInteger(read.value) ? read : problem(given, "an integer");
}

const BOOLEANS: ReadonlyMap<Scalar, boolean> = new Map<Scalar, boolean>([
  [1, true],
  [0, false],
  ["1", true],
  ["0", false],
  ["true", true],
  ["false", false],
]);

function readBoolean(given: unknown): ReadValue {
  if (typeof given === "boolean") return { value: given };
  const word = typeof given === "string" ? given.trim().toLowerCase() : given;
  const value =
    typeof word === "string" || typeof word === "number" ? BOOLEANS.get(word) : undefined;
  return value === undefined ? problem(given, "true, false, 1 or 0") : { value };
}

/**
 * Maximum number of characters of a text: states, places and alarm texts have tens. Messages of one
 * timestamp make one reading of up to 256 tags: 50 with texts of 900 kB took 1 GB of memory.
 */
export const TEXT_MAX = 1024;

function readText(given: unknown): ReadValue {
  if (typeof given !== "string" || !given.isWellFormed()) return problem(given, "a text");
  if (given.length <= TEXT_MAX) return { value: given };
  const got = `a text of ${given.length} characters`;
  return { problem: `${got}, expected ${TEXT_MAX} at most` };
}

const SHOWN_MAX = 80;

function problem(given: unknown, expected: string): { problem: string } {
  return { problem: `${shown(given)}, expected ${expected}` };
}

/** A value as text for messages: JSON, NaN and infinities by name, cut if long. */
export function shown(given: unknown): string {
  if (given === undefined) return "none";
  return (typeof given === "number" ? String(given) : exactJson(given)).slice(0, SHOWN_MAX);
}
