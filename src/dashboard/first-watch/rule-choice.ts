// A user's choice for a tag, and the resulting rule of the map: the field, the factor if the PLC
// sends another unit, the meaning of each value if it sends a number for a state.

import { STATE_WORDS, wordOf } from "../../bwts/plc-word.ts";
import type { WrittenRule } from "../../bwts/settings.ts";
import { TAGS, type Tag } from "../../bwts/tags.ts";
import type { OfferedTag } from "./offered-tags.ts";
import type { ShownRule } from "./settings-answer.ts";

export interface RuleChoice {
  readonly field: string;
  /** Name of the unit sent; "" for the field's own, OTHER_UNIT if a factor is typed. */
  readonly unit: string;
  readonly factor: string;
  /** The values sent for each word of the field, separated by commas. */
  readonly values: Readonly<Record<string, string>>;
}

export const OTHER_UNIT = "other";

export const choiceOf = (field: string): RuleChoice => ({
  ...{ field, unit: "", factor: "", values: {} },
});

type Scale = Pick<WrittenRule, "factor" | "offset">;

/** Factors from a unit that is sent to a field's unit, by the field's unit, then the sent one. */
const SCALES: Readonly<Record<string, Readonly<Record<string, Scale>>>> = {
  bar: {
    ...{ mbar: { factor: 0.001 }, kPa: { factor: 0.01 }, MPa: { factor: 10 } },
    psi: { factor: 0.06894757 },
  },
  degC: { "°F": { factor: "5/9", offset: "-160/9" }, K: { offset: -273.15 } },
  "m3/h": {
    ...{ "L/s": { factor: 3.6 }, "L/min": { factor: 0.06 }, "m³/min": { factor: 60 } },
    "US gal/min": { factor: 0.2271247 },
  },
  "W/m2": { "mW/cm²": { factor: 10 }, "µW/cm²": { factor: 0.01 } },
  h: { min: { factor: "1/60" }, s: { factor: "1/3600" } },
  W: { kW: { factor: 1000 } },
  m3: { L: { factor: 0.001 } },
  "%": { "0–1": { factor: 100 } },
  "% of rated": { "0–1": { factor: 100 } },
};

/**
 * The units in which a number may be sent, beside the field's own; null if the field isn't a
 * number.
 */
export function unitsOf({ type, unit }: Tag): readonly string[] | null {
  if (type !== "number" && type !== "integer") return null;
  return Object.keys(SCALES[unit ?? ""] ?? {});
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  PROCESS_STATE: STATE_WORDS,
  operation_type: ["BALLAST", "DEBALLAST"],
  COMPLIANCE_MODE: ["IMO", "USCG"],
  FLT_MOTOR_STATUS: ["NORMAL", "BACKFLUSHING", "STANDBY"],
};

/**
 * The words of the field that the sent values are mapped to; null if the values are used as sent.
 */
export function wordsFor({ name, type }: Tag, sent: OfferedTag["value"]): readonly string[] | null {
  if (type === "boolean") return BOOLEAN.test(String(sent)) ? null : ["true", "false"];
  const words = /_STATUS$/.test(name) && /^LAMP_/.test(name) ? LAMP_WORDS : WORDS[name];
  return words === undefined || words.includes(wordOf(sent) ?? "") ? null : words;
}

const BOOLEAN = /^([01]|true|false)$/i;
const LAMP_WORDS = ["ACTIVE", "STANDBY", "FAILED"];

/** The rule for a choice; null while something is missing, or a value is given for two words. */
export function chosenRule(offered: OfferedTag, choice: RuleChoice): ShownRule | null {
  const { topic, tag } = offered;
  const field = TAGS.find(({ name }) => name === choice.field);
  if (field === undefined) return null;
  const rule = { topic, tag, field: field.name };
  const words = wordsFor(field, offered.value);
  if (words !== null) {
    const values = valuesOf(field, words, choice);
    return values === null ? null : { ...rule, values };
  }
  if (unitsOf(field) === null || choice.unit === "") return rule;
  if (choice.unit !== OTHER_UNIT) return { ...rule, ...SCALES[field.unit ?? ""]?.[choice.unit] };
  const factor = choice.factor.trim().replace(",", ".");
  if (factor === "") return null;
  return { ...rule, factor: Number.isFinite(Number(factor)) ? Number(factor) : factor };
}

function valuesOf({ type }: Tag, words: readonly string[], { values }: RuleChoice) {
  const pairs = words.flatMap((word) =>
    sentIn(values[word] ?? "").map((sent) => [sent, type === "boolean" ? word === "true" : word]),
  );
  return pairs.length === 0 || hasTwice(values) ? null : Object.fromEntries(pairs);
}

const sentIn = (text: string) =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** True if a value is given for two words. */
export function hasTwice(values: RuleChoice["values"]): boolean {
  const all = Object.values(values).flatMap(sentIn);
  return new Set(all).size < all.length;
}

/** The rules as text for the configuration's file, a table each. */
export function ruleText(rules: readonly ShownRule[]): string {
  return rules
    .map(({ topic, ...rule }) => {
      const members = Object.entries(topic === null ? rule : { topic, ...rule });
      const lines = members.map(([name, value]) => `${name} = ${tomlOf(value)}`);
      return ["[[map.rule]]", ...lines].join("\n");
    })
    .join("\n\n");
}

/** A rule on one line: `plc/1: PT101 = SYS_PRESSURE, factor = 0.001`. */
export function ruleLineOf({ topic, tag, field, ...more }: ShownRule): string {
  const rest = Object.entries(more).map(([name, value]) => `, ${name} = ${tomlOf(value)}`);
  return `${topic === null ? "" : `${topic}: `}${tag} = ${field}${rest.join("")}`;
}

function tomlOf(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return JSON.stringify(value);
  const pairs = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)} = ${tomlOf(inner)}`,
  );
  return `{ ${pairs.join(", ")} }`;
}
