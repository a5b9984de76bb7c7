// Spares that ballastd takes by itself: a lamp that readings show to be another one takes one.

import { expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import { HOUR_MS } from "../../../../src/ground/clock.ts";
import { LAMPS } from "../../../../src/sqlite/derived/lamps.ts";
import { damageOf } from "../../../../src/sqlite/file/damage.ts";
import { lampSpares, setLampSpares } from "../../../../src/sqlite/records/lamp-spares.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { messageOf } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import { type Fleet, newLamp, openFleet } from "../../../rig/fleet.ts";
import { printedRandom } from "../../../rig/random.ts";

const rigOf = rigsOfTests();
const random = printedRandom("lamp spares");

function shipOf(spares: number | null) {
  const rig = rigOf();
  const fleet = openFleet(random, () => 400);
  const sail = (before?: (elapsed_h: number) => void) => {
    const readings = fleet.operate({ hours: 24, before });
    for (let at = 0; at < readings.length; at += 100)
      rig.store.commit([messageOf("telemetry", readings.slice(at, at + 100))]);
    derived(rig, LAMPS, { now_ms: fleet.now_ms() });
  };
  const count = (number: number) =>
    rig.store.audited((append) =>
      setLampSpares(rig.db, append, {
        counted: { spares: number },
        act: { ...BY_SELF, actor: "chief", at_ms: fleet.now_ms() - HOUR_MS },
      }),
    );
  const word = (lamp: number, replaced: boolean, at_ms: number) => {
    const given = { position: lamp - 1, replaced, hours: null, serial: null, note: null, at_ms };
    rig.store.saveLampWord(given, { ...BY_SELF, actor: "chief", at_ms: fleet.now_ms() });
    derived(rig, LAMPS, { now_ms: fleet.now_ms() });
  };
  const entries = () =>
    rig.db
      .prepare<[], { actor: string; detail: string }>(
        "select actor, detail from audit where kind = 'lamp_spares' order by id",
      )
      .all()
      .map(({ actor, detail }) => ({ actor, ...JSON.parse(detail) }));
  sail();
  if (spares !== null) count(spares);
  return { rig, fleet, sail, count, word, entries, now: () => lampSpares(rig.db) };
}

function replace(fleet: Fleet, lamp: number): void {
  fleet.lamps[lamp - 1] = newLamp(random);
}

test("a replacement that is recognised takes one spare, once, and is in the audit log", () => {
  const ship = shipOf(4);
  replace(ship.fleet, 7);
  ship.sail();
  expect(ship.now()).toBe(3);
  ship.sail();
  expect(ship.now()).toBe(3);
  expect(ship.entries().slice(1)).toEqual([
    { actor: "ballastd", before: 4, after: 3, lamp: 7, recognised: 1 },
  ]);
  // A new count has those lamps in it.
  ship.count(5);
  ship.sail();
  expect(ship.now()).toBe(5);
});

test("a statement about a lamp that was recognised takes no second spare, and can deny it", () => {
  const ship = shipOf(1);
  const fitted_ms = ship.fleet.now_ms();
  replace(ship.fleet, 7);
  ship.sail();
  expect(ship.now()).toBe(0);
  ship.word(7, true, fitted_ms);
  expect(ship.now()).toBe(0);
  ship.word(7, false, fitted_ms);
  expect(ship.now()).toBe(1);
});

test("without a count nothing is taken, and more lamps than spares leave 0", () => {
  const uncounted = shipOf(null);
  replace(uncounted.fleet, 3);
  uncounted.sail();
  expect(uncounted.now()).toBeNull();
  const ship = shipOf(1);
  for (const lamp of [2, 9, 14]) replace(ship.fleet, lamp);
  ship.sail();
  expect(ship.now()).toBe(0);
});

test("a counter that is set back while the light stays gives its spare back", () => {
  const ship = shipOf(2);
  ship.fleet.lamps[4].hours = 2000;
  ship.sail();
  ship.sail();
  ship.fleet.lamps[4].counter_off_h = -ship.fleet.lamps[4].hours;
  ship.sail();
  ship.sail();
  expect(ship.now()).toBe(2);
});

test("a number that isn't the one of the audit log is none, and damage, until a new count", () => {
  const ship = shipOf(9);
  ship.rig.db.prepare("update mark set value = 25 where name = 'lamp_spares'").run();
  expect(ship.now()).toBe(null);
  expect(damageOf(ship.rig.db).take().join()).toContain("spare lamps");
  replace(ship.fleet, 7);
  ship.sail();
  expect(ship.now()).toBe(null);
  ship.count(9);
  expect(ship.now()).toBe(9);
  ship.rig.db.prepare("delete from mark where name = 'lamp_spares'").run();
  expect(ship.now()).toBe(null);
});
