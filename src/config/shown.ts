// The parts of a configuration that a message may show. Messages go to the log, to a page without a
// login and to support ashore, and a secret can stand anywhere: behind another key, in a key's
// place, in a URL, beside a typing error. So a message shows a value only if it has the usual form
// for its key and is too short for a secret, and a name only if it looks like one of ballastd's.

import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import type * as z from "zod";
import { EXIT, Failure } from "../ground/errors.ts";
import type { RefusalReason } from "../ground/reasons.ts";

/** A refused configuration (exit 78): `where` names the key, `problem` describes the fault. */
export function refused(
  where: string,
  problem: string,
  ...reasons: readonly RefusalReason[]
): Failure {
  return new Failure(EXIT.config, `configuration: ${where} ${problem}`, ...reasons);
}

/** Forms of values that may be shown; each returns null for a value of another form. */
const FORMS = {
  number: shownNumber,
  length: (given: unknown) =>
    typeof given === "string" ? `a text of ${[...given].length} characters` : null,
  fraction: (given: unknown) =>
    typeof given === "string" && /^\d{1,5} ?\/ ?\d{1,5}$/.test(given)
      ? JSON.stringify(given)
      : shownNumber(given),
  address: (given: unknown) =>
    typeof given === "string" && ADDRESS.test(given) ? JSON.stringify(given) : null,
  offset: (given: unknown) =>
    typeof given === "string" && OFFSET.test(given) ? JSON.stringify(given) : null,
  url: shownUrl,
} as const;

export type Form = keyof typeof FORMS;

/**
 * An issue as text to follow its place. Before "expected", `given` is described as far as it may be
 * shown. `given` is the key's value, of which the issue's own input may be a part.
 */
export function issueWords(issue: z.core.$ZodIssue, given: unknown): string {
  if (!issue.message.startsWith("expected")) return issue.message;
  const shown = inForm(issue) ?? (isNearlyWord(issue) ? JSON.stringify(given) : null);
  return `${shown === null ? kindOf(given) : `is ${shown}`}, ${issue.message}`;
}

/** The issue's value if it has the form of its key; else null. */
function inForm(issue: z.core.$ZodIssue): string | null {
  const form = Object.entries(FORMS).find(
    ([name]) => issue.code === "custom" && issue.params?.form === name,
  );
  return form?.[1](issue.input) ?? null;
}

/** The issue's value as a reason may have it, without quotes; "…" for one that isn't shown. */
export function givenIn(issue: z.core.$ZodIssue): string {
  const { input } = issue;
  if (typeof input === "string" && SHORT_WORD.test(input)) return input;
  return inForm(issue)?.replace(/^"|"$/g, "") ?? "…";
}

/** True for an allowed word in another case or with blanks around it. */
function isNearlyWord(issue: z.core.$ZodIssue): boolean {
  const word = typeof issue.input === "string" ? issue.input.trim().toLowerCase() : "";
  return issue.code === "invalid_value" && issue.values.includes(word);
}

/** A text too short for a secret: `none`, `trace`, or "". */
const SHORT_WORD = /^[A-Za-z]{0,5}$/;

/** Description of a value whose content may not be shown: its type, or a short word. */
function kindOf(given: unknown): string {
  if (typeof given === "boolean" || given === null) return `is ${given}`;
  if (typeof given === "string")
    return SHORT_WORD.test(given) ? `is ${JSON.stringify(given)}` : "has another value";
  if (Array.isArray(given)) return given.length === 0 ? "is an empty list" : "is a list";
  if (given instanceof Date) return "is a date";
  return typeof given === "object" ? "is a table" : `is a ${typeof given}`;
}

/** Maximum length of a shown number: longer than any that is configured, shorter than any token. */
const NUMBER_LENGTH_MAX = 10;
const NUMBER_TEXT = /^[-+]?(0[xob][\da-f]+|[\d.,_]+(e[-+]?\d+)?( ?[a-z%]{1,3})?)$/i;

/**
 * A number, or a text in place of one, as it may be shown; null if it doesn't look like a number.
 */
export function shownNumber(given: unknown): string | null {
  if (typeof given === "number") {
    const text = String(given);
    return text.length > NUMBER_LENGTH_MAX ? null : text;
  }
  const isShort = typeof given === "string" && given.length <= NUMBER_LENGTH_MAX;
  return isShort && NUMBER_TEXT.test(given) ? JSON.stringify(given) : null;
}

/** Form of an address to listen on, with slips: it may be shown. No name, which may be a secret. */
const ADDRESS = /^(?!.*\d{6})((localhost|\*)?:\d*|\d+|[[\d.:]{0,19}[.:\]][\d:]{0,6})$/;

/** Form of an offset from UTC, with slips: it may be shown. */
const OFFSET = /^(UTC|GMT)?[-+]?\d{0,2}[:.]?\d{0,2}$/;

const SCHEMES = ["mqtt", "mqtts", "tcp", "tls", "ssl", "ws", "wss", "http", "https", "s3"];
const SCHEME = new RegExp(`^(${SCHEMES.join("|")}|postgres(ql)?):$`);

/** As `shownPlace`, in quotes; null if it isn't a URL, or may have its password elsewhere. */
function shownUrl(given: unknown): string | null {
  const url = typeof given === "string" ? URL.parse(given) : null;
  // A host that isn't as it was written: of a number URL makes an address.
  if (url === null || !SCHEME.test(url.protocol) || !`${given}`.includes(url.hostname)) return null;
  // An @ elsewhere than after a login: a password with special characters has split the URL.
  const hasLogin = url.username !== "" || url.password !== "";
  return String(given).includes("@") === hasLogin ? JSON.stringify(shownPlace(url)) : null;
}

/** A URL's scheme, and its host if that can't be a secret. */
export function shownPlace({ protocol, hostname: name, host, username, password }: URL): string {
  if (!isSureHost(name)) return `${protocol}//...`;
  return `${protocol}//${username + password === "" ? "" : "...@"}${host}`;
}

/**
 * True for an address, or a name of this machine. Any other name may be a password that was typed
 * in a host's place.
 */
export function isSureHost(host: string): boolean {
  const own = hostname().toLowerCase();
  const names = ["localhost", own, own.split(".")[0]];
  return isIP(host.replace(/^\[|\]$/g, "")) !== 0 || names.includes(host.toLowerCase());
}

/** A file's path if it looks like an existing one; a password may have been typed in its place. */
export function shownPath(file: string): string {
  const folder = path.dirname(file);
  const isPath = path.isAbsolute(file) && folder !== "/" && existsSync(folder);
  const isFile = /[./]/.test(file) && existsSync(file);
  return isPath || isFile ? file : "the file that it names";
}

/**
 * Form of a key's name: short words, as in ballastd's keys. A secret of letters alone is one long
 * word.
 */
const NAME = /^(?=.{1,24}$)[a-z]{1,11}(_[a-z]{1,11})*$/;
const VARIABLE = /^BALLASTD(_[A-Z]{1,11}){1,6}$/;

/** The name of an unknown key as it may be shown; null if it doesn't look like a key. */
export function shownName(name: string): string | null {
  return NAME.test(name) ? name : null;
}

/** As `shownName`, for an environment variable. */
export function shownVariable(name: string): string | null {
  return VARIABLE.test(name) ? name : null;
}
