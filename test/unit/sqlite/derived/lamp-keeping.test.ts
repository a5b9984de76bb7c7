// Lamp lives in the database: they outlast the readings that they were told from, and follow when
// readings are hidden and shown again.

import { zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import {
  presentLife,
  TRACKER_VERSION,
  type TrackerState,
} from "../../../../src/bwts/lamps/state.ts";
import { DAY_MS, HOUR_MS } from "../../../../src/ground/clock.ts";
import { rowsProblem } from "../../../../src/sqlite/derived/derived.ts";
import { type PackedState, packState } from "../../../../src/sqlite/derived/lamp-rows.ts";
import { LAMPS, trackedLamps } from "../../../../src/sqlite/derived/lamps.ts";
import { prepare } from "../../../../src/sqlite/file/open.ts";
import { withRowChecksum } from "../../../../src/sqlite/file/row-checksum.ts";
import { rawFrom } from "../../../../src/sqlite/sealed/timeline.ts";
import { openRig, type Rig } from "../../../rig/database.ts";
import { messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import {
  FLEET_START_MS,
  type Fleet,
  LAMP_CONFIG,
  newLamp,
  openFleet,
  type PlcReading,
} from "../../../rig/fleet.ts";
import { printedRandom } from "../../../rig/random.ts";
import { storedReadings } from "../../../rig/sealing.ts";
import { shipCopies } from "../../../rig/ship-copies.ts";
import { ended } from "../../../rig/whole-store.ts";

const random = printedRandom("lamp keeping");
const act = { ...BY_SELF, at_ms: RECEIVED_MS };

/** Stores the readings, seals what is old, and keeps what is known of the lamps, as jobs do. */
function take({ store, db }: Rig, readings: readonly PlcReading[]): void {
  for (let at = 0; at < readings.length; at += 100)
    store.commit([messageOf("telemetry", readings.slice(at, at + 100))]);
  while (store.sealOld(RECEIVED_MS + DAY_MS));
  derived({ store, db }, LAMPS);
}

function sail(rig: Rig, fleet: Fleet, operations: number): void {
  for (let operation = 0; operation < operations; operation += 1) take(rig, fleet.operate());
}

const livesOf = (state: TrackerState) => state.positions.map(({ lives }) => lives);
const told = ({ db }: Rig) => structuredClone(livesOf(trackedLamps(db, LAMP_CONFIG)));

/** Fifteen operations, the lamp at position 3 replaced after the sixth. */
const shipOf = shipCopies(random, (rig) => {
  const fleet = openFleet(random, (lamp) => 300 + 50 * lamp);
  sail(rig, fleet, 6);
  fleet.lamps[3] = newLamp(random);
  sail(rig, fleet, 9);
  return fleet;
});

test("lives outlast their readings, and go on from there", () => {
  const { rig, fleet } = shipOf();
  const before = told(rig);
  const readings = storedReadings(rig.db).length;
  while (ended(rig.store.expire(1)) !== null);
  expect(storedReadings(rig.db).length).toBeLessThan(readings / 2);
  expect(told(rig)).toEqual(before);
  sail(rig, fleet, 2);
  const state = trackedLamps(rig.db, LAMP_CONFIG);
  for (const [position, lamp] of fleet.lamps.entries()) {
    const life = presentLife(state.positions[position]);
    expect(life?.hours).toBeCloseTo(lamp.hours, -0.5);
    expect(life?.bins.slice(0, 5)).toEqual(before[position].at(-1)?.bins.slice(0, 5));
  }
  expect(state.positions[3].lives).toHaveLength(2);
});

/** Makes all states those of the version before, with wrong hours in those after `at_ms`. */
function age({ db }: Rig, at_ms: number): void {
  const rows = db.prepare<[], PackedState>("select through_ms, state from lamp_state").all();
  for (const { through_ms, state } of rows) {
    const known: TrackerState = JSON.parse(zstdDecompressSync(state).toString());
    if (through_ms > at_ms) for (const life of livesOf(known).flat()) life.hours += 500;
    const row = { through_ms, version: TRACKER_VERSION - 1, state: packState(known) };
    prepare(db, "lamp.put_state").run(withRowChecksum(row));
  }
}

test("after an update of the tracker lives are told anew from the readings that are left", () => {
  const { rig, fleet } = shipOf();
  const before = told(rig);
  age(rig, Number.NEGATIVE_INFINITY);
  take(rig, fleet.operate());
  for (const [position, lamp] of fleet.lamps.entries())
    expect(told(rig)[position].at(-1)?.hours).toBeCloseTo(lamp.hours, -0.5);
  expect(told(rig)[3]).toHaveLength(2);
  while (ended(rig.store.expire(1)) !== null);
  const after = told(rig);
  age(
    rig,
    prepare<"lamp.told_from", { at_ms: number }>(rig.db, "lamp.told_from").get({})?.at_ms ?? 0,
  );
  expect(told(rig)).toEqual(after);
  expect(after[3][0]).toEqual(before[3][0]);
});

test("a word on a time whose readings have expired is refused, and changes nothing", () => {
  const { rig, fleet } = shipOf();
  const start_ms = FLEET_START_MS;
  while (ended(rig.store.expire(1)) !== null);
  const before = told(rig);
  const word = { position: 6, replaced: true, hours: 0, serial: "late", note: null };
  const problem = rig.store.saveLampWord({ ...word, at_ms: start_ms + DAY_MS }, act);
  expect(problem?.message).toMatch(
    /^at: got 2024-01-02T\S+, expected after 2024-\S+: lives before rest/,
  );
  expect(told(rig)).toEqual(before);
  const allowed_ms = Date.parse(/after (\S+):/.exec(problem?.message ?? "")?.[1] ?? "");
  const at_ms = fleet.now_ms() - 15 * DAY_MS;
  expect(allowed_ms).toBeLessThan(at_ms);
  expect(rig.store.saveLampWord({ ...word, at_ms }, act)).toBeNull();
  sail(rig, fleet, 1);
  expect(told(rig)[6]).toMatchObject([{ ended_ms: at_ms }, { began: "confirmed", serial: "late" }]);
});

test("a damaged state whose readings have expired stays, and is told", () => {
  const { rig } = shipOf();
  while (ended(rig.store.expire(1)) !== null);
  const toldFrom = prepare(rig.db, "lamp.told_from").get({});
  const kept = rig.db.prepare("update lamp_state set state = x'00' where through_ms = ?");
  expect(kept.run(toldFrom?.at_ms).changes).toBe(1);
  const again = openRig({}, rig.dir);
  while (again.store.sealFull());
  expect(rowsProblem(again.db)).toContain("lamp_state: the row of ");
  again.close();
});

test("a void of which a part has expired is undone for what is left", () => {
  const { rig, fleet } = shipOf();
  const hidden = { start_ms: fleet.now_ms() - 40 * DAY_MS, end_ms: fleet.now_ms() - 15 * DAY_MS };
  const all = storedReadings(rig.db).length;
  rig.store.addVoid({ ...hidden, reason: "sensor" }, act);
  const left = storedReadings(rig.db).length;
  expect(left).toBeLessThan(all);
  while (ended(rig.store.expire(1)) !== null);
  const raw_from_ms = rawFrom(rig.db);
  expect(raw_from_ms).toBeGreaterThan(hidden.start_ms);
  expect(raw_from_ms).toBeLessThan(hidden.end_ms);
  const kept = storedReadings(rig.db).length;
  expect(rig.store.undoVoid(1, act)).toMatchObject({ id: 1 });
  const shown = storedReadings(rig.db);
  expect(shown.length).toBeGreaterThan(kept);
  expect(shown.every(({ at_ms }) => at_ms >= raw_from_ms)).toBe(true);
});

test("what a void hides is forgotten of the lamps, and undone it is known again", () => {
  const { rig, fleet } = shipOf();
  const start_ms = fleet.now_ms();
  // A bench test of signals: a new lamp, it seems, and a failure.
  const alter = (reading: Record<string, string | number>) => {
    Object.assign(reading, { LAMP_02_RUNTIME: 3, LAMP_02_EFFICIENCY: 99 });
    reading.LAMP_05_STATUS = "FAILED";
  };
  take(rig, fleet.operate({ hours: 4, alter }));
  const seen = told(rig);
  expect(seen[1]).toHaveLength(2);
  expect(seen[4].at(-1)?.failed_ms).not.toBeNull();
  const end_ms = start_ms + 5 * HOUR_MS;
  const made = rig.store.addVoid({ start_ms, end_ms, reason: "bench test" }, act);
  if ("problem" in made) throw new Error(made.problem);
  take(rig, []);
  expect(told(rig)[1]).toHaveLength(1);
  expect(told(rig)[4].at(-1)?.failed_ms).toBeNull();
  rig.store.undoVoid(made.id, act);
  take(rig, []);
  expect(told(rig)).toEqual(seen);
});
