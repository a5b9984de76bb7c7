// Segments from every side: what comes back is what was sealed, the JSON is the text that the plain
// writer gives, buckets are those that are folded reading by reading, and damage ends in an error.

import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addReading, emptyBucket } from "../../../src/bwts/bucket.ts";
import type { Reading, Value } from "../../../src/bwts/reading.ts";
import { TAGS } from "../../../src/bwts/tags.ts";
import { DamagedError } from "../../../src/codec/bytes.ts";
import { writeAnalysis, writeReading } from "../../../src/codec/json.ts";
import { JsonWriter } from "../../../src/codec/json-writer.ts";
import { encodePlainSegment, encodeSegment } from "../../../src/codec/segment.ts";
import { foldReadings } from "../../../src/codec/segment-bucket.ts";
import { differenceFrom } from "../../../src/codec/segment-check.ts";
import { analysisRenderer, readingRenderer } from "../../../src/codec/segment-json.ts";
import { openSegment, readSegmentHead, type Segment } from "../../../src/codec/segment-reader.ts";
import { createRandom } from "../../../src/simulator/random.ts";
import { segmentBlock } from "../../../src/sqlite/sealed/segment-block.ts";
import { analysisJson, readingJson } from "../../rig/plain-json.ts";
import { sized } from "../../rig/scale.ts";
import { anyReadings, plantReadings } from "../../rig/segment-readings.ts";

const SEED = 20_260_101;

function randomOf(seed: number): () => number {
  const random = createRandom(seed);
  let draws = 0;
  return () => {
    draws += 1;
    return random.unit("test", draws);
  };
}

function readingsOf(segment: Segment): Reading[] {
  return Array.from({ length: segment.count }, (_, row) => segment.reading(row));
}

// Object.is on every value, and the order of the unknown tags: toEqual alone takes -0 for 0 nowhere
// and order in maps nowhere.
function expectSame(found: readonly Reading[], sealed: readonly Reading[]): void {
  expect(found).toStrictEqual(sealed);
  expect(found.map(({ extra }) => [...extra.keys()])).toEqual(
    sealed.map(({ extra }) => [...extra.keys()]),
  );
}

function rendered(segment: Segment): { readings: string; analysis: string } {
  const into = new JsonWriter(64);
  const rows = { from: 0, to: segment.count, between: "," } as const;
  readingRenderer(segment)(rows, into);
  const readings = into.written.toString("utf8");
  into.clear();
  analysisRenderer(segment)(rows, into);
  return { readings, analysis: into.written.toString("utf8") };
}

// A lone surrogate has no UTF-8: both are compared as bytes say them.
const asUtf8 = (text: string) => Buffer.from(text, "utf8").toString("utf8");

describe(`segments (seed ${SEED})`, () => {
  test.each([
    ["sealed", encodeSegment],
    ["sealed plainly", encodePlainSegment],
  ])("any readings %s come back bit for bit, and print as they are", (_, encode) => {
    fc.assert(
      fc.property(anyReadings(12), (readings) => {
        const bytes = encode(readings);
        expect(differenceFrom(bytes, readings)).toBeNull();
        const segment = openSegment(bytes);
        expectSame(readingsOf(segment), readings);
        const json = rendered(segment);
        expect(json.readings).toBe(asUtf8(readings.map(readingJson).join(",")));
        expect(json.analysis).toBe(asUtf8(readings.map(analysisJson).join(",")));
      }),
      { seed: SEED, numRuns: sized(50, 150) },
    );
  });

  test("any readings print the same when they aren't sealed", () => {
    fc.assert(
      fc.property(anyReadings(12), (readings) => {
        const out = new JsonWriter(64);
        for (const reading of readings) writeReading(reading, out);
        expect(out.written.toString()).toBe(asUtf8(readings.map(readingJson).join("")));
        out.clear();
        for (const reading of readings) writeAnalysis(reading, out);
        expect(out.written.toString()).toBe(asUtf8(readings.map(analysisJson).join("")));
      }),
      { seed: SEED, numRuns: sized(50, 150) },
    );
  });

  test("differ from readings of which one value is another, and tell which", () => {
    const readings = plantReadings(300, randomOf(SEED));
    const bytes = encodeSegment(readings);
    const random = randomOf(SEED + 1);
    for (let trial = 0; trial < 50; trial += 1) {
      const row = Math.floor(random() * readings.length);
      const index = 1 + Math.floor(random() * (TAGS.length - 1));
      const values = readings[row].values.with(index, random() < 0.5 ? -0 : "other");
      const others = readings.with(row, { ...readings[row], values });
      expect(differenceFrom(bytes, others)).toContain(`reading ${row}, column ${index}:`);
    }
    const [first, ...rest] = readings;
    const renamed = { ...first, extra: new Map([["another", 1]]) };
    expect(differenceFrom(bytes, [renamed, ...rest])).toContain(
      "reading 0: what it says of itself",
    );
    expect(differenceFrom(bytes, rest)).toBe("300 readings: expected 299");
  });

  test.each([1, 2, 63, 700, 1500])("%i readings of a plant come back bit for bit", (count) => {
    const readings = plantReadings(count, randomOf(SEED + count));
    const bytes = encodeSegment(readings);
    const segment = openSegment(bytes);
    expectSame(readingsOf(segment), readings);
    expect(rendered(segment).readings).toBe(readings.map(readingJson).join(","));
    expect(readSegmentHead(bytes.header)).toMatchObject({
      count,
      first_ms: readings[0]?.at_ms,
      last_ms: readings.at(-1)?.at_ms,
    });
  });

  test("folding rows gives the bucket of addReading, wherever the rows are cut", () => {
    const readings = plantReadings(400, randomOf(SEED));
    const segment = openSegment(encodeSegment(readings));
    const folded = emptyBucket();
    const added = emptyBucket();
    for (const [from, to] of [
      [0, 1],
      [1, 1],
      [1, 130],
      [130, 400],
    ])
      foldReadings(segment, { from, to, believedOf: () => null }, folded);
    for (const reading of readings) addReading(added, reading);
    expect(folded).toStrictEqual(added);
  });

  test("folding any readings gives the bucket of addReading", () => {
    fc.assert(
      fc.property(anyReadings(8), (readings) => {
        const folded = emptyBucket();
        const added = emptyBucket();
        const segment = openSegment(encodeSegment(readings));
        const all = { from: 0, to: readings.length };
        foldReadings(segment, { ...all, believedOf: () => null }, folded);
        for (const reading of readings) addReading(added, reading);
        expect(folded).toStrictEqual(added);
      }),
      { seed: SEED, numRuns: 50 },
    );
  });

  test("some columns are read without the frames of others", () => {
    const { header, payload } = encodeSegment(plantReadings(300, randomOf(SEED)));
    const blank = openSegment({ header, payload: new Uint8Array(payload.length) });
    expect(blank.count).toBe(300);
    expect(() => blank.reading(0)).toThrow(DamagedError);
  });

  test("a thousand readings that are all the same cost less than a byte each", () => {
    const [reading] = plantReadings(1, randomOf(SEED));
    if (reading === undefined) throw new Error("expected a reading");
    const readings = Array.from({ length: 1000 }, (_, i) => ({
      ...reading,
      at_ms: reading.at_ms + i * 1000,
      received_ms: reading.received_ms + i * 1000,
    }));
    const { header, payload } = encodeSegment(readings);
    expect(header.length + payload.length).toBeLessThan(1000);
  });
});

test("the example of docs/storage.md is a segment with these bytes", () => {
  const at_ms = Date.UTC(2026, 0, 1);
  const readings = [612.3, 613, 612.9].map((intensity, index): Reading => {
    const given = new Map<string, Value>([
      ["UVR_INTENSITY", intensity],
      ["PROCESS_STATE", "RUNNING"],
      ["month", 1],
    ]);
    return {
      at_ms: at_ms + index * 180_000,
      received_ms: at_ms + index * 180_000 + 40,
      clock_trusted: true,
      values: TAGS.map(({ name }) => given.get(name) ?? null),
      derived: 7,
      extra: new Map(),
    };
  });
  const page = readFileSync(path.join(import.meta.dirname, "../../../docs/storage.md"), "utf8");
  const { header, payload } = encodeSegment(readings);
  const shown = page.slice(page.indexOf("### An example")).replaceAll(/ {2,}.*$|\s/gm, "");
  expect(shown).toContain(Buffer.from(header).toString("hex"));
  expect(shown).toContain(Buffer.from(payload).toString("hex"));
});

describe("damaged segments", () => {
  const readings = plantReadings(120, randomOf(SEED));
  const bytes = encodeSegment(readings);

  // Allowed effects of damage: none, other values, or a DamagedError.
  function readAll(header: Uint8Array, payload: Uint8Array): void {
    try {
      readingsOf(openSegment({ header, payload }));
      const block = segmentBlock(header, payload);
      block.writeReadings({ from: 0, to: block.count }, new JsonWriter());
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(DamagedError);
    }
  }

  test("a flipped bit anywhere ends in an error or in values, never in a hang", () => {
    const random = randomOf(SEED);
    for (let flip = 0; flip < sized(200, 600); flip += 1) {
      const header = Uint8Array.from(bytes.header);
      const payload = Uint8Array.from(bytes.payload);
      const part = flip % 2 === 0 ? header : payload;
      part[Math.floor(random() * part.length)] ^= 1 << Math.floor(random() * 8);
      readAll(header, payload);
    }
  });

  test.each([
    ["first", 2, -1],
    ["last", 10, 1],
    ["last", 10, 1e300],
  ])("a header that names another %s time (byte %d, by %d) is refused", (_end, at, by) => {
    const header = Uint8Array.from(bytes.header);
    const view = new DataView(header.buffer);
    view.setFloat64(at, view.getFloat64(at, true) + by, true);
    expect(() => openSegment({ ...bytes, header }).at_ms).toThrow(DamagedError);
  });

  test("a part cut short is refused", () => {
    for (let length = 0; length < bytes.header.length; length += 7)
      expect(() => openSegment({ ...bytes, header: bytes.header.subarray(0, length) })).toThrow(
        DamagedError,
      );
    expect(() => openSegment({ ...bytes, payload: bytes.payload.subarray(1) })).toThrow(
      DamagedError,
    );
  });

  test("a directory that isn't one is refused or read, but never followed out of bounds", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 400 }), (noise) => {
        readAll(Uint8Array.from([1, 5, ...noise]), noise);
      }),
      { seed: SEED, numRuns: sized(100, 300) },
    );
  });
});
