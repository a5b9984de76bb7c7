// The plausible spans of fields by the ship's configuration: checked against the catalogue, XX
// expanded for every lamp. It is in this folder because only this one knows both.

import { type Spans, spansOf } from "../bwts/plausible.ts";
import { LAMP_NUMBERS, type Span, TAGS, tagIndex } from "../bwts/tags.ts";
import { refused } from "../config/shown.ts";
import { SPAN_FORM } from "../config/values.ts";
import { similarField } from "./similar-field.ts";

/** The parts of the configuration that spans depend on. */
export interface SpanConfig {
  readonly limits: { readonly flow_max_imo: number };
  readonly sensors: { readonly spans: readonly string[] };
}

/** Maximum end of a span: larger numbers are raw codes of a broken wire. */
const END_MAX = 1e12;

/** The ship's spans. Throws a Failure (exit 78) for an impossible one. */
export function spansAboard({ limits, sensors }: SpanConfig): Spans {
  const own = new Map<string, Span>();
  for (const text of sensors.spans) {
    const [, field = "", low = "", high = ""] = SPAN_FORM.exec(text) ?? [];
    const span: Span = [Number(low), Number(high)];
    if (!(span[0] < span[1]) || span.some((end) => Math.abs(end) > END_MAX))
      throw refused(WHERE, `has ${low} to ${high} for ${field}, expected the lower end first`);
    for (const name of fieldsOf(field)) {
      if (own.has(name)) throw refused(WHERE, `has ${name} twice, expected it once`);
      own.set(name, span);
    }
  }
  return spansOf({ flow_max_imo: limits.flow_max_imo, own });
}

const WHERE = "sensors.spans";

function fieldsOf(field: string): readonly string[] {
  const names = field.startsWith("LAMP_XX_")
    ? LAMP_NUMBERS.map((number) => field.replace("XX", number))
    : [field];
  const tag = TAGS[tagIndex(names[0]) ?? -1];
  if (tag === undefined) {
    const similar = similarField(field);
    throw refused(WHERE, `has ${field}, expected a field${similar ? `: ${similar}` : ""}`);
  }
  if (tag.span === null)
    throw refused(WHERE, `has ${field}, which is a ${tag.type}, expected a number's field`);
  return names;
}
