// The step of a totaliser decides if it saw a silence. Its rises near that silence tell it: learnt
// from all that happens to be read, an operation was within limits or not by the hour from which it
// was looked at, and by what came late.

import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../../src/ground/clock.ts";
import { judgedAgain } from "../../../../src/sqlite/care/judged-again.ts";
import { affectedOperations } from "../../../../src/sqlite/derived/operation-search.ts";
import { OPERATIONS } from "../../../../src/sqlite/derived/operations.ts";
import { type Rig, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import { storedOperations } from "../../../rig/operations.ts";

const rigOf = rigsOfTests();
const EVERY_MS = 10 * MINUTE_MS;
const FIRST_MS = Math.floor(AT_MS / HOUR_MS - 100) * HOUR_MS;

interface Run {
  /** Since FIRST_MS. */
  readonly from_h: number;
  /** The rises of the totaliser in ten minutes, m3. */
  readonly rises: readonly number[];
}

/** Operations without events, each from its first reading after a silence on, and rest after it. */
function shipOf(runs: readonly Run[], rest_h: number): Rig {
  const rig = rigOf();
  let total = 1000;
  const readings = runs.flatMap(({ from_h, rises }) => {
    const readingAt = (index: number, values: object) => ({
      ...{ timestamp: FIRST_MS + from_h * HOUR_MS + index * EVERY_MS, COMPLIANCE_MODE: "IMO" },
      ...{ SYS_TOTAL_BALLAST_VOL: total, SYS_TOTAL_DEBALLAST_VOL: 0, ...values },
    });
    const running = [0, ...rises].map((rise, index) => {
      total += rise;
      const SYS_FLOW_RATE = 6 * (rises[index] ?? rise);
      const values = { PROCESS_STATE: "RUNNING", operation_type: "BALLAST", SYS_FLOW_RATE };
      return readingAt(index, { ...values, UVR_INTENSITY: 600 + index, UVR_POWER_OUTPUT: 80 });
    });
    const resting = Array.from({ length: rest_h * 6 }, (_, index) =>
      readingAt(running.length + index, { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0 }),
    );
    return [...running, ...resting];
  });
  rig.store.commit(readings.map((reading) => messageOf("telemetry", reading)));
  derived(rig, OPERATIONS);
  return rig;
}

/** The second operation's remarks, from each hour from which it is looked at. */
function remarksBySearch({ db }: Rig, from_h: number): readonly boolean[] {
  const found: boolean[] = [];
  for (let hour = from_h - 30; hour < from_h + 12; hour += 1) {
    const start_ms = FIRST_MS + hour * HOUR_MS;
    const { spans, isOwn } = affectedOperations(
      db,
      { start_ms, end_ms: start_ms + HOUR_MS - 1 },
      LAMP_CONFIG.limits,
    );
    const own = spans.find(
      (span, at) => isOwn[at] && span.start_ms === FIRST_MS + from_h * HOUR_MS,
    );
    if (own !== undefined) found.push(own.remarks.includes("water_unseen"));
  }
  return found;
}

const repeated = (rises: readonly number[], times: number) =>
  Array.from({ length: times }, () => rises).flat();

test.each<[string, { first: number[]; second: number[]; rest_h: number }, boolean]>([
  [
    "rises of 100 m3 far from fine ones",
    { first: repeated([95], 12), second: repeated([100], 18), rest_h: 10 },
    true,
  ],
  [
    "fine rises far from those of 100 m3",
    { first: repeated([100], 12), second: repeated([97, 103], 9), rest_h: 10 },
    false,
  ],
  [
    "rises of 100 m3, and fine ones three hours before the silence",
    { first: repeated([95], 12), second: repeated([100], 18), rest_h: 3 },
    false,
  ],
  [
    "rises of 25 and 75 m3",
    { first: repeated([100], 12), second: repeated([25, 75], 9), rest_h: 3 },
    true,
  ],
])("%s say the same from wherever they are looked at", (_, { first, second, rest_h }, isUnseen) => {
  const from_h = 36;
  const runs = [
    { from_h: 0, rises: first },
    { from_h, rises: second },
  ];
  const rig = shipOf(runs, rest_h);
  const found = remarksBySearch(rig, from_h);
  expect(found.length).toBeGreaterThan(3);
  expect(new Set(found)).toEqual(new Set([isUnseen]));
  const verdicts = () => storedOperations(rig).map(({ start, verdict }) => `${start} ${verdict}`);
  const was = verdicts();
  for (const hour of [1, 0, 2]) {
    const timestamp = FIRST_MS + (from_h + hour) * HOUR_MS + 5 * MINUTE_MS;
    rig.store.commit([messageOf("telemetry", { timestamp, SYS_PRESSURE: 2 })]);
    derived(rig, OPERATIONS);
    expect(verdicts()).toEqual(was);
  }
  expect(judgedAgain(rig.db, LAMP_CONFIG).faults).toEqual([]);
});
