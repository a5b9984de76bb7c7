// Decides if a value is believed. A broken wire, a wrong scale or a restarted gateway gives numbers
// that no plant has. Each field has a span (tags.ts, or the sensor's own from the configuration). A
// value outside it, or of bad quality, is stored and answered as it was sent, but isn't used in any
// computation. Clamping to the span was rejected: it would invent a measurement.

import { derivedFromLamps, FROM_LAMPS, isDerivedField } from "./merge.ts";
import { isGoodTag } from "./quality.ts";
import { qualifiedBy } from "./quality-names.ts";
import type { Reading, Value } from "./reading.ts";
import { indexOfTag, type Span, TAGS } from "./tags.ts";

/** The span of each field, by index into `TAGS`; null for fields without one. */
export type Spans = readonly (Span | null)[];

/** The ship's figures that spans depend on. */
export interface SpanFigures {
  /** The certified flow, m3/h. */
  readonly flow_max_imo: number;
  /** Spans from the configuration, by field. They replace those of the catalogue. */
  readonly own?: ReadonlyMap<string, Span>;
}

/** A flow is plausible up to this multiple of the certified one. */
const FLOW_FACTOR = 3;
const FLOW = indexOfTag("SYS_FLOW_RATE");

/**
 * The spans aboard: the catalogue's; for flow by the certificate; the configuration's replace both.
 */
export function spansOf({ flow_max_imo, own }: SpanFigures): Spans {
  const flow: Span = [0, FLOW_FACTOR * flow_max_imo];
  return TAGS.map(({ name, span }, index) => own?.get(name) ?? (index === FLOW ? flow : span));
}

/** A span that differs from the catalogue's, by its field. */
export type OwnSpan = [field: string, low: number, high: number];

/** The spans that differ from the catalogue's. */
export function ownSpans(spans: Spans): OwnSpan[] {
  return TAGS.flatMap(({ name, span: usual }, tag): OwnSpan[] => {
    const span = spans[tag];
    if (span === null || (span[0] === usual?.[0] && span[1] === usual[1])) return [];
    return [[name, span[0], span[1]]];
  });
}

/** All spans, from a list made by `ownSpans`. */
export function spansWith(own: readonly OwnSpan[]): Spans {
  const by_name = new Map(own.map(([name, low, high]): [string, Span] => [name, [low, high]]));
  return TAGS.map(({ name, span }) => (span === null ? null : (by_name.get(name) ?? span)));
}

/** False for a number outside its span, and for the raw code of a broken wire in any span. */
export function isPlausible(value: Value, span: Span | null): boolean {
  if (span === null || typeof value !== "number") return true;
  return value >= span[0] && value <= span[1] && !isBrokenWire(value);
}

/**
 * True for codes of a broken wire in 16 bits. The code of a real, 3.4e38, is outside every span.
 */
export function isBrokenWire(value: number): boolean {
  return value === 32767 || value === -32768 || value === 65535;
}

/** `value` of the field with index `tag`; null if it isn't plausible. */
export function plausibleValue(value: Value, tag: number, spans: Spans): Value {
  return isPlausible(value, spans[tag]) ? value : null;
}

/** The reason why a value isn't believed. */
export type Doubt = "implausible" | "bad_quality";

/** The fields with a value that isn't believed, by index into `TAGS`, ascending. */
export function doubts(
  { values, extra }: Pick<Reading, "values" | "extra">,
  spans: Spans,
): ReadonlyMap<number, Doubt> {
  if (isAllBelieved(values, extra, spans)) return NO_DOUBTS;
  const bad = badFields(extra);
  const found = new Map<number, Doubt>();
  for (let tag = 1; tag < values.length; tag += 1) {
    const value = values[tag];
    if (value === null) continue;
    if (!isPlausible(value, spans[tag])) found.set(tag, "implausible");
    else if (bad.has(tag) || (bad.has("all") && !BESIDE_QUALITY.has(tag)))
      found.set(tag, "bad_quality");
  }
  return found;
}

/**
 * The names of the fields that aren't believed; empty if `spans` is null, which believes every
 * value.
 */
export function doubtedNames(
  reading: Pick<Reading, "values" | "extra">,
  spans: Spans | null,
): string[] {
  return spans === null ? [] : [...doubts(reading, spans).keys()].map((tag) => TAGS[tag].name);
}

const NO_DOUBTS: ReadonlyMap<number, Doubt> = new Map();

/**
 * Fields that ballastd itself adds to a reading; the quality of a message doesn't apply to them.
 */
export const BESIDE_QUALITY: ReadonlySet<number> = new Set([
  indexOfTag("system_id"),
  indexOfTag("month"),
]);

/**
 * True if every value is believed, as in nearly every reading. For speed it allocates nothing, and
 * compares a number three times.
 */
function isAllBelieved(values: readonly Value[], extra: Reading["extra"], spans: Spans): boolean {
  for (let tag = 1; tag < values.length; tag += 1) {
    const value = values[tag];
    if (typeof value !== "number") continue;
    const span = spans[tag];
    if (span === null) continue;
    if (value < span[0] || value > span[1] || (value >= 32767 && isBrokenWire(value))) return false;
    if (value === -32768) return false;
  }
  if (extra.size > 0)
    for (const [name, quality] of extra)
      if (qualifiedBy(name) !== null && !isGoodTag(name, quality)) return false;
  return true;
}

function badFields(extra: Reading["extra"]): ReadonlySet<number | "all"> {
  const bad = new Set<number | "all">();
  for (const [name, quality] of extra) {
    const qualified = qualifiedBy(name);
    if (qualified === null || isGoodTag(name, quality)) continue;
    if (qualified === "all") bad.add(qualified);
    else for (const tag of qualified) bad.add(tag);
  }
  return bad;
}

/**
 * The reading with null for each value that isn't believed; the same object if all are. Fields
 * derived from the lamps are derived again from the believed values.
 */
export function believed<Of extends Pick<Reading, "values" | "extra" | "derived">>(
  reading: Of,
  spans: Spans,
): Of {
  const found = doubts(reading, spans);
  if (found.size === 0) return reading;
  const values = reading.values.map((value, tag) => (found.has(tag) ? null : value));
  for (const [tag, sources] of FROM_LAMPS)
    if (isDerivedField(reading.derived, tag) && sources.some((source) => found.has(source)))
      values[tag] = plausibleValue(derivedFromLamps(tag, values), tag, spans);
  return { ...reading, values };
}
