// From payload bytes to JSON values, as PLCs really send them: a byte-order mark, trailing NULs of
// a fixed-length string, Latin-1 where UTF-8 was meant, NaN, infinities and TRUE as bare
// tokens. All of it takes time in proportion to the payload, whatever stands in it.

import { parseExact } from "../exact-json.ts";
import { type Unrepeated, withoutRepeated } from "./decode-repeated.ts";

/** Deeper than any telemetry; a nest of a million brackets must not exhaust the stack later on. */
const DEPTH_MAX = 32;

/** Stands for a bare NaN or infinity until the parser's reviver makes it NaN; nobody sends this. */
const NOT_FINITE = "\ud800 not a finite number";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The payload's JSON value, or what is wrong with it. */
export type ParsedPayload = Unrepeated | { readonly problem: string };

/** Reads a payload as JSON. Never throws. */
export function parsePayload(payload: Uint8Array): ParsedPayload {
  const text = textOf(payload);
  if (text === "") return { problem: "the payload is empty" };
  const parsed = parseJson(text) ?? parseJson(withTokensMended(text), notFiniteToNaN);
  if (parsed === null) return { problem: "not JSON" };
  return isNested(text) && isDeeper(parsed.value, DEPTH_MAX)
    ? { problem: `nested deeper than ${DEPTH_MAX} levels` }
    : withoutRepeated(parsed.text, parsed.value, (again) => parseExact(again, parsed.reviver));
}

/** As `parsePayload`, for a topic that carries one bare value: what isn't JSON is a text. */
export function parseBareValue(payload: Uint8Array): ParsedPayload {
  const parsed = parsePayload(payload);
  const text = textOf(payload).trim();
  const isBare = "problem" in parsed && text !== "" && !/^[[{"]/.test(text);
  return isBare ? { value: text, conflicts: [] } : parsed;
}

/** NUL, and what JSON takes as white space. */
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

type Reviver = (name: string, value: unknown) => unknown;

interface Parsed {
  readonly value: unknown;
  readonly text: string;
  readonly reviver?: Reviver;
}

function parseJson(text: string, reviver?: Reviver): Parsed | null {
  try {
    return { value: parseExact(text, reviver), text, reviver };
  } catch {
    return null;
  }
}

// A string (left alone; one that doesn't end is taken to the end of the text), a word of JSON in
// another case, or what some printf writes for a number that isn't finite: -nan(ind), 1.#QNAN0.
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"?/;
const WORD = /\b(?:true|false|null)\b/;
const NOT_A_NUMBER = /[+-]?(?:\b(?:nan(?:\(\w*\)|\b)|inf(?:inity)?\b)|1\.#[a-z]+\d*)/;
const TOKENS = new RegExp(`${STRING.source}|(${WORD.source})|${NOT_A_NUMBER.source}`, "gi");

function withTokensMended(text: string): string {
  return text.replace(TOKENS, (match: string, word?: string) => {
    if (word !== undefined) return word.toLowerCase();
    return match.startsWith('"') ? match : JSON.stringify(NOT_FINITE);
  });
}

function notFiniteToNaN(_name: string, value: unknown): unknown {
  return value === NOT_FINITE ? Number.NaN : value;
}

/** Whether there can be an object or array in another: none has a bracket after its first. */
function isNested(text: string): boolean {
  return text.includes("{", 1) || text.includes("[", 1);
}

/** Whether a value has objects or arrays in more than `levels` levels. */
function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== "object") return false;
  if (levels === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (inner !== null && typeof inner === "object" && isDeeper(inner, levels - 1)) return true;
  return false;
}
