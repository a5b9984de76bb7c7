// The lamp that is due next, in the ship's report to her office: none while her own overview hides
// forecasts, because the hour counters run at no plain factor.

import { expect, test } from "vitest";
import { ownAlarm } from "../../../../src/bwts/event.ts";
import { storedReport } from "../../../../src/sqlite/answers/told-ashore.ts";
import { LAMPS } from "../../../../src/sqlite/derived/lamps.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import { openFleet } from "../../../rig/fleet.ts";
import { printedRandom } from "../../../rig/random.ts";

const rigOf = rigsOfTests();

test("a ship tells no lamp that is due while her forecasts are suspended", () => {
  const rig = rigOf();
  const fleet = openFleet(printedRandom("lamp due"), (lamp) => 100 * lamp);
  // Dates are told from a week of duty on.
  const readings = [...fleet.operate(), ...fleet.operate()];
  rig.store.commit([messageOf("telemetry", readings)]);
  derived(rig, LAMPS);
  const due = storedReport(rig.db, null).lamp_due;
  expect(due).toEqual([expect.any(Number), expect.stringMatching(/^20\d\d-\d\d-\d\d$/)]);
  const code = "LAMP_COUNTERS_FAST";
  const clear = () => rig.store.clearAlarm({ code, about: "" }, RECEIVED_MS);
  const raise = (value: number | null) => {
    const facts = { parameter: "LAMP_XX_RUNTIME", value, limit: null, unit: null };
    const event = ownAlarm(RECEIVED_MS, { code, text: "fast", ...facts });
    rig.store.raiseAlarm(event, "", RECEIVED_MS);
  };
  raise(60);
  expect(storedReport(rig.db, null).lamp_due).toEqual(due);
  clear();
  raise(null);
  expect(storedReport(rig.db, null).lamp_due).toBeNull();
  clear();
  expect(storedReport(rig.db, null).lamp_due).toEqual(due);
});
