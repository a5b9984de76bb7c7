// A backlog of readings to be sealed, as a burst or an import leaves it, isn't a failure of sealing
// while it is worked off. The minute is the steady clock's, which the test moves.

import { expect, test, vi } from "vitest";
import { MINUTE_MS, printTime } from "../../../../src/ground/clock.ts";
import { SEGMENT_READINGS } from "../../../../src/sqlite/sealed/seal-portion.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";

const rigOf = rigsOfTests();

test("a backlog is a failure only once none of it was sealed for a minute", () => {
  const { store } = rigOf();
  const clock = vi.spyOn(performance, "now");
  try {
    const count = 10 * SEGMENT_READINGS;
    const readings = Array.from({ length: count }, (_, index) => ({
      timestamp: printTime(AT_MS - (count - index) * MINUTE_MS),
      SYS_FLOW_RATE: index,
    }));
    for (let at = 0; at < count; at += SEGMENT_READINGS)
      store.commit([messageOf("telemetry", readings.slice(at, at + SEGMENT_READINGS))]);
    expect(store.sealing()).toBeNull();
    const later_ms = performance.now() + MINUTE_MS;
    clock.mockImplementation(() => later_ms);
    expect(store.sealing()).toBe(`${count} readings wait to be sealed`);
    // It goes on, and though many still wait that is no failure.
    expect(store.sealFull()).toBe(true);
    expect(store.sealing()).toBeNull();
  } finally {
    clock.mockRestore();
  }
});
