// Alarms of the treatment system in messages that are quarantined: told only if they weren't taken.

import { expect, test } from "vitest";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT, messageOf } from "../../../rig/decoding.ts";

const rigOf = rigsOfTests();

const alarm = (code: string, more: object = {}) => ({
  ...{ timestamp: AT, event_type: "ALARM_TRIGGERED", description: code, data: { code } },
  ...more,
});

test("an alarm that is stored without all of its text is not told as quarantined", () => {
  const { store } = rigOf();
  const sent = alarm("UV_LOW", { description: "x".repeat(2000) });
  expect(store.commit([messageOf("events", sent)])).toMatchObject({
    ...{ events: 1, quarantined: 1 },
    aside: [{ reason: "bad_value", alarms: [] }],
  });
});

test("alarms of which one isn't taken are all told", () => {
  const { store } = rigOf();
  const ahead = alarm("PUMP", { timestamp: "2026-05-01T18:00:00Z" });
  const start = { timestamp: AT, event_type: "PROCESS_START", data: {} };
  expect(store.commit([messageOf("events", [start, alarm("UV_LOW"), ahead])])).toMatchObject({
    ...{ events: 2, quarantined: 1 },
    aside: [{ reason: "future", alarms: ["UV_LOW", "PUMP"] }],
  });
});
