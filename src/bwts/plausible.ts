// Decides if a value that could be read is believed. A broken wire, a wrong scale or a restarted
// gateway gives numbers that no plant has; each field has a span (tags.ts, the sensor's own from
// the configuration), and a value outside it is stored and answered as it came, but is no value for
// whatever is computed. Clamping to the span was rejected: it would invent a measurement.

import type { Value } from "./reading.ts";
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

/** The spans aboard: the catalogue's, flow by the certificate, and what the configuration says. */
export function spansOf({ flow_max_imo, own }: SpanFigures): Spans {
  const flow: Span = [0, FLOW_FACTOR * flow_max_imo];
  return TAGS.map(({ name, span }, index) => own?.get(name) ?? (index === FLOW ? flow : span));
}

/** False for a number outside its span, and for the raw code of a broken wire in any span. */
export function isPlausible(value: Value, span: Span | null): boolean {
  if (span === null || typeof value !== "number") return true;
  return value >= span[0] && value <= span[1] && !isBrokenWire(value);
}

/** The codes of 16 bits; that of a real, 3.4e38, is in no span. */
export function isBrokenWire(value: number): boolean {
  return value === 32767 || value === -32768 || value === 65535;
}

/** `value` of the field with index `tag`; null if it isn't plausible. */
export function plausibleValue(value: Value, tag: number, spans: Spans): Value {
  return isPlausible(value, spans[tag]) ? value : null;
}
