// The `[map]` for a PLC with other names: a flat list of rules, each from a topic and a tag to a
// field, because a self-contained rule can be copied, moved and read at 3 in the morning. (Tables
// nested by topic were rejected: in TOML a line in the wrong place silently belongs to another
// topic.) Each rule is read on its own; payload/map-rules.ts knows the catalogue.

import * as z from "zod";
import { filterProblem } from "../ground/topic-filter.ts";
import { shownNumber } from "./shown.ts";
import { expected, isTable, oneOf, table, text } from "./values.ts";

/**
 * Maximum number of rules: more than any plant has tags; each costs memory and time at the start.
 */
const RULES_MAX = 2000;

/** Maximum length of a tag in characters, with all names on its path. */
export const TAG_LENGTH_MAX = 256;
const TAG_EXPECTED = `expected at most ${TAG_LENGTH_MAX} characters, none of them a control`;

/** Type of a text that a rule must have; `problem` is the message without it. */
const needed = (problem: string) =>
  z.string({ error: ({ input }) => (input === undefined ? problem : "expected a text in quotes") });

/** A factor or an offset as a fraction: 1/60 keeps both numbers of its text. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

const DECIMAL = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const FRACTION = new RegExp(`^\\s*(${DECIMAL})\\s*(?:/\\s*(${DECIMAL})\\s*)?$`);

function fractionOf(given: unknown): Fraction {
  const match = typeof given === "string" ? FRACTION.exec(given) : null;
  const numerator = typeof given === "number" ? given : Number(match?.[1] ?? Number.NaN);
  return { numerator, denominator: Number(match?.[2] ?? 1) };
}

/** A fraction as it is written: 0.001 as a number, 1/60 as a text; null for none. */
export function fractionText(given: Fraction | null): number | string | null {
  if (given === null) return null;
  const { numerator, denominator } = given;
  return denominator === 1 ? numerator : `${numerator}/${denominator}`;
}

const FRACTION_EXPECTED = 'a finite number, or a fraction as a text, "1/60"';

const fraction = z.custom<number | string>(
  (given) => {
    const { numerator, denominator } = fractionOf(given);
    return [numerator, denominator, numerator / denominator].every(Number.isFinite);
  },
  expected(FRACTION_EXPECTED, "fraction"),
);

const factor = fraction.refine(
  (given) => fractionOf(given).numerator !== 0,
  expected("a number other than 0", "fraction"),
);

export type MapValue = string | number | boolean;

const values = z
  .custom<Readonly<Record<string, MapValue>>>(
    (given) => isTable(given) && isValues(Object.values(given)),
    expected('a table from values to values, { "3" = "RUNNING" }'),
  )
  .refine((given) => repeated(given) === null, {
    error: ({ input }) => `expected ${shownNumber(repeated(input)) ?? "each value"} once`,
  })
  .transform((given) => {
    const entries = Object.entries(given);
    return Object.fromEntries(entries.map(([raw, value]) => [valueKey(raw), value]));
  });

function isValues(given: readonly unknown[]): boolean {
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  const isFine = (value: unknown) => typeof value === "boolean" || Number.isFinite(value);
  return given.length > 0 && given.every((value) => isText(value) || isFine(value));
}

/** The first key that is the same value as an earlier one by `valueKey`; null for none. */
function repeated(given: unknown): string | null {
  const keys = Object.keys(Object(given));
  const same = (one: string, index: number) =>
    keys.slice(0, index).some((before) => valueKey(before) === valueKey(one));
  return keys.find(same) ?? null;
}

/**
 * Normal form of a value as a key: numbers and texts alike, in any case; 3, "3.0" and "3,0" are
 * one.
 */
export function valueKey(value: MapValue): string {
  const text = String(value).trim().toLowerCase();
  const isNumber = text !== "" && !isOfTwoMeanings(text);
  const number = isNumber ? Number(text.replace(",", ".")) : Number.NaN;
  return Number.isFinite(number) ? String(number) : text;
}

const GOOD_EXPECTED = 'expected a list of good values, [192, "Good"]';
/** True for a text with three digits after its comma: "1,200" could be 1.2 or 1200. */
export function isOfTwoMeanings(text: string): boolean {
  return THREE_BEHIND_COMMA.test(text);
}

const THREE_BEHIND_COMMA = /^[^,]*,\d{3}(?!\d)[^,]*$/;

/** The meaning of a comma in a number's text. */
export type Comma = "decimal" | "thousands";

const rule = table(
  {
    /** A topic filter; null: the contract's own topics for readings. */
    topic: text
      .refine((given) => filterProblem(given) === null, {
        error: ({ input }) => filterProblem(String(input)) ?? "",
      })
      .optional(),
    /** The member's name, with dots into objects; "": the payload itself. */
    tag: needed('has no tag, expected one; "" where the payload itself is the value')
      .max(TAG_LENGTH_MAX, TAG_EXPECTED)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, TAG_EXPECTED),
    /** A field of the catalogue, or the name of an unknown tag. */
    field: needed("has no field, expected one").regex(
      /^[A-Za-z0-9_.-]{1,64}$/,
      "expected 1 to 64 of A-Z a-z 0-9 _ . -",
    ),
    factor: factor.transform(fractionOf).optional(),
    offset: fraction.transform(fractionOf).optional(),
    /** The meaning of a comma in texts of numbers; null: a text such as "1,200" is refused. */
    comma: oneOf("decimal", "thousands").optional(),
    /** The meaning of values, by `valueKey` of the value; null leaves values unchanged. */
    values: values.optional(),
    /** The tag that holds the value's quality, with all names on its path. */
    quality: needed("")
      .max(TAG_LENGTH_MAX, TAG_EXPECTED)
      .regex(/^[^\p{Cc}\p{Cs}]+$/u, TAG_EXPECTED)
      .optional(),
    /** The values of the quality that mean good; all others mean bad. */
    good: z
      .array(z.union([z.string(), z.number(), z.boolean()]), GOOD_EXPECTED)
      .min(1, GOOD_EXPECTED)
      .optional(),
  },
  "expected a table with tag and field",
)
  .refine(
    ({ values, factor, offset }) => values === undefined || (factor ?? offset) === undefined,
    {
      error: "has a factor or offset beside it, expected neither",
      path: ["values"],
    },
  )
  .refine(({ quality, good }) => quality !== undefined || good === undefined, {
    error: "has no quality beside it, expected the tag of which these are the good values",
    path: ["good"],
  })
  .refine(({ values, comma }) => values === undefined || comma === undefined, {
    error: "has a comma beside it, expected none",
    path: ["values"],
  })
  .transform((given) => ({
    ...{ topic: null, factor: null, offset: null, comma: null, values: null },
    ...{ quality: null, good: null },
    ...given,
  }));

/** `map.rule`: a list of tables, or the JSON of one. */
export const ruleList = z.preprocess(
  (given, context) => {
    if (typeof given !== "string") return given;
    try {
      return JSON.parse(given);
    } catch {
      context.addIssue('expected a list in JSON, [{"tag": "PT101", "field": "SYS_PRESSURE"}]');
      return z.NEVER;
    }
  },
  z.array(rule, "expected [[map.rule]] tables").max(RULES_MAX, {
    error: ({ input }) => `has ${Object(input).length}, expected at most ${RULES_MAX} rules`,
  }),
);

/** A rule as configured; `where` is the place of its `field`, for messages. */
export type MapRule = Readonly<z.output<typeof rule>> & { readonly where: string };

/** The configuration's `[map]`. */
export interface MapConfig {
  /** Treatment of tags without a rule, on topics that some rule names. */
  readonly unmapped: "keep" | "drop";
  readonly rule: readonly MapRule[];
}
