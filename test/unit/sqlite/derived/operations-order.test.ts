// Beginning and end of operations don't depend on the order in which messages come: forecasts made
// between them, voids that are made and undone, and late readings leave no trace but
// versions. Each is compared with a database that got all in order. HISTORIES says how
// many.

import { expect, test } from "vitest";
import { RESUME_MAX_MS } from "../../../../src/bwts/operations/activity.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../src/ground/clock.ts";
import { judgedAgain } from "../../../../src/sqlite/care/judged-again.ts";
import { OPERATIONS } from "../../../../src/sqlite/derived/operations.ts";
import { type Rig, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import {
  arrivalsOf,
  generatedHistory,
  HISTORY_MS,
  type History,
  type HistoryItem,
} from "../../../rig/operation-histories.ts";
import { eventsOfRun, idleReadings, storedOperations } from "../../../rig/operations.ts";
import { printedRandom } from "../../../rig/random.ts";
import { sized } from "../../../rig/scale.ts";

const rigOf = rigsOfTests();
const HISTORIES = Number(process.env.HISTORIES ?? sized(12, 10_000));
/** Histories in a database. */
const TOGETHER = 7;
/** A stop may come again for so long, while the plant is at rest. */
const AGAIN_MS = 6 * HOUR_MS;
/** Starts, and stops, within this time of another are corrections of it. */
const CORRECTED_MS = 2 * MINUTE_MS;
const BY = { actor: "engineer", address: null, at_ms: AT_MS };

const send = ({ store }: Rig, items: readonly HistoryItem[]) =>
  store.commit(items.map(({ kind, content }) => messageOf(kind, content)));

/** A late cleaning makes those after it due; more rounds are of a judgement that flips. */
const ROUNDS_MAX = 4;

/** The operations as they are told, without their versions and times of judging. */
function toldOf(rig: Rig) {
  let rounds = 0;
  while (rounds < ROUNDS_MAX && derived(rig, OPERATIONS).count > 0) rounds += 1;
  expect(rounds).toBeLessThan(ROUNDS_MAX);
  return storedOperations(rig)
    .filter(({ remarks }) => !remarks.includes("withdrawn"))
    .map((one) => ({
      ...{ start: one.start, end: one.end, type: one.operation_type, place: one.location },
      ...{ known_by: one.known_by, remarks: one.remarks, verdict: one.verdict },
      ...{ with_hidden: one.verdict_with_hidden, reasons: one.reasons, volume: one.volume_m3 },
      ...{ readings: one.readings, hidden: one.readings_hidden },
    }))
    .map((one) => JSON.stringify(one))
    .toSorted();
}

function makeVoids({ store }: Rig, { voids }: History, isLasting: boolean): void {
  for (const { what, start_ms, end_ms, isUndone } of voids) {
    if (isLasting && isUndone) continue;
    const made = store.addVoid({ what, start_ms, end_ms, reason: "chance" }, BY);
    if (isUndone && "id" in made) store.undoVoid(made.id, BY);
  }
}

/**
 * Treated readings that lie in no operation and beside none. One with no other within two hours
 * doesn't count: a single reading is no operation.
 */
function leftOver(told: readonly string[], { items }: History): readonly number[] {
  const spans = told.map((one) => JSON.parse(one));
  const isIn = (at_ms: number, by_ms: number) =>
    spans.some(
      ({ start, end }) => at_ms >= Date.parse(start) - by_ms && at_ms <= Date.parse(end) + by_ms,
    );
  const readings = items.filter(({ kind }) => kind === "telemetry");
  return readings.flatMap(({ content }, index) => {
    const isRunning = (at: number) => {
      const near = readings.at(at)?.content;
      const by_ms = Math.abs((near?.timestamp ?? Infinity) - content.timestamp);
      return near?.PROCESS_STATE === "RUNNING" && by_ms <= 2 * RESUME_MAX_MS;
    };
    const isAlone = index === 0 || !isRunning(index - 1) || !isRunning(index + 1);
    const isLeft = isRunning(index) && !isAlone && !isIn(content.timestamp, 15 * MINUTE_MS);
    return isLeft ? [content.timestamp] : [];
  });
}

/**
 * Starts and stops at which no operation begins or ends, and none of their kind is near. Of starts
 * that correct each other the first is of the operation; of stops one of them.
 */
function strayEvents(told: readonly string[], { items, voids }: History): readonly number[] {
  const spans = told.map((one) => JSON.parse(one));
  const hidden = voids.filter(({ what, isUndone }) => what === "events" && !isUndone);
  return items.flatMap(({ kind, content: { timestamp, event_type } }) => {
    const name = event_type === "PROCESS_START" ? "start" : "end";
    const isHidden = hidden.some((one) => timestamp >= one.start_ms && timestamp <= one.end_ms);
    if (kind !== "events" || isHidden) return [];
    const isOfOne = spans.some((span) => {
      const since_ms = timestamp - Date.parse(span[name]);
      return since_ms === 0 || (name === "end" && since_ms > 0 && since_ms <= AGAIN_MS);
    });
    const isCorrection = items.some(({ content: one }) => {
      const by_ms = timestamp - one.timestamp;
      const isNear = name === "end" ? by_ms !== 0 && Math.abs(by_ms) <= MINUTE_MS : by_ms > 0;
      return one.event_type === event_type && isNear && by_ms <= CORRECTED_MS;
    });
    return isOfOne || isCorrection ? [] : [timestamp];
  });
}

test(`${HISTORIES} histories give in any order what they give in theirs`, () => {
  const random = printedRandom("operations in any order");
  let found = 0;
  const differences: string[] = [];
  for (let at = 0; at < HISTORIES; at += TOGETHER) {
    const many = Math.min(TOGETHER, HISTORIES - at);
    const histories = Array.from({ length: many }, (_, index) =>
      generatedHistory(random, AT_MS - (index + 2) * HISTORY_MS),
    ).toReversed();
    const [ordered, other] = [rigOf(), rigOf()];
    for (const { db } of [ordered, other]) db.pragma("synchronous = off");
    for (const history of histories) {
      send(ordered, history.items);
      makeVoids(ordered, history, true);
      const arrivals = arrivalsOf(random, history);
      const voidedAt = random.between(0, arrivals.length - 1);
      for (const [index, items] of arrivals.entries()) {
        send(other, items);
        if (index === voidedAt) makeVoids(other, history, false);
        derived(other, OPERATIONS);
      }
    }
    const [expected, told] = [ordered, other].map(toldOf);
    found += expected.length;
    const isOf = (of: readonly string[]) => (one: string) => of.includes(one);
    differences.push(
      ...expected.filter((one) => !isOf(told)(one)).map((one) => `lacks ${one}`),
      ...told.filter((one) => !isOf(expected)(one)).map((one) => `has ${one}`),
    );
    for (const history of histories) {
      expect(leftOver(expected, history)).toEqual([]);
      expect(strayEvents(expected, history)).toEqual([]);
    }
    for (const rig of [ordered, other]) rig.close();
  }
  console.log(`${found} operations, ${differences.length} differences`);
  expect(differences).toEqual([]);
});

test("a start and a stop within a rest are found though silences of a day follow in it", () => {
  const [ordered, late] = [rigOf(), rigOf()];
  const first_ms = AT_MS - HISTORY_MS;
  const resting = (hours: readonly [number, number]): readonly HistoryItem[] =>
    idleReadings(first_ms + hours[0] * HOUR_MS, (hours[1] - hours[0]) * 60).map((content) => ({
      kind: "telemetry",
      content,
    }));
  const { start, stop } = eventsOfRun({ start_ms: first_ms + 8 * HOUR_MS, minutes: 1 });
  const events = [start, stop].map((content): HistoryItem => ({ kind: "events", content }));
  const readings = [...resting([0, 10]), ...resting([35, 36]), ...resting([61, 63])];
  send(ordered, [...readings, ...events]);
  send(late, readings);
  derived(late, OPERATIONS);
  send(late, events);
  const [expected, told] = [ordered, late].map(toldOf);
  expect(told).toEqual(expected);
  expect(told).toHaveLength(1);
});

test("a void of all events of a ship without readings withdraws their operations", () => {
  const rig = rigOf();
  const { start, stop } = eventsOfRun({ start_ms: AT_MS - HISTORY_MS, minutes: 30 });
  send(
    rig,
    [start, stop].map((content): HistoryItem => ({ kind: "events", content })),
  );
  expect(toldOf(rig)).toHaveLength(1);
  const range = { start_ms: AT_MS - HISTORY_MS - HOUR_MS, end_ms: AT_MS - HISTORY_MS + HOUR_MS };
  rig.store.addVoid({ ...range, what: "events", reason: "never happened" }, BY);
  expect(toldOf(rig)).toEqual([]);
});

test("events between days without anything are judged alike, whatever rests before them", () => {
  const [ordered, late] = [rigOf(), rigOf()];
  const first_ms = AT_MS - HISTORY_MS;
  const at = (hours: number) => first_ms + hours * HOUR_MS;
  const readings = [
    ...idleReadings(first_ms, 5 * 60),
    ...idleReadings(at(104), 30).map((one) => ({ ...one, PROCESS_STATE: "WARMUP" })),
  ].map((content): HistoryItem => ({ kind: "telemetry", content }));
  const event = (hours: number, event_type: string, operation_type: string): HistoryItem => ({
    kind: "events",
    content: { timestamp: at(hours), event_type, data: { operation_type } },
  });
  const between = [event(54, "PROCESS_START", "CIP"), event(56, "PROCESS_STOP", "BALLAST")];
  send(ordered, [...readings, ...between]);
  send(late, readings);
  derived(late, OPERATIONS);
  send(late, between);
  const [expected, told] = [ordered, late].map(toldOf);
  expect(told).toEqual(expected);
  for (const { db } of [ordered, late]) expect(judgedAgain(db, LAMP_CONFIG).faults).toEqual([]);
});
