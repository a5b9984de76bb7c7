// The `[map]` for a PLC with other names: a flat list of rules, each from a topic and a tag to a
// field, because a self-contained rule can be copied, moved and read at 3 in the morning. (Tables
// nested by topic were rejected: in TOML a line in the wrong place silently belongs to another
// topic.) Each rule is read on its own; mqtt/map-rules.ts knows the catalogue.

import { filterProblem } from "../ground/topic-filter.ts";
import type { Spot } from "./place.ts";
import { refused, refusedValue } from "./rules.ts";
import { kindOf, shownNumber, Unfit } from "./shown.ts";
import { readText } from "./values.ts";

/** A factor or an offset: 1/60 keeps the two numbers of its text. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** A rule as configured. */
export interface MapRule {
  /** A topic filter; null: the contract's own topics for readings. */
  readonly topic: string | null;
  /** The member's name, with dots into objects; "": the payload itself. */
  readonly tag: string;
  /** A field of the catalogue, or the name of an unknown tag. */
  readonly field: string;
  readonly factor: Fraction | null;
  readonly offset: Fraction | null;
  /** The meaning of values, by `valueKey` of the value; null leaves values unchanged. */
  readonly values: Readonly<Record<string, string | number | boolean>> | null;
  /** The place of its `field` in the configuration, for messages. */
  readonly where: string;
}

/** The configuration's `[map]`. */
export interface MapConfig {
  /** The treatment of tags without a rule, on topics of some rule. */
  readonly unmapped: "keep" | "drop";
  readonly rule: readonly MapRule[];
}

/** More than any plant has tags; each rule costs memory and time at the start. */
const RULES_MAX = 2000;

/** The longest tag, with all names on its path. */
export const TAG_LENGTH_MAX = 256;

const readers: Readonly<Record<string, (given: unknown) => unknown>> = {
  topic: readTopic,
  tag: readTag,
  field: readField,
  factor: readFactor,
  offset: readFraction,
  values: readValues,
};

/** Reads `map.rule`: a list of tables, or the JSON of one. Throws a Failure (exit 78). */
export function readMapRules(
  given: unknown,
  whereIs: (part: Omit<Spot, "name">) => string,
): readonly MapRule[] {
  const list = typeof given === "string" ? parsed(given) : given;
  if (!Array.isArray(list)) throw new Unfit("expected [[map.rule]] tables");
  if (list.length > RULES_MAX)
    throw refused(whereIs({}), `has ${list.length}, expected at most ${RULES_MAX} rules`);
  return list.map((rule: unknown, item) => {
    const place = (key?: string) => whereIs({ item, ...(key === undefined ? {} : { key }) });
    return readRule(rule, place);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unfit('expected a list in JSON, [{"tag": "PT101", "field": "SYS_PRESSURE"}]');
  }
}

function readRule(given: unknown, place: (key?: string) => string): MapRule {
  if (given === null || typeof given !== "object" || Array.isArray(given))
    throw refused(place(), `is ${kindOf(given)}, expected a table with tag and field`);
  const rule: Record<string, unknown> = { topic: null, factor: null, offset: null, values: null };
  for (const [key, value] of Object.entries(given)) {
    const known = Object.keys(readers);
    if (!known.includes(key)) throw refused(place(key), `is unknown, expected ${known.join(", ")}`);
    try {
      rule[key] = readers[key]?.(value);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      throw refusedValue(place(key), { given: value, shown: error.shown }, error.message);
    }
  }
  const { topic, tag, field, factor, offset, values } = rule;
  if (tag === undefined)
    throw refused(place(), 'has no tag, expected one; "" where the payload itself is the value');
  if (field === undefined) throw refused(place(), "has no field, expected one");
  if (values !== null && (factor !== null || offset !== null))
    throw refused(place("values"), "has a factor or offset beside it, expected neither");
  return JSON.parse(
    JSON.stringify({ topic, tag, field, factor, offset, values, where: place("field") }),
  );
}

function readTopic(given: unknown): string {
  const topic = readText(given);
  const problem = filterProblem(topic);
  if (problem !== null) throw new Unfit(problem);
  return topic;
}

function readTag(given: unknown): string {
  const tag = readText(given);
  if (tag.length > TAG_LENGTH_MAX || /[\p{Cc}\p{Cs}]/u.test(tag))
    throw new Unfit(`expected at most ${TAG_LENGTH_MAX} characters, none of them a control`);
  return tag;
}

function readField(given: unknown): string {
  const field = readText(given);
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(field))
    throw new Unfit("expected 1 to 64 of A-Z a-z 0-9 _ . -");
  return field;
}

function readFactor(given: unknown): Fraction {
  const fraction = readFraction(given);
  if (fraction.numerator === 0)
    throw new Unfit("expected a number other than 0", shownFraction(given));
  return fraction;
}

const DECIMAL = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const FRACTION = new RegExp(`^\\s*(${DECIMAL})\\s*(?:/\\s*(${DECIMAL})\\s*)?$`);

function readFraction(given: unknown): Fraction {
  const match = typeof given === "string" ? FRACTION.exec(given) : null;
  const numerator = typeof given === "number" ? given : Number(match?.[1] ?? Number.NaN);
  const denominator = Number(match?.[2] ?? 1);
  const isFine = [numerator, denominator, numerator / denominator].every(Number.isFinite);
  if (isFine) return { numerator, denominator };
  throw new Unfit(
    'expected a finite number, or a fraction as a text, "1/60"',
    shownFraction(given),
  );
}

function shownFraction(given: unknown): string | null {
  const isFraction = typeof given === "string" && /^\d{1,5} ?\/ ?\d{1,5}$/.test(given);
  return isFraction ? JSON.stringify(given) : shownNumber(given);
}

function readValues(given: unknown): MapRule["values"] {
  const expected = new Unfit('expected a table from values to values, { "3" = "RUNNING" }');
  if (given === null || typeof given !== "object" || Array.isArray(given)) throw expected;
  const values: Record<string, string | number | boolean> = {};
  for (const [raw, value] of Object.entries(given)) {
    const isText = typeof value === "string" && value !== "";
    if (!isText && typeof value !== "boolean" && !Number.isFinite(value)) throw expected;
    const key = valueKey(raw);
    if (Object.hasOwn(values, key))
      throw new Unfit(`expected ${shownNumber(raw) ?? "each value"} once`);
    values[key] = value;
  }
  if (Object.keys(values).length === 0) throw expected;
  return values;
}

/** The key for values: numbers and texts alike, in any case, 3 as "3.0" and "3,0". */
export function valueKey(value: string | number | boolean): string {
  const text = String(value).trim().toLowerCase();
  const number = text === "" ? Number.NaN : Number(text.replace(",", "."));
  return Number.isFinite(number) ? String(number) : text;
}
