// Reads the body of a request within limits of size (here) and time (the server's requestTimeout),
// as strict JSON, or as the bytes of a file. Integers of JSON become bigints, because a double
// would silently round a large id.

import type { IncomingMessage, ServerResponse } from "node:http";
import type * as z from "zod";
import { clientAddress, countedAddress } from "../ground/admission.ts";
import { ownWords } from "../ground/own-words.ts";
import { bounded, quoted } from "../ground/quoted.ts";
import { type RefusalReason, reason, statedReasons } from "../ground/reasons.ts";
import { memberTwice } from "../ground/repeated-members.ts";
import { crowded, Refusal } from "./refusal.ts";

export const BODY_MAX_BYTES = 64 * 1024;

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*("utf-8"|utf-8)\s*)?$/i;

/**
 * The JSON body of `request`, its integers as bigints and its other numbers as numbers. A member
 * given twice is refused. Throws a Refusal: 400, 413 or 415.
 */
async function readJsonBody(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const type = request.headers["content-type"];
  if (!JSON_TYPE.test(type ?? "")) {
    const was = type === undefined ? "is missing" : `${quoted(type)} was given`;
    throw new Refusal(415, `Content-Type: ${was}, expected application/json`);
  }
  refuseEncoded(request);
  return parseJson(await readBytes(request, response, BODY_MAX_BYTES));
}

function refuseEncoded({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity")
    throw new Refusal(415, `Content-Encoding: ${quoted(encoding)} was given, expected none`);
}

const CSV_TYPE = /^text\/csv\s*(;.*)?$/i;

/** The body as a file of CSV, in any charset. Throws a Refusal: 400, 413 or 415. */
export async function readCsvBody(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  bytes_max: number,
): Promise<Buffer> {
  const type = request.headers["content-type"];
  if (!CSV_TYPE.test(type ?? "")) {
    const was = type === undefined ? "is missing" : `${quoted(type)} was given`;
    throw new Refusal(415, `Content-Type: ${was}, expected text/csv`);
  }
  refuseEncoded(request);
  return readBytes(request, response, bytes_max);
}

/** Maximum bytes of bodies held at once; one address may have half of them. */
export const HELD_MAX_BYTES = 32 * 1024 * 1024;
const BUSY_S = 5;

/** The bytes held for each address. */
const held = new Map<string, number>();

/**
 * Adds `bytes` to those held for the address, or takes some off (negative). False, and nothing is
 * added, if they exceed the limits.
 */
function hold(address: string, bytes: number): boolean {
  const own = (held.get(address) ?? 0) + bytes;
  const all = [...held.values()].reduce((sum, one) => sum + one, bytes);
  if (bytes > 0 && (own > HELD_MAX_BYTES / 2 || all > HELD_MAX_BYTES)) return false;
  if (own > 0) held.set(address, own);
  else held.delete(address);
  return true;
}

async function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  bytes_max: number,
): Promise<Buffer> {
  const tooLarge = (was: string) => new Refusal(413, `body: ${was}, expected at most ${bytes_max}`);
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > bytes_max) throw tooLarge(`${announced} bytes were announced`);
  if (request.headers.expect !== undefined) response.writeContinue();
  const address = countedAddress(clientAddress(request.socket));
  // One growing buffer, because a list of a million pieces of one byte took 200 MB.
  let buffer = Buffer.alloc(0);
  let size_bytes = 0;
  const take = (piece: Buffer): Refusal | null => {
    const from = size_bytes;
    size_bytes += piece.length;
    if (size_bytes > bytes_max) return tooLarge(`more than ${bytes_max} bytes were sent`);
    if (size_bytes > buffer.length) {
      const room = Math.min(bytes_max, Math.max(size_bytes, 2 * buffer.length));
      if (!hold(address, room - buffer.length))
        return crowded(BUSY_S, "body: too many are sent at once");
      buffer = Buffer.concat([buffer], room);
    }
    piece.copy(buffer, from);
    return null;
  };
  try {
    // Listeners instead of `for await`, which would destroy the socket when it is left early.
    await new Promise<void>((resolve, reject) => {
      request.on("data", (piece: Buffer) => {
        const refusal = take(piece);
        if (refusal === null) return;
        // At once: thousands of pieces may follow before a promise is heard.
        request.removeAllListeners("data");
        reject(refusal);
      });
      request.once("end", resolve);
      request.once("error", reject);
      request.once("close", () => reject(new Refusal(400, "body: it ended early")));
    }).finally(() => request.removeAllListeners("data").resume());
    return buffer.subarray(0, size_bytes);
  } finally {
    hold(address, -buffer.length);
  }
}

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, "body: it is not valid UTF-8, expected a JSON object in UTF-8");
  }
  const read = (): { readonly body: unknown; readonly twice: string | null } => {
    const body: unknown = JSON.parse(text, integersExact);
    return { body, twice: memberTwice(text, body) };
  };
  let known: ReturnType<typeof read>;
  try {
    known = read();
  } catch {
    // Also a RangeError, if it is nested deeper than the stack allows.
    // Without the text: a body that was cut may begin with a password.
    throw new Refusal(400, "body: it isn't JSON, expected a JSON object");
  }
  if (known.twice !== null)
    throw new Refusal(400, `${bounded(known.twice)}: was given twice, expected it once`);
  return known.body;
}

const INTEGER = /^-?(0|[1-9][0-9]*)$/;

/** Source text of numbers that aren't written as integers, by the object that holds them. */
const LITERALS = new WeakMap<object, Map<string, string>>();

function integersExact(
  this: object,
  key: string,
  value: unknown,
  context?: { source?: string },
): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  if (INTEGER.test(context.source)) return BigInt(context.source);
  const literals = LITERALS.get(this) ?? new Map<string, string>();
  LITERALS.set(this, literals.set(key, context.source));
  return value;
}

/**
 * The body of a request, checked by `schema`; `expected` describes the object, `hidden` are members
 * whose values no answer shows, since they may be a password or a token. Throws a Refusal.
 */
export async function readBody<Schema extends z.ZodType>(
  schema: Schema,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  expected: string,
  hidden: readonly string[] = [],
): Promise<z.output<Schema>> {
  const body = await readJsonBody(request, response);
  const result = schema.safeParse(body, { error: ownWords });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue.code === "unrecognized_keys") {
    const place = [...issue.path, issue.keys[0]];
    throw new Refusal(400, `${printedPath(place)}: is no member that is known here`);
  }
  const member = issue.path.at(-1);
  if (member === undefined) throw new Refusal(400, `body: ${kindOf(body)}, expected ${expected}`);
  const holder = issue.path.slice(0, -1).reduce(memberOf, body);
  const isHidden = issue.path.some((part) => hidden.includes(String(part)));
  const value = memberOf(holder, member);
  const given = isHidden ? kindOf(value) : givenAs(holder, String(member));
  const message = `${printedPath(issue.path)}: ${given}, ${issue.message}`;
  throw new Refusal(400, message, {}, reasonsOf(issue, isHidden ? HIDDEN : value));
}

/** The value of a hidden member in a reason. */
const HIDDEN = "…";

/** Kinds of a bounded number, as zod names them. */
const BOUNDED = ["number", "int"];

/** The reasons of an issue with a member: those that its check states, or its bounds. */
function reasonsOf(issue: z.core.$ZodIssue, member: unknown): readonly RefusalReason[] {
  if (issue.code === "custom")
    return statedReasons(issue, { given: typeof member === "string" ? member : "" });
  if (issue.code === "too_big" && issue.origin === "string")
    return [reason("text_long", { max: Number(issue.maximum) })];
  if (issue.code === "too_big" && BOUNDED.includes(issue.origin))
    return [reason("number_large", { max: Number(issue.maximum) })];
  if (issue.code === "too_small" && BOUNDED.includes(issue.origin))
    return [reason("number_small", { min: Number(issue.minimum) })];
  return [];
}

/** A place in a body: `changes[0].value`. */
function printedPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${bounded(String(part))}`))
    .join("")
    .replace(/^\./, "");
}

const memberOf = (holder: unknown, member: PropertyKey): unknown =>
  Object.entries(Object(holder)).find(([name]) => name === String(member))?.[1];

/** The given value of `member` in a body's object, as text: `"7" was given`, `is missing`. */
function givenAs(body: unknown, member: string): string {
  const holder: object = Object(body);
  const given = memberOf(holder, member);
  const literal = typeof given === "number" ? LITERALS.get(holder)?.get(member) : undefined;
  return literal === undefined ? described(given) : `${literal.slice(0, 40)} was given`;
}

/** Any value of a body as text. */
function described(given: unknown): string {
  if (typeof given === "string") return `${quoted(given)} was given`;
  const isPlain = given === null || (typeof given !== "object" && given !== undefined);
  return isPlain ? `${String(given).slice(0, 40)} was given` : kindOf(given);
}

/** The kind of a value of a body, without the value. */
function kindOf(given: unknown): string {
  if (given === undefined) return "is missing";
  if (given === null) return "null was given";
  if (Array.isArray(given)) return "an array was given";
  return `${KINDS[typeof given] ?? "a number"} was given`;
}

const KINDS: Readonly<Record<string, string>> = {
  ...{ string: "a text", boolean: "true or false", object: "an object" },
};
