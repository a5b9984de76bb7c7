// Operations whose raw readings have expired: what was judged stands, whatever comes afterwards,
// and the ledger agrees with it.

import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/ground/clock.ts";
import { addAllDue } from "../../../../src/sqlite/derived/derived-repair.ts";
import { OPERATIONS } from "../../../../src/sqlite/derived/operations.ts";
import { faultyOperations } from "../../../../src/sqlite/records/operation-faults.ts";
import { listQuarantine } from "../../../../src/sqlite/records/quarantine.ts";
import { verifyLedger } from "../../../../src/sqlite/records/verify-ledger.ts";
import { openRig, type Rig, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import {
  eventsOfRun,
  idleReadings,
  judgedOperations,
  readingsOfRun,
  storedOperations,
} from "../../../rig/operations.ts";
import { ended } from "../../../rig/whole-store.ts";

const rigOf = rigsOfTests();
const BY = { actor: "engineer", address: null, at_ms: AT_MS };
const OLD_MS = AT_MS - 90 * DAY_MS;
const LOW_MS = OLD_MS + 5 * HOUR_MS;
const LOW = { start_ms: LOW_MS, end_ms: LOW_MS + HOUR_MS };

function send({ store }: Rig, kind: "telemetry" | "events", sent: readonly object[]): void {
  store.commit(sent.map((one) => messageOf(kind, one)));
}

function run(rig: Rig, start_ms: number, intensity = 600): void {
  const given = { start_ms, minutes: 60, at: () => ({ UVR_INTENSITY: intensity }) };
  const { start, stop } = eventsOfRun(given);
  send(rig, "events", [start, stop]);
  send(rig, "telemetry", readingsOfRun(given));
  send(rig, "telemetry", idleReadings(start_ms + 61 * MINUTE_MS, 20));
}

/** Three operations, the second outside its limits; the first two have lost their readings. */
function expired() {
  const rig = rigOf();
  run(rig, OLD_MS);
  run(rig, LOW_MS, 100);
  run(rig, AT_MS - 20 * HOUR_MS);
  const before = judgedOperations(rig);
  while (rig.store.sealOld(AT_MS + 2 * DAY_MS));
  while (ended(rig.store.expire(1)) !== null);
  return { rig, before };
}

test("verdicts stand when their readings have expired, and say so", () => {
  const { rig, before } = expired();
  expect(before.map(({ verdict }) => verdict)).toEqual([
    "within_limits",
    "outside_limits",
    "within_limits",
  ]);
  const [newest, ...older] = before;
  const told = older.map((one) => ({ ...one, remarks: ["readings_expired"] }));
  expect(judgedOperations(rig)).toEqual([newest, ...told]);
});

test("nothing that comes after the expiry makes a version of them", () => {
  const { rig } = expired();
  const stands = () => expect(judgedOperations(rig)).toEqual(before);
  const before = storedOperations(rig);
  const problem = expect.stringContaining("have expired");
  expect(rig.store.addVoid({ ...LOW, reason: "sensor" }, BY)).toEqual({ problem });
  const events = { ...LOW, reason: "sensor", what: "events" } as const;
  expect(rig.store.addVoid(events, BY)).toMatchObject({ events: 2 });
  stands();
  rig.store.undoVoid(1, BY);
  stands();
  const alarm = { event_type: "ALARM_TRIGGERED", description: "late", data: { code: "UV_LOW" } };
  send(rig, "events", [{ timestamp: LOW_MS + 30 * MINUTE_MS, ...alarm }]);
  const { start, stop } = eventsOfRun({ start_ms: LOW_MS + 20 * MINUTE_MS, minutes: 10 });
  send(rig, "events", [start, stop]);
  send(rig, "telemetry", readingsOfRun({ start_ms: LOW_MS, minutes: 1 }));
  stands();
  expect(listQuarantine(rig.db, 9).map(({ reason }) => reason)).toEqual(["expired", "expired"]);
  const again = openRig({}, rig.dir);
  addAllDue(again.db, [OPERATIONS]);
  while (again.store.sealFull());
  expect(judgedOperations(again)).toEqual(before);
  expect(verifyLedger(again.db).problem).toBeNull();
  expect([...faultyOperations(again.db)]).toEqual([]);
  again.close();
});
