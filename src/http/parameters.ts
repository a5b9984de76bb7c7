// Query parameters, read once. Each is a zod schema from the text of the URL to a query's value;
// the OpenAPI document uses the same schemas, so their `meta` describes what a client may send.
// Number() and Date.parse() are not used: they accept "", "1e3" and 30 February.

import * as z from "zod";
import { TAGS, type Tag, tagIndex } from "../bwts/tags.ts";
import { endOf, type ParsedTime, parseTime, printTime } from "../ground/clock.ts";
import { ownWords } from "../ground/own-words.ts";
import { quoted } from "../ground/quoted.ts";
import type { Range } from "../sqlite/file/query.ts";
import { Refusal } from "./refusal.ts";

/** Maximum number of records in one answer. */
const LIMIT_MAX = 10_000;
/** Longest window back from the latest reading, in hours: ten years. */
const HOURS_MAX = 87_600;
/** Maximum offset: above it a double no longer counts by ones. */
const OFFSET_MAX = 2 ** 53;

interface WholeRange {
  readonly min: number;
  readonly max: number;
  readonly about: string;
  readonly examples?: number[];
}

interface IntegerRange extends WholeRange {
  readonly fallback: number;
}

/** An integer in plain digits, within `min` and `max`. */
export function digitsParameter({ min, max, about, ...more }: WholeRange) {
  const expected = `expected an integer from ${min} to ${max}`;
  return z
    .string(expected)
    .transform((text, context) => {
      // As a bigint, because a double takes 2^53 + 1 for 2^53.
      const value = /^-?[0-9]+$/.test(text) ? BigInt(text) : null;
      if (value !== null && value >= BigInt(min) && value <= BigInt(max)) return Number(value);
      context.addIssue(expected);
      return z.NEVER;
    })
    .meta({ type: "integer", minimum: min, maximum: max, description: about, ...more });
}

/** As `digitsParameter`, with `fallback` if the parameter isn't given. */
function integerParameter({ fallback, ...range }: IntegerRange) {
  const whole = digitsParameter(range);
  return whole.default(fallback).meta({ ...whole.meta(), default: fallback });
}

export const limitParameter = (fallback: number) =>
  integerParameter({ min: 1, max: LIMIT_MAX, fallback, about: "the most records to answer" });

export const offsetParameter = (of: string) =>
  integerParameter({ min: 0, max: OFFSET_MAX, fallback: 0, about: `${of} to skip` });

/** One of `names`; undefined if it isn't given. */
export function oneOfParameter<const Name extends string>(
  names: readonly Name[],
  description: string,
) {
  const expected = `expected ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  return z.enum(names, expected).optional().meta({ description });
}

/**
 * Names of catalogue fields separated by commas, each once, as indices into `TAGS`; or undefined.
 */
export function fieldsParameter(
  isTaken: (tag: Tag) => boolean,
  kind: "number" | "field",
  description: string,
) {
  return z
    .string()
    .transform((text, context): readonly number[] => {
      const names = text.split(",");
      const odd = names.find((name, index) => {
        const tag = tagIndex(name);
        return tag === null || !isTaken(TAGS[tag]) || names.indexOf(name) !== index;
      });
      if (odd === undefined) return names.flatMap((name) => tagIndex(name) ?? []);
      const expected = `expected a ${kind} of /api/tags, once, such as UVR_INTENSITY`;
      context.addIssue(`${quoted(odd)}: ${expected}`);
      return z.NEVER;
    })
    .optional()
    .meta({ type: "string", description, examples: ["UVR_INTENSITY,SYS_FLOW_RATE"] });
}

export const hoursParameter = (fallback: number) =>
  integerParameter({
    min: 1,
    max: HOURS_MAX,
    fallback,
    about: "hours back from the latest reading, not from now",
  });

const DATE_EXPECTED =
  "expected an ISO 8601 date or date and time, such as 2026-05-01 or 2026-05-01T06:30:00Z";

/** A date, or a date and time, as parseTime reads it. */
export function dateParameter(about: string) {
  return z
    .string(DATE_EXPECTED)
    .transform((text, context): ParsedTime => {
      const time = parseTime(text);
      if (time !== null) return time;
      context.addIssue(DATE_EXPECTED);
      return z.NEVER;
    })
    .meta({ type: "string", description: about });
}

export const startDate = dateParameter(
  "ISO 8601, included; without a zone it is UTC, a date alone means its beginning",
).meta({ examples: ["2026-05-01"] });
export const endDate = dateParameter(
  "ISO 8601, included; without a zone it is UTC, a date alone means its end",
).meta({ examples: ["2026-05-31T23:59:59Z"] });

/** Both dates of a range, either of which may be absent. */
export const dates = { startDate: startDate.optional(), endDate: endDate.optional() };

export const interval = z
  .enum(["day", "hour"], "expected day or hour")
  .default("day")
  .meta({ description: "width of a bucket, in UTC" });

/** The range from one date to another, both ends included. */
export function closedRange(dates: { startDate: ParsedTime; endDate: ParsedTime }) {
  const start_ms = dates.startDate.at_ms;
  const end_ms = endOf(dates.endDate);
  if (start_ms <= end_ms) return { start_ms, end_ms };
  throw new Refusal(
    400,
    `startDate ${printTime(start_ms)} is after endDate ${printTime(end_ms)}, ` +
      "expected a start at or before the end",
  );
}

/** As `closedRange`, but open on the sides without a date. */
export function rangeOf({
  startDate,
  endDate,
}: {
  startDate?: ParsedTime;
  endDate?: ParsedTime;
}): Range {
  if (startDate !== undefined && endDate !== undefined) return closedRange({ startDate, endDate });
  const end_ms = endDate === undefined ? null : endOf(endDate);
  return { start_ms: startDate?.at_ms ?? null, end_ms };
}

/** As `rangeOf`, or null if neither date is given. */
export function optionalRange(dates: {
  startDate?: ParsedTime;
  endDate?: ParsedTime;
}): Range | null {
  const range = rangeOf(dates);
  return range.start_ms === null && range.end_ms === null ? null : range;
}

/**
 * Reads the text after the `?`. Parameters that `schema` doesn't know are ignored. Throws a Refusal
 * (400) that names the parameter, the given value and the expected ones.
 */
export function readQuery<Schema extends z.ZodObject>(
  schema: Schema,
  text: string,
): z.output<Schema> {
  const given = new Map<string, string>();
  for (const [name, value] of text === "" ? [] : new URLSearchParams(text)) {
    if (!Object.hasOwn(schema.shape, name)) continue;
    const before = given.get(name);
    if (before !== undefined)
      throw new Refusal(
        400,
        `${name}: given as ${quoted(before)} and again as ${quoted(value)}, expected it once`,
      );
    given.set(name, value);
  }
  const result = schema.safeParse(Object.fromEntries(given), { error: ownWords });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue.path[0]);
  const value = given.get(name);
  const was = value === undefined ? "is missing" : `${quoted(value)} was given`;
  throw new Refusal(400, `${name}: ${was}, ${issue.message}`);
}
