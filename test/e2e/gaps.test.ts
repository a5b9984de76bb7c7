// Gaps through the built program: where no readings came though an operation was running, by events
// or by the readings around; closed by late data, and for nothing else.

import { rmSync } from "node:fs";
import { expect, test as single } from "vitest";
import { type Appliance, type Sent, startAppliance } from "../oracle/appliance.ts";
import { fakeClock } from "../rig/fake-clock.ts";
import { openValidator } from "../rig/http-validator.ts";
import { temporaryFolder } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

// They mostly wait for jobs, so they wait together.
const test = single.concurrent;

const DAY_MS = Date.UTC(2026, 4, 1);
const at = (hour: number, minute = 0) =>
  new Date(DAY_MS + hour * 3_600_000 + minute * 60_000).toISOString();

/** Readings every minute from one time to another, both included. */
function readings(from: string, to: string, fields: object): readonly Sent[] {
  const count = (Date.parse(to) - Date.parse(from)) / 60_000 + 1;
  return Array.from({ length: count }, (_, minute) => {
    const timestamp = new Date(Date.parse(from) + minute * 60_000).toISOString();
    return { kind: "telemetry", payload: JSON.stringify({ timestamp, ...fields }) };
  });
}

const event = (event_type: string, timestamp: string): Sent => ({
  kind: "events",
  payload: JSON.stringify({ timestamp, event_type, data: { operation_type: "BALLAST" } }),
});

const RUNNING = { PROCESS_STATE: "RUNNING", operation_type: "DEBALLAST" };
const IDLE = { PROCESS_STATE: "IDLE" };

let validator: ReturnType<typeof openValidator> | null = null;

async function gaps(appliance: Appliance, query = "") {
  const { status, text } = await appliance.get(`/api/gaps${query}`);
  const checked = { method: "GET", path: "/api/gaps", status, type: "application/json" };
  validator ??= openValidator(await appliance.json("/openapi.json"));
  expect(validator.answerProblems({ ...checked, body: text })).toBeNull();
  return JSON.parse(text);
}

async function expectGaps(appliance: Appliance, expected: readonly object[]): Promise<void> {
  await appliance.program
    .waitUntil("the gaps", async () => {
      const found = await gaps(appliance);
      return JSON.stringify(found) === JSON.stringify(expected);
    })
    .catch(async () => expect(await gaps(appliance)).toEqual(expected));
}

const gap = (start: string, end: string, known_by = "events", operation_type = "BALLAST") => ({
  ...{ start, end, seconds: (Date.parse(end) - Date.parse(start)) / 1000 },
  ...{ operation_type, known_by },
});

test("gaps are found where an operation was running, and late data closes them", async () => {
  await using appliance = await startAppliance();
  await appliance.publish([
    // An operation with a silence, one that is silent at its end, one that is silent throughout.
    ...readings(at(0), at(2), RUNNING),
    event("PROCESS_START", at(0)),
    ...readings(at(2, 30), at(4), RUNNING),
    event("PROCESS_STOP", at(4, 20)),
    ...readings(at(5), at(6), IDLE),
    event("PROCESS_START", at(7)),
    event("PROCESS_STOP", at(8)),
    // Idle silence is none; four minutes at one a minute are none either.
    ...readings(at(9), at(10), IDLE),
    ...readings(at(10, 4), at(10, 10), IDLE),
    // Known by the readings alone, over midnight.
    ...readings(at(22), at(23), RUNNING),
    ...readings(at(24, 40), at(25), RUNNING),
    ...readings(at(25, 1), at(26), IDLE),
  ]);
  const found = [
    gap(at(23), at(24, 40), "readings", "DEBALLAST"),
    gap(at(7), at(8)),
    gap(at(4), at(4, 20)),
    gap(at(2), at(2, 30)),
  ];
  await expectGaps(appliance, found);
  expect(await gaps(appliance, "?limit=2")).toEqual(found.slice(0, 2));
  expect(await gaps(appliance, `?startDate=${at(7, 30)}&endDate=${at(12)}`)).toEqual([found[1]]);
  expect((await appliance.get("/api/gaps?startDate=2026-05-02&endDate=2026-05-01")).status).toBe(
    400,
  );

  await appliance.publish([
    ...readings(at(2, 1), at(2, 29), RUNNING),
    ...readings(at(23, 20), at(23, 25), RUNNING),
    // Lamps that are sent by themselves are the last before a silence, and the first after it.
    ...readings(at(34), at(35), RUNNING),
    ...readings(at(35, 0.5), at(35, 0.5), { LAMP_01_EFFICIENCY: 90 }),
    ...readings(at(36), at(36), { LAMP_01_EFFICIENCY: 90 }),
    ...readings(at(36, 1), at(36, 5), RUNNING),
    ...readings(at(36, 6), at(36, 6), IDLE),
  ]);
  const closed = [
    gap(at(35, 0.5), at(36), "readings", "DEBALLAST"),
    gap(at(23, 25), at(24, 40), "readings", "DEBALLAST"),
    gap(at(23), at(23, 20), "readings", "DEBALLAST"),
    found[1],
    found[2],
  ];
  await expectGaps(appliance, closed);
  const { folder } = appliance.program;
  await appliance.program.stop("SIGKILL");
  await using again = await startAppliance({ folder });
  await expectGaps(again, closed);
});

test("a gap that lasts has no end, and has one when readings come", LONG, async () => {
  const folder = temporaryFolder();
  const clock = fakeClock(folder);
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  {
    await using appliance = await startAppliance({ folder, env: clock.env });
    await appliance.publish([
      event("PROCESS_START", minutesAgo(60)),
      ...readings(minutesAgo(10), minutesAgo(0), { PROCESS_STATE: "WARMUP" }),
    ]);
    expect(await gaps(appliance)).toEqual([]);
    await appliance.program.stop("SIGTERM");
  }
  clock.set(1200);
  await using appliance = await startAppliance({ folder, env: clock.env });
  const [open, ...others] = await gaps(appliance);
  expect(others).toEqual([]);
  expect(open).toMatchObject({ end: null, operation_type: "BALLAST", known_by: "events" });
  expect(open.seconds).toBeGreaterThan(1190);
  expect(open.seconds).toBeLessThan(1200 + 3600);
  const back = minutesAgo(-19);
  await appliance.publish(readings(back, back, { PROCESS_STATE: "RUNNING" }));
  await appliance.program.waitUntil("its end", async () => {
    const [gap] = await gaps(appliance);
    return gap !== undefined && gap.end !== null;
  });
  const [ended] = await gaps(appliance);
  expect(ended).toMatchObject({ start: open.start, end: back });
  expect(ended.seconds).toBeCloseTo((Date.parse(back) - Date.parse(open.start)) / 1000, 0);
  await appliance.program.stop("SIGTERM");
  rmSync(folder, { recursive: true });
});
