// The ends of the treatment system's alarms: told with their alert, kept as events, in any order.

import { expect, test } from "vitest";
import type { AlarmAnswer } from "../../../../src/bwts/present/alarm.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, printTime } from "../../../../src/ground/clock.ts";
import { alarmTexts } from "../../../../src/sqlite/answers/alarms.ts";
import { eventTexts } from "../../../../src/sqlite/answers/events.ts";
import { recordTexts } from "../../../../src/sqlite/answers/export-records.ts";
import { newsSince } from "../../../../src/sqlite/answers/news.ts";
import type { Connection } from "../../../../src/sqlite/file/open.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import { LONG } from "../../../rig/scale.ts";

const rigOf = rigsOfTests();
const EVER = { start_ms: null, end_ms: null };
/** Minutes before now, so that an alarm of minute 0 is an hour old. */
const at = (minute: number) => RECEIVED_MS - HOUR_MS + minute * MINUTE_MS;

const told = (
  event_type: string,
  minute: number,
  data: object = { code: "UV_LOW" },
  text = "an alarm",
) => messageOf("events", { timestamp: at(minute), event_type, description: text, data });
const rises = (minute: number, data?: object) => told("ALARM_TRIGGERED", minute, data);
const ends = (minute: number, data?: object) => told("ALARM_CLEARED", minute, data);

function alerts(db: Connection, state: "open" | "cleared" | "unknown" | null = null) {
  return [...alarmTexts(db, { range: EVER, state, limit: 1000 })].map(
    (text): AlarmAnswer => JSON.parse(text),
  );
}

const endsOf = (db: Connection) => alerts(db).map(({ cleared_at }) => cleared_at);
const typesOf = (texts: Iterable<string>) =>
  [...texts].map((text) => JSON.parse(text).event_type as string);

test("an end clears the alert of its code, and is no event of the API", () => {
  const { db, store } = rigOf();
  store.commit([rises(0), rises(1, { code: "PUMP" })]);
  const { known } = newsSince(db, null, LAMP_CONFIG);
  expect(store.commit([ends(5)])).toMatchObject({ events: 1, quarantined: 0 });
  expect(alerts(db, "cleared")).toMatchObject([
    { code: "UV_LOW", cleared_at: printTime(at(5)), alert_state: "rectified", source: "plc" },
  ]);
  expect(alerts(db, "unknown")).toMatchObject([{ code: "PUMP", alert_state: "unacknowledged" }]);
  const query = { range: EVER, type: null, limit: 100 };
  expect(typesOf(eventTexts(db, query))).toEqual(["ALARM_TRIGGERED", "ALARM_TRIGGERED"]);
  const { items } = newsSince(db, known, LAMP_CONFIG);
  expect(items.filter(({ type }) => type === "event")).toEqual([]);
  expect(items.filter(({ type }) => type === "alert")).toHaveLength(1);
  // It is kept in the chain, and goes out with an export.
  const exported = recordTexts(db, {
    ...{ kind: "events", format: "ndjson", range: { start_ms: 0, end_ms: RECEIVED_MS } },
    ...{ withVoided: false, limits: LAMP_CONFIG.limits, now_ms: RECEIVED_MS },
  });
  expect(typesOf(exported).at(-1)).toBe("ALARM_CLEARED");
});

test("an end without a time, or with the code in another case, ends its alarm", () => {
  const { db, store } = rigOf();
  store.commit([rises(0), rises(1, { code: "PUMP", parameter: "P1" })]);
  store.commit([ends(2, { code: "uv_low" }), ends(3, { code: "Pump", parameter: "p1" })]);
  expect(endsOf(db)).toEqual([printTime(at(3)), printTime(at(2))]);
  // The end comes first.
  store.commit([ends(5, { code: "fan" })]);
  store.commit([rises(4, { code: "FAN" })]);
  expect(alerts(db)[0]).toMatchObject({ code: "FAN", cleared_at: printTime(at(5)) });
  const within = { received_ms: RECEIVED_MS + 700 };
  const untimed = { event_type: "ALARM_CLEARED", data: { code: "VALVE" } };
  const timed = { ...untimed, event_type: "ALARM_TRIGGERED", timestamp: RECEIVED_MS + 400 };
  store.commit([messageOf("events", timed, within), messageOf("events", untimed, within)]);
  expect(alerts(db)[0]).toMatchObject({ code: "VALVE", state: "cleared" });
});

test("whatever the order in which alarms and ends come, the newest decides", () => {
  const history = [rises(0), ends(5), rises(10), ends(15), rises(20, { code: "PUMP" })];
  const orders = [
    [0, 1, 2, 3, 4],
    [4, 3, 2, 1, 0],
    [1, 3, 0, 2, 4],
    [2, 0, 3, 1, 4],
  ];
  for (const order of orders) {
    const { db, store } = rigOf();
    for (const place of order) store.commit([history[place]]);
    expect(endsOf(db)).toEqual([null, printTime(at(15))]);
    // The same again changes nothing.
    expect(store.commit(history)).toMatchObject({ events: 0, quarantined: 0 });
    expect(endsOf(db)).toEqual([null, printTime(at(15))]);
  }
});

test("an alarm that rises after its end lasts again; much later it is another alert", () => {
  const { db, store } = rigOf();
  store.commit([rises(-200), ends(-190), rises(-180)]);
  expect(alerts(db)).toMatchObject([{ count: 2, state: "unknown", cleared_at: null }]);
  store.commit([ends(-170), rises(0)]);
  expect(alerts(db)).toMatchObject([
    { count: 1, state: "unknown", alert_state: "unacknowledged" },
    { count: 2, state: "cleared", alert_state: "closed", cleared_at: printTime(at(-170)) },
  ]);
  // At the same instant the one that was stored last stands.
  store.commit([ends(1), rises(1)]);
  expect(alerts(db)[0]).toMatchObject({ count: 2, state: "unknown" });
});

test("an end without a parameter ends the only one of its code, and none of several", () => {
  const { db, store } = rigOf();
  const lamp = (number: number) => ({ code: "LAMP_FAIL", parameter: `LAMP_0${number}_STATUS` });
  store.commit([rises(0, lamp(1)), rises(1, lamp(2)), ends(2, { code: "LAMP_FAIL" })]);
  expect(endsOf(db)).toEqual([null, null]);
  store.commit([ends(3, lamp(2)), ends(4, { code: "LAMP_FAIL" })]);
  expect(endsOf(db)).toEqual([printTime(at(3)), printTime(at(4))]);
  // Without a code the text is what an alarm is known by.
  store.commit([
    told("ALARM_TRIGGERED", 5, {}, "Low flow"),
    told("ALARM_CLEARED", 6, {}, "Low flow"),
  ]);
  expect(endsOf(db)[0]).toBe(printTime(at(6)));
  store.commit([
    told("ALARM_TRIGGERED", 7, {}, "High flow"),
    told("ALARM_CLEARED", 8, {}, "Other"),
  ]);
  expect(endsOf(db)[0]).toBeNull();
});

test("thousands of ends, and of alarms that came late, cost each some lookups", LONG, () => {
  const { db, store } = rigOf();
  const late = (index: number) => (-9 * DAY_MS) / MINUTE_MS + index / 1000;
  const lamp = (index: number) => ({ code: "LAMP_FAIL", parameter: `P${index}` });
  const many = Array.from({ length: 3000 }, (_, index) => index);
  store.commit(many.map((index) => rises(late(index), lamp(index))));
  const began = process.cpuUsage();
  store.commit(many.map((index) => ends(late(index) + 1, { code: "LAMP_FAIL", index })));
  store.commit(many.map((index) => ends(late(index) + 5, lamp(index))));
  const { user, system } = process.cpuUsage(began);
  expect(alerts(db, "cleared")).toHaveLength(1000);
  // Each end against each alarm of its code would be nine million rows.
  expect((user + system) / 1e6).toBeLessThan(20);
});

test("an alarm of a code that is open already isn't ended by an older end", () => {
  const { db, store } = rigOf();
  store.commit([rises(10), ends(5)]);
  expect(endsOf(db)).toEqual([null]);
});

test("a history that comes late keeps its ends", () => {
  const { db, store } = rigOf();
  const days = (count: number) => (-count * DAY_MS) / MINUTE_MS;
  store.commit([rises(days(9)), ends(days(9) + 3), rises(days(3)), ends(days(3) + 4)]);
  expect(endsOf(db)).toEqual([printTime(at(days(3) + 4)), printTime(at(days(9) + 3))]);
  expect(alerts(db, "open")).toEqual([]);
});

test("a warning is an alarm with a severity, and its end is its own", () => {
  const { db, store } = rigOf();
  const warning = { code: "FILTER_DP" };
  store.commit([told("WARNING", 0, warning), told("WARNING_TRIGGERED", 1, { code: "CABINET" })]);
  store.commit([told("WARNING_CLEARED", 2, warning)]);
  expect(alerts(db)).toMatchObject([
    { code: "CABINET", state: "unknown", data: { severity: "WARNING" } },
    { code: "FILTER_DP", state: "cleared", data: { severity: "WARNING" } },
  ]);
});
