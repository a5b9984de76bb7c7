// Segments whose rows are gone or tell no times, among them late readings: whoever asks for times
// that they had is told of damage, and whoever asks for others gets whole answers.

import { expect, test } from "vitest";
import { JsonWriter } from "../../../src/codec/json-writer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/ground/clock.ts";
import { answer, type Query } from "../../../src/sqlite/answers/queries.ts";
import { PROOF_BEGIN, type ProofPlace, proveAfter } from "../../../src/sqlite/care/proving.ts";
import { isDamage } from "../../../src/sqlite/file/damage.ts";
import { type Connection, databaseFile, openReader } from "../../../src/sqlite/file/open.ts";
import type { ClosedRange } from "../../../src/sqlite/file/query.ts";
import { newestReceiptOf } from "../../../src/sqlite/records/clock-trust.ts";
import { type Rig, rigsOfTests } from "../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../rig/fleet.ts";

const rigOf = rigsOfTests();
const FROM_MS = AT_MS - 16 * HOUR_MS;
/** First minute and number of readings of each segment; the third has late readings. */
const PARTS = [
  [200, 200],
  [450, 200],
  [0, 150],
  [700, 200],
] as const;

const DAMAGES = {
  "is gone": "delete from segment where id = $id",
  "tells no times":
    "update segment set header = x'00', first_ms = 0, last_ms = 0, count = 0 where id = $id",
};

function seal({ store }: Rig, [first, count]: readonly [number, number]): void {
  const times = Array.from({ length: count }, (_, at) => FROM_MS + (first + at) * MINUTE_MS);
  const readings = times.map((timestamp) => ({ timestamp, UVR_INTENSITY: 600 }));
  store.commit([messageOf("telemetry", readings)]);
  while (store.sealOld(RECEIVED_MS + DAY_MS));
}

function rangeIn([first, count]: readonly [number, number]): ClosedRange {
  const start_ms = FROM_MS + (first + 10) * MINUTE_MS;
  return { start_ms, end_ms: start_ms + (count - 20) * MINUTE_MS };
}

/** The answers about a range; "damaged" for one that can't be given. */
function told(db: Connection, range: ClosedRange): readonly string[] {
  const questions: readonly Query[] = [
    { name: "aggregated", interval: "hour", range, hours: 1 },
    { name: "chunked", ...range, offset: 0, limit: 40 },
    { name: "runtime", range },
    { name: "export", format: "ndjson", range, columns: null },
  ];
  return questions.map((query) => {
    try {
      const out = new JsonWriter();
      for (const _ of answer(db, query, { out, limits: LAMP_CONFIG }) ?? []);
      return out.written.toString();
    } catch (error) {
      if (isDamage(error)) return "damaged";
      throw error;
    }
  });
}

function proofOf(db: Connection): readonly string[] {
  const problems: string[] = [];
  for (let place: ProofPlace | null = PROOF_BEGIN; place !== null; ) {
    const step = proveAfter(db, place);
    problems.push(...step.problems);
    place = step.next;
  }
  return problems;
}

function expectTold(rig: Rig, id: number, damage: string): void {
  const before = PARTS.map((part) => told(rig.db, rangeIn(part)));
  rig.db.prepare(damage).run({ id });
  const db = openReader(databaseFile(rig.dir));
  const after = PARTS.map((part) => told(db, rangeIn(part)));
  db.close();
  const damaged = before.map((answers) => answers.map(() => "damaged"));
  expect(after).toEqual(before.map((answers, at) => (at === id - 1 ? damaged[at] : answers)));
}

const CASES = Object.keys(DAMAGES).flatMap((name) =>
  PARTS.map((_, at) => [at + 1, name as keyof typeof DAMAGES] as const),
);

test.each(CASES)("segment %i %s", (id, name) => {
  const rig = rigOf();
  for (const part of PARTS) seal(rig, part);
  expectTold(rig, id, DAMAGES[name]);
});

test.each([
  ["is gone", "delete from segment_place where id in (2, 4)"],
  ["was changed", "update segment_place set last_ms = last_ms - 3600000 where id in (2, 4)"],
  ["lost its number", "update segment_place set id = id + 1000 where id in (2, 4)"],
  [
    "lost its newest receipt",
    "update segment_place set newest_received_ms = 'x' where id in (2, 4)",
  ],
  ["and all others are gone", "delete from segment_place", ["1", "2", "3", "4"]],
])("segments whose place %s are told by their own rows, and proofs name them", (...given) => {
  const [, damage, damaged = ["2", "4"]] = given;
  const rig = rigOf();
  for (const part of PARTS) seal(rig, part);
  const before = PARTS.map((part) => told(rig.db, rangeIn(part)));
  rig.db.exec(damage);
  const db = openReader(databaseFile(rig.dir));
  expect(PARTS.map((part) => told(db, rangeIn(part)))).toEqual(before);
  expect(proofOf(db).map((problem) => /^segment (\d) .* list of seg/.exec(problem)?.[1])).toEqual(
    damaged,
  );
  expect(newestReceiptOf(db)).toBe(damaged.length === 4 ? 0 : RECEIVED_MS);
  db.close();
});
