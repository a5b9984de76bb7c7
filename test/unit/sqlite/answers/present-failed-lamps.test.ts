// The count of failed lamps, in the overview and for /metrics and Modbus: a lamp of which nothing
// is known isn't one that burns, so no count stands beside "status of 1 lamp not known".

import { expect, test } from "vitest";
import { plantNowJson } from "../../../../src/sqlite/answers/plant-now.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import { type PresentState, saidOf } from "../../../rig/present-ship.ts";

const rigOf = rigsOfTests();
const counted = (count: number) => () => ({ FAILED_LAMP_COUNT: count });
const mute = Object.fromEntries(
  Array.from({ length: 16 }, (_, lamp) => [String(lamp + 1).padStart(2, "0"), null]),
);

test.each<[string, state: PresentState, count: number | null]>([
  ["all burn", {}, 0],
  ["one has failed", { lamps: { "07": "FAILED" } }, 1],
  ["one isn't sent", { lamps: { "07": null } }, null],
  ["one is of an unknown word", { lamps: { "07": "NOK" } }, null],
  ["one is empty", { lamps: { "07": "" } }, null],
  ["one is of bad quality", { each: () => ({ "LAMP_07_STATUS.quality": "Bad" }) }, null],
  [
    "one isn't sent any more",
    { each: (ago) => ({ ...(ago < 9 && { LAMP_07_STATUS: null }) }) },
    null,
  ],
  ["the plant counts none", { each: counted(0) }, 0],
  ["the plant counts none, one isn't known", { lamps: { "07": "NOK" }, each: counted(0) }, null],
  ["the plant counts one, one isn't known", { lamps: { "07": "NOK" }, each: counted(1) }, 1],
  ["the plant counts none, and sends no more", { lamps: mute, each: counted(0) }, 0],
  ["no lamp is sent", { lamps: mute }, null],
])("%s", (_, state, count) => {
  const rig = rigOf();
  const { answer } = saidOf(rig, state);
  const { plant } = JSON.parse(plantNowJson(rig.db, LAMP_CONFIG));
  const isUnsure = answer.to_do.includes("lamps_unknown");
  expect({
    overview: answer.reading?.values.FAILED_LAMP_COUNT ?? null,
    plant: plant.values.FAILED_LAMP_COUNT,
  }).toEqual({ overview: count, plant: count });
  if (count === null) expect(isUnsure).toBe(true);
});
