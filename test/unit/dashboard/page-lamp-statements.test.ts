// What the page Lamps takes from answers around an engineer's statement about a lamp.

import { expect, test } from "vitest";
import { LampCurve } from "../../../src/bwts/lamps/life-curve.ts";
import { readCurve, statedEnd } from "../../../src/dashboard/lamps/lamp-answers.ts";

/** The stated ends of two lives, of which the fitted one began so. */
function endsAfter(began_by: string) {
  const [life] = LampCurve.parse(LampCurve.meta()?.example).lives;
  const earlier = { ...life, began: "2025-01-01T00:00:00.000Z", ended: life.began };
  const lives = [{ ...life, began_by }, earlier];
  const curve = readCurve({ ...Object(LampCurve.meta()?.example), lives })?.value;
  if (curve === undefined) throw new Error("expected a curve");
  return curve.lives.map((one) => statedEnd(curve, one));
}

test("only a replacement that a person stated can be taken back", () => {
  const stated_ms = Date.parse("2026-05-01T06:30:00.000Z");
  expect(endsAfter("confirmed")).toEqual([null, stated_ms]);
  for (const recognised of ["first_seen", "counter_fell", "light_returned"])
    expect(endsAfter(recognised)).toEqual([null, null]);
});
