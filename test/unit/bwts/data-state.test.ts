// Freshness and hidden readings, by ages and voids that no test can wait for.

import { expect, test } from "vitest";
import { dataState } from "../../../src/bwts/idle-plant.ts";
import { hiddenAt, isHiddenNow } from "../../../src/bwts/present/hidden.ts";

const MINUTE_MS = 60_000;
const NOW_MS = Date.UTC(2026, 4, 1);
const silence_ms = 15 * MINUTE_MS;

test.each([
  [null, 0, "none"],
  [0, 0, "fresh"],
  [15, 600, "fresh"],
  [16, 15, "old"],
  [16, 16, "silent"],
  [16, null, "old"],
  [-5, 0, "fresh"],
  [-6, 0, "ahead"],
])("a reading of %s min, received %s min ago, is %s", (reading, received, expected) => {
  const ms = (minutes: number | null) => (minutes === null ? null : minutes * MINUTE_MS);
  const ages = { reading_ms: ms(reading), received_ms: ms(received), silence_ms };
  expect(dataState(ages)).toBe(expected);
});

test.each([
  ["its end lies in the past", [-120, -60], 0, false],
  ["it covers now, and readings come", [-120, 600], 1, true],
  ["it covers now, and none come", [-120, 600], 20, false],
  ["it covers now, and the receipt isn't known", [-120, 600], null, true],
  ["it ended just now", [-120, -3], 1, true],
  ["it lies in the future", [60, 600], 1, false],
])("a void and the present: %s", (_what, [from, to], received, isHidden) => {
  const at = (minutes: number) => NOW_MS + minutes * MINUTE_MS;
  const voids = [{ start_ms: at(from), end_ms: at(to), reason: "" }];
  const received_ms = received === null ? null : received * MINUTE_MS;
  const asked = { newest_ms: at(-180), then_ms: NOW_MS, received_ms, silence_ms };
  expect(isHiddenNow(hiddenAt(voids, asked), asked)).toBe(isHidden);
});
