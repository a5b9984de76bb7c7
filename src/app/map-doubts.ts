// Says in words which values of a tried message aren't believed, and which of its tags is the
// reason: a member such as `fault: true` spoils each value beside it, and nobody sees that by the
// values, which are stored as they came.

import { doubts, isBrokenWire, type Spans } from "../bwts/plausible.ts";
import { isGoodTag } from "../bwts/quality.ts";
import { qualifiedBy, qualityTag } from "../bwts/quality-names.ts";
import type { Reading, Scalar, Value } from "../bwts/reading.ts";
import { TAGS, tagIndex } from "../bwts/tags.ts";
import { badMessage } from "../payload/quality.ts";
import type { TagResult } from "../payload/reading.ts";

type TriedReading = Pick<Reading, "values" | "extra">;

export interface DoubtAround {
  readonly readings: readonly TriedReading[];
  readonly spans: Spans;
  /** Tags that rules name as the quality of a field: they say nothing of others. */
  readonly qualities: ReadonlySet<string>;
}

/** The reason why a field isn't believed, or what another tag says of fields; null for none. */
export function doubtIn(noted: TagResult, value: Value, around: DoubtAround): string | null {
  const index = noted.field === null ? null : tagIndex(noted.field);
  if (index !== null) return doubtOn(index, value, around);
  return around.qualities.has(noted.tag) ? null : doubtBy(noted, value);
}

function doubtOn(index: number, value: Value, { readings, spans }: DoubtAround): string | null {
  if (value === null) return null;
  for (const reading of readings) {
    const doubt = reading.values[index] === value ? doubts(reading, spans).get(index) : undefined;
    if (doubt === "implausible") return `not believed: ${implausible(value, index, spans)}`;
    if (doubt === "bad_quality") return `not believed: ${badQuality(TAGS[index].name, reading)}`;
  }
  return null;
}

function implausible(value: Value, index: number, spans: Spans): string {
  if (typeof value === "number" && isBrokenWire(value)) return "the raw code of a broken wire";
  const [low, high] = spans[index] ?? [];
  const unit = TAGS[index].unit;
  return `plausible is ${low} to ${high}${unit === null ? "" : ` ${unit}`}`;
}

function badQuality(field: string, { extra }: TriedReading): string {
  const own = extra.get(qualityTag(field));
  return own === undefined ? "its quality isn't good" : `its quality is ${own}`;
}

/** The fields that a tag beside them, or of the whole message, says are bad; null for none. */
function doubtBy({ tag, given }: Pick<TagResult, "tag" | "given">, value: Value): string | null {
  if (badMessage(tag, given) !== null) return "means bad: no value of this message is believed";
  return value === null ? null : badFieldsBy(tag, value);
}

function badFieldsBy(tag: string, value: Scalar): string | null {
  const qualified = qualifiedBy(tag);
  if (qualified === null || isGoodTag(tag, value)) return null;
  if (qualified === "all") return "means bad: no value of this message is believed";
  const names = qualified.map((index) => TAGS[index].name);
  return `means bad: ${names.join(", ")} isn't believed`;
}
