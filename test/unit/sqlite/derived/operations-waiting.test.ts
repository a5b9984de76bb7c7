// Operations that wait to be judged again: "within limits" is said nowhere of them, and of them
// alone. The newest hour, which stays due until a later one begins, is no reason to wait.

import { expect, test } from "vitest";
import { HOUR_MS } from "../../../../src/ground/clock.ts";
import { inspectedOperations } from "../../../../src/sqlite/answers/inspected-operations.ts";
import { shownOperations } from "../../../../src/sqlite/answers/operations.ts";
import { judgedAgain } from "../../../../src/sqlite/care/judged-again.ts";
import { EVER } from "../../../../src/sqlite/file/query.ts";
import { giveOut } from "../../../../src/sqlite/records/give-out.ts";
import { type Rig, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import {
  eventsOfRun,
  judgedOperations,
  readingsOfRun,
  storedOperations,
} from "../../../rig/operations.ts";

const rigOf = rigsOfTests();
const START_MS = Math.floor(AT_MS / HOUR_MS - 100) * HOUR_MS;
const LOW = () => ({ UVR_INTENSITY: 100 });
const { limits } = LAMP_CONFIG;

/** Three operations, of which the second is outside its limits. */
function shipOf(): Rig {
  const rig = rigOf();
  // The repair that follows a start, which notes the version of the rules.
  while (rig.store.sealFull());
  for (const [hour, at] of [[0], [10, LOW], [20]] as const) {
    const ran = { start_ms: START_MS + hour * HOUR_MS, minutes: 40, ...(at ? { at } : {}) };
    const { start, stop } = eventsOfRun(ran);
    rig.store.commit([
      ...[start, stop].map((one) => messageOf("events", one)),
      ...readingsOfRun(ran).map((one) => messageOf("telemetry", one)),
    ]);
  }
  judgedOperations(rig);
  return rig;
}

const makeDue = ({ db }: Rig, start_ms: number) =>
  db.prepare("insert or ignore into due values ('operations', ?)").run(start_ms);

const told = (rig: Rig) =>
  storedOperations(rig)
    .toReversed()
    .map(({ verdict, remarks }) => (remarks.includes("waiting") ? ["waiting", verdict] : verdict));

test("the newest hour is due, and nothing of it waits", () => {
  const rig = shipOf();
  expect(rig.db.prepare("select count(*) as n from due").get()).not.toEqual({ n: 0 });
  expect(told(rig)).toEqual(["within_limits", "outside_limits", "within_limits"]);
  expect(judgedAgain(rig.db, LAMP_CONFIG)).toEqual({ judged: 3, faults: [], not_judged: [] });
});

test("a verdict of the newest hour that a late reading contradicts waits, and isn't proven", () => {
  const rig = shipOf();
  const start_ms = START_MS + 20 * HOUR_MS;
  const [reading] = readingsOfRun({ start_ms, minutes: 1 });
  const late = { ...reading, timestamp: start_ms + 30_000 };
  rig.store.commit([messageOf("telemetry", late, { received_ms: Date.now() + 1000 })]);
  expect(told(rig)).toEqual(["within_limits", "outside_limits", ["waiting", null]]);
  const { judged, faults, not_judged } = judgedAgain(rig.db, LAMP_CONFIG);
  expect([judged, faults]).toEqual([2, []]);
  expect(not_judged).toEqual([
    "1 operation that wait to be judged again",
    expect.stringMatching(/^operation 3: its readings tell another readings/),
  ]);
});

test.each([
  ["its hour", (rig: Rig) => makeDue(rig, START_MS)],
  ["all", (rig: Rig) => makeDue(rig, Number.MAX_SAFE_INTEGER)],
])("one within limits isn't told as such while %s is due; a worse one is", (what, make) => {
  const rig = shipOf();
  make(rig);
  const waiting = ["waiting", null];
  const last = what === "all" ? waiting : "within_limits";
  expect(told(rig)).toEqual([waiting, "outside_limits", last]);
  const [first] = storedOperations(rig).toReversed();
  expect(first).toMatchObject({ reasons: [], parts: [], versions: [{ version: 1 }] });
  const asked = { operation_type: null, location: null, verdict: "within_limits", limit: 10 };
  const range = { start_ms: 0, end_ms: null };
  const within = [...shownOperations(rig.db, { ...asked, range }, limits)];
  expect(within.map(({ id }) => id)).toEqual(what === "all" ? [] : [3]);
  const one = [...shownOperations(rig.db, { ...asked, limit: 1, range }, limits)];
  expect(one.length).toBe(what === "all" ? 0 : 1);
  const { operations } = inspectedOperations(rig.db, EVER, limits);
  expect(operations).toEqual(storedOperations(rig));
});

test("one that waits leaves without its verdict, so nothing was given out", () => {
  const rig = shipOf();
  makeDue(rig, START_MS);
  giveOut(rig.db, { ids: null, range: EVER }, AT_MS);
  rig.db.exec(`delete from due where start_ms = ${START_MS}`);
  const given = storedOperations(rig).map(({ versions }) => versions[0].given_out !== null);
  expect(given.toReversed()).toEqual([false, true, true]);
});

test.each([
  ["other", "update mark set value = value - 1 where name = 'rules_operations'"],
  ["no", "delete from mark where name = 'rules_operations'"],
])("%s rules make all wait, also before they were made due", (_, statement) => {
  const rig = shipOf();
  rig.db.exec(statement);
  expect(told(rig)).toEqual([["waiting", null], "outside_limits", ["waiting", null]]);
  expect(judgedAgain(rig.db, LAMP_CONFIG)).toEqual({
    ...{ judged: 0, faults: [] },
    not_judged: ["3 operations that wait to be judged again"],
  });
});

test("limits of a configuration that no start has had yet make all that are within wait", () => {
  const rig = shipOf();
  const settings = [{ key: "limits.uv_imo", value: limits.uv_imo, isSecret: false }];
  const now = { now_ms: AT_MS, isLogMissing: false };
  rig.store.beginRun({ at_ms: AT_MS, detail: {}, settings }, now);
  expect(told(rig)).toEqual(["within_limits", "outside_limits", "within_limits"]);
  const stricter = { ...limits, uv_imo: limits.uv_imo + 1 };
  const { operations } = inspectedOperations(rig.db, EVER, stricter);
  const verdicts = operations.map(({ verdict }) => verdict).toReversed();
  expect(verdicts).toEqual([null, "outside_limits", null]);
});
