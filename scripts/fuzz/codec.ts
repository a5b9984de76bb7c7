// Fuzzes the codec of sealed readings: random columns must come back bit for bit, and of damaged
// bytes each reading is either decoded to something or refused with a DamagedError: nothing else is
// thrown, and a reading that comes back is one that can be printed and summed up.

import { emptyBucket } from "../../src/bwts/bucket.ts";
import { DamagedError } from "../../src/codec/bytes.ts";
import { JsonWriter } from "../../src/codec/json-writer.ts";
import { encodePlainSegment, encodeSegment, type SegmentBytes } from "../../src/codec/segment.ts";
import { differenceFrom } from "../../src/codec/segment-check.ts";
import { messageOf } from "../../src/ground/errors.ts";
import { segmentBlock } from "../../src/sqlite/sealed/segment-block.ts";
import type { Random } from "../../test/rig/random.ts";
import { randomReadings } from "./readings.ts";
import type { CaseFuzzer } from "./run.ts";

const COUNTS = [1, 2, 3, 17, 64, 65, 300, 1025];
const DAMAGES = 24;

/** A case: one segment there and back, and damaged in a number of ways. */
export function fuzzCodec(): CaseFuzzer {
  return (random, tally) => {
    const readings = randomReadings(random, random.pick(COUNTS), 1_700_000_000_000);
    const bytes = random.chance(0.9) ? encodeSegment(readings) : encodePlainSegment(readings);
    tally("segments there and back");
    const difference = differenceOf(bytes, readings);
    if (difference !== null) return `came back otherwise: ${difference}`;
    for (let count = 0; count < DAMAGES; count += 1) {
      const problem = problemOf(damagedBytes(random, bytes), tally);
      if (problem !== null) return problem;
    }
    return null;
  };
}

function differenceOf(...sealed: Parameters<typeof differenceFrom>): string | null {
  try {
    return differenceFrom(...sealed);
  } catch (error) {
    return messageOf(error);
  }
}

function problemOf(bytes: SegmentBytes, tally: (kind: string) => void): string | null {
  try {
    read(bytes);
    tally("damaged segments that could be read");
    return null;
  } catch (error) {
    tally("damaged segments refused");
    if (error instanceof DamagedError) return null;
    return `a damaged segment: ${error instanceof Error ? error.stack : messageOf(error)}`;
  }
}

/** Everything that is done with a segment. */
function read({ header, payload }: SegmentBytes): void {
  const block = segmentBlock(header, payload);
  const all = { from: 0, to: block.count };
  const out = new JsonWriter();
  for (let index = 0; index < block.count; index += Math.ceil(block.count / 16)) {
    block.reading(index);
    block.analysed(index);
    block.writeAnalysis(index, out);
  }
  block.writeReadings({ from: 0, to: Math.min(block.count, 32) }, out);
  block.fold(all, emptyBucket());
}

function damagedBytes(random: Random, { header, payload }: SegmentBytes): SegmentBytes {
  const inHeader = random.chance(0.6);
  return {
    header: inHeader ? damaged(random, header) : header,
    payload: inHeader && random.chance(0.9) ? payload : damaged(random, payload),
  };
}

/** A damaged copy: bits turned, bytes replaced, cut, doubled, zeroed or put in. */
export function damaged(random: Random, bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  const at = random.between(0, Math.max(0, copy.length - 1));
  const end = Math.min(copy.length, at + random.pick([1, 2, 16, 512]));
  switch (random.between(0, 5)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      return copy.fill(random.pick([0, 255]), at, end);
    case 2:
      return Buffer.concat([copy.subarray(0, end), copy.subarray(at)]);
    case 3:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(end)]);
    default:
      for (let times = random.between(1, 4); times > 0 && copy.length > 0; times -= 1)
        copy[random.between(0, copy.length - 1)] ^= 1 << random.between(0, 7);
      return copy;
  }
}
