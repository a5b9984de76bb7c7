// Compares the fields of the newest reading with the catalogue and the configured spans, and lists
// the fields that a rule of the map can name.

import { LAMP_COUNT, TAGS, type Tag } from "../../bwts/tags.ts";
import { isLike, listOf, numberOrNull, type Read, textOrNull } from "../store/checks.ts";

export interface MessageField {
  readonly name: string;
  readonly value: string | number | boolean;
  /** The catalogue's field; null if it has none of that name. */
  readonly tag: Tag | null;
}

/** Fields that ballastd itself adds to a reading. */
const OWN: readonly string[] = ["month", "system_id", "timestamp_source"];

/** Reads the fields of a reading that have a value. */
export const readLatest: Read<readonly MessageField[]> = (body) =>
  isLike<Record<string, unknown>>(body) && textOrNull(body.timestamp) !== null
    ? { value: fieldsIn(body) }
    : null;

function fieldsIn(reading: Readonly<Record<string, unknown>>): readonly MessageField[] {
  return Object.entries(reading).flatMap(([name, value]) => {
    const isShown = typeof value === "string" || typeof value === "boolean";
    if (OWN.includes(name) || !(isShown || typeof value === "number")) return [];
    return [{ name, value, tag: TAGS.find((tag) => tag.name === name) ?? null }];
  });
}

export type ShownSpans = ReadonlyMap<string, readonly [number, number]>;

/** Reads the lowest and the highest plausible value of each field, as configured aboard. */
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

/** True for the plant's state, and for a number that has a span: both are measured by the plant. */
export function isMeasured({ name, value }: MessageField, spans: ShownSpans): boolean {
  return name === "PROCESS_STATE" || (typeof value === "number" && spans.has(name));
}

/** True unless the value is a number outside its span. */
export function isInSpan({ name, value }: MessageField, spans: ShownSpans): boolean {
  const span = spans.get(name);
  return span === undefined || typeof value !== "number" || (value >= span[0] && value <= span[1]);
}

/** The fields that a rule can name, those of the lamps last. */
export const RULE_FIELDS: readonly Tag[] = TAGS.filter(({ name }) => !OWN.includes(name)).sort(
  (one, other) => lampOf(one) - lampOf(other),
);

function lampOf({ name }: Tag): number {
  const lamp = Number(/^LAMP_(\d\d)_/.exec(name)?.[1] ?? 0);
  return lamp > LAMP_COUNT ? 0 : lamp;
}
