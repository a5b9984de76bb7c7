// The sentences of the handover that are made of readings alone.

import { expect, test } from "vitest";
import type { ShownReading } from "../../../src/dashboard/watch/handover-answers.ts";
import { saidOfIntensity } from "../../../src/dashboard/watch/said.ts";

const LIMITS = { flow_max_imo: 1000 };
const reading = (at_ms: number, given: Partial<ShownReading>): ShownReading => ({
  ...{ at_ms, state: null, flow: null, intensity: 400, ...given },
});
const texts = (first: readonly ShownReading[], last: readonly ShownReading[]) =>
  saidOfIntensity(first, last, LIMITS).map(({ text }) => text.replaceAll("\u00a0", " "));

test("the intensity is compared between readings in which water was treated", () => {
  const first = [
    reading(1, { state: "WARMUP", intensity: 90 }),
    reading(2, { state: "RUNNING", intensity: 640 }),
    reading(3, { state: "RUNNING", intensity: 600 }),
  ];
  const last = [
    reading(11, { flow: 500, intensity: 530 }),
    reading(12, { state: "BACKFLUSH", intensity: 520 }),
    reading(13, { state: "RUNNING", intensity: null }),
    reading(14, { state: "IDLE", flow: 900, intensity: 5.8 }),
    reading(15, { flow: 20, intensity: 5.8 }),
  ];
  expect(texts(first, last)).toEqual(["UV intensity while treating: from 640 W/m² to 520 W/m²."]);
});

test("nothing is compared where one end has no treated water, or both are one reading", () => {
  const treated = [reading(1, { state: "RUNNING" })];
  const atRest = [reading(9, { state: "IDLE", intensity: 5.8 })];
  expect(texts(treated, atRest)).toEqual([]);
  expect(texts(atRest, treated)).toEqual([]);
  expect(texts(treated, treated)).toEqual([]);
  expect(texts([], treated)).toEqual([]);
});
