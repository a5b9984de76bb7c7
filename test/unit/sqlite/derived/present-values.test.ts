// The newest values, by a plant that sends fast: they are looked for far enough back.

import { expect, test } from "vitest";
import { indexOfTag } from "../../../../src/bwts/tags.ts";
import { totaliserRises } from "../../../../src/bwts/treating.ts";
import { MINUTE_MS, printTime, SECOND_MS } from "../../../../src/ground/clock.ts";
import { newestValues } from "../../../../src/sqlite/derived/newest-values.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { messageOf } from "../../../rig/decoding.ts";

const rigOf = rigsOfTests();
const NEWEST_MS = Date.UTC(2026, 4, 1, 10);

/** The newest values after readings every `every_ms` for `long_ms`. */
function foundAfter(
  long_ms: number,
  every_ms: number,
  fieldsAt: (ago_ms: number) => Readonly<Record<string, string | number>>,
) {
  const { db, store } = rigOf();
  const agos = Array.from({ length: long_ms / every_ms + 1 }, (_, index) => index * every_ms);
  store.commit(
    agos.reverse().map((ago_ms) => {
      const timestamp = printTime(NEWEST_MS - ago_ms);
      return messageOf("telemetry", { timestamp, ...fieldsAt(ago_ms) });
    }),
  );
  return newestValues(db, NEWEST_MS);
}

test("a lamp that is sent every ten minutes stands beside a reading a second", () => {
  const lamp = indexOfTag("LAMP_07_STATUS");
  const found = foundAfter(14 * MINUTE_MS, SECOND_MS, (ago_ms) => ({
    PROCESS_STATE: "RUNNING",
    ...(ago_ms === 10 * MINUTE_MS && { LAMP_07_STATUS: "ACTIVE" }),
  }));
  expect(found.values[lamp]).toBe("ACTIVE");
  expect(found.times[lamp]).toBe(NEWEST_MS - 10 * MINUTE_MS);
});

test("a totaliser that rises at rest is seen at five readings a second", () => {
  const { readings } = foundAfter(2 * MINUTE_MS, 200, (ago_ms) => ({
    PROCESS_STATE: "IDLE",
    SYS_TOTAL_BALLAST_VOL: 140_000 - ago_ms / 6000,
  }));
  expect(totaliserRises(readings, { flow_max_imo: 1000, flow_max_uscg: 1000 })).toBe(true);
});
