// Forecasts are scored once, when their lamp has ended: all of them, in steps, and anew where a
// correction changes how it ended. Held against all stored forecasts looked at again, with those of
// lamps that still burn.

import { expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import type { TrackRecord } from "../../../../src/bwts/lamps/track-record.ts";
import { DAY_MS } from "../../../../src/ground/clock.ts";
import { trackRecordJson } from "../../../../src/sqlite/answers/lamps.ts";
import { rowsProblem } from "../../../../src/sqlite/derived/derived.ts";
import { newestForecasts, putForecasts } from "../../../../src/sqlite/derived/lamp-rows.ts";
import { LAMPS } from "../../../../src/sqlite/derived/lamps.ts";
import { damageOf } from "../../../../src/sqlite/file/damage.ts";
import type { Rig } from "../../../rig/database.ts";
import { messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import {
  type Fleet,
  LAMP_CONFIG,
  newLamp,
  openFleet,
  type PlcReading,
} from "../../../rig/fleet.ts";
import { lookedAtAll } from "../../../rig/forecast-cases.ts";
import { printedRandom } from "../../../rig/random.ts";
import { shipCopies } from "../../../rig/ship-copies.ts";

const random = printedRandom("lamp scores");
const act = { ...BY_SELF, at_ms: RECEIVED_MS };

const copy = shipCopies(random, (rig) => {
  const fleet = openFleet(random, (lamp) => 300 + 20 * lamp);
  fleet.lamps[1] = { hours: 1900, counter_off_h: 0, worn_h: 2000, bend: 1, failed: false };
  sail(rig, fleet, 6);
  fleet.lamps[2].failed = true;
  fleet.lamps[4] = newLamp(random);
  [fleet.lamps[6], fleet.lamps[15]] = [fleet.lamps[15], fleet.lamps[6]];
  sail(rig, fleet, 4);
  fleet.lamps[2] = newLamp(random);
  fleet.lamps[6] = newLamp(random);
  sail(rig, fleet, 2);
  return fleet;
});

/** Aboard lamps failed, wore out, were replaced and changed places; looked at each time. */
function ship() {
  const { rig, fleet } = copy();
  // The first six operations had ended, the other six had not begun.
  const middle_ms = fleet.now_ms() - 6 * 10 * DAY_MS;
  return { rig, fleet, middle_ms, sail: (operations: number) => sail(rig, fleet, operations) };
}

function sail(rig: Rig, fleet: Fleet, operations: number): void {
  for (let operation = 0; operation < operations; operation += 1) {
    take(rig, fleet.operate());
    look(rig);
  }
}

function take({ store }: Rig, readings: readonly PlcReading[]): void {
  for (let at = 0; at < readings.length; at += 100)
    store.commit([messageOf("telemetry", readings.slice(at, at + 100))]);
  while (store.sealOld(RECEIVED_MS + DAY_MS));
}

/** A run of the job: a step of scoring. */
function look(rig: Rig) {
  return derived(rig, LAMPS).found?.scores ?? { put: [], removed: [], isMore: false };
}

const recordOf = ({ db }: Rig): TrackRecord => JSON.parse(trackRecordJson(db, LAMP_CONFIG));

/** The sums over the forecasts of a position's lamp that ended, all of one version. */
function scored({ db }: Rig, position: number) {
  const sql = "select tallies from lamp_score where position = ?";
  const [{ tallies }] = db.prepare<[number], { tallies: string }>(sql).all(position);
  return Object.values<{ sums: Record<string, number> }>(JSON.parse(tallies))[0].sums;
}

/** Shares may be off by so much if of lamps that still burn not each forecast is read. */
function expectSame(rig: Rig, off_share = 1e-4): void {
  const { forecasts_scored, coverage, median_error_hours, brier } = lookedAtAll(rig);
  const record = recordOf(rig);
  expect(record.forecasts_scored).toBe(forecasts_scored);
  for (const [found, expected, off] of [
    [record.coverage, coverage, off_share],
    [record.median_error_hours, median_error_hours, 0.11],
    [record.brier, brier, off_share],
  ] as const)
    if (expected === null) expect(found).toBeNull();
    else expect(Math.abs((found ?? Number.NaN) - expected)).toBeLessThan(off);
}

test("every forecast of a lamp that ended counts, scored in bounded steps and then no more", () => {
  const { rig } = ship();
  expect(recordOf(rig)).toMatchObject({ lamps_ended: { failed: 1, worn: 1, replaced: 2 } });
  expectSame(rig);
  const [newest, ...older] = Map.groupBy(
    newestForecasts(rig.db, Number.MAX_SAFE_INTEGER),
    ({ at_ms }) => at_ms,
  ).values();
  expect(newest.length).toBe(16);
  rig.db.transaction(() => {
    for (const run of older)
      for (let copy = 1; copy <= 300; copy += 1)
        putForecasts(
          rig.db,
          run.map((one) => ({ ...one, at_ms: one.at_ms + copy })),
        );
  })();
  // As a database of an earlier version is: forecasts, and no score.
  rig.db.exec("delete from lamp_score");
  expect(recordOf(rig)).toMatchObject({
    ...{ lamps_ended: { failed: 1, worn: 1, replaced: 2 }, forecasts_scored: 0 },
    message: expect.stringContaining("yet: 4 of the lamps"),
  });
  let steps = 1;
  while (look(rig).isMore) steps += 1;
  expect(steps).toBeGreaterThan(2);
  expectSame(rig, 5e-3);
  expect(recordOf(rig).forecasts_scored).toBeGreaterThan(3000);
  expect(recordOf(rig).message).not.toContain("yet");
  expect(look(rig)).toEqual({ put: [], removed: [], isMore: false });
});

test("corrections score anew what they change, and nothing else", () => {
  const { rig, middle_ms } = ship();
  const before = recordOf(rig);
  const word = { position: 9, replaced: true, hours: null, serial: null, note: null };
  const at_ms = middle_ms - 15 * DAY_MS;
  expect(rig.store.saveLampWord({ ...word, at_ms }, act)).toBeNull();
  expect(look(rig).put.map(({ position }) => position)).toEqual([9]);
  expect(recordOf(rig)).toMatchObject({ lamps_ended: { failed: 1, worn: 1, replaced: 3 } });
  expectSame(rig);
  rig.store.saveLampWord({ ...word, replaced: false, at_ms }, act);
  expect(look(rig)).toMatchObject({ put: [], removed: [{ position: 9 }] });
  expect(recordOf(rig)).toMatchObject({ lamps_ended: { failed: 1, worn: 1, replaced: 2 } });
  expectSame(rig);
  expect(recordOf(rig).forecasts_scored).toBe(before.forecasts_scored);
});

test("an end is taken back when the lamp's light returns, and counts as wrong when it ends", () => {
  const { rig, fleet, sail } = ship();
  const newest = () =>
    newestForecasts(rig.db, 16).find(({ component_id }) => component_id === "LAMP_02")?.predictions;
  expect(recordOf(rig).lamps_ended).toMatchObject({ failed: 1, worn: 1 });
  expect(newest()).toMatchObject({ expected_end: "worn", remaining_useful_life_hours: 0 });
  // A ballast or a sleeve was mended: the light is that of a lamp worn at 3,000 h.
  fleet.lamps[1] = { ...fleet.lamps[1], worn_h: 3_000 };
  sail(3);
  expect(newest()).toMatchObject({ expected_end: null, basis: "fit" });
  expect(newest()?.remaining_useful_life_hours).toBeGreaterThan(100);
  const { lamps_ended, forecasts_scored } = recordOf(rig);
  expect(lamps_ended).toMatchObject({ failed: 1, worn: 0 });
  expectSame(rig);
  fleet.lamps[1].failed = true;
  sail(2);
  expect(newest()).toMatchObject({ expected_end: "failed" });
  expect(recordOf(rig).lamps_ended).toMatchObject({ failed: 2, worn: 0 });
  expect(recordOf(rig).forecasts_scored).toBeGreaterThan(forecasts_scored);
  expectSame(rig);
});

test("forecasts of a lamp that was worn and burns on until it fails are scored by its wear", () => {
  const { rig, fleet, sail } = ship();
  sail(2);
  fleet.lamps[1].failed = true;
  sail(1);
  expect(recordOf(rig).lamps_ended).toMatchObject({ failed: 2, worn: 0 });
  // It was worn at the eighth of fifteen operations, give or take two.
  expect(scored(rig, 1).ended).toBeLessThan(12);
  expectSame(rig);
});

test.each(["worn", "failed"])("an end told as %s and taken back was wrong", (end) => {
  const { rig, fleet, sail } = ship();
  // At 89 % it can't be taken for a new lamp.
  const well = { ...fleet.lamps[8], worn_h: 3_000, bend: 0.7 };
  const worn_h = well.hours / 1.2;
  fleet.lamps[8] = end === "failed" ? { ...well, failed: true } : { ...well, bend: 1, worn_h };
  sail(4);
  fleet.lamps[8] = { ...well, hours: fleet.lamps[8].hours };
  sail(3);
  const told = newestForecasts(rig.db, Number.MAX_SAFE_INTEGER).filter(
    ({ component_id, predictions }) =>
      component_id === "LAMP_09" && predictions.expected_end === end,
  );
  expect(told.length).toBeGreaterThan(0);
  // It is replaced in good order, less than 500 h later.
  fleet.lamps[8] = newLamp(random);
  sail(2);
  expect(recordOf(rig).lamps_ended.replaced).toBe(3);
  const { length: all } = told;
  const wrong = { ended: all, after_p95: all, decided: all, happened: 0, squares: all };
  expect(scored(rig, 8)).toMatchObject(wrong);
  expectSame(rig);
});

test("hidden readings are forgotten by the scores, and shown again they count again", () => {
  const { rig, fleet } = ship();
  const start_ms = fleet.now_ms();
  const alter = (reading: Record<string, string | number>) =>
    Object.assign(reading, { LAMP_08_RUNTIME: 3, LAMP_08_EFFICIENCY: 99 });
  take(rig, fleet.operate({ hours: 4, alter }));
  look(rig);
  expect(recordOf(rig).lamps_ended.replaced).toBe(3);
  expectSame(rig);
  const made = rig.store.addVoid({ start_ms, end_ms: fleet.now_ms(), reason: "test" }, act);
  if (!("id" in made)) throw new Error(made.problem);
  expect(look(rig).removed).toMatchObject([{ position: 7 }]);
  expect(recordOf(rig).lamps_ended.replaced).toBe(2);
  expectSame(rig);
  rig.store.undoVoid(made.id, act);
  look(rig);
  expect(recordOf(rig).lamps_ended.replaced).toBe(3);
  expectSame(rig);
});

test("a damaged forecast is left out and told; a damaged score is made again", () => {
  const { rig } = ship();
  const { db } = rig;
  const before = recordOf(rig);
  const first = (table: string, key: string) => `(${key}) = (select ${key} from ${table} limit 1)`;
  db.exec(`update lamp_score set tallies = replace(tallies, '"squares":', '"squares":1')
    where ${first("lamp_score", "position, began_ms")}`);
  expect(rowsProblem(db)).toContain("lamp_score: the row of");
  expect(recordOf(rig).message).toContain("yet: 1 of the lamps");
  expect(look(rig).put).toHaveLength(1);
  expect(rowsProblem(db)).toBeNull();
  expect(recordOf(rig)).toEqual(before);
  expect(damageOf(db).take()).toMatchObject([expect.stringContaining("lamp_score")]);
  db.exec(`update forecast set remaining_useful_life_hours = 7
    where ${first("forecast", "at_ms, lamp")} or lamp = 2`);
  db.exec("delete from lamp_score");
  look(rig);
  const { forecasts_scored } = recordOf(rig);
  expect(forecasts_scored).toBeGreaterThan(0);
  expect(forecasts_scored).toBeLessThan(before.forecasts_scored);
  const problems = damageOf(db).take();
  expect(problems.length).toBeGreaterThan(0);
  for (const problem of problems) expect(problem).toMatch(/^forecast: the row of \d+ \d+ isn't/);
});
