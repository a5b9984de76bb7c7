// Alarms of the plant that name a lamp, by codes and words of several makers.

import { expect, test } from "vitest";
import { areLampsDoubted } from "../../../../src/bwts/present/alarmed-lamps.ts";

const LAMPS = Array.from({ length: 16 }, (_, index) => ({
  lamp: index + 1,
  state: index === 12 ? ("failed" as const) : ("active" as const),
}));
const NONE = LAMPS.map(({ lamp }) => ({ lamp, state: "active" as const }));

const alarm = (description: string, more: object = {}) => ({
  ...{ source: "plc" as const, code: null, description, lamp: null },
  ...{ alert_state: "unacknowledged" as const, ...more },
});

test.each([
  [true, "Lamp 7 failed"],
  [true, "LMP_07_TRIP"],
  [true, "Lámpara n.º 7 averiada"],
  [true, "Lâmpada 07 avariada"],
  [true, "Lampe 7: Ausfall"],
  [true, "ランプ 7 故障"],
  [true, "램프 7 고장"],
  [false, "Lamp 13 failed"],
  [false, "LAMP_13_FAULT"],
  [false, "Lamp failure"],
  [false, "Clamp loose"],
  [false, "Fan 7 stopped"],
])("with lamp 13 failed by its status, doubted %s: %s", (isDoubted, description) => {
  expect(areLampsDoubted([alarm(description)], LAMPS)).toBe(isDoubted);
});

test("without a failed lamp each alarm of a lamp that lasts is a doubt", () => {
  expect(areLampsDoubted([alarm("Lamp failure")], NONE)).toBe(true);
  expect(areLampsDoubted([alarm("E-217", { lamp: 4 })], NONE)).toBe(true);
  expect(areLampsDoubted([alarm("Lamp failure", { alert_state: "rectified" })], NONE)).toBe(false);
  expect(areLampsDoubted([alarm("Lamp failure", { source: "ballastd" })], NONE)).toBe(false);
});
