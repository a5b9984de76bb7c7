// Operations from events and from readings: each case is what a plant sends that loses its events,
// sends them a little late, falls silent, or is cleaned.

import { expect, test } from "vitest";
import {
  type EventSpan,
  type OperationReading,
  operationsIn,
} from "../../../../src/bwts/overview/operation-runs.ts";

const START_MS = Date.UTC(2026, 4, 1);
const MINUTE_MS = 60_000;
const LIMITS = {
  ...{ uv_imo: 252, uv_uscg: 530, uv_target: 650, flow_max_imo: 1000, flow_max_uscg: 1000 },
  ...{ dp_warn: 0.5, dp_alarm: 1, cabinet_warn: 45, cabinet_trip: 60, cip_hours: 100, source: "" },
};
const at = (minute: number) => START_MS + minute * MINUTE_MS;

type Given = Partial<OperationReading>;

/** A reading a minute, from a minute on, `count` of them. */
function minutes(from: number, count: number, given: Given | ((index: number) => Given)) {
  return Array.from(
    { length: count },
    (_, index): OperationReading => ({
      ...{
        at_ms: at(from + index),
        state: null,
        flow_m3_h: null,
        intensity_w_m2: null,
        mode: null,
      },
      ...{ operation_type: null, location: null, ballast_m3: null, deballast_m3: null },
      ...(typeof given === "function" ? given(index) : given),
    }),
  );
}

const running: Given = { state: "RUNNING", flow_m3_h: 600, mode: "IMO", operation_type: "BALLAST" };

function found(readings: readonly OperationReading[], spans: readonly EventSpan[] = []) {
  return operationsIn({ spans, readings, from_ms: START_MS, limits: LIMITS });
}

const span = (from: number, stop: number | null): EventSpan => ({
  ...{ start_ms: at(from), stop_ms: stop === null ? null : at(stop), next_ms: null },
  ...{ operation_type: "DEBALLAST", location: "Busan" },
});

test("an operation without events is told by its readings: ends, volume, least intensity", () => {
  const light = (index: number) => ({ ...running, intensity_w_m2: index === 20 ? 248 : 400 });
  const [one, ...more] = found([
    ...minutes(0, 30, { state: "IDLE" }),
    ...minutes(30, 61, light),
    ...minutes(91, 30, { state: "IDLE", operation_type: "" }),
  ]);
  expect(more).toEqual([]);
  expect(one).toMatchObject({
    ...{ start_ms: at(30), end_ms: at(90), known_by: "readings", operation_type: "BALLAST" },
    volume: { volume_m3: expect.closeTo(600, 6), by: "flow" },
    least: { at_ms: at(50), intensity_w_m2: 248, mode: "IMO", uv_limit: 252 },
  });
});

test("a pause and a silence part operations; lamps sent by themselves don't", () => {
  const lamps = minutes(40, 1, {});
  expect(found([...minutes(0, 40, running), ...lamps, ...minutes(41, 20, running)])).toHaveLength(
    1,
  );
  const pause = minutes(40, 10, { state: "IDLE" });
  expect(found([...minutes(0, 40, running), ...pause, ...minutes(50, 20, running)])).toHaveLength(
    2,
  );
  expect(found([...minutes(0, 40, running), ...minutes(70, 20, running)])).toHaveLength(2);
});

test("events count where they were sent, and take what readings tell around them", () => {
  const told = found(minutes(0, 121, running), [span(1, 120)]);
  expect(told).toMatchObject([
    { known_by: "events", operation_type: "DEBALLAST", location: "Busan", end_ms: at(120) },
  ]);
  const later = found(minutes(0, 200, running), [span(1, 120)]);
  expect(later.map(({ known_by }) => known_by)).toEqual(["events", "readings"]);
});

test("IDLE ends an operation whose stop was lost, not one that is about to begin", () => {
  const readings = [
    ...minutes(0, 5, { state: "IDLE" }),
    ...minutes(5, 30, running),
    ...minutes(35, 5, { state: "IDLE" }),
  ];
  expect(found(readings, [span(0, null)])).toMatchObject([{ start_ms: at(0), end_ms: at(35) }]);
  expect(found(readings.slice(0, 30), [span(0, null)])).toMatchObject([{ end_ms: null }]);
});

test("a cleaning is told by the state CIP; one reading alone is no operation", () => {
  const cleaned = found([
    ...minutes(0, 10, { state: "CIP" }),
    ...minutes(10, 9, { state: "IDLE" }),
  ]);
  expect(cleaned).toMatchObject([{ operation_type: "CIP", end_ms: at(9), least: null }]);
  expect(found([...minutes(0, 1, running), ...minutes(1, 9, { state: "IDLE" })])).toEqual([]);
});

test("the least margin to the limit counts, where the mode changes; no volume of a part", () => {
  const modes = (index: number): Given =>
    index < 30
      ? { ...running, mode: "USCG", intensity_w_m2: 540 }
      : { ...running, intensity_w_m2: 300 };
  const readings = minutes(0, 60, modes);
  expect(found(readings)[0].least).toMatchObject({ intensity_w_m2: 540, uv_limit: 530 });
  const earlier = { ...span(0, 59), start_ms: START_MS - 1 };
  expect(found(readings, [earlier])[0].volume).toBeNull();
});
