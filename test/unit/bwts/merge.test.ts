// Several messages make one reading: in any order, and
// stored values never change.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergePart, type PartReceipt } from "../../../src/bwts/merge.ts";
import type { Reading, ReadingPart } from "../../../src/bwts/reading.ts";
import { LAMP_NUMBERS, TAGS } from "../../../src/bwts/tags.ts";
import { type Named, namesOf, partOf } from "../../rig/readings.ts";

const at_ms = Date.parse("2026-05-01T10:00:00Z");
const receipt: PartReceipt = { received_ms: at_ms + 5, clock_trusted: true, system_id: "BWTS-001" };
const always = { month: 5, system_id: "BWTS-001" };

function merge(stored: Reading | null, part: ReadingPart): Reading | null {
  return mergePart(stored, part, receipt).reading ?? stored;
}

/** The reading that parts make, one after the other. */
function merged(...parts: readonly Named[]): Reading {
  const none: Reading | null = null;
  const all = parts.map((named) => partOf(at_ms, named));
  const reading = all.reduce<Reading | null>((stored, part) => merge(stored, part), none);
  if (reading === null) throw new Error("no part made a reading");
  return reading;
}

describe("parts of one time", () => {
  test("make one reading, with what follows from them", () => {
    const reading = merged(
      { UVR_INTENSITY: 612.5, tank: "2P" },
      { LAMP_01_STATUS: "ACTIVE", LAMP_01_EFFICIENCY: 90 },
      { LAMP_02_STATUS: " failed ", LAMP_02_EFFICIENCY: 85.5 },
    );
    expect(namesOf(reading)).toEqual({
      ...always,
      UVR_INTENSITY: 612.5,
      tank: "2P",
      LAMP_01_STATUS: "ACTIVE",
      LAMP_01_EFFICIENCY: 90,
      LAMP_02_STATUS: " failed ",
      LAMP_02_EFFICIENCY: 85.5,
      AVG_LAMP_EFFICIENCY: 87.75,
      FAILED_LAMP_COUNT: 1,
    });
  });

  test("keep the first receipt and whether the clock was trusted then", () => {
    const first = mergePart(null, partOf(at_ms, { A: 1 }), { ...receipt, clock_trusted: false });
    const later = mergePart(first.reading, partOf(at_ms, { B: 1 }), { ...receipt, received_ms: 9 });
    expect(later.reading).toMatchObject({ received_ms: at_ms + 5, clock_trusted: false });
  });

  test("that contradict a large text don't repeat all of it", () => {
    const stored = merged({ tank: "2P".repeat(400_000) });
    const { conflicts } = mergePart(stored, partOf(at_ms, { tank: "3P".repeat(9) }), receipt);
    expect(conflicts).toEqual([expect.stringMatching(/^tank: got "(3P)+", stored "(2P){100}"$/)]);
  });

  test("that say nothing new change nothing", () => {
    const stored = merged({ UVR_INTENSITY: 612.5, tank: "2P", month: 5 });
    const parts: readonly Named[] = [{}, { UVR_INTENSITY: 612.5 }, { tank: "2P" }, { month: 5 }];
    for (const named of parts) {
      const nothing = { reading: null, conflicts: [], clock_repeat: false };
      expect(mergePart(stored, partOf(at_ms, named), receipt)).toEqual(nothing);
    }
  });

  test("of which a first one says nothing still are a reading", () => {
    expect(namesOf(merged({}))).toEqual(always);
  });
});

describe("what is derived", () => {
  test("is absent while no lamp says anything", () => {
    const { AVG_LAMP_EFFICIENCY, FAILED_LAMP_COUNT } = namesOf(merged({ LAMP_01_POWER: 5 }));
    expect([AVG_LAMP_EFFICIENCY, FAILED_LAMP_COUNT]).toEqual([undefined, undefined]);
  });

  test("counts no lamp as failed when those that say something haven't", () => {
    expect(namesOf(merged({ LAMP_01_STATUS: "OK" })).FAILED_LAMP_COUNT).toBe(0);
  });

  test("gives way to a sent value without conflict, whichever comes first", () => {
    const lamps = { LAMP_01_STATUS: "FAILED", LAMP_01_EFFICIENCY: 90 };
    const sent = { AVG_LAMP_EFFICIENCY: 77, FAILED_LAMP_COUNT: 3, month: 4 };
    const more = { LAMP_02_STATUS: "FAILED", LAMP_02_EFFICIENCY: 10 };
    for (const order of [
      [lamps, sent, more],
      [sent, lamps, more],
      [more, lamps, sent],
    ])
      expect(namesOf(merged(...order))).toMatchObject(sent);
  });

  test("that was sent is kept: another value conflicts", () => {
    const stored = merged({ month: 4, UVR_INTENSITY: 1, SYS_PRESSURE: 2 });
    const part = partOf(at_ms, { month: 5, UVR_INTENSITY: 1, SYS_PRESSURE: 2 });
    expect(mergePart(stored, part, receipt).conflicts).toEqual(["month: got 5, stored 4"]);
  });
});

describe("a contradiction", () => {
  const stored = merged({ UVR_INTENSITY: 600, SYS_PRESSURE: 4, SYS_FLOW_RATE: 800, tank: "2P" });

  test.each<[string, Named, readonly string[], boolean]>([
    [
      "one of four",
      { UVR_INTENSITY: 601, SYS_PRESSURE: 4, SYS_FLOW_RATE: 800, tank: "2P" },
      ["UVR_INTENSITY: got 601, stored 600"],
      false,
    ],
    [
      "one of three",
      { UVR_INTENSITY: 600, SYS_PRESSURE: 4, tank: "2S" },
      ['tank: got "2S", stored "2P"'],
      false,
    ],
    [
      "one of two",
      { UVR_INTENSITY: 601, SYS_PRESSURE: 4 },
      ["UVR_INTENSITY: got 601, stored 600"],
      true,
    ],
    ["one of one", { UVR_INTENSITY: 601 }, ["UVR_INTENSITY: got 601, stored 600"], true],
    [
      "text for number",
      { UVR_INTENSITY: 600, SYS_PRESSURE: 4, tank: 2 },
      ['tank: got 2, stored "2P"'],
      false,
    ],
  ])("in %s fields", (_share, named, conflicts, clock_repeat) => {
    const part = partOf(at_ms, { ...named, LAMP_01_POWER: 5, more: 1 });
    const result = mergePart(stored, part, receipt);
    expect(result).toMatchObject({ conflicts, clock_repeat });
    // The rest of the part is taken, unless the whole of it is set aside.
    const added = { LAMP_01_POWER: 5, more: 1 };
    if (clock_repeat) expect(result.reading).toBeNull();
    else expect(namesOf(merge(stored, part) ?? stored)).toEqual({ ...namesOf(stored), ...added });
  });

  test("isn't made by fields that weren't stored", () => {
    const part = partOf(at_ms, { UVR_INTENSITY: 600, LAMP_01_POWER: 5, more: 1 });
    expect(mergePart(stored, part, receipt)).toMatchObject({ conflicts: [], clock_repeat: false });
  });
});

test("a reading has 256 unknown tags at most, and what is left out is named", () => {
  const tags = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`T${from + index}`, 1]));
  const stored = merged(tags(0, 200));
  const part = partOf(at_ms, { ...tags(200, 257), UVR_INTENSITY: 600 });
  const { reading, conflicts } = mergePart(stored, part, receipt);
  expect(conflicts).toEqual(["T256: more than 256 unknown tags"]);
  expect(reading?.extra.size).toBe(256);
  expect(namesOf(reading ?? stored)).toMatchObject({ UVR_INTENSITY: 600, T255: 1 });
});

// Negative zero is left out: it equals zero, so the two don't contradict each other.
const scalar = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.string(),
  fc.boolean(),
);
const names = [
  ...["UVR_INTENSITY", "month", "AVG_LAMP_EFFICIENCY", "FAILED_LAMP_COUNT", "PROCESS_STATE"],
  ...LAMP_NUMBERS.flatMap((lamp) => [`LAMP_${lamp}_STATUS`, `LAMP_${lamp}_EFFICIENCY`]),
  ...["__proto__", "constructor", "tank", "valve"],
];
const typed = (name: string) => {
  const type = TAGS.find((tag) => tag.name === name)?.type;
  if (type === "number") return fc.double({ noNaN: true, min: 0, max: 1e6 }).map((v) => v + 0);
  if (type === "integer") return fc.integer();
  return type === "string" ? fc.constantFrom("ACTIVE", "FAILED", "failed", "OK") : scalar;
};
const whole = fc.tuple(
  ...names.map((name) => fc.option(typed(name).map((v) => [name, v] as const))),
);

test("parts that don't contradict each other make the same reading in any order", () => {
  const cut = fc.array(fc.array(fc.nat(names.length - 1)), { minLength: 1, maxLength: 8 });
  const parts = fc
    .tuple(whole, cut)
    .map(([fields, cuts]) =>
      cuts.map((indexes) =>
        Object.fromEntries(indexes.flatMap((index) => (fields[index] ? [fields[index]] : []))),
      ),
    );
  const orders = parts.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(orders, ([one, other]) => {
      const [a, b] = [merged(...one), merged(...other)];
      expect(namesOf(b)).toEqual(namesOf(a));
      expect(b.derived).toBe(a.derived);
    }),
    { seed: 31, numRuns: 300 },
  );
});

test("a part never changes what was said before, and coming again it changes nothing", () => {
  const named = whole.map((fields) => Object.fromEntries(fields.filter((field) => field !== null)));
  fc.assert(
    fc.property(named, named, (first, second) => {
      const before = merged(first);
      const after = merge(before, partOf(at_ms, second)) ?? before;
      expect(namesOf(after)).toMatchObject(first);
      const again = mergePart(after, partOf(at_ms, second), receipt);
      expect(again.reading).toBeNull();
      expect(mergePart(after, partOf(at_ms, first), receipt)).toMatchObject({ conflicts: [] });
    }),
    { seed: 32, numRuns: 300 },
  );
});
