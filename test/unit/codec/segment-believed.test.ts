// The believed values of a segment, against those of its readings one by one: whatever stands in a
// column, and whatever qualities stand beside it.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addReading, emptyBucket } from "../../../src/bwts/bucket.ts";
import { believed, doubts, spansOf } from "../../../src/bwts/plausible.ts";
import type { Reading, Scalar } from "../../../src/bwts/reading.ts";
import { indexOfTag, TAGS, type TagName } from "../../../src/bwts/tags.ts";
import { valueAt } from "../../../src/codec/column.ts";
import { encodeSegment } from "../../../src/codec/segment.ts";
import { believedValues } from "../../../src/codec/segment-believed.ts";
import { foldReadings } from "../../../src/codec/segment-bucket.ts";
import { openSegment } from "../../../src/codec/segment-reader.ts";
import { createRandom } from "../../../src/simulator/random.ts";
import { sized } from "../../rig/scale.ts";
import { plantReadings } from "../../rig/segment-readings.ts";

const SEED = 20_261_127;
const SPANS = spansOf({ flow_max_imo: 500 });
const FLT_MAX = 3.4028234663852886e38;

/** A code or a quality, and the reading and the field that it is put to. */
const spoilt = fc.record({
  row: fc.nat(),
  tag: fc.integer({ min: 1, max: TAGS.length - 1 }),
  code: fc.constantFrom(32767, -32768, 65535, FLT_MAX, -FLT_MAX, 1e9 + 1, null),
  name: fc.constantFrom(".q", "_quality", ".Quality", "_QC"),
  quality: fc.constantFrom<Scalar | null>(null, false, true, 192, 0, 515, "Bad_Stale", "good"),
  whole: fc.constantFrom<Scalar | null>(null, null, null, "Good", "Bad", 0),
});

function drawn(seed: number): () => number {
  const random = createRandom(seed);
  let draws = 0;
  return () => {
    draws += 1;
    return random.unit("test", draws);
  };
}

describe("a segment's believed values", () => {
  test("are those of each of its readings, and its fold is that of the believed readings", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.array(spoilt, { maxLength: 12 }),
        (seed, spoils) => {
          const readings = spoiltReadings(plantReadings(40, drawn(seed)), spoils);
          const segment = openSegment(encodeSegment(readings));
          const believedOf = believedValues(segment, SPANS);
          const expected = readings.map((reading) => believed(reading, SPANS));
          for (let tag = 1; tag < TAGS.length; tag += 1) {
            const value = believedOf(tag) ?? ((row: number) => valueAt(segment.column(tag), row));
            const found = readings.map((_, row) => value(row));
            expect(found, TAGS[tag].name).toStrictEqual(expected.map(({ values }) => values[tag]));
          }
          const [folded, added] = [emptyBucket(), emptyBucket()];
          foldReadings(segment, { from: 0, to: 40, believedOf }, folded);
          for (const reading of expected) addReading(added, reading);
          expect(folded).toStrictEqual(added);
        },
      ),
      { seed: SEED, numRuns: sized(20, 60) },
    );
  });

  test("are the column itself where all are plausible, so that nothing is paid for them", () => {
    const readings = plausibleReadings();
    const believedOf = believedValues(openSegment(encodeSegment(readings)), SPANS);
    expect(TAGS.filter((_, tag) => tag > 0 && believedOf(tag) !== null)).toEqual([]);
  });

  test("give a derived mean without the broken lamp, and a sent mean as it came", () => {
    const average = indexOfTag("AVG_LAMP_EFFICIENCY");
    const [first, ...others] = plausibleReadings();
    const broken = { LAMP_03_EFFICIENCY: 32767, AVG_LAMP_EFFICIENCY: 2131.6 };
    const derived = withFields({ ...first, derived: 7 }, broken);
    const sent = withFields({ ...others[0], derived: 0 }, { ...broken, AVG_LAMP_EFFICIENCY: 83 });
    const believedOf = believedValues(openSegment(encodeSegment([derived, sent])), SPANS);
    expect([believedOf(average)?.(0), believedOf(average)?.(1)]).toEqual([90, 83]);
  });
});

test("a reading tells why a value isn't believed", () => {
  const [first] = plausibleReadings();
  const extra = new Map<string, Scalar>([["SYS_FLOW_RATE.q", false]]);
  const reading = withFields({ ...first, extra }, { UVR_INTENSITY: 32767, SYS_FLOW_RATE: 0 });
  expect([...doubts(reading, SPANS)]).toEqual([
    [indexOfTag("UVR_INTENSITY"), "implausible"],
    [indexOfTag("SYS_FLOW_RATE"), "bad_quality"],
  ]);
});

function plausibleReadings(): Reading[] {
  return plantReadings(20, drawn(SEED)).map((reading) => ({
    ...reading,
    extra: new Map<string, Scalar>([["UVR_INTENSITY.q", true]]),
    values: TAGS.map(({ name, span }, tag) => {
      if (span === null) return reading.values[tag];
      return name.endsWith("EFFICIENCY") ? 90 : span[0] + 1;
    }),
  }));
}

function withFields(reading: Reading, fields: Partial<Record<TagName, number>>): Reading {
  const values = [...reading.values];
  for (const [tag, { name }] of TAGS.entries())
    for (const [field, value] of Object.entries(fields)) if (field === name) values[tag] = value;
  return { ...reading, values };
}

function spoiltReadings(
  readings: readonly Reading[],
  spoils: readonly {
    readonly row: number;
    readonly tag: number;
    readonly code: number | null;
    readonly name: string;
    readonly quality: Scalar | null;
    readonly whole: Scalar | null;
  }[],
): Reading[] {
  const made = readings.map(({ values, extra, ...reading }) => ({
    ...reading,
    values: [...values],
    extra: new Map(extra),
  }));
  for (const { row, tag, code, name, quality, whole } of spoils) {
    const reading = made[row % made.length];
    if (code !== null && TAGS[tag].span !== null) reading.values[tag] = code;
    if (quality !== null) reading.extra.set(TAGS[tag].name + name, quality);
    if (whole !== null) reading.extra.set("quality", whole);
  }
  return made;
}
