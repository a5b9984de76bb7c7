// Alerts in the store: a plant that repeats alarms without end, or invents codes, stays cheap and
// bounded; what is hidden with its events; when an alert of ballastd's own is the same one again.

import { expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import { ownAlarm } from "../../../../src/bwts/event.ts";
import type { AlarmAnswer } from "../../../../src/bwts/present/alarm.ts";
import type { OwnCode } from "../../../../src/bwts/present/alert.ts";
import { DAY_MS, HOUR_MS } from "../../../../src/ground/clock.ts";
import { alarmTexts } from "../../../../src/sqlite/answers/alarms.ts";
import { newsSince } from "../../../../src/sqlite/answers/news.ts";
import type { Connection } from "../../../../src/sqlite/file/open.ts";
import { acknowledgeAlarm, shelveAlarm } from "../../../../src/sqlite/records/alarm-acts.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";

const rigOf = rigsOfTests();
const act = { ...BY_SELF, at_ms: RECEIVED_MS };
const AT_MS = RECEIVED_MS - DAY_MS;
const EVER = { start_ms: null, end_ms: null };

const alarm = (at_ms: number, data: object, description = "an alarm") =>
  messageOf("events", { timestamp: at_ms, event_type: "ALARM_TRIGGERED", description, data });

function alerts(db: Connection, state: "open" | "unknown" | null = null): readonly AlarmAnswer[] {
  return [...alarmTexts(db, { range: EVER, state, limit: 1000 })].map((text) => JSON.parse(text));
}

const acknowledge = ({ db, store }: ReturnType<typeof rigOf>, id: string) =>
  store.audited((append) => acknowledgeAlarm(db, append, { id, note: null, act }));

test("5,000 alarms of one code are one alert, closed by one acknowledgement", () => {
  const rig = rigOf();
  const repeated = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) =>
      alarm(AT_MS + (first + index) * 720, { code: "UV_LOW", value: first + index }),
    );
  rig.store.commit(repeated(0, 5000));
  expect(alerts(rig.db)).toMatchObject([{ code: "UV_LOW", count: 5000, value: 0 }]);
  // It is closed by one acknowledgement; what comes then is another alert.
  expect(acknowledge(rig, alerts(rig.db)[0].id)).toMatchObject({ outcome: "done" });
  rig.store.commit(repeated(5000, 2));
  expect(alerts(rig.db).map(({ count, alert_state }) => [count, alert_state])).toEqual([
    [2, "unacknowledged"],
    [5000, "closed"],
  ]);
});

test("alarms that differ in a number alone are different alerts", () => {
  const { db, store } = rigOf();
  const told = [
    { code: 101 },
    { code: 102 },
    { code: "E1", parameter: 3 },
    { code: "E1", parameter: 4 },
  ];
  store.commit(told.map((data, place) => alarm(RECEIVED_MS - place, data)));
  expect(alerts(db, "open").map(({ code, parameter, count }) => [code, parameter, count])).toEqual([
    ["101", null, 1],
    ["102", null, 1],
    ["E1", "3", 1],
    ["E1", "4", 1],
  ]);
});

test("a history of alarms that comes late is told to listeners in portions, each once", () => {
  const { db, store } = rigOf();
  let { known } = newsSince(db, null, LAMP_CONFIG);
  const late = (_: unknown, n: number) => alarm(RECEIVED_MS - 9 * DAY_MS - n, { code: `OLD_${n}` });
  store.commit(Array.from({ length: 250 }, late));
  store.commit([alarm(RECEIVED_MS, { code: "NEW" })]);
  const codes: string[] = [];
  for (let isMore = true; isMore; ) {
    const news = newsSince(db, known, LAMP_CONFIG);
    const told = news.items.filter(({ type }) => type === "alert");
    expect(told.length).toBeLessThanOrEqual(101);
    codes.push(...told.map(({ text }) => JSON.parse(text).code));
    ({ known, isMore } = news);
  }
  expect(codes[0]).toBe("NEW");
  expect(codes).toHaveLength(251);
  expect(new Set(codes).size).toBe(251);
});

test("ever new codes, parameters and texts share one alert beyond 200", () => {
  const rig = rigOf();
  rig.store.commit(
    Array.from({ length: 1200 }, (_, index) => {
      const at_ms = AT_MS + index;
      if (index % 3 === 0) return alarm(at_ms, { code: `CODE_${index}` });
      if (index % 3 === 1) return alarm(at_ms, { code: "VALVE", parameter: `valve ${index}` });
      return alarm(at_ms, {}, `something ${index} ${"x".repeat(900)}`);
    }),
  );
  const open = alerts(rig.db, "open");
  expect(open).toHaveLength(201);
  const [shared] = open.filter(({ code }) => code === "FURTHER_ALARMS");
  expect(shared).toMatchObject({ count: 1000, priority: "alarm", parameter: null, value: null });
  // Its code is no way around it.
  const named = (index: number) => ({ code: "FURTHER_ALARMS", parameter: `valve ${index}` });
  rig.store.commit(Array.from({ length: 9 }, (_, index) => alarm(AT_MS + 2000, named(index))));
  expect(alerts(rig.db, "open")).toHaveLength(201);
  // An acknowledged one makes room.
  const [one] = open.filter(({ code }) => code === "CODE_0");
  acknowledge(rig, one.id);
  rig.store.commit([alarm(AT_MS + 5000, { code: "NEW_CODE" })]);
  expect(alerts(rig.db, "open").map(({ code }) => code)).toContain("NEW_CODE");
});

test("an alert is hidden when all of it is, and ids are those of the first event", () => {
  const rig = rigOf();
  const times = [0, 1, 5].map((hours) => AT_MS + hours * HOUR_MS);
  rig.store.commit(times.slice(0, 2).map((at_ms) => alarm(at_ms, { code: "PUMP" })));
  const [{ id }] = alerts(rig.db);
  const hide = (end_ms: number) =>
    rig.store.addVoid({ start_ms: AT_MS, end_ms, what: "events", reason: "test" }, act);
  hide(times[0]);
  expect(alerts(rig.db)).toMatchObject([{ id, count: 2 }]);
  hide(times[1]);
  expect(alerts(rig.db)).toEqual([]);
  rig.store.commit([alarm(times[2], { code: "PUMP" })]);
  expect(alerts(rig.db)).toMatchObject([{ id, count: 3, code: "PUMP" }]);
});

test("an own alert again within an hour is the same, later it replaces the one before", () => {
  const rig = rigOf();
  const raise = (code: OwnCode, at_ms: number) =>
    rig.store.raiseAlarm(
      ownAlarm(at_ms, {
        ...{ code, text: `at ${at_ms}`, parameter: null, value: at_ms, limit: null, unit: null },
      }),
      "",
      RECEIVED_MS,
    );
  const clear = (code: OwnCode, at_ms: number) => rig.store.clearAlarm({ code, about: "" }, at_ms);
  const standing = () =>
    alerts(rig.db).map(({ code, count, alert_state, value }) => [code, count, alert_state, value]);
  expect(raise("NO_DATA", 1000)).toBe(true);
  expect(raise("NO_DATA", 2000)).toBe(false);
  clear("NO_DATA", 3000);
  expect(raise("NO_DATA", HOUR_MS)).toBe(true);
  expect(standing()).toEqual([["NO_DATA", 2, "unacknowledged", HOUR_MS]]);
  acknowledge(rig, alerts(rig.db)[0].id);
  clear("NO_DATA", HOUR_MS + 1);
  expect(standing()).toEqual([["NO_DATA", 2, "closed", HOUR_MS]]);
  raise("NO_DATA", HOUR_MS + 2);
  expect(standing()).toEqual([["NO_DATA", 3, "unacknowledged", HOUR_MS + 2]]);
  clear("NO_DATA", HOUR_MS + 3);
  raise("NO_DATA", 3 * HOUR_MS);
  expect(standing()).toEqual([
    ["NO_DATA", 1, "unacknowledged", 3 * HOUR_MS],
    ["NO_DATA", 3, "closed", HOUR_MS + 2],
  ]);
  // A caution is closed when it is over.
  raise("DISK_LOW", 4 * HOUR_MS);
  clear("DISK_LOW", 4 * HOUR_MS + 1);
  expect(standing()[0]).toEqual(["DISK_LOW", 1, "closed", 4 * HOUR_MS]);
  // After the clock was set back the times aren't in order.
  clear("NO_DATA", 5 * HOUR_MS);
  for (const at_ms of [HOUR_MS, 2 * HOUR_MS - 1, 4 * HOUR_MS]) {
    expect(raise("NO_DATA", at_ms)).toBe(true);
    clear("NO_DATA", at_ms + 1);
  }
  expect(standing().filter(([, , state]) => state !== "closed")).toEqual([
    ["NO_DATA", 1, "rectified", 4 * HOUR_MS],
  ]);
});

test("a clock set back between rise and end gives no end before the rise", () => {
  const rig = rigOf();
  const rise = (at_ms: number) => {
    const none = { parameter: null, value: null, limit: null, unit: null };
    const event = ownAlarm(at_ms, { code: "NO_DATA", text: "silence", ...none });
    return rig.store.raiseAlarm(event, "", RECEIVED_MS);
  };
  const clear = (at_ms: number) => rig.store.clearAlarm({ code: "NO_DATA", about: "" }, at_ms);
  const first = new Date(5 * HOUR_MS).toISOString();
  rise(5 * HOUR_MS);
  clear(HOUR_MS);
  expect(alerts(rig.db)).toMatchObject([{ since: first, cleared_at: first, count: 1 }]);
  // Within the hour by the clock of before: the same alert, whose last rise stays the latest.
  rise(4.5 * HOUR_MS);
  expect(alerts(rig.db)).toMatchObject([
    { since: first, last_raised: first, cleared_at: null, state: "active", count: 2 },
  ]);
});

test("the stream tells of a shelving, of another reason, and of its end", async () => {
  const { db, store } = rigOf();
  store.commit([alarm(AT_MS, { code: "PUMP" })]);
  const [{ id }] = alerts(db);
  let { known } = newsSince(db, null, LAMP_CONFIG);
  const told = () => {
    const news = newsSince(db, known, LAMP_CONFIG);
    known = news.known;
    return news.items.map(({ text }) => JSON.parse(text).shelved_reason);
  };
  const shelve = (reason: string, until_ms: number) =>
    store.audited((append) => shelveAlarm(db, append, { id, until_ms, reason, act }));
  const later_ms = Date.now() + HOUR_MS;
  shelve("one", later_ms);
  expect(told()).toEqual(["one"]);
  shelve("two", later_ms);
  expect(told()).toEqual(["two"]);
  const soon_ms = Date.now() + 1500;
  shelve("three", soon_ms);
  const all = told();
  await expect.poll(() => Date.now()).toBeGreaterThan(soon_ms);
  expect([...all, ...told()].at(-1)).toBeNull();
  expect(told()).toEqual([]);
});

test("an alarm received more than a day after its time is history; those of a day are one", () => {
  const rig = rigOf();
  const at = (days: number, data: object) => alarm(RECEIVED_MS - days * DAY_MS, data);
  const low = { code: "UV_LOW" };
  const history = Array.from({ length: 1000 }, (_, number) => at(400 - number / 50, low));
  rig.store.commit([at(0.9, low), ...history, at(700, low), at(30, { code: "PUMP" })]);
  expect(alerts(rig.db, "open")).toMatchObject([{ code: "UV_LOW", count: 1 }]);
  expect(alerts(rig.db)).toMatchObject([
    { code: "UV_LOW", count: 1, alert_state: "unacknowledged" },
    { code: "PUMP", count: 1, alert_state: "closed", acknowledged_at: null },
    { code: "UV_LOW", count: 1000, alert_state: "closed" },
    { code: "UV_LOW", count: 1, alert_state: "closed" },
  ]);
  // Alarms of now aren't counted with history, nor history with what is acknowledged.
  expect(acknowledge(rig, alerts(rig.db, "open")[0].id)).toMatchObject({ outcome: "done" });
  rig.store.commit([at(1.1, low), at(0, low)]);
  expect(alerts(rig.db).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1000, 1]);
});

test("while the PC's clock can't be right, every alarm counts as one of now", () => {
  const rig = rigOf({ built_ms: RECEIVED_MS + DAY_MS });
  rig.store.commit([alarm(RECEIVED_MS - 400 * DAY_MS, { code: "UV_LOW" })]);
  expect(alerts(rig.db, "open")).toMatchObject([{ alert_state: "unacknowledged" }]);
});

/** Readings of twelve seconds, by a PLC's clock that is so many days behind. */
function sendReadings({ store }: ReturnType<typeof rigOf>, behind_days: number, from_s = 0) {
  for (let second = from_s; second < from_s + 12; second += 1) {
    const received_ms = RECEIVED_MS + second * 1000;
    const reading = { timestamp: received_ms - behind_days * DAY_MS, SYS_PRESSURE: second };
    store.commit([messageOf("telemetry", reading, { received_ms })]);
  }
}

test("a PLC's clock that is known to be a year behind makes its alarms no history", () => {
  const rig = rigOf();
  sendReadings(rig, 400);
  const at_ms = RECEIVED_MS - 400 * DAY_MS;
  rig.store.commit([alarm(at_ms, { code: "UV_LOW" })]);
  expect(alerts(rig.db, "open")).toMatchObject([{ alert_state: "unacknowledged" }]);
  // It is known from the run before, until readings come.
  rig.store.recordSteps();
  rig.close();
  const again = rigOf({}, rig.dir);
  again.store.commit([alarm(at_ms + 60_000, { code: "UV_HIGH" })]);
  expect(alerts(again.db, "open").map(({ code }) => code)).toEqual(["UV_HIGH", "UV_LOW"]);
});

test("alarms that came before the PLC's clock was known are judged again when it is", () => {
  const rig = rigOf();
  const before = (days: number, code: string) => alarm(RECEIVED_MS - days * DAY_MS, { code });
  rig.store.commit([before(400, "UV_LOW"), before(402, "OLD"), before(400, "PUMP")]);
  rig.store.commit([before(400.01, "PUMP")]);
  expect(alerts(rig.db, "open")).toEqual([]);
  sendReadings(rig, 400);
  rig.store.recordSteps();
  expect(alerts(rig.db, "open")).toMatchObject([
    { code: "PUMP", count: 2, alert_state: "unacknowledged" },
    { code: "UV_LOW", count: 1, alert_state: "unacknowledged" },
  ]);
  // A later step of the clock changes nothing of those that it was known for.
  sendReadings(rig, 402, 3600);
  rig.store.recordSteps();
  expect(alerts(rig.db, "open").map(({ code }) => code)).toEqual(["PUMP", "UV_LOW"]);
});
