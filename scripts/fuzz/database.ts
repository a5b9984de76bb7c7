// Fuzzes what a bad disk does to the database file: bits turned, pages zeroed, swapped or gone, the
// file cut. Reading, verifying and writing may fail with SQLite's errors or ours, never by a crash
// of native code or without end, and what isn't whole must not verify as if it were.

import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { JsonWriter } from "../../src/codec/json-writer.ts";
import { loadConfig } from "../../src/config/load.ts";
import { HOUR_MS } from "../../src/ground/clock.ts";
import { codeOf, Failure, messageOf } from "../../src/ground/errors.ts";
import { answer, type Query } from "../../src/sqlite/answers/queries.ts";
import { verifyChains } from "../../src/sqlite/care/verify.ts";
import { migrate } from "../../src/sqlite/file/migrate.ts";
import {
  type Connection,
  databaseFile,
  openReader,
  openWriter,
} from "../../src/sqlite/file/open.ts";
import { openStore } from "../../src/sqlite/threads/store.ts";
import { type Random, seededRandom } from "../../test/rig/random.ts";
import { type WholeStore, wholeStore } from "../../test/rig/whole-store.ts";
import { fuzzedMessage } from "./message.ts";
import type { CaseFuzzer } from "./run.ts";

const START_MS = Date.UTC(2026, 0, 1);
const MESSAGES = 6000;
const BATCH = 500;
const PAGE_BYTES = 4096;
const ALL = { start_ms: 0, end_ms: 253_402_300_799_999 };
const { limits, lamps } = loadConfig({ file: null, env: {}, defaultFile: null }).config;
const QUERIES: readonly Query[] = [
  { name: "stats" },
  { name: "latest" },
  { name: "aggregated", interval: "hour", range: ALL, hours: 1 },
  { name: "aggregated", interval: "day", range: ALL, hours: 1 },
  { name: "chunked", ...ALL, offset: 1000, limit: 100 },
  { name: "runtime", range: ALL },
  { name: "export", format: "csv", range: ALL, columns: null },
  { name: "health", range: ALL, limit: 100 },
  { name: "health_aggregated", interval: "day", range: ALL, limit: 10 },
  { name: "events", range: ALL, type: null, limit: 100 },
  { name: "predictions", range: ALL, limit: 100 },
  { name: "audit", range: ALL, kind: null, offset: 0, limit: 100 },
];

/** Makes a database in `folder`; a case damages a copy of it and uses that. */
export function fuzzDatabase(folder: string): CaseFuzzer {
  const whole = path.join(folder, "whole.db");
  makeDatabase(whole);
  const expected = sealedOf(whole);
  const file = databaseFile(folder);
  return (random, tally) => {
    for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
    copyFileSync(whole, file);
    const kind = damageFile(random, file);
    tally(kind);
    try {
      const wrong = [...reading(file, expected, tally), ...writing(file, random, tally)];
      return wrong.length === 0 ? null : `${kind}: ${wrong.join("\n")}`;
    } catch (error) {
      return `${kind}: ${error instanceof Error ? error.stack : messageOf(error)}`;
    }
  };
}

function storeOf(db: Connection): WholeStore {
  const store = openStore(db, {
    prefix: "bwts",
    system_id: "BWTS-001",
    merge_ms: 0,
    quarantine_max_bytes: 256 * 1024,
    built_ms: 0,
  });
  return wholeStore(store);
}

function messageAt(random: Random, at_ms: number) {
  const { topic, payload } = fuzzedMessage(random, at_ms);
  return {
    ...{ topic, payload, payload_bytes: payload.length, received_ms: at_ms, will: false },
    ...({ qos: 1, retain: false, dup: false, client: "plc", packet_id: 1 } as const),
  };
}

function makeDatabase(file: string): void {
  const db = openWriter(file);
  migrate(db, START_MS);
  const store = storeOf(db);
  const random = seededRandom(1);
  for (let start = 0; start < MESSAGES; start += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, place) =>
      messageAt(random, START_MS + (start + place) * 30_000),
    );
    store.commit(batch.filter(({ payload }) => payload.length < 20_000));
    while (store.sealFull());
  }
  store.tidy();
  db.close();
}

/** The chains' heads. */
function sealedOf(file: string): string {
  const db = openReader(file);
  const { problem, segment_head, event_head, segments } = verifyChains(db, () => {});
  db.close();
  if (problem !== null || segments === 0) throw new Error(`the whole database: ${problem}`);
  return `${segments} ${segment_head} ${event_head}`;
}

function damageFile(random: Random, file: string): string {
  const fd = openSync(file, "r+");
  try {
    const whole = Buffer.alloc(8 * 1024 * 1024);
    const size = readSync(fd, whole, 0, whole.length, 0);
    const pages = Math.floor(size / PAGE_BYTES);
    const page = random.between(0, pages - 1) * PAGE_BYTES;
    const write = (bytes: Uint8Array, at: number) => writeSync(fd, bytes, 0, bytes.length, at);
    switch (random.between(0, 6)) {
      case 0:
        ftruncateSync(fd, random.between(0, size));
        return "cut anywhere";
      case 1:
        ftruncateSync(fd, page);
        return "cut between pages";
      case 2:
        write(Buffer.alloc(PAGE_BYTES * random.between(1, 8), random.pick([0, 255])), page);
        return "pages overwritten";
      case 3:
        write(whole.subarray(page, page + PAGE_BYTES), random.between(0, pages - 1) * PAGE_BYTES);
        return "a page in another's place";
      case 4:
        turnBits(random, { from: 0, to: 1024, times: random.between(1, 8) }, write, whole);
        return "bits of the first page turned";
      case 5:
        turnBits(random, { from: page, to: page + 16, times: 2 }, write, whole);
        return "bits of a page's header turned";
      default:
        turnBits(random, { from: 0, to: size, times: random.pick([1, 10, 1000]) }, write, whole);
        return "bits anywhere turned";
    }
  } finally {
    closeSync(fd);
  }
}

type Stretch = { readonly from: number; readonly to: number; readonly times: number };

function turnBits(
  random: Random,
  { from, to, times }: Stretch,
  write: (bytes: Uint8Array, at: number) => void,
  whole: Buffer,
): void {
  for (let time = 0; time < times; time += 1) {
    const at = random.between(from, to - 1);
    write(Uint8Array.of(whole[at] ^ (1 << random.between(0, 7))), at);
  }
}

/** Opens, verifies and asks everything; what went wrong otherwise than it may. */
function* reading(
  file: string,
  expected: string,
  tally: (kind: string) => void,
): Generator<string> {
  const db = attempt(() => openReader(file));
  if (typeof db === "string") {
    tally("not opened for reading");
    if (db !== "") yield `openReader: ${db}`;
    return;
  }
  const verified = attempt(() => verifyChains(db, () => {}));
  if (typeof verified === "string") {
    tally("not verified to the end");
    if (verified !== "") yield `verify: ${verified}`;
  } else if (verified.problem === null) {
    tally("verified as whole");
    const { segments, segment_head, event_head } = verified;
    const found = `${segments} ${segment_head} ${event_head}`;
    if (found !== expected) yield `verified as whole with the heads ${found}, expected ${expected}`;
  } else tally("verified as broken");
  for (const query of QUERIES) {
    const problem = attempt(() => {
      const out = new JsonWriter();
      for (const _ of answer(db, query, { out, limits: { limits, lamps } }) ?? []) out.end = 0;
      return null;
    });
    tally(problem === null ? "queries answered" : "queries refused");
    if (problem !== null && problem !== "") yield `${query.name}: ${problem}`;
  }
  db.close();
}

/** Opens for writing as `serve` does, and stores what comes. */
function* writing(file: string, random: Random, tally: (kind: string) => void): Generator<string> {
  const db = attempt(() => openWriter(file));
  if (typeof db === "string") {
    tally("not opened for writing");
    if (db !== "") yield `openWriter: ${db}`;
    return;
  }
  const at_ms = START_MS + MESSAGES * 30_000 + HOUR_MS;
  const problem = attempt(() => {
    migrate(db, at_ms);
    const store = storeOf(db);
    const late = random.between(0, MESSAGES) * 30_000;
    store.commit([messageAt(random, at_ms), messageAt(random, START_MS + late)]);
    store.sealFull();
    while (store.sealOld(at_ms + 48 * HOUR_MS));
    store.tidy();
    return null;
  });
  tally(problem === null ? "written to" : "writing refused");
  if (problem !== null && problem !== "") yield `writing: ${problem}`;
  db.close();
}

/**
 * The result; as a text what was thrown: "" for an error that may be. A fault of a program (a
 * member of what isn't there, a stack that overflowed) may not.
 */
function attempt<Result extends object | null>(act: () => Result): Result | string {
  try {
    return act();
  } catch (error) {
    const isFault =
      error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
    const isOurs = error instanceof Failure || codeOf(error)?.startsWith("SQLITE_") === true;
    return isFault && !isOurs ? (error.stack ?? error.message) : "";
  }
}
