// The rate of messages, from samples of the writer's totals.

import { expect, test } from "vitest";
import { ingestRate, NO_RATE } from "../../../src/app/ingest-rate.ts";

const at = (seconds: number, messages: number) => ({
  ...{ at_ms: seconds * 1000, messages, readings: messages * 2 },
});

test("a history that was sent before the last minute doesn't count", () => {
  const samples = [at(0, 0), at(60, 3000), at(110, 3001), at(120, 3002), at(130, 3003)];
  const now = at(190, 3010);
  expect(ingestRate(samples, now)).toEqual({
    ...{ messages_per_minute: 7, readings_per_minute: 14, over_seconds: 60 },
  });
});

test("a plant that sends less often than it is asked has a rate over all samples", () => {
  const samples = [at(0, 10), at(100, 10), at(200, 11)];
  expect(ingestRate(samples, at(300, 11))).toMatchObject({
    ...{ messages_per_minute: 0.2, over_seconds: 300 },
  });
  expect(ingestRate([], at(300, 11))).toEqual(NO_RATE);
});
