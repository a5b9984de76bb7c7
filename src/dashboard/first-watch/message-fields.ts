// The fields of a message against the catalogue: those that are known, those that aren't, and the
// map rules that would say what an unknown one means.

import { LAMP_COUNT, TAGS, type Tag } from "../../bwts/tags.ts";
import { isLike, listOf, numberOrNull, type Read, textOrNull } from "../store/checks.ts";

export interface MessageField {
  readonly name: string;
  readonly value: string | number | boolean;
  /** Null for a field that the catalogue hasn't. */
  readonly tag: Tag | null;
}

/** Fields that ballastd adds to a reading by itself. */
const OWN: readonly string[] = ["month", "system_id", "timestamp_source"];

/** The fields of a reading that have a value. */
export const readLatest: Read<readonly MessageField[]> = (body) =>
  isLike<Record<string, unknown>>(body) && textOrNull(body.timestamp) !== null
    ? { value: fieldsIn(Object.entries(body)) }
    : null;

function fieldsIn(entries: readonly (readonly [string, unknown])[]): readonly MessageField[] {
  return entries.flatMap(([name, value]) => {
    const isShown = typeof value === "string" || typeof value === "boolean";
    if (OWN.includes(name) || !(isShown || typeof value === "number")) return [];
    return [{ name, value, tag: TAGS.find((tag) => tag.name === name) ?? null }];
  });
}

/** The fields of a payload as it came; none of a text that isn't JSON. */
export function fieldsOfPayload(payload: string): readonly MessageField[] {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return [];
  }
  return fieldsIn(leavesOf("", value)).slice(0, FIELDS_MAX);
}

const FIELDS_MAX = 300;

/** Names as the map has them: `a.b`, `temps[1]`. */
function leavesOf(path: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => {
    const member = path === "" ? name : `${path}.${name}`;
    return leavesOf(Array.isArray(value) ? `${path}[${name}]` : member, inner);
  });
}

export type ShownSpans = ReadonlyMap<string, readonly [number, number]>;

/** The lowest and the highest plausible value of each field aboard. */
export const readSpans: Read<ShownSpans> = (body) => {
  const spans = listOf(body, spanIn);
  return spans === null ? null : { value: new Map(spans.value.flat()) };
};

function spanIn(given: unknown) {
  if (!isLike<{ name: string; span: unknown }>(given)) return null;
  const [name, span] = [textOrNull(given.name), given.span];
  if (name === null) return null;
  if (!Array.isArray(span)) return [];
  const [low, high] = span.map(numberOrNull);
  if (low === undefined || high === undefined || low === null || high === null) return null;
  return [[name, [low, high]] as const] as const;
}

/** True for the plant's state, and for a number that has a span: they tell of the plant. */
export function isMeasured({ name, value }: MessageField, spans: ShownSpans): boolean {
  return name === "PROCESS_STATE" || (typeof value === "number" && spans.has(name));
}

/** False for a number outside its span. */
export function isInSpan({ name, value }: MessageField, spans: ShownSpans): boolean {
  const span = spans.get(name);
  return span === undefined || typeof value !== "number" || (value >= span[0] && value <= span[1]);
}

/** The fields that a rule can name; those of the lamps follow the others. */
export const RULE_FIELDS: readonly Tag[] = TAGS.filter(({ name }) => !OWN.includes(name)).sort(
  (one, other) => lampOf(one) - lampOf(other),
);

function lampOf({ name }: Tag): number {
  const lamp = Number(/^LAMP_(\d\d)_/.exec(name)?.[1] ?? 0);
  return lamp > LAMP_COUNT ? 0 : lamp;
}

/** Rules as the configuration's file has them, a table each. */
export function ruleText(topic: string | null, chosen: ReadonlyMap<string, string>): string {
  return [...chosen]
    .map(([tag, field]) =>
      [
        "[[map.rule]]",
        ...(topic === null ? [] : [`topic = ${JSON.stringify(topic)}`]),
        `tag = ${JSON.stringify(tag)}`,
        `field = ${JSON.stringify(field)}`,
      ].join("\n"),
    )
    .join("\n\n");
}
