// Answers about one lamp have one figure for its hours and one for its light, rounded alike.

import { expect, test } from "vitest";
import { lampsAnswer } from "../../../../src/bwts/lamps/answer.ts";
import { lampCurve } from "../../../../src/bwts/lamps/life-curve.ts";
import { predictionsOf } from "../../../../src/bwts/lamps/outlook.ts";
import { newState } from "../../../../src/bwts/lamps/state.ts";
import { LAMP_CONFIG, openFleet } from "../../../rig/fleet.ts";
import { book } from "../../../rig/lamp-tracking.ts";
import { printedRandom } from "../../../rig/random.ts";

test("the lamps, their forecasts and their curves agree to the last digit", () => {
  const fleet = openFleet(printedRandom("lamp figures"), (lamp) => 1000 + 10 * lamp);
  const state = newState();
  for (let operation = 0; operation < 3; operation += 1) book(state, fleet.operate());
  const { lamps } = LAMP_CONFIG;
  const answered = lampsAnswer(state, lamps).lamps.map(({ present }) => present);
  const forecast = predictionsOf(state, lamps).map(({ current_state }) => current_state);
  const drawn = answered.map((_, position) => lampCurve(state, position, lamps).lives[0]);
  const figures = (hours: number | undefined, light: number | null | undefined) => [hours, light];
  const told = answered.map((one) => figures(one?.hours, one?.efficiency_percent));
  expect(told).toHaveLength(16);
  expect(forecast.map((one) => figures(one.runtime_hours, one.efficiency_percent))).toEqual(told);
  expect(
    drawn.map(({ hours, points }) => figures(hours, points.at(-1)?.efficiency_percent)),
  ).toEqual(told);
});
