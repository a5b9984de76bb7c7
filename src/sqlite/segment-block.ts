// A sealed segment as a block: what is asked for is decoded, and the frames of other columns stay
// compressed.

import type { Block } from "./block.ts";
import { foldReadings } from "./segment/segment-bucket.ts";
import { analysisRenderer, type Render, readingRenderer } from "./segment/segment-json.ts";
import { openSegment } from "./segment/segment-reader.ts";

/** Opens a segment's bytes. Throws a DamagedError when they can't be right. */
export function segmentBlock(header: Uint8Array, payload: Uint8Array): Block {
  const segment = openSegment({ header, payload });
  let renderReadings: Render | null = null;
  let renderAnalysis: Render | null = null;
  return {
    count: segment.count,
    at_ms: (index) => segment.at_ms[index],
    reading: (index) => segment.reading(index),
    writeReadings({ from, to }, out) {
      renderReadings ??= readingRenderer(segment);
      renderReadings({ from, to, between: "," }, out);
    },
    writeAnalysis(index, out) {
      renderAnalysis ??= analysisRenderer(segment);
      renderAnalysis({ from: index, to: index + 1, between: "," }, out);
    },
    fold: (stretch, bucket) => foldReadings(segment, stretch, bucket),
  };
}
