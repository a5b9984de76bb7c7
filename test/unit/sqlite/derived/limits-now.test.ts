// The watched values at the newest reading, with what is active on disk: one situation has one
// alert, also while a value swings around its further limit.

import { expect, test } from "vitest";
import { ownAlarm } from "../../../../src/bwts/event.ts";
import { MINUTE_MS } from "../../../../src/ground/clock.ts";
import { limitsNow } from "../../../../src/sqlite/derived/limits-now.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";

const rigOf = rigsOfTests();
const code = "FILTER_DP_ALARM";

test("the further limit's alert takes the place of the nearer one's, and gives it back", () => {
  const { db, store } = rigOf();
  let minute = -30;
  /** States of both alerts after so many minutes at a pressure. */
  const after = (count: number, bar: number) => {
    for (const end = minute + count; minute < end; minute += 1) {
      const running = { PROCESS_STATE: "RUNNING", operation_type: "BALLAST" };
      const reading = { timestamp: AT_MS + minute * MINUTE_MS, FLT_DIFF_PRESSURE: bar };
      store.commit([messageOf("telemetry", { ...running, ...reading })]);
    }
    const found = limitsNow(db, LAMP_CONFIG)?.found ?? [];
    return ["FILTER_DP_HIGH", code].map(
      (name) => found.find((one) => one.code === name)?.state.kind,
    );
  };
  expect(after(7, 0.7)).toEqual(["out", "over"]);
  expect(after(7, 1.2)).toEqual(["over", "out"]);
  const told = { parameter: "FLT_DIFF_PRESSURE", value: 1.2, limit: 1, unit: "bar", more: {} };
  store.raiseAlarm(ownAlarm(AT_MS, { code, text: "high", ...told }), "", AT_MS);
  expect(after(1, 0.97)).toEqual(["over", "unclear"]);
  expect(after(7, 0.7)).toEqual(["out", "over"]);
});
