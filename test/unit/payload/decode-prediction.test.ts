// Members of a received prediction that may be sent: the dates of its end, its interval, and the
// operations and days that are left.

import { expect, test } from "vitest";
import { AT, decode, turnedAway } from "../../rig/decoding.ts";

const sent = { timestamp: AT, component_id: "LAMP_07", current_state: { status: "DEGRADED" } };

test("has dates of its end as they were sent, and null for any other text", () => {
  const dates = { end_date_p05: "2026-05-01", end_date_p50: "x".repeat(5000), end_date_p95: "" };
  const decoded = decode("predictions", { ...sent, predictions: dates });
  expect(decoded.predictions).toMatchObject([
    { predictions: { end_date_p05: "2026-05-01", end_date_p50: null, end_date_p95: null } },
  ]);
  expect(turnedAway(decoded)).toEqual([
    expect.stringMatching(/^bad_value: end_date_p50: got "x{79}, expected a date, such as 2026-/),
  ]);
  const odd = ["2026-02-30", "2026-05-01T06:30:00Z", 20_260_501, ["2026-05-01"]];
  for (const end_date_p95 of odd) {
    const { predictions } = decode("predictions", { ...sent, predictions: { end_date_p95 } });
    expect(predictions).toMatchObject([{ predictions: { end_date_p95: null } }]);
    expect(predictions[0].predictions).not.toHaveProperty("end_date_p05");
  }
});

test("has its interval and what is left in numbers from 0", () => {
  const decoded = decode("predictions", {
    ...sent,
    predictions: {
      ...{ remaining_useful_life_hours_p05: -5, remaining_useful_life_hours_p95: "7,5" },
      ...{ horizon_hours: "x", remaining_operations: -1e9, remaining_days: 30 },
    },
  });
  expect(decoded.predictions).toMatchObject([
    {
      predictions: {
        ...{ remaining_useful_life_hours_p05: null, remaining_useful_life_hours_p95: 7.5 },
        ...{ horizon_hours: null, remaining_operations: null, remaining_days: 30 },
      },
    },
  ]);
  expect(turnedAway(decoded)).toEqual([
    "bad_value: remaining_useful_life_hours_p05: got -5, expected 0 to 1000000",
    'bad_value: horizon_hours: got "x", expected a finite number',
    "bad_value: remaining_operations: got -1000000000, expected 0 to 1000000",
  ]);
});

test("has no interval whose lower end is above the upper, and no hours beyond a century", () => {
  const swapped = { remaining_useful_life_hours_p05: 900, remaining_useful_life_hours_p95: 300 };
  const decoded = decode("predictions", {
    ...sent,
    predictions: { remaining_useful_life_hours: 1e308, ...swapped },
  });
  expect(decoded.predictions).toMatchObject([
    {
      predictions: {
        remaining_useful_life_hours: null,
        ...{ remaining_useful_life_hours_p05: null, remaining_useful_life_hours_p95: null },
      },
    },
  ]);
  expect(turnedAway(decoded)).toEqual([
    "bad_value: remaining_useful_life_hours: got 1e+308, expected 0 to 1000000",
    "bad_value: remaining_useful_life_hours_p05: got 900, " +
      "expected at most remaining_useful_life_hours_p95, which is 300",
  ]);
});
