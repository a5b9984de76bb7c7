// The limits at a time, from the changes that the audit log has of each start: with ballastd off
// in between, and with a clock that nobody trusts.

import { expect, test } from "vitest";
import { DEFAULT_LIMITS_SOURCE } from "../../../../src/config/default-limits.ts";
import { HOUR_MS } from "../../../../src/ground/clock.ts";
import { limitsInForce } from "../../../../src/sqlite/records/limits-in-force.ts";
import { type Rig, rigsOfTests } from "../../../rig/database.ts";
import { messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";

const rigOf = rigsOfTests();
const T0 = RECEIVED_MS - 100 * HOUR_MS;

/** A start at so many hours, with these limits. */
function start({ store }: Rig, hour: number, limits: Readonly<Record<string, unknown>>): void {
  const settings = Object.entries({ ...LAMP_CONFIG.limits, ...limits }).map(([name, value]) => ({
    ...{ key: `limits.${name}`, value, isSecret: false },
  }));
  const at_ms = T0 + hour * HOUR_MS;
  const run = { at_ms, detail: {}, settings };
  store.beginRun(run, { now_ms: at_ms, isLogMissing: false });
}

/** From which hour on which limit for IMO, and its source, held. */
const told = ({ db }: Rig) =>
  limitsInForce(db, LAMP_CONFIG.limits).map(({ from_ms, limits }) => [
    from_ms === 0 ? null : (from_ms - T0) / HOUR_MS,
    limits.uv_imo,
    limits.source,
  ]);

test("without a change those of the configuration hold for all time", () => {
  const rig = rigOf();
  expect(told(rig)).toEqual([[null, 252, "the test"]]);
  start(rig, 0, { uv_imo: 300 });
  expect(told(rig)).toEqual([[null, 300, "the test"]]);
});

test("each change holds from its start on, that of the source too", () => {
  const rig = rigOf();
  start(rig, 0, {});
  start(rig, 10, { uv_imo: 300 });
  start(rig, 20, { uv_imo: 300, uv_target: 700 });
  start(rig, 30, { uv_imo: 280, source: "certificate" });
  expect(told(rig)).toEqual([
    [null, 252, "the test"],
    [10, 300, "the test"],
    [20, 300, "the test"],
    [30, 280, "certificate"],
  ]);
});

test("a change that no trusted clock dates counts from the last moment that is certain", () => {
  const rig = rigOf();
  start(rig, 0, {});
  const stop = { timestamp: T0 + 50 * HOUR_MS, event_type: "PROCESS_STOP", data: {} };
  const received_ms = T0 + 51 * HOUR_MS;
  rig.store.commit([messageOf("events", stop, { received_ms })]);
  // The box's clock fell back by years.
  start(rig, -9000, { uv_imo: 300 });
  const before = told(rig);
  expect(before).toEqual([
    [null, 252, "the test"],
    [51, 300, "the test"],
  ]);
  // It is set right, and the next change is dated again; the one before stays where it was.
  start(rig, 80, { uv_imo: 310 });
  expect(told(rig)).toEqual([...before, [80, 310, "the test"]]);
});

test("a change of a clock that ran ahead doesn't count later than the next one", () => {
  const rig = rigOf();
  start(rig, 0, {});
  start(rig, 5000, { uv_imo: 300 });
  rig.db.prepare("update audit set clock_trusted = 1").run();
  start(rig, 20, { uv_imo: 280 });
  rig.db.prepare("update audit set clock_trusted = 1").run();
  expect(told(rig)).toEqual([
    [null, 252, "the test"],
    [20, 280, "the test"],
  ]);
});

/** The limits that judge what was before those were given: the highest flow too. */
const toldOfDefaults = (rig: Rig) =>
  limitsInForce(rig.db, LAMP_CONFIG.limits).map(({ limits }) => [
    limits.uv_imo,
    limits.flow_max_imo,
    limits.source,
  ]);

test("what was before the certificate's limits is held to the stricter of both", () => {
  const source = DEFAULT_LIMITS_SOURCE;
  const rig = rigOf();
  start(rig, 0, { source });
  start(rig, 1, { source, uv_imo: 260 });
  expect(toldOfDefaults(rig)).toEqual([
    [252, 1000, source],
    [260, 1000, source],
  ]);
  start(rig, 50, { uv_imo: 300, flow_max_imo: 800, source: "certificate" });
  expect(toldOfDefaults(rig)).toEqual([
    [300, 800, "certificate"],
    [300, 800, "certificate"],
    [300, 800, "certificate"],
  ]);
  // A later change isn't of the time before.
  start(rig, 90, { uv_imo: 200, flow_max_imo: 2000, source: "certificate 2" });
  expect(toldOfDefaults(rig).slice(0, 2)).toEqual([
    [300, 800, "certificate"],
    [300, 800, "certificate"],
  ]);
});

test("a certificate that allows more than the defaults relaxes nothing before it", () => {
  const rig = rigOf();
  start(rig, 0, { source: DEFAULT_LIMITS_SOURCE });
  start(rig, 5, { uv_imo: 200, flow_max_imo: 800, source: "certificate" });
  expect(toldOfDefaults(rig)).toEqual([
    [252, 800, "certificate; the default where it is stricter"],
    [200, 800, "certificate"],
  ]);
});

test("a slip that was corrected within a day counts for nothing before it", () => {
  const source = DEFAULT_LIMITS_SOURCE;
  const rig = rigOf();
  start(rig, 0, { source });
  start(rig, 10, { uv_imo: 2520, source: "certificate" });
  expect(toldOfDefaults(rig)[0]).toEqual([2520, 1000, "certificate"]);
  start(rig, 11, { uv_imo: 253, source: "certificate" });
  expect(toldOfDefaults(rig)).toEqual([
    [253, 1000, "certificate"],
    [2520, 1000, "certificate"],
    [253, 1000, "certificate"],
  ]);
});

test("limits that go back to the default, or are lost, leave the stricter ones in force", () => {
  const source = DEFAULT_LIMITS_SOURCE;
  const rig = rigOf();
  start(rig, 0, { source });
  start(rig, 10, { uv_imo: 300, source: "certificate" });
  start(rig, 33, { source });
  const told = [
    [300, 1000, "certificate"],
    [300, 1000, "certificate"],
    [300, 1000, "certificate"],
  ];
  expect(toldOfDefaults(rig)).toEqual(told);
  // Given again, and after it was lost for days.
  start(rig, 100, { uv_imo: 300, source: "certificate" });
  start(rig, 500, { source });
  expect(toldOfDefaults(rig)).toEqual([...told, told[0], told[0]]);
});

test("limits with the defaults' values change nothing of the time before", () => {
  const source = DEFAULT_LIMITS_SOURCE;
  const rig = rigOf();
  start(rig, 0, { source });
  start(rig, 10, { source: "certificate" });
  expect(toldOfDefaults(rig)).toEqual([
    [252, 1000, source],
    [252, 1000, "certificate"],
  ]);
});

test("limits that no trusted clock dates count beside the default that follows them", () => {
  const rig = rigOf();
  start(rig, 0, { source: DEFAULT_LIMITS_SOURCE });
  const stop = { timestamp: T0 + 50 * HOUR_MS, event_type: "PROCESS_STOP", data: {} };
  rig.store.commit([messageOf("events", stop, { received_ms: T0 + 51 * HOUR_MS })]);
  start(rig, -9000, { uv_imo: 300, source: "certificate" });
  start(rig, -8900, { source: DEFAULT_LIMITS_SOURCE });
  expect(toldOfDefaults(rig)).toEqual([
    [300, 1000, "certificate"],
    [300, 1000, "certificate"],
  ]);
});
