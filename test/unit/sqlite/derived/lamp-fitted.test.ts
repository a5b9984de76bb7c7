// Forecasts that were made before the engineer said which lamp is fitted: they are of the lamp
// before, with its hours, and no score of the lamp that was fitted then.

import { afterEach, expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import { DAY_MS } from "../../../../src/ground/clock.ts";
import { trackRecordJson } from "../../../../src/sqlite/answers/lamps.ts";
import { newestForecasts } from "../../../../src/sqlite/derived/lamp-rows.ts";
import { LAMPS } from "../../../../src/sqlite/derived/lamps.ts";
import { openRig, removeFolders } from "../../../rig/database.ts";
import { messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import { LAMP_CONFIG, openFleet } from "../../../rig/fleet.ts";
import { printedRandom } from "../../../rig/random.ts";

afterEach(removeFolders);

const random = printedRandom("lamp fitted");

test("forecasts of the lamp before a late word aren't scored for the one that was fitted", () => {
  const rig = openRig();
  const fleet = openFleet(random, () => 50);
  const sail = (operations: number) => {
    for (let operation = 0; operation < operations; operation += 1) {
      const readings = fleet.operate({ hours: 96 });
      for (let at = 0; at < readings.length; at += 100)
        rig.store.commit([messageOf("telemetry", readings.slice(at, at + 100))]);
      derived(rig, LAMPS);
    }
  };
  sail(1);
  const at_ms = fleet.now_ms() - DAY_MS;
  sail(2);
  const word = { position: 3, replaced: true, hours: 0, serial: null, note: null, at_ms };
  expect(rig.store.saveLampWord(word, { ...BY_SELF, at_ms: RECEIVED_MS })).toBeNull();
  derived(rig, LAMPS);
  sail(3);
  fleet.lamps[3].failed = true;
  sail(1);
  expect(JSON.parse(trackRecordJson(rig.db, LAMP_CONFIG)).lamps_ended.failed).toBe(1);
  const own = newestForecasts(rig.db, 999).filter(
    ({ component_id, current_state, predictions }) =>
      component_id === "LAMP_04" &&
      Date.parse(current_state.fitted) === at_ms &&
      predictions.expected_end === null,
  );
  expect(own.length).toBeGreaterThan(2);
  const sql = "select tallies from lamp_score where began_ms = ?";
  const [{ tallies }] = rig.db.prepare<[number], { tallies: string }>(sql).all(at_ms);
  expect(Object.values(JSON.parse(tallies))).toMatchObject([{ sums: { decided: own.length } }]);
  rig.close();
});
