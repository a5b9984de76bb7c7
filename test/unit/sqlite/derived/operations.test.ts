// Operations as they are stored: when a judgement makes a version and what it says, and when none.

import { expect, test } from "vitest";
import { RULES_VERSION } from "../../../../src/bwts/operations/rules.ts";
import { HOUR_MS, MINUTE_MS, printTime } from "../../../../src/ground/clock.ts";
import { prepare } from "../../../../src/sqlite/file/open.ts";
import { giveOut } from "../../../../src/sqlite/records/give-out.ts";
import { faultyOperations } from "../../../../src/sqlite/records/operation-faults.ts";
import { type Rig, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import {
  eventsOfRun,
  idleReadings,
  judgedOperations,
  readingsOfRun,
  type Sent,
  storedOperations,
} from "../../../rig/operations.ts";

const rigOf = rigsOfTests();
const START_MS = AT_MS - 10 * HOUR_MS;
const RUN = { start_ms: START_MS, minutes: 120 };
const END_MS = START_MS + 120 * MINUTE_MS;
const EVER_CLOSED = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };
const BY = { actor: "engineer", address: null, at_ms: AT_MS };

function send({ store }: Rig, kind: "telemetry" | "events", sent: readonly object[]): void {
  store.commit(sent.map((one) => messageOf(kind, one)));
}

/** A whole operation with its events, and the idle plant after it. */
function run(rig: Rig, given = RUN, keep: (sent: Sent) => boolean = () => true): void {
  const { start, stop } = eventsOfRun(given);
  send(rig, "events", [start, stop]);
  send(rig, "telemetry", readingsOfRun(given).filter(keep));
  send(rig, "telemetry", idleReadings(given.start_ms + (given.minutes + 1) * MINUTE_MS, 20));
}

const statements = ({ db }: Rig) => prepare(db, "ledger.statements").all({ kind: "verdict" });

test("an operation that ended is judged, stored and stated in the ledger once", () => {
  const rig = rigOf();
  run(rig);
  const [one, ...more] = judgedOperations(rig);
  expect(more).toEqual([]);
  expect(one).toMatchObject({
    ...{ id: 1, operation_type: "BALLAST", location: "Busan", known_by: "events", version: 1 },
    ...{ start: printTime(START_MS), end: printTime(END_MS), verdict: "within_limits" },
    ...{ volume_m3: 1200, volume_source: "totaliser", readings: 121, reasons: [] },
    versions: [{ version: 1, because: "the operation ended", ledger_number: 1, given_out: null }],
  });
  const [stated] = statements(rig);
  const { versions: _, ...record } = one;
  expect(JSON.parse(String(stated.content))).toMatchObject({ version: 1, operation: record });
  send(rig, "telemetry", readingsOfRun(RUN).slice(0, 3));
  expect(judgedOperations(rig)).toEqual([one]);
  expect(statements(rig)).toHaveLength(1);
  expect([...faultyOperations(rig.db)]).toEqual([]);
});

test("one that runs has its number and no version, and keeps the number when it has ended", () => {
  const rig = rigOf();
  const { start, stop } = eventsOfRun(RUN);
  send(rig, "events", [start]);
  const received_ms = Date.now();
  const live = readingsOfRun(RUN).map((one) => messageOf("telemetry", one, { received_ms }));
  rig.store.commit(live);
  const [running] = judgedOperations(rig);
  expect(running).toMatchObject({ id: 1, version: 0, end: null, verdict: null, versions: [] });
  expect(statements(rig)).toEqual([]);
  send(rig, "events", [stop]);
  rig.db.prepare("update reading set received_ms = received_ms").run();
  expect(storedOperations(rig)).toMatchObject([{ id: 1 }]);
});

test("late readings make a version that counts them, and names that one was given out", () => {
  const rig = rigOf();
  const isLate = ({ timestamp }: Sent) =>
    timestamp > START_MS + 30 * MINUTE_MS && timestamp < START_MS + 60 * MINUTE_MS;
  run(rig, RUN, (sent) => !isLate(sent));
  expect(judgedOperations(rig)).toMatchObject([
    { verdict: "cannot_tell", reasons: [{ rule: "no_readings" }] },
  ]);
  rig.db.transaction(() => giveOut(rig.db, { ids: null, range: EVER_CLOSED }, AT_MS))();
  send(rig, "telemetry", readingsOfRun(RUN).filter(isLate));
  const [one] = judgedOperations(rig);
  expect(one).toMatchObject({ id: 1, version: 2, verdict: "within_limits", readings: 121 });
  expect(one.versions).toMatchObject([
    { version: 1, verdict: "cannot_tell", given_out: printTime(AT_MS) },
    {
      ...{ version: 2, verdict: "within_limits", given_out: null, ledger_number: 2 },
      because: "29 readings came late; the version before was given out on 2026-05-01",
    },
  ]);
  expect([...faultyOperations(rig.db)]).toEqual([]);
});

test("a void over the bad hour gives both verdicts, and its undoing the first one", () => {
  const rig = rigOf();
  const low = (minute: number) => (minute >= 40 && minute < 80 ? { UVR_INTENSITY: 200 } : {});
  run(rig, { ...RUN, at: low } as typeof RUN);
  const [bad] = judgedOperations(rig);
  expect(bad).toMatchObject({ verdict: "outside_limits", verdict_with_hidden: null });
  const hour = { start_ms: START_MS + 40 * MINUTE_MS, end_ms: START_MS + 80 * MINUTE_MS - 1 };
  expect(rig.store.addVoid({ ...hour, reason: "sensor" }, BY)).toMatchObject({ readings: 40 });
  const [hidden] = judgedOperations(rig);
  expect(hidden).toMatchObject({
    ...{ verdict: "cannot_tell", verdict_with_hidden: "outside_limits", readings_hidden: 40 },
    ...{ version: 2, remarks: expect.arrayContaining(["readings_hidden"]) },
  });
  expect(hidden.versions[1].because).toBe("void 1 hides 40 readings");
  rig.store.undoVoid(1, BY);
  const [shown] = judgedOperations(rig);
  expect(shown.versions[2].because).toBe("void 1 was undone");
  const { version: _v, versions: _vs, ...same } = shown;
  expect(bad).toMatchObject(same);
});

test("a stop that comes late keeps the number, and an operation that was none is withdrawn", () => {
  const rig = rigOf();
  const { start, stop } = eventsOfRun(RUN);
  send(rig, "events", [start]);
  const half = { ...RUN, minutes: 60 };
  send(rig, "telemetry", readingsOfRun(half));
  send(rig, "telemetry", idleReadings(START_MS + 5 * HOUR_MS, 20));
  const [first] = judgedOperations(rig);
  expect(first).toMatchObject({ id: 1, version: 1 });
  send(rig, "telemetry", readingsOfRun(RUN).slice(61));
  send(rig, "events", [stop]);
  const [one] = judgedOperations(rig);
  expect(one).toMatchObject({ id: 1, version: 2, end: printTime(END_MS), readings: 121 });
  const range = { start_ms: START_MS - 1, end_ms: END_MS + 1, reason: "never happened" };
  rig.store.addVoid({ ...range, what: "events" }, BY);
  const [byReadings] = judgedOperations(rig);
  expect(byReadings).toMatchObject({ id: 1, version: 3, known_by: "readings" });
});

test("another version of the rules makes all of it due once, and no version by itself", () => {
  const rig = rigOf();
  run(rig);
  const [one] = judgedOperations(rig);
  rig.db.exec(`update mark set value = ${RULES_VERSION + 1} where name = 'rules_operations'`);
  const again = rigOf({}, rig.dir);
  while (again.store.sealFull());
  expect(again.store.takeDue("operations", Number.MAX_SAFE_INTEGER).starts.length).toBeGreaterThan(
    1,
  );
  expect(judgedOperations(again)).toEqual([one]);
});

test("damaged rows are made again of the ledger", () => {
  const rig = rigOf();
  run(rig);
  const [one] = judgedOperations(rig);
  rig.db.exec("update operation set verdict = 'outside_limits'");
  rig.db.exec("update operation_version set record = replace(record, 'Busan', 'Pusan')");
  expect([...faultyOperations(rig.db)][0].fault).toContain("operation 1, version 1");
  const again = rigOf({}, rig.dir);
  while (again.store.sealFull());
  judgedOperations(again);
  expect(judgedOperations(again)).toEqual([one]);
  expect([...faultyOperations(again.db)]).toEqual([]);
});

test("changes at both ends of one that lasted for days make one version", () => {
  const rig = rigOf();
  const long = { start_ms: AT_MS - 60 * HOUR_MS, minutes: 50 * 60 };
  const ends = [5, long.minutes - 5].map((minute) => long.start_ms + minute * MINUTE_MS);
  const isLate = ({ timestamp }: Sent) => ends.includes(timestamp);
  run(rig, long, (sent) => !isLate(sent));
  judgedOperations(rig);
  send(rig, "telemetry", readingsOfRun(long).filter(isLate));
  const [{ versions }] = judgedOperations(rig);
  expect(versions.map(({ because }) => because)).toEqual([
    "the operation ended",
    "2 readings came late",
  ]);
});

test("those that were stored as running and are judged in one run have one version", async () => {
  const rig = rigOf();
  const received_ms = Date.now();
  for (const days of [10, 7, 4, 1]) {
    const one = { ...RUN, start_ms: START_MS - days * 24 * HOUR_MS };
    const sent = [...readingsOfRun(one), ...idleReadings(one.start_ms + 121 * MINUTE_MS, 20)];
    rig.store.commit(sent.map((reading) => messageOf("telemetry", reading, { received_ms })));
  }
  expect(judgedOperations(rig).map(({ version }) => version)).toEqual([0, 0, 0, 0]);
  const versions = () => judgedOperations(rig).map(({ version }) => version);
  await expect.poll(versions, { interval: 500 }).not.toContain(0);
  expect(versions()).toEqual([1, 1, 1, 1]);
});

test("one that was under way keeps its number, and takes no other's place", async () => {
  const rig = rigOf();
  const days = (count: number) => ({ ...RUN, start_ms: START_MS - count * 24 * HOUR_MS });
  const [first, ...rest] = [70, 40, 20, 8, 2].map(days);
  const received_ms = Date.now();
  const live = readingsOfRun(first).slice(0, 30);
  rig.store.commit([
    messageOf("events", eventsOfRun(first).start, { received_ms }),
    ...live.map((one) => messageOf("telemetry", one, { received_ms })),
  ]);
  expect(judgedOperations(rig)).toMatchObject([{ id: 1, version: 0 }]);
  // The PLC empties its buffer.
  for (const one of [first, ...rest]) run(rig, one);
  await expect.poll(() => judgedOperations(rig).map(({ version }) => version)).not.toContain(0);
  const judged = storedOperations(rig).reverse();
  expect(judged.map(({ start }) => start)).toEqual(
    [first, ...rest].map(({ start_ms }) => printTime(start_ms)),
  );
  expect(judged[0].id).toBe(1);
  for (const { versions } of judged)
    expect(versions).toMatchObject([{ version: 1, because: "the operation ended" }]);
});

test("a damaged operation keeps no other from being given out", () => {
  const rig = rigOf();
  for (const hours of [0, 24, 48]) run(rig, { ...RUN, start_ms: START_MS - hours * HOUR_MS });
  judgedOperations(rig);
  rig.db.exec("update operation_version set because = 'x' where operation_id = 2");
  giveOut(rig.db, { ids: null, range: EVER_CLOSED }, AT_MS);
  // The damaged one is listed without its versions.
  const given = () =>
    storedOperations(rig).flatMap(({ id, versions }) =>
      versions.map(({ given_out }) => [id, given_out]),
    );
  const at = printTime(AT_MS);
  expect(given().toSorted()).toEqual([
    [1, at],
    [3, at],
  ]);
  giveOut(rig.db, { ids: [1, 3], range: EVER_CLOSED }, AT_MS + 1);
  expect(given().map(([, time]) => time)).toEqual([at, at]);
});

test("a breach of a limit outlasts its damaged readings, and a new operation waits", () => {
  const rig = rigOf();
  const isLow = (minute: number) => minute >= 40 && minute < 60;
  const low = (minute: number) => (isLow(minute) ? { UVR_INTENSITY: 150 } : {});
  run(rig, { ...RUN, at: low } as typeof RUN);
  const before = judgedOperations(rig);
  expect(before).toMatchObject([{ verdict: "outside_limits", version: 1 }]);
  const damage = rig.db.prepare(
    "update reading set row = zeroblob(length(row)) where at_ms >= ? and at_ms < ?",
  );
  damage.run(START_MS + 40 * MINUTE_MS, START_MS + 60 * MINUTE_MS);
  // Something of the operation comes late, so it is looked at again.
  const [first] = readingsOfRun(RUN);
  send(rig, "telemetry", [{ ...first, timestamp: START_MS + 30_000 }]);
  expect(judgedOperations(rig)).toEqual(before);
  const next = { start_ms: END_MS + 3 * HOUR_MS, minutes: 60 };
  const { start, stop } = eventsOfRun(next);
  send(rig, "events", [start, stop]);
  send(rig, "telemetry", readingsOfRun(next));
  damage.run(next.start_ms + 5 * MINUTE_MS, next.start_ms + 6 * MINUTE_MS);
  expect(judgedOperations(rig)).toMatchObject([
    { version: 0, verdict: null, remarks: ["damaged"], start: printTime(next.start_ms) },
    { version: 1, verdict: "outside_limits" },
  ]);
});
