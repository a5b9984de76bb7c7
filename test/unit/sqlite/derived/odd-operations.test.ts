// Odd operations of which the truth is known, sent, stored, found and judged as aboard. None of
// them may be within limits unless all of it was.

import { expect, test } from "vitest";
import { DAY_MS } from "../../../../src/ground/clock.ts";
import { OPERATIONS } from "../../../../src/sqlite/derived/operations.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import { EVENTS_ODD, STATES_ODD, TIMES_ODD } from "../../../rig/odd-courses.ts";
import { type Odd, sentOf } from "../../../rig/odd-operations.ts";
import { COUNTERS_ODD, SENSORS_ODD, UNITS_ODD } from "../../../rig/odd-sensors.ts";
import { storedOperations } from "../../../rig/operations.ts";

const rigOf = rigsOfTests();
const APART_MS = 3 * DAY_MS;
const ALL: readonly Odd[] = [
  ...[UNITS_ODD, COUNTERS_ODD, SENSORS_ODD, STATES_ODD, TIMES_ODD, EVENTS_ODD].flat(),
];

test(`${ALL.length} odd operations have the verdicts and volumes that are true`, () => {
  const rig = rigOf();
  rig.db.pragma("synchronous = off");
  const startOf = (at: number) => AT_MS - (ALL.length - at + 1) * APART_MS;
  for (const [at, [, odd]] of ALL.entries())
    rig.store.commit(sentOf(startOf(at), odd).map(({ kind, content }) => messageOf(kind, content)));
  derived(rig, OPERATIONS);
  const found = storedOperations(rig).toReversed();
  const told = ALL.map(([title, , , volume_m3], at) => {
    const own = found.filter(
      ({ start }) => Math.abs(Date.parse(start) - startOf(at)) < APART_MS / 2,
    );
    const volume = own.at(0)?.volume_m3 ?? null;
    return [title, own.map(({ verdict }) => verdict), volume_m3 === undefined ? undefined : volume];
  });
  const truths = ALL.map(([title, , verdicts, volume_m3]) => [
    title,
    verdicts,
    typeof volume_m3 === "number" ? expect.closeTo(volume_m3, 0) : volume_m3,
  ]);
  expect(told).toEqual(truths);
});
