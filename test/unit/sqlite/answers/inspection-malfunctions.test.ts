// Malfunctions on the inspection sheet: one that somebody has acknowledged isn't over by that.

import { expect, test } from "vitest";
import { inspectionText } from "../../../../src/bwts/documents/sheet-text.ts";
import { alarmId } from "../../../../src/bwts/present/alarm.ts";
import { printTime } from "../../../../src/ground/clock.ts";
import { inspectionOf } from "../../../../src/sqlite/answers/inspection.ts";
import { prepare } from "../../../../src/sqlite/file/open.ts";
import { EVER } from "../../../../src/sqlite/file/query.ts";
import { acknowledgeAlarm, storedAlarm } from "../../../../src/sqlite/records/alarm-acts.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import { readingsOfRun } from "../../../rig/operations.ts";

const rigOf = rigsOfTests();
const SOURCE = {
  ...{ built_ms: 0, utc_offset: "", version: "0.0.0", simulated: false },
  ship: {
    ...{ vessel: null, imo: null, system_id: "BWTS-001", system_type: null, serial: null },
    ...{ certificate: null, capacity_m3_h: null },
  },
};

const alarm = (event_type: "ALARM_TRIGGERED" | "ALARM_CLEARED", ago_ms: number) =>
  messageOf("events", {
    ...{ timestamp: printTime(AT_MS - ago_ms), event_type, description: "door open" },
    data: { code: "DOOR_OPEN", value: 1 },
  });

test("an acknowledged malfunction stays on the sheet until its end is reported", () => {
  const { db, store } = rigOf();
  const run = { start_ms: AT_MS - 600_000, minutes: 5 };
  store.commit(readingsOfRun(run).map((one) => messageOf("telemetry", one)));
  const sheet = () => inspectionOf(db, { now_ms: AT_MS, source: SOURCE }, LAMP_CONFIG);
  expect(inspectionText(sheet())).toContain("Open malfunctions: none.");
  store.commit([alarm("ALARM_TRIGGERED", 60_000)]);
  expect(inspectionText(sheet())).toContain("Open malfunctions: 1 (DOOR_OPEN since");
  const [{ id }] = prepare(db, "alarm.newest_open").all({ ...EVER, limit: 1 });
  const name = alarmId(storedAlarm(db, id) ?? { source: "plc", id, identity: null });
  const act = { at_ms: AT_MS, actor: "test", address: null };
  store.audited((append) => acknowledgeAlarm(db, append, { id: name, note: null, act }));
  const { system } = sheet();
  expect(system).toMatchObject({
    malfunctions: [],
    end_not_reported: [{ code: "DOOR_OPEN", source: "plc" }],
  });
  const text = inspectionText(sheet()).replace(/\s+/g, " ");
  expect(text).toContain("End not reported: 1 (DOOR_OPEN since");
  expect(text).toContain("no open malfunction, 1 without a reported end");
  store.commit([alarm("ALARM_CLEARED", 30_000)]);
  expect(sheet().system).toMatchObject({ malfunctions: [], end_not_reported: [] });
});

test("one of a history is on it, too, unless a later one of its code has ended", () => {
  const { db, store } = rigOf();
  const DAY_MS = 86_400_000;
  const sheet = () => inspectionOf(db, { now_ms: AT_MS, source: SOURCE }, LAMP_CONFIG);
  store.commit([alarm("ALARM_TRIGGERED", 40 * DAY_MS)]);
  expect(sheet().system).toMatchObject({
    ...{ malfunctions: [], end_not_reported: [{ code: "DOOR_OPEN" }] },
  });
  store.commit([alarm("ALARM_TRIGGERED", 20 * DAY_MS), alarm("ALARM_CLEARED", 19 * DAY_MS)]);
  expect(sheet().system).toMatchObject({ malfunctions: [], end_not_reported: [] });
});
