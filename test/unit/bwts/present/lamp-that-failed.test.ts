// The condition of a lamp that failed, by its status and its forecast: nothing but another status
// takes it back.

import { expect, test } from "vitest";
import { lampCondition } from "../../../../src/bwts/present/lamp-condition.ts";

const forecast = (expected_end: "failed" | "worn" | null) => ({
  predictions: { expected_end, remaining_useful_life_hours: 900, horizon_hours: 500 },
  current_state: { efficiency_percent: 90 },
});

test.each([
  [null, "failed", "failed"],
  ["unknown", "failed", "failed"],
  ["failed", null, "failed"],
  ["active", "failed", "unknown"],
  ["standby", "failed", "unknown"],
  ["unknown", "worn", "past_life"],
  ["unknown", null, "unknown"],
  ["active", null, "good"],
] as const)("status %s and an end that is %s: %s", (status, end, condition) => {
  expect(lampCondition(status, forecast(end))).toBe(condition);
});
