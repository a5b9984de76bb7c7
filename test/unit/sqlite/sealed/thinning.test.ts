// Thinned readings against an oracle that knows all of them: whatever range is asked for, the first
// and the last are there, the gaps keep within a factor of 2, and each value is the stored one.

import { cpSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JsonWriter } from "../../../../src/codec/json-writer.ts";
import { DAY_MS, MINUTE_MS, printTime } from "../../../../src/ground/clock.ts";
import { analysis } from "../../../../src/sqlite/answers/analysis.ts";
import { verifyChains } from "../../../../src/sqlite/care/verify.ts";
import { evenPicks } from "../../../../src/sqlite/sealed/even-picks.ts";
import { openRig, type Rig, removeFolders, temporaryFolder } from "../../../rig/database.ts";
import { messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { sized } from "../../../rig/scale.ts";
import { randomOf } from "../../../rig/sealing.ts";
import { ended } from "../../../rig/whole-store.ts";

const seed = Number(process.env.TEST_SEED ?? 1 + Math.floor(Math.random() * 1e6));
const EVER = { start_ms: 0, end_ms: 253_402_300_799_999 };
const END_MS = RECEIVED_MS - DAY_MS;
/** Eight segments in a small run, of 27 months in any. */
const COUNT = sized(18_000, 60_000);
const STEP_MS = (60_000 / COUNT) * 20 * MINUTE_MS;
const TRIALS = sized(3, 12);

interface Told {
  readonly timestamp: string;
  readonly UVR_INTENSITY: number | null;
  readonly LAMP_09_POWER: number | null;
}

/** Readings by their time; what the runtime analysis should tell of each. */
class Oracle {
  readonly told = new Map<number, Told>();

  /** The stored times within a range, ascending. */
  within({ start_ms, end_ms }: { start_ms: number; end_ms: number }): readonly number[] {
    const times = [...this.told.keys()].filter((at_ms) => at_ms >= start_ms && at_ms <= end_ms);
    return times.sort((one, other) => one - other);
  }
}

function store(rig: Rig, oracle: Oracle, readings: readonly (readonly [number, object])[]): void {
  for (const [at_ms, members] of readings) {
    const blank = { timestamp: printTime(at_ms), UVR_INTENSITY: null, LAMP_09_POWER: null };
    oracle.told.set(at_ms, { ...blank, ...oracle.told.get(at_ms), ...members });
  }
  const items = readings.map(([at_ms, members]) => ({ timestamp: printTime(at_ms), ...members }));
  for (let start = 0; start < items.length; start += 1000)
    rig.store.commit([messageOf("telemetry", items.slice(start, start + 1000))]);
  while (rig.store.sealFull());
}

/** `count` readings up to END_MS, at uneven distances. */
function inOrder(random: () => number, count: number) {
  return Array.from({ length: count }, (_, index): [number, object] => [
    END_MS - (count - index) * STEP_MS + Math.floor(random() * 0.95 * STEP_MS),
    { UVR_INTENSITY: index, ...(random() < 0.9 ? { LAMP_09_POWER: random() * 5000 } : {}) },
  ]);
}

function answered(rig: Rig, asked: { range: typeof EVER; max: number }): readonly Told[] {
  const out = new JsonWriter();
  const texts: string[] = [];
  for (const write of analysis(rig.db, asked, out)) {
    write();
    texts.push(out.written.toString());
    out.clear();
  }
  return JSON.parse(`[${texts.join(",")}]`);
}

function expectEven(rig: Rig, oracle: Oracle, asked: { range: typeof EVER; max: number }): void {
  const times = oracle.within(asked.range);
  const found = answered(rig, asked);
  const about = `${times.length} readings, at most ${asked.max} (TEST_SEED=${seed})`;
  const places = new Map(times.map((at_ms, place) => [at_ms, place]));
  const kept = found.map(({ timestamp }) => places.get(Date.parse(timestamp)) ?? -1);
  const gaps = kept.slice(1).map((place, index) => place - kept[index]);
  if (times.length <= asked.max) expect(kept, about).toEqual([...times.keys()]);
  else {
    expect(found.length, about).toBeLessThanOrEqual(asked.max);
    // Candidates may be half as many as asked for, and gaps of the picks twice as large as theirs.
    expect(found.length, about).toBeGreaterThan(asked.max / 4 - 1);
    expect([kept.at(0), kept.at(-1)], about).toEqual([0, times.length - 1]);
    expect(Math.min(...gaps), about).toBeGreaterThan(0);
    expect(Math.max(...gaps) / Math.min(...gaps), about).toBeLessThanOrEqual(2);
  }
  const members = found.map(({ timestamp, UVR_INTENSITY, LAMP_09_POWER }) => ({
    timestamp,
    UVR_INTENSITY,
    LAMP_09_POWER,
  }));
  expect(members, about).toEqual(kept.map((place) => oracle.told.get(times[place])));
}

/** The whole, and ranges that begin and end anywhere, thinned little and much. */
function expectEvenAnywhere(rig: Rig, oracle: Oracle, random: () => number): void {
  const times = oracle.within(EVER);
  for (const max of [10_000, 3000, 500, 40]) expectEven(rig, oracle, { range: EVER, max });
  const some = () => times[Math.floor(random() * times.length)] + Math.floor(random() * 3) - 1;
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const [start_ms, end_ms] = [some(), some()].sort((one, other) => one - other);
    const max = 2 + Math.floor(random() ** 2 * 4000);
    expectEven(rig, oracle, { range: { start_ms, end_ms }, max });
  }
}

describe("thinned readings", () => {
  const random = randomOf(seed);
  const full = temporaryFolder();
  const known = new Oracle();
  beforeAll(() => {
    const rig = openRig({}, full);
    store(rig, known, inOrder(random, COUNT));
    rig.close();
  });
  afterAll(removeFolders);

  /** A copy of the full database, and of what is known of it. */
  const copied = () => {
    const dir = temporaryFolder();
    cpSync(full, dir, { recursive: true });
    const oracle = new Oracle();
    for (const [at_ms, told] of known.told) oracle.told.set(at_ms, told);
    return { rig: openRig({}, dir), oracle };
  };

  test(`lie evenly in any range, and are what was stored (TEST_SEED=${seed})`, () => {
    const { rig, oracle } = copied();
    expectEvenAnywhere(rig, oracle, random);
    rig.close();
  });

  test("answer for everything without a look at the segments before the last", () => {
    const { rig, oracle } = copied();
    const last = "(select max(id) from segment)";
    rig.db.prepare(`update segment set payload = zeroblob(9) where id < ${last}`).run();
    for (const max of [COUNT / 20, COUNT / 120, 100, 40])
      expectEven(rig, oracle, { range: EVER, max });
    rig.close();
  });

  test(`stay right when readings come late, hot and sealed (TEST_SEED=${seed})`, () => {
    const { rig, oracle } = copied();
    const times = oracle.within(EVER);
    const some = () => times[Math.floor(random() * times.length)];
    const late = (count: number) =>
      Array.from({ length: count }, (): [number, object] => [
        some() + 1 + Math.floor(random() * 30_000),
        { UVR_INTENSITY: -1 },
      ]);
    const further = times
      .filter((at_ms) => oracle.told.get(at_ms)?.LAMP_09_POWER === null && random() < 0.01)
      .map((at_ms): [number, object] => [at_ms, { LAMP_09_POWER: 7 }]);
    store(rig, oracle, [...late(60), ...further]);
    expectEvenAnywhere(rig, oracle, random);

    while (rig.store.sealOld(RECEIVED_MS + DAY_MS));
    expectEvenAnywhere(rig, oracle, random);

    // A stretch that was silent for days and is sent afterwards, and one before all others.
    const [gap_ms] = times.slice(COUNT / 3);
    const stretch = (start_ms: number, count: number) =>
      Array.from({ length: count }, (_, index): [number, object] => [start_ms + index, {}]);
    store(rig, oracle, stretch(gap_ms + 1, sized(5000, 16_000)));
    store(rig, oracle, stretch(times[0] - 1e9, sized(2500, 5000)));
    rig.close();
    const again = openRig({}, rig.dir);
    expectEvenAnywhere(again, oracle, random);
    while (again.store.sealOld(RECEIVED_MS + DAY_MS));
    while (again.store.sealFull());
    expectEvenAnywhere(again, oracle, random);
    expect(verifyChains(again.db, () => {}).problem).toBeNull();
    again.close();
  });

  test("expire with the readings that they stand for", () => {
    const { rig, oracle } = copied();
    let raw_from_ms = 0;
    for (;;) {
      const expired = ended(rig.store.expire(sized(20, 14)));
      if (expired === null || "kept" in expired) break;
      ({ raw_from_ms } = expired);
    }
    for (const at_ms of [...oracle.told.keys()]) if (at_ms < raw_from_ms) oracle.told.delete(at_ms);
    expect(oracle.told.size).toBeLessThan(COUNT - sized(2048, 16_384));
    expectEvenAnywhere(rig, oracle, random);
    rig.close();
  });

  test("that are damaged, or another segment's, are passed over, and named by verify", () => {
    const { rig, oracle } = copied();
    const thin = (value: string) =>
      rig.db.prepare(`update segment set thin = ${value} where id = 7`).run();
    for (const value of ["x'0102'", "'text'", "(select thin from segment where id = 8)"]) {
      thin(value);
      expectEven(rig, oracle, { range: EVER, max: COUNT / 12 });
      const { problem } = verifyChains(rig.db, () => {});
      expect(problem, value).toBe("segment 7: its thinned part isn't the one that was written");
    }
    thin("null");
    expectEven(rig, oracle, { range: EVER, max: COUNT / 12 });
    rig.close();
  });
});

describe("even picks", () => {
  const random = randomOf(seed);

  test(`are even among candidates at irregular distances (TEST_SEED=${seed})`, () => {
    for (let trial = 0; trial < sized(60, 200); trial += 1) {
      const distance = 2 + Math.floor(random() * 64);
      const shares = random() ** 3;
      const length = 500 + Math.floor(random() * 3000);
      let rank = 0;
      const ranks = Float64Array.from({ length }, (_, index) => {
        rank +=
          index === 0 ? 0 : random() < shares ? 1 + Math.floor(random() * distance) : distance;
        return rank;
      });
      // Candidates are never sparser than twice what is asked for.
      const max = Math.ceil(Math.min(2 * (rank / distance), rank / 2) * (0.05 + 0.9 * random()));
      const picks = evenPicks(ranks, Math.max(3, max)) ?? [];
      const kept = picks.map((pick) => ranks[pick]);
      const gaps = kept.slice(1).map((place, index) => place - kept[index]);
      const about = `distance ${distance}, ${length} candidates, at most ${max}`;
      expect([kept.at(0), kept.at(-1)], about).toEqual([0, rank]);
      expect(Math.max(...gaps) / Math.min(...gaps), about).toBeLessThanOrEqual(2);
      expect(kept.length, about).toBeLessThanOrEqual(Math.max(3, max));
    }
  });

  test("are nearly as many as in the densest window, of uneven segments", () => {
    // The same segments each time: among others there may be some of which less is found.
    const fixed = randomOf(5);
    for (let trial = 0; trial < sized(20, 60); trial += 1) {
      const [longest, power] = [20 + fixed() ** 2 * 3000, 1 + fixed() * 4];
      const ranks = unevenRanks(9414, () => 1 + Math.floor(fixed() ** power * longest));
      const picks = evenPicks(ranks, 544) ?? [];
      const about = `${ranks.length} candidates, segments of up to ${longest}`;
      expect(picks.length, about).toBeGreaterThan(0.85 * Math.min(544, mostPicks(ranks, 544)));
    }
  });
});

/** Every 32nd reading of segments, the first and the last, among `total` readings. */
function unevenRanks(total: number, lengthOf: () => number): Float64Array {
  const ranks = new Set([0, total - 1]);
  for (let begin = 0; begin < total; ) {
    const end = Math.min(total, begin + lengthOf());
    for (let rank = begin; rank < end; rank += 32) ranks.add(rank);
    begin = end;
  }
  return Float64Array.from(ranks).sort();
}

/** The longest way from the first to the last candidate, in any window for at most `max` picks. */
function mostPicks(ranks: Float64Array, max: number): number {
  const last = ranks.length - 1;
  let most = 0;
  for (let gap = Math.ceil(ranks[last] / (max - 1) / 2); gap <= ranks[last] / most; gap += 1) {
    const counts = new Float64Array(ranks.length).fill(Number.NEGATIVE_INFINITY);
    counts[0] = 1;
    for (let to = 1; to <= last; to += 1)
      for (let from = to - 1; from >= 0 && ranks[to] - ranks[from] <= 2 * gap; from -= 1)
        if (ranks[to] - ranks[from] >= gap) counts[to] = Math.max(counts[to], counts[from] + 1);
    most = Math.max(most, counts[last]);
  }
  return most;
}
