// A sealed segment as a block: columns are decoded on demand, and the frames of other columns stay
// compressed.

import { believed, type Spans } from "../../bwts/plausible.ts";
import type { Value } from "../../bwts/reading.ts";
import { RUNTIME_ANALYSIS, TAGS } from "../../bwts/tags.ts";
import { valueAt, valuesOf } from "../../codec/column.ts";
import { lineWriter } from "../../codec/line.ts";
import { type BelievedValues, believedValues } from "../../codec/segment-believed.ts";
import { foldReadings } from "../../codec/segment-bucket.ts";
import { analysisRenderer, type Render, readingRenderer } from "../../codec/segment-json.ts";
import { openSegment, type Segment } from "../../codec/segment-reader.ts";
import type { Block } from "./block.ts";

/**
 * Opens a segment's bytes. `spansNow` gives the spans in force at each use; none by default. Throws
 * a DamagedError for impossible bytes.
 */
export function segmentBlock(
  header: Uint8Array,
  payload: Uint8Array,
  spansNow: () => Spans | null = () => null,
): Block {
  const segment = openSegment({ header, payload });
  let renderReadings: Render | null = null;
  let renderAnalysis: Render | null = null;
  let renderLine: ReturnType<typeof lineWriter> | null = null;
  const believing = openBelieving(segment, spansNow);
  const block: Block = {
    count: segment.count,
    at_ms: (index) => segment.at_ms[index],
    received_ms: (index) => segment.received_ms(index),
    clock_trusted: (index) => segment.clock_trusted(index),
    reading: (index) => segment.reading(index),
    analysed: (index) => ({ at_ms: segment.at_ms[index], values: analysedOf(segment, index) }),
    values(tag) {
      return valuesOf(segment.column(tag));
    },
    writeReadings({ from, to }, out) {
      renderReadings ??= readingRenderer(segment);
      renderReadings({ from, to, between: "," }, out);
    },
    writeAnalysis(index, out) {
      renderAnalysis ??= analysisRenderer(segment);
      renderAnalysis({ from: index, to: index + 1, between: "," }, out);
    },
    writeLine(index, out) {
      renderLine ??= lineWriter(segment);
      renderLine(index, out);
    },
    fold: ({ from, to }, bucket) =>
      foldReadings(segment, { from, to, believedOf: believing() ?? ALL_BELIEVED }, bucket),
    believed() {
      const spans = spansNow();
      const believedOf = believing();
      if (spans === null || believedOf === null) return block;
      return {
        ...block,
        reading: (index) => believed(segment.reading(index), spans),
        values: (tag) => believedOf(tag) ?? valuesOf(segment.column(tag)),
      };
    },
  };
  return block;
}

const ALL_BELIEVED: BelievedValues = () => null;

/** The believed values under the spans in force, determined again when these change. */
function openBelieving(segment: Segment, spansNow: () => Spans | null) {
  let known: { readonly spans: Spans; readonly believedOf: BelievedValues } | null = null;
  return (): BelievedValues | null => {
    const spans = spansNow();
    if (spans === null) return null;
    if (known?.spans !== spans) known = { spans, believedOf: believedValues(segment, spans) };
    return known.believedOf;
  };
}

/** The values for the runtime analysis, by index into `TAGS`; the others are null. */
function analysedOf(segment: Segment, index: number): readonly Value[] {
  const values = new Array<Value>(TAGS.length).fill(null);
  for (const tag of RUNTIME_ANALYSIS) values[tag] = valueAt(segment.column(tag), index);
  return values;
}
