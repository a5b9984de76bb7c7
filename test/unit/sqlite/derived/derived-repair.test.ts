// Rows of derived data that a flipped bit has moved or changed, in a ship's own database: after the
// next start they are as they were, wherever their readings still tell them, and no row of `due`
// that names no piece is left.

import { cpSync, rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../../src/ground/clock.ts";
import { DERIVATIONS } from "../../../../src/sqlite/derived/derivations.ts";
import { rowsProblem } from "../../../../src/sqlite/derived/derived.ts";
import { healthBackwards } from "../../../../src/sqlite/derived/health-scores.ts";
import { newestForecasts } from "../../../../src/sqlite/derived/lamp-rows.ts";
import { OPERATIONS } from "../../../../src/sqlite/derived/operations.ts";
import { isDamage } from "../../../../src/sqlite/file/damage.ts";
import type { Connection } from "../../../../src/sqlite/file/open.ts";
import { openRig, type Rig, removeFolders, temporaryFolder } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import { newLamp, openFleet } from "../../../rig/fleet.ts";
import { eventsOfRun, judgedOperations } from "../../../rig/operations.ts";
import { printedRandom } from "../../../rig/random.ts";
import { sized } from "../../../rig/scale.ts";

const random = printedRandom("derived repair");
const EVER = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };
const YEAR_MS = 365 * DAY_MS;
let ship: string;

beforeAll(() => {
  ship = temporaryFolder();
  const rig = openRig({}, ship);
  const fleet = openFleet(random, (lamp) => 300 + 20 * lamp);
  for (let operation = 0; operation < 6; operation += 1) {
    if (operation === 4) fleet.lamps[4] = newLamp(random);
    rig.store.commit([messageOf("telemetry", fleet.operate({ hours: sized(12, 24) }))]);
    deriveAll(rig);
  }
  while (rig.store.sealOld(RECEIVED_MS + DAY_MS));
  rig.close();
});
afterAll(removeFolders);

function deriveAll(rig: Rig): void {
  for (const derivation of DERIVATIONS)
    while (derived(rig, derivation).count === derivation.pieces_max);
}

const contentOf = (db: Connection) => ({
  health: [...healthBackwards(db, EVER)],
  forecasts: newestForecasts(db, 10_000),
  scores: db.prepare("select * from lamp_score").all(),
  gaps: db.prepare("select * from gap").all(),
});

/** Damages a copy of the ship's database, starts it, and holds it against the ship's. */
function repaired(damage: string, check: (db: Connection, whole: Connection) => void): void {
  const dir = temporaryFolder();
  cpSync(ship, dir, { recursive: true });
  const whole = openRig({}, ship);
  {
    const { db, close } = openRig({}, dir);
    expect(db.exec(damage).prepare("select changes()").pluck().get(), damage).toBeGreaterThan(0);
    close();
  }
  const rig = openRig({}, dir);
  while (rig.store.sealFull());
  deriveAll(rig);
  expect(rowsProblem(rig.db), damage).toBeNull();
  check(rig.db, whole.db);
  rig.close();
  whole.close();
  rmSync(dir, { recursive: true });
}

const SCORE = nth("health", "at_ms", 3);
const EARLY = nth("forecast", "at_ms, lamp", 20);
const NEWEST = "at_ms = (select max(at_ms) from forecast) and lamp = 3";

function nth(table: string, key: string, n: number): string {
  return `(${key}) = (select ${key} from ${table} order by ${key} limit 1 offset ${n})`;
}

test.each([
  ["a score's time, to the future", `update health set at_ms = at_ms + ${YEAR_MS} where ${SCORE}`],
  [
    "a score's time, to the past",
    `update health set at_ms = at_ms - ${30 * YEAR_MS} where ${SCORE}`,
  ],
  ["a score's time, by a high bit", `update health set at_ms = at_ms + (1 << 60) where ${SCORE}`],
  ["a score", `update health set uv_health = 7 where ${SCORE}`],
  ["a score and its time", `update health set at_ms = at_ms + 4096, month = 40 where ${SCORE}`],
  ["all times of scores", `update health set at_ms = at_ms + ${YEAR_MS}`],
  ["a forecast's time", `update forecast set at_ms = at_ms + ${YEAR_MS} where ${EARLY}`],
  ["a forecast's lamp", `update forecast set lamp = 77 where ${EARLY}`],
  ["the newest forecast", `update forecast set horizon_hours = 1 where ${NEWEST}`],
  [
    "the newest forecast and its time",
    `update forecast set at_ms = at_ms + 8, basis = 'x' where ${NEWEST}`,
  ],
  ["a lamp's score", "update lamp_score set end_h = 1"],
  ["a lamp's score, its position", "update lamp_score set position = position + 64"],
  ["a lamp's score, its beginning", "update lamp_score set began_ms = began_ms - 1"],
  ["a state of the lamps", "update lamp_state set state = x'00'"],
  ["times of states of the lamps", `update lamp_state set through_ms = through_ms + ${YEAR_MS}`],
])("%s: is as it was after the next start", (_, damage) => {
  repaired(damage, (db, whole) => expect(contentOf(db)).toEqual(contentOf(whole)));
});

test.each([
  ["in the future", `update due set start_ms = start_ms + ${YEAR_MS}`],
  ["between two pieces", "update due set start_ms = start_ms + 4096"],
  ["no number", "update due set start_ms = 'x'"],
  ["of no derivation", "update due set derivation = 'x' where derivation = 'health'"],
])("a row of due that is %s goes, and what it may have named is computed", (_, damage) => {
  const stale = "delete from health; delete from gap; delete from lamp_score; ";
  repaired(stale + damage, (db, whole) => {
    expect(contentOf(db)).toEqual(contentOf(whole));
    expect(db.prepare("select * from due where typeof(start_ms) <> 'integer'").all()).toEqual([]);
    const newest = db.prepare("select derivation, max(start_ms) from due group by 1");
    expect(newest.all()).toEqual(whole.prepare(newest.source).all());
  });
});

test("a damaged forecast of an earlier run can't be made again: it stays, and is told", () => {
  const dir = temporaryFolder();
  cpSync(ship, dir, { recursive: true });
  const rig = openRig({}, dir);
  rig.db.exec(`update forecast set horizon_hours = 1 where ${EARLY}`);
  while (rig.store.sealFull());
  deriveAll(rig);
  expect(rowsProblem(rig.db)).toMatch(/^forecast: the row of /);
  rig.close();
});

test.each([
  ["a score", `update health set uv_health = 7 where ${SCORE}`],
  ["a score's time", `update health set at_ms = at_ms + ${YEAR_MS} where ${SCORE}`],
  ["a score's time, by a high bit", `update health set at_ms = at_ms + (1 << 60) where ${SCORE}`],
])("%s that is damaged is left out of no answer before it is put right", (_, damage) => {
  const dir = temporaryFolder();
  cpSync(ship, dir, { recursive: true });
  const { db, close } = openRig({}, dir);
  const whole = [...healthBackwards(db, EVER)];
  const { at_ms } = whole[whole.length - 4];
  const day = { start_ms: at_ms - HOUR_MS, end_ms: at_ms + HOUR_MS };
  db.exec(damage);
  close();
  const rig = openRig({}, dir);
  const answer = () => {
    try {
      return [...healthBackwards(rig.db, day)].some((one) => one.at_ms === at_ms);
    } catch (error) {
      return isDamage(error) || error;
    }
  };
  expect(() => [...healthBackwards(rig.db, day)]).toThrow(/^health: the row of /);
  while (rig.store.sealFull()) expect(answer()).toBe(true);
  for (const derivation of DERIVATIONS)
    do expect(answer()).toBe(true);
    while (derived(rig, derivation).count === derivation.pieces_max);
  expect([...healthBackwards(rig.db, EVER)]).toEqual(whole);
  rig.close();
});

test("a repair that is cut off is done by the next start", () => {
  const dir = temporaryFolder();
  cpSync(ship, dir, { recursive: true });
  const damaged = openRig({}, dir);
  damaged.db.exec(
    `update health set at_ms = at_ms + ${YEAR_MS}, uv_health = 7
     where at_ms in (select at_ms from health limit 12)`,
  );
  damaged.close();
  for (let steps = 1; ; steps += 5) {
    const rig = openRig({}, dir);
    let left = steps;
    while (left > 0 && rig.store.sealFull()) left -= 1;
    const isDone = left > 0;
    if (isDone) {
      deriveAll(rig);
      const whole = openRig({}, ship);
      expect(contentOf(rig.db)).toEqual(contentOf(whole.db));
      whole.close();
    }
    rig.close();
    if (isDone) return;
  }
});

test("other rules have operations judged again that events alone tell of", () => {
  const dir = temporaryFolder();
  const first = openRig({}, dir);
  const { start, stop } = eventsOfRun({ start_ms: AT_MS - 10 * HOUR_MS, minutes: 120 });
  first.store.commit([start, stop].map((one) => messageOf("events", one)));
  expect(judgedOperations(first)).toMatchObject([{ known_by: "events", readings: 0, version: 1 }]);
  first.db.exec("delete from due; update mark set value = 0 where name = 'rules_operations'");
  first.close();
  const again = openRig({}, dir);
  while (again.store.sealFull());
  expect(derived(again, OPERATIONS).count).toBe(1);
  again.close();
});
