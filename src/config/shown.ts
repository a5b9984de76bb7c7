// The parts of a configuration that a message may show. Messages go to the log, to a page without a
// login and to support ashore, and a secret can stand anywhere: behind another key, in a key's
// place, in a URL, beside a typing error. So a message shows a value only if it has the usual form
// for its key and is too short for a secret, and a name only if it looks like one of ballastd's.

import { existsSync } from "node:fs";
import path from "node:path";

/** A value that can't be taken: what is expected, and the value as far as it may be shown. */
export class Unfit extends Error {
  readonly shown: string | null;

  constructor(expected: string, shown: string | null = null) {
    super(expected);
    this.name = "Unfit";
    this.shown = shown;
  }
}

/** The words for a refused value of a key that isn't secret: the value, its type, or neither. */
export function shownValue(given: unknown, shown: string | null): string {
  if (shown !== null) return `is ${shown}`;
  if (typeof given === "boolean") return `is ${given}`;
  if (typeof given !== "string") return `is ${kindOf(given)}`;
  return SHORT_WORD.test(given) ? `is ${JSON.stringify(given)}` : "has another value";
}

/** Too short for a secret: `none`, `trace`, or nothing at all. */
const SHORT_WORD = /^[A-Za-z]{0,5}$/;

/** The type of a value, in words. */
export function kindOf(given: unknown): string {
  if (Array.isArray(given)) return given.length === 0 ? "an empty list" : "a list";
  if (given instanceof Date) return "a date";
  if (given !== null && typeof given === "object") return "a table";
  return typeof given === "string" ? "a text" : `a ${typeof given}`;
}

/** Longer than what is configured, shorter than any token. */
const NUMBER_LENGTH_MAX = 10;
const NUMBER_TEXT = /^[-+]?[\d.,]+([eE][-+]?\d+)?( ?[A-Za-z%]{1,3})?$/;

/** A number, or a text where one is expected; null for what doesn't look like it. */
export function shownNumber(given: unknown): string | null {
  if (typeof given === "number") {
    const text = String(given);
    return text.length > NUMBER_LENGTH_MAX ? null : text;
  }
  const isShort = typeof given === "string" && given.length <= NUMBER_LENGTH_MAX;
  return isShort && NUMBER_TEXT.test(given) ? JSON.stringify(given) : null;
}

/** Texts that are addresses but for a slip, as they were given; null for others. */
export function shownAddresses(given: unknown): string | null {
  const texts = Array.isArray(given) ? given : [given];
  const isUsual = texts.every((text) => typeof text === "string" && ADDRESS.test(text));
  return isUsual ? JSON.stringify(given) : null;
}

const ADDRESS = /^[A-Za-z.*]{0,20}:\d{0,6}$|^\d{1,5}$|^[[\d.:]{0,19}[.:\]][\d:]{0,6}$/;

const SCHEME = /^[a-z]{1,5}:$/;

/** A URL's scheme and host; null for what isn't one, or may have its password elsewhere. */
export function shownUrl(given: unknown): string | null {
  const url = typeof given === "string" ? URL.parse(given) : null;
  if (url === null || url.host === "" || !SCHEME.test(url.protocol)) return null;
  const hasLogin = url.username !== "" || url.password !== "";
  // An @ that doesn't end a login: the password before it has cut the URL in two.
  if (String(given).includes("@") !== hasLogin) return null;
  return JSON.stringify(`${url.protocol}//${hasLogin ? "...@" : ""}${url.host}`);
}

/** A file's path, if there is a reason to take it for one; a password can stand in its place. */
export function shownPath(file: string): string {
  const folder = path.dirname(file);
  const isPath = path.isAbsolute(file) && folder !== "/" && existsSync(folder);
  const isFile = /[./]/.test(file) && existsSync(file);
  return isPath || isFile ? file : "the file that it names";
}

/** Names of short words, as in ballastd's keys: a secret of letters alone is one long word. */
const NAME = /^(?=.{1,24}$)[a-z]{1,11}(_[a-z]{1,11})*$/;
const VARIABLE = /^BALLASTD(_[A-Z]{1,11}){1,6}$/;

/** The name of a key that isn't known; null when it doesn't look like one. */
export function shownName(name: string): string | null {
  return NAME.test(name) ? name : null;
}

/** As `shownName`, of an environment variable. */
export function shownVariable(name: string): string | null {
  return VARIABLE.test(name) ? name : null;
}
