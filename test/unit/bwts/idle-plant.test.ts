// Forecasts are asked for when the plant has stopped sending, and not after each reading, whatever
// its clock says and however slowly it sends.

import { expect, test } from "vitest";
import { openIdleWatch } from "../../../src/bwts/idle-plant.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/ground/clock.ts";

const LOOK_MS = 5 * SECOND_MS;

/** A plant and the job that looks at it every 5 s. */
function openPlant(plc_ms: number) {
  let steady_ms = 0;
  let commits = 0;
  let last_reading_ms: number | null = null;
  let asked = 0;
  const isIdle = openIdleWatch(() => steady_ms);
  const wait = (ms: number) => {
    for (const end_ms = steady_ms + ms; steady_ms < end_ms; steady_ms += LOOK_MS)
      if (isIdle({ commits, corrections: 0, last_reading_ms })) asked += 1;
  };
  return {
    wait,
    send(at_ms = plc_ms + steady_ms) {
      commits += 1;
      last_reading_ms = Math.max(last_reading_ms ?? 0, at_ms);
    },
    /** Number of calls since the last time. */
    asked() {
      const count = asked;
      asked = 0;
      return count;
    },
  };
}

test.each(
  [11 * SECOND_MS, 3 * MINUTE_MS, 20 * MINUTE_MS].flatMap((cadence_ms) =>
    [0, -11 * MINUTE_MS, 5 * HOUR_MS, -40 * DAY_MS].map((plc_ms) => [cadence_ms, plc_ms]),
  ),
)("a plant that sends every %i ms, its clock off by %i ms, is idle once a silence", (...given) => {
  const [cadence_ms, plc_ms] = given;
  const plant = openPlant(Date.UTC(2026, 4, 1) + plc_ms);
  for (let sent = 0; sent < 400; sent += 1) {
    plant.send();
    plant.wait(cadence_ms);
  }
  // One for what the start found.
  expect(plant.asked()).toBeLessThanOrEqual(1);
  for (let silence = 0; silence < 3; silence += 1) {
    plant.wait(3 * HOUR_MS);
    expect(plant.asked()).toBe(1);
    for (let sent = 0; sent < 30; sent += 1) {
      plant.send();
      plant.wait(cadence_ms);
    }
    expect(plant.asked()).toBe(0);
  }
});

test("what comes faster than its own times is done when it ends", () => {
  const plant = openPlant(0);
  for (let file = 1; file <= 3; file += 1) {
    plant.send(file * 30 * DAY_MS);
    plant.wait(MINUTE_MS);
    expect(plant.asked()).toBe(1);
  }
});
