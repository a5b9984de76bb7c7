// Payloads that a PLC may send and that cost the most: while one publisher sends them, another's
// messages are acknowledged without long waits, and nothing is lost.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Appliance, publishAll, type Sent, startAppliance } from "../oracle/appliance.ts";
import { printed } from "../rig/logbook.ts";
import { processor_ms } from "../rig/process-facts.ts";
import { sized } from "../rig/scale.ts";

const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(2024, 1, 27);
/** Many times what it takes; in processor time, for machines that have other things to do. */
const WAIT_MAX_MS = 5000;
const MEMORY_MAX_MIB = 700;

const telemetry = (content: unknown): Sent => ({
  kind: "telemetry",
  payload: typeof content === "string" ? content : JSON.stringify(content),
});
const times = <Item>(length: number, of: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => of(index));

const invented = (index: number) => ({
  timestamp: printed(FIRST_MS + index * 1000),
  ...Object.fromEntries(times(10, (tag) => [`TAG_${index}_${tag}`, index])),
});
const event = (index: number) => ({
  timestamp: FIRST_MS - index * DAY_MS,
  event_type: "PROCESS_START",
  data: { index },
});

const HOSTILE: readonly (readonly [string, readonly Sent[]])[] = [
  ["tags whose names don't repeat", times(2300, (index) => telemetry(invented(index)))],
  [
    "a reading in each of 8,000 days, twice",
    ["A", "B"].map((name) =>
      telemetry(times(8000, (index) => ({ timestamp: FIRST_MS - index * DAY_MS, [name]: 1 }))),
    ),
  ],
  ["arrays of more nothing", times(sized(1, 3), () => telemetry(`[${"{},".repeat(340_000)}{}]`))],
  ["arrays of nothing", times(sized(1, 3), () => telemetry(`[${"{},".repeat(69_000)}{}]`))],
  [
    "a member named again and again",
    times(2, (index) =>
      telemetry(`{"timestamp":${FIRST_MS + index},${'"A":1,'.repeat(69_000)}"A":2}`),
    ),
  ],
  ["an array of events", [{ kind: "events", payload: JSON.stringify(times(9000, event)) }]],
  [
    "large texts",
    times(sized(15, 30), (index) =>
      telemetry({ timestamp: FIRST_MS + 1 + index, A: `${index}`.repeat(400_000) }),
    ),
  ],
  [
    "one reading of large texts",
    times(sized(30, 60), (index) =>
      telemetry({ timestamp: FIRST_MS, [`T${index}`]: "x".repeat(900_000) }),
    ),
  ],
  [
    "one reading of many texts",
    times(sized(30, 60), (index) =>
      telemetry({
        timestamp: FIRST_MS,
        ...Object.fromEntries(times(4, (tag) => [`M${index}_${tag}`, "x".repeat(1024)])),
      }),
    ),
  ],
  [
    "values without a time",
    times(sized(500, 2000), (index) => telemetry({ [`V${index % 50}`]: index })),
  ],
];

/** Publishes one small reading after the other; the most work between one and its PUBACK, ms. */
async function longestWait(appliance: Appliance, until: Promise<unknown>): Promise<number> {
  const client = await appliance.connect();
  let isOver = false;
  void until.finally(() => {
    isOver = true;
  });
  const { pid } = appliance.program;
  let longest_ms = 0;
  for (let number = 0; !isOver; number += 1) {
    const before_ms = processor_ms(pid);
    const timestamp = printed(FIRST_MS + DAY_MS + number * 1000);
    await publishAll(client, [telemetry({ timestamp, SYS_PRESSURE: number })]);
    longest_ms = Math.max(longest_ms, processor_ms(pid) - before_ms);
  }
  return longest_ms;
}

test("payloads that cost the most keep nobody else waiting", async () => {
  await using appliance = await startAppliance();
  for (const [what, messages] of HOSTILE) {
    const client = await appliance.connect();
    const longest_ms = await longestWait(appliance, publishAll(client, messages));
    expect({ what, longest_ms }).toMatchObject({ longest_ms: expect.toSatisfy(isShort) });
    await client.endAsync(true);
  }
  const { text } = await appliance.get("/metrics");
  const steps = [...text.matchAll(/^ballastd_writer_longest_step_seconds\{step="(\w+)"\} \S+$/gm)];
  expect(steps.map(([, step]) => step)).toEqual(expect.arrayContaining(["commit", "seal"]));
  const status = readFileSync(`/proc/${appliance.program.pid}/status`, "utf8");
  const peak_mib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  expect(peak_mib).toBeLessThan(MEMORY_MAX_MIB);
  const range = "startDate=1990-01-01&endDate=2100-01-01&limit=1";
  const { pagination } = await appliance.json(`/api/telemetry/chunked?${range}&offset=0`);
  expect(pagination.total).toBeGreaterThan(2300 + 8000);
});

const isShort = (work_ms: number): boolean => work_ms < WAIT_MAX_MS;
