// Parses payload bytes as the JSON that PLCs really send: with a byte order mark, trailing NULs of
// a fixed-length string, Latin-1 in place of UTF-8, bare NaN, infinities and TRUE, numbers such as
// +6.485E+02, empty values, a comma at the end. The time is proportional to the payload. If an
// object has a member twice with different values, it is dropped and reported: JSON doesn't define
// which counts, and parsers silently take the last.

import { exactJson, parseExact, type Reviver } from "../ground/exact-json.ts";
import { nameAgain, withNamesApart } from "../ground/repeated-members.ts";
import { saysNothing, shown } from "./value.ts";

/** Maximum depth, more than any telemetry has: a million brackets would exhaust the stack later. */
const DEPTH_MAX = 32;

/** Texts that replace bare NaN and infinities until the parser's reviver; no sender uses them. */
const NOT_FINITE: ReadonlyMap<unknown, number> = new Map(
  [Number.NaN, Infinity, -Infinity].map((value) => [standIn(value), value]),
);

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The payload's JSON value, or the problem with it. */
export type ParsedPayload = UnrepeatedValue | { readonly problem: string };

/** Reads a payload as JSON. Never throws. */
export function parsePayload(payload: Uint8Array): ParsedPayload {
  const text = textOf(payload);
  if (text === "") return { problem: "the payload is empty" };
  const parsed = parseText(text);
  if ("problem" in parsed) return parsed;
  return withoutRepeated(parsed.text, parsed.value, (again) => parseExact(again, parsed.reviver));
}

/** As `parsePayload`, for a topic with one bare value: a payload that isn't JSON is a text. */
export function parseBareValue(payload: Uint8Array): ParsedPayload {
  const parsed = parsePayload(payload);
  const text = textOf(payload).trim();
  // A number that isn't valid JSON stays a text: 007 may be a name. Number fields read it too.
  const isText =
    "problem" in parsed || (typeof parsed.value === "number" && parseJson(text) === null);
  const isBare = isText && text !== "" && !/^[[{"]/.test(text);
  return isBare ? { value: text, conflicts: [] } : parsed;
}

/** Bytes of padding: NUL, and JSON's white space. */
const PADDING = [0x00, 0x09, 0x0a, 0x0d, 0x20];

function textOf(padded: Uint8Array): string {
  let end = padded.length;
  while (end > 0 && PADDING.includes(padded[end - 1])) end -= 1;
  const payload = padded.subarray(0, end);
  try {
    return utf8.decode(payload);
  } catch {
    const text = Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString("latin1");
    return text.replace(/^ï»¿/, "");
  }
}

/** A parsed value, and its JSON text. */
interface Parsed {
  readonly value: unknown;
  readonly text: string;
  readonly reviver?: Reviver;
}

/** Reads a text as the JSON that PLCs send; an object may have a member twice. */
export function parseText(text: string): Parsed | { readonly problem: string } {
  const parsed = parseJson(text) ?? parseJson(withTokensMended(text), notFinite);
  if (parsed === null) return { problem: "not JSON" };
  return isNested(text) && isDeeper(parsed.value, DEPTH_MAX)
    ? { problem: `nested deeper than ${DEPTH_MAX} levels` }
    : parsed;
}

function parseJson(text: string, reviver?: Reviver): Parsed | null {
  try {
    return { value: parseExact(text, reviver), text, reviver };
  } catch {
    return null;
  }
}

// A string (kept as it is; an unterminated one reaches to the end of the text), a whole bare token,
// a colon, comma or bracket without a value after it, or a comma before the end.
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"?/;
const BARE = /[\w+.#-]+(?:\(\w*\))?/;
const NO_VALUE = /:\s*(?=[,}])|[[,]\s*(?=,)/;
const LAST_COMMA = /,\s*(?=[}\]]|$)/;
const TOKENS = new RegExp(
  `${STRING.source}|(${BARE.source})|(${NO_VALUE.source})|${LAST_COMMA.source}`,
  "g",
);

/** A JSON keyword in any case. */
const WORD = /^(?:true|false|null)$/i;
/** A C library's text for a number that isn't finite: -nan(ind), 1.#QNAN0. */
const NOT_A_NUMBER = /^[+-]?(?:nan(?:\(\w*\))?|inf(?:inity)?|1\.#[a-z]+\d*)$/i;
/** A number as PLCs print it: +6.485000E+02, .5, 648., 00648. */
const PLC_NUMBER = /^([+-]?)0*([1-9]\d*)?(?:(\.\d+)|\.)?([eE][+-]?\d+)?$/;

function withTokensMended(text: string): string {
  return text.replace(TOKENS, (match: string, bare?: string, noValue?: string) => {
    if (bare !== undefined) return mended(bare);
    if (noValue !== undefined) return `${noValue}null`;
    return match.startsWith('"') ? match : "";
  });
}

/** A bare token as JSON, or unchanged if it isn't known. */
function mended(token: string): string {
  if (WORD.test(token)) return token.toLowerCase();
  if (NOT_A_NUMBER.test(token)) {
    const size = /inf/i.test(token) ? Infinity : Number.NaN;
    return JSON.stringify(standIn(token.startsWith("-") ? -size : size));
  }
  const number = /^[+-]?\.?\d/.test(token) ? PLC_NUMBER.exec(token) : null;
  if (number === null) return token;
  const [, sign, whole = "0", decimals = "", exponent = ""] = number;
  return `${sign === "-" ? "-" : ""}${whole}${decimals}${exponent}`;
}

function standIn(value: number): string {
  return `\ud800 ${value}`;
}

function notFinite(_name: string, value: unknown): unknown {
  return NOT_FINITE.get(value) ?? value;
}

/** True if an object or array can be inside another: some bracket follows the first. */
function isNested(text: string): boolean {
  return text.includes("{", 1) || text.includes("[", 1);
}

/** True if a value has more than `levels` levels of objects or arrays. */
function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== "object") return false;
  if (levels === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (inner !== null && typeof inner === "object" && isDeeper(inner, levels - 1)) return true;
  return false;
}

/** A payload's value without contradictory members, and descriptions of these. */
export interface UnrepeatedValue {
  readonly value: unknown;
  /** One for each contradictory member, as `NAME: got X, before it Y`. */
  readonly conflicts: readonly string[];
}

/** Resolves repeated members; `value` is `parse` of `text`, which is JSON of limited depth. */
function withoutRepeated(
  text: string,
  value: unknown,
  parse: (text: string) => unknown,
): UnrepeatedValue {
  const renamed = withNamesApart(text, value);
  if (renamed === null) return { value, conflicts: [] };
  const conflicts: string[] = [];
  return { value: joined(parse(renamed), conflicts), conflicts };
}

/** The value with its original names, each once per object. */
function joined(value: unknown, conflicts: string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => joined(item, conflicts));
  if (value === null || typeof value !== "object") return value;
  const members = new Map<string, unknown[]>();
  for (const [key, inner] of Object.entries(value)) {
    const name = nameAgain(key) ?? key;
    const given = members.get(name) ?? [];
    given.push(joined(inner, conflicts));
    members.set(name, given);
  }
  const pairs = [...members].map(([name, given]) => [name, agreed(name, given, conflicts)]);
  return Object.fromEntries(pairs);
}

function agreed(name: string, given: readonly unknown[], conflicts: string[]): unknown {
  const [first = null, ...others] = given.filter((one) => !saysNothing(one));
  const other = others.find((one) => exactJson(one) !== exactJson(first));
  if (other === undefined) return given.length === 1 ? given[0] : first;
  conflicts.push(`${name.slice(0, NAME_MAX)}: got ${shown(other)}, before it ${shown(first)}`);
  // Without a time the message would get its receipt's: this list can't be read as a time.
  return name === "timestamp" ? [first, other] : null;
}

/** Maximum number of characters of a member's name in a message; it comes from the network. */
const NAME_MAX = 120;
