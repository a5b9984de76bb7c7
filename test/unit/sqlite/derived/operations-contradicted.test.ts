// Two messages of one time that contradict each other within an operation: the second one is in
// quarantine, and the verdict mustn't stand as if it had never come.

import { expect, test } from "vitest";
import { MINUTE_MS } from "../../../../src/ground/clock.ts";
import { type Rig, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import {
  eventsOfRun,
  idleReadings,
  judgedOperations,
  readingsOfRun,
} from "../../../rig/operations.ts";

const rigOf = rigsOfTests();
const START_MS = AT_MS - 27 * 60 * MINUTE_MS;
const RUN = { start_ms: START_MS, minutes: 120 };

function send({ store }: Rig, kind: "telemetry" | "events", sent: readonly object[]): void {
  store.commit(sent.map((one) => messageOf(kind, one)));
}

function run(rig: Rig): void {
  const { start, stop } = eventsOfRun(RUN);
  send(rig, "events", [start, stop]);
  send(rig, "telemetry", readingsOfRun(RUN));
  send(rig, "telemetry", idleReadings(START_MS + 121 * MINUTE_MS, 20));
}

/** The readings of some minutes once more, with other values. */
const copies = (minutes: readonly number[], but: object) =>
  minutes.map((minute) => ({ ...readingsOfRun(RUN)[minute], ...but }));

test.each([
  [
    "one value of the whole message",
    (minutes: readonly number[]) => copies(minutes, { UVR_INTENSITY: 100 }),
  ],
  [
    "a message of that value alone",
    (minutes: readonly number[]) =>
      copies(minutes, {}).map(({ timestamp }) => ({ timestamp, UVR_INTENSITY: 100 })),
  ],
  ["a plant at rest", (minutes: readonly number[]) => copies(minutes, { PROCESS_STATE: "IDLE" })],
])("copies with %s leave no operation within limits", (_, copiesOf) => {
  const rig = rigOf();
  run(rig);
  expect(judgedOperations(rig)).toMatchObject([{ verdict: "within_limits", remarks: [] }]);
  send(rig, "telemetry", copiesOf([60, 61]));
  expect(judgedOperations(rig)).toMatchObject([
    {
      ...{ verdict: "cannot_tell", remarks: ["readings_contradicted"], version: 2 },
      reasons: [{ rule: "contradicted", readings: 2, seconds: 120 }],
    },
  ]);
});

test("a copy of a minute, or of a value that no rule needs, is named with the verdict", () => {
  const rig = rigOf();
  run(rig);
  send(rig, "telemetry", copies([60], { UVR_INTENSITY: 100 }));
  send(rig, "telemetry", copies([30, 31, 32, 33], { SYS_PRESSURE: 9 }));
  expect(judgedOperations(rig)).toMatchObject([
    { verdict: "within_limits", reasons: [], remarks: ["readings_contradicted"] },
  ]);
});

test("the same messages again contradict nothing", () => {
  const rig = rigOf();
  run(rig);
  send(rig, "telemetry", readingsOfRun(RUN));
  expect(judgedOperations(rig)).toMatchObject([
    { verdict: "within_limits", remarks: [], version: 1 },
  ]);
});

test("a PLC's clock that stands still leaves no operation within limits", () => {
  const rig = rigOf();
  const readings = readingsOfRun(RUN).slice(0, 21);
  const { start } = eventsOfRun(RUN);
  send(rig, "events", [start]);
  send(rig, "telemetry", readings);
  // Twenty minutes more, of which each reading has the time of the last one.
  const last = readings[20];
  for (let minute = 1; minute <= 20; minute += 1)
    rig.store.commit([
      messageOf(
        "telemetry",
        { ...last, UVR_INTENSITY: 100 + minute / 10 },
        { received_ms: RECEIVED_MS + minute * MINUTE_MS },
      ),
    ]);
  send(rig, "telemetry", idleReadings(START_MS + 60 * MINUTE_MS, 40));
  expect(judgedOperations(rig)).toMatchObject([
    {
      verdict: "cannot_tell",
      reasons: expect.arrayContaining(
        [{ rule: "contradicted" }].map((one) => expect.objectContaining(one)),
      ),
    },
  ]);
});
