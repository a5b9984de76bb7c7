// Single bits that turn in sealed data, anywhere on its pages, in copies of a small real file. What
// is asked for is answered as it was stored, or the answer ends as damage; nothing is ever answered
// as a value that wasn't stored.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { JsonWriter } from "../../../src/codec/json-writer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/ground/clock.ts";
import { answer, type Query } from "../../../src/sqlite/answers/queries.ts";
import { damageOf, isDamage } from "../../../src/sqlite/file/damage.ts";
import { type Connection, databaseFile, openReader } from "../../../src/sqlite/file/open.ts";
import { openRig, removeFolders, temporaryFolder } from "../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../rig/fleet.ts";
import { sized } from "../../rig/scale.ts";
import { randomOf } from "../../rig/sealing.ts";

const PAGE = 4096;
/** The type of a page with rows, as its first byte says. */
const LEAF = 0x0d;
const seed = Number(process.env.TEST_SEED ?? 1 + Math.floor(Math.random() * 1e6));
/** A few in each run of the tests; by hand as many as one likes. */
const flips = Number(process.env.TEST_FLIPS ?? sized(30, 150));

const FROM_MS = AT_MS - 16 * HOUR_MS;
const RANGE = { start_ms: FROM_MS + 7 * MINUTE_MS, end_ms: AT_MS - 13 * MINUTE_MS };
const QUESTIONS: readonly Query[] = [
  { name: "latest" },
  { name: "history", hours: 48 },
  { name: "aggregated", interval: "hour", range: RANGE, hours: 1 },
  { name: "chunked", ...RANGE, offset: 300, limit: 400 },
  { name: "runtime", range: RANGE },
  { name: "export", format: "ndjson", range: RANGE, columns: null },
];

let file = "";
let whole: Buffer;
let expected: readonly string[];
/** The numbers of the pages that sealed readings lie on. */
let pages: readonly number[];

beforeAll(() => {
  const random = randomOf(seed);
  const rig = openRig();
  const reading = (timestamp: number) => ({
    timestamp,
    UVR_INTENSITY: Math.round(6000 + 500 * random()) / 10,
    SYS_FLOW_RATE: random() * 1000,
    LAMP_07_RUNTIME: Math.floor((timestamp - FROM_MS) / HOUR_MS),
    LAMP_03_STATUS: random() < 0.1 ? "FAILED" : "ACTIVE",
    PROCESS_STATE: "RUNNING",
    TAG: Math.floor(random() * 100),
  });
  for (let part = 0; part < 4; part += 1) {
    const times = Array.from({ length: 250 }, (_, i) => FROM_MS + (part * 250 + i) * MINUTE_MS);
    rig.store.commit([messageOf("telemetry", times.map(reading))]);
    while (rig.store.sealOld(RECEIVED_MS + DAY_MS));
  }
  rig.db.pragma("wal_checkpoint(truncate)");
  pages = rig.db
    .prepare<[], { pageno: number }>("select pageno from dbstat where name = 'segment'")
    .all()
    .map(({ pageno }) => pageno);
  whole = readFileSync(databaseFile(rig.dir));
  rig.close();
  file = path.join(temporaryFolder(), "copy.db");
  writeFileSync(file, whole);
  const db = openReader(file);
  expected = QUESTIONS.map((query) => told(db, query));
  db.close();
});
afterAll(removeFolders);

function told(db: Connection, query: Query): string {
  const out = new JsonWriter();
  for (const _ of answer(db, query, { out, limits: LAMP_CONFIG }) ?? []);
  return out.written.toString();
}

/**
 * Bytes of a leaf page that say where its rows are and what they consist of: its header, the
 * pointers to its cells, and the beginning of each cell with the types of the columns.
 */
function shapeOf(page: number): readonly number[] {
  const start = (page - 1) * PAGE;
  if (whole[start] !== LEAF) return [];
  const cells = whole.readUInt16BE(start + 3);
  const pointers = Array.from({ length: cells }, (_, cell) => start + 8 + 2 * cell);
  const heads = pointers.map((at) => start + whole.readUInt16BE(at));
  const following = (at: number, length: number) => Array.from({ length }, (_, i) => at + i);
  return [...following(start, 8 + 2 * cells), ...heads.flatMap((at) => following(at, 14))];
}

type Outcome = "right" | "damaged" | "wrong" | "fault";

function outcomeOf(db: Connection, index: number): Outcome {
  try {
    return told(db, QUESTIONS[index]) === expected[index] ? "right" : "wrong";
  } catch (error) {
    return isDamage(error) ? "damaged" : "fault";
  }
}

test(`${flips} flipped bits are never answered as values (TEST_SEED=${seed})`, () => {
  const random = randomOf(seed + 1);
  const count: Record<Outcome, number> = { right: 0, damaged: 0, wrong: 0, fault: 0 };
  const bad: string[] = [];
  let told_twice = 0;
  for (let flip = 0; flip < flips; flip += 1) {
    const page = pages[Math.floor(random() * pages.length)];
    const shape = flip % 2 === 0 ? [] : shapeOf(page);
    const at =
      shape.length > 0
        ? shape[Math.floor(random() * shape.length)]
        : (page - 1) * PAGE + Math.floor(random() * PAGE);
    const bit = 1 << Math.floor(random() * 8);
    const bytes = Buffer.from(whole);
    bytes[at] ^= bit;
    writeFileSync(file, bytes);
    const db = openReader(file);
    const outcomes = QUESTIONS.map((_, index) => outcomeOf(db, index));
    const notes = damageOf(db).take();
    told_twice += new Set(notes).size < notes.length || damageOf(db).take().length > 0 ? 1 : 0;
    db.close();
    for (const outcome of outcomes) count[outcome] += 1;
    outcomes.forEach((outcome, index) => {
      if (outcome === "wrong" || outcome === "fault")
        bad.push(`${QUESTIONS[index].name}: ${outcome}, bit ${bit} of byte ${at} (page ${page})`);
    });
  }
  if (flips > 150) process.stdout.write(`${JSON.stringify(count)}\n`);
  expect(bad).toEqual([]);
  expect(told_twice).toBe(0);
  expect(count.damaged).toBeGreaterThan(flips);
});
