// A bit that turns in an event, in an index of events, or in the audit log: the proof finds it, no
// answer is made of an event that was turned, and the search for gaps goes on around it.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { AuditPage } from "../../../src/bwts/audit.ts";
import type { EventAnswer } from "../../../src/bwts/event.ts";
import { JsonWriter } from "../../../src/codec/json-writer.ts";
import { HOUR_MS, MINUTE_MS, printTime } from "../../../src/ground/clock.ts";
import { answer, type Query } from "../../../src/sqlite/answers/queries.ts";
import {
  isProvable,
  PROOF_BEGIN,
  type ProofPlace,
  proveAfter,
} from "../../../src/sqlite/care/proving.ts";
import { GAPS } from "../../../src/sqlite/derived/gaps.ts";
import { damageOf } from "../../../src/sqlite/file/damage.ts";
import { type Connection, databaseFile, openReader } from "../../../src/sqlite/file/open.ts";
import { addToken } from "../../../src/sqlite/records/tokens.ts";
import { openRig, removeFolders } from "../../rig/database.ts";
import { AT_MS, messageOf } from "../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../rig/fleet.ts";
import { foldersOfTests } from "../../rig/folders.ts";
import { runProgram } from "../../rig/program.ts";

const RANGE = { start_ms: null, end_ms: null };
const PAGE_BYTES = 4096;
const START_MS = AT_MS - 8 * HOUR_MS;

afterAll(removeFolders);
const newFolder = foldersOfTests();

/** A ship with an operation in which readings are missing for an hour, and an alarm of its PLC. */
function openShip(dir?: string) {
  const rig = openRig({}, dir);
  const process = (at_ms: number, event_type: string, data: object) =>
    messageOf("events", { timestamp: printTime(at_ms), event_type, description: event_type, data });
  const times = Array.from({ length: 120 }, (_, minute) => START_MS + minute * MINUTE_MS);
  const readings = [...times, ...times.map((at_ms) => at_ms + 3 * HOUR_MS)].map((at_ms) => ({
    timestamp: printTime(at_ms),
    PROCESS_STATE: "RUNNING",
  }));
  rig.store.commit([
    process(START_MS, "PROCESS_START", { operation_type: "BALLAST", location: "Singapore" }),
    process(START_MS + HOUR_MS, "ALARM_TRIGGERED", { code: "UV_LOW", value: 240 }),
    messageOf("telemetry", readings),
  ]);
  for (const name of ["bridge", "chief"])
    rig.store.audited((append) =>
      addToken(rig.db, append, {
        token: { name, role: "viewer", hash: Buffer.alloc(32), added_ms: 0 },
        act: { actor: "test", address: null, at_ms: AT_MS },
      }),
    );
  return rig;
}

function told(db: Connection, query: Query): string {
  const out = new JsonWriter();
  for (const _ of answer(db, query, { out, limits: LAMP_CONFIG }) ?? []);
  return out.written.toString();
}

/** Everything that a proof notes. */
function proof(db: Connection): readonly string[] {
  const found: string[] = [];
  for (let place: ProofPlace | null = PROOF_BEGIN; place !== null; ) {
    const { next, problems } = proveAfter(db, place);
    found.push(...problems);
    place = next;
  }
  return found;
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const turned = (table: string, column: string, from: string, to: string) =>
  `update ${table} set ${column} = replace(${column}, '${from}', '${to}')`;

test.each([
  ["that leaves other words", "BALLAST", "BAMLAST"],
  ["that leaves no JSON", '{"operation_type"', '["operation_type"'],
])("gaps are found around an event with a turned bit %s", (_, from, to) => {
  const { db, store, close } = openShip();
  const search = () => {
    const { starts } = store.takeDue("gaps", Number.MAX_SAFE_INTEGER);
    const { found } = GAPS.compute(db, starts, { isIdle: false, config: LAMP_CONFIG });
    return (found ?? []).flatMap(({ gaps }) => gaps);
  };
  const before = search();
  expect(before).toMatchObject([{ operation_type: "BALLAST", known_by: "events" }]);
  db.exec(turned("event", "data", from, to));
  const after = search();
  expect(after).toMatchObject([{ start_ms: before[0].start_ms, end_ms: before[0].end_ms }]);
  expect(after[0]).toMatchObject({ operation_type: null, known_by: "readings" });
  expect(damageOf(db).take()).toEqual([
    `the event of ${printTime(START_MS)} isn't what was stored`,
  ]);
  close();
});

test("an alarm of the PLC with a turned bit hides no alert: it is told by its code alone", () => {
  const { db, close } = openShip();
  db.exec(turned("event", "data", "240", "340"));
  const own = {
    ...{ is_clock_trusted: true, is_ready: true, is_damaged: false, is_quarantining: false },
    is_cut: false,
    has_two_clocks: false,
  };
  const asked = { now_ms: AT_MS, simulated: false, last_event_id: null, ...own };
  const unknown = { received_seconds_ago: null, plant_clock_offset_seconds: null };
  const queries: readonly Query[] = [
    { name: "alarms", range: RANGE, state: "open", limit: 10 },
    { name: "overview", at_ms: null, ...asked, ...unknown },
    { name: "overview", at_ms: AT_MS, ...asked, ...unknown },
  ];
  for (const query of queries) {
    const answered = JSON.parse(told(db, query));
    const [alert, ...others] = query.name === "alarms" ? answered : answered.alerts;
    expect(alert).toMatchObject({ code: "UV_LOW", priority: "alarm", value: null });
    expect(alert.description).toBe("UV_LOW: its text is damaged on disk");
    expect(others).toEqual([]);
  }
  expect(damageOf(db).take()).toHaveLength(1);
  close();
});

test("an alarm whose code ends in half a letter is stored, told and proven as it is", () => {
  const { db, store, close } = openShip();
  const data = { code: "PUMP_\ud83d" };
  const timestamp = printTime(START_MS + 2 * HOUR_MS);
  store.commit([messageOf("events", { timestamp, event_type: "ALARM_TRIGGERED", data })]);
  const events = JSON.parse(told(db, { name: "events", range: RANGE, type: null, limit: 1 }));
  expect(events).toMatchObject([{ description: "PUMP_\ufffd", data }]);
  expect(proof(db)).toEqual([]);
  close();
});

test("an event with a turned bit is named in its place, all others are told", () => {
  const { db, store, close } = openShip();
  const process = messageOf("events", {
    timestamp: printTime(START_MS + 2 * HOUR_MS),
    event_type: "PROCESS_STOP",
  });
  store.commit([process]);
  const lists: readonly Query[] = [
    { name: "events", range: RANGE, type: null, limit: 10 },
    { name: "export_records", kind: "events", format: "ndjson", range: RANGE },
  ];
  const asked = (query: Query) => {
    const text = told(db, query);
    const events = query.name === "events" ? JSON.parse(text) : linesOf(text).reverse();
    return events.map(({ event_type, description, data }: EventAnswer) => {
      return [event_type, data.damaged === true ? "damaged" : description];
    });
  };
  const alarm = ["ALARM_TRIGGERED", "ALARM_TRIGGERED"];
  const start = ["PROCESS_START", "PROCESS_START"];
  for (const list of lists)
    expect(asked(list)).toEqual([
      ["PROCESS_STOP", "BALLAST process completed at Singapore"],
      alarm,
      start,
    ]);
  db.exec(turned("event", "data", "240", "340"));
  const stop = ["PROCESS_STOP", "BALLAST process completed at Singapore"];
  for (const list of lists)
    expect(asked(list)).toEqual([stop, ["ALARM_TRIGGERED", "damaged"], start]);
  expect(told(db, lists[0])).not.toContain("340");
  db.exec(turned("event", "data", "BALLAST", "BAMLAST"));
  // The stop is whole, but nothing tells its operation any more.
  for (const list of lists)
    expect(asked(list)).toEqual([
      ["PROCESS_STOP", "UNKNOWN process completed at unknown location"],
      ["ALARM_TRIGGERED", "damaged"],
      ["PROCESS_START", "damaged"],
    ]);
  expect(damageOf(db).take()).toHaveLength(2);
  close();
});

test("an altered entry of the audit log is shown, and named", () => {
  const { db, close } = openShip();
  const audit: Query = { name: "audit", range: RANGE, kind: null, offset: 0, limit: 10 };
  const marks = () =>
    AuditPage.parse(JSON.parse(told(db, audit))).data.map(({ kind, detail }) => {
      return [kind, detail.damaged !== undefined];
    });
  expect(marks()).toEqual([
    ["token_added", false],
    ["token_added", false],
  ]);
  db.exec(turned("audit", "detail", "bridge", "briege"));
  expect(marks()).toEqual([
    ["token_added", false],
    ["token_added", true],
  ]);
  db.exec(turned("audit", "kind", "token_added", "tokem_added"));
  expect(marks()).toEqual([
    ["damaged", true],
    ["damaged", true],
  ]);
  close();
});

test("the proof finds a turned bit in events and in the audit log, while it is there", () => {
  const { db, close } = openShip();
  expect(proof(db)).toEqual([]);
  db.exec(turned("event", "data", "240", "340"));
  db.exec(turned("audit", "detail", "bridge", "briege"));
  expect(proof(db)).toEqual([
    `the event of ${printTime(START_MS + HOUR_MS)} isn't what was stored`,
    "entry 1 of the audit log isn't what was stored",
  ]);
  db.exec(turned("event", "data", "340", "240"));
  expect(proof(db)).toEqual(["entry 1 of the audit log isn't what was stored"]);
  close();
});

/** Turns a bit of an alarm's type in the index, where it then is another type's. */
function turnIndexed(dir: string, root: number): void {
  const bytes = readFileSync(databaseFile(dir));
  const at = bytes.indexOf("ALARM_TRIGGERED", (root - 1) * PAGE_BYTES);
  expect(at).toBeLessThan(root * PAGE_BYTES);
  bytes[at + 5] ^= 1;
  writeFileSync(databaseFile(dir), bytes);
}

test("the proof finds an index that leaves a row out, and a salvage makes it again", async () => {
  const folder = newFolder();
  const dir = path.join(folder, "data");
  mkdirSync(dir);
  const { db, close } = openShip(dir);
  const alarms: Query = { name: "events", range: RANGE, type: "ALARM_TRIGGERED", limit: 10 };
  expect(told(db, alarms)).toContain("UV_LOW");
  const root = db
    .prepare<[], number>("select rootpage from sqlite_schema where name = 'event_by_type'")
    .pluck()
    .get();
  close();
  turnIndexed(dir, root ?? 0);
  const damaged = openReader(databaseFile(dir));
  expect(told(damaged, alarms)).toBe("[]");
  const problems = proof(damaged);
  damaged.close();
  expect(problems).toEqual([
    expect.stringMatching(/^the table event: row 2 missing from index event_by_type.*type `ball/),
  ]);
  expect(problems.every(isProvable)).toBe(true);
  const said = await runProgram({ args: ["salvage", "--json"], folder });
  expect(said.code, said.stderr).toBe(0);
  expect(JSON.parse(said.stdout)).toMatchObject({ events: 2, losses: [] });
  const whole = openReader(databaseFile(dir));
  expect(told(whole, alarms)).toContain("UV_LOW");
  expect(proof(whole)).toEqual([]);
  whole.close();
});
