// Records as large as they may be, and many of them: lists of them are answered whole, by a process
// that stays small, and what is larger is set aside.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listQuarantine, startAppliance } from "../oracle/appliance.ts";
import { printed } from "../rig/logbook.ts";

const AT_MS = Date.UTC(2026, 4, 1);
const COUNT = 600;
const ALERTS = 200;
const MEMORY_MAX_KIB = 400e6 / 1024;

const alarm = (index: number, characters: number) => ({
  timestamp: printed(AT_MS + index * 1000),
  event_type: "ALARM_TRIGGERED",
  // The plant's alarms of one code are one alert.
  description: `UV_LOW_${index % ALERTS}: below the limit`,
  data: { index, text: "x".repeat(characters) },
});
const sent = (...alarms: object[]) => ({ kind: "events", payload: JSON.stringify(alarms) });

test("lists of the largest events are whole, and cost little memory", async () => {
  await using appliance = await startAppliance();
  for (let from = 0; from < COUNT; from += 50)
    await appliance.publish([
      sent(...Array.from({ length: 50 }, (_, index) => alarm(from + index, 16_000))),
    ]);

  const indexes = Array.from({ length: COUNT }, (_, index) => COUNT - 1 - index);
  const indexOf = ({ data }: { data: { index: number } }) => data.index;
  const asked = (list: string) =>
    Promise.all(Array.from({ length: 8 }, () => appliance.json(`${list}?limit=10000`)));
  const [events, alarms] = await Promise.all([asked("/api/events"), asked("/api/alarms")]);
  for (const list of events) expect(list.map(indexOf)).toEqual(indexes);
  for (const list of alarms)
    expect(list.map(({ data }: { data: { text: string } }) => data.text.length)).toEqual(
      new Array(ALERTS).fill(16_000),
    );
  const { recentEvents } = await appliance.json("/api/stats");
  expect(recentEvents.map(indexOf)).toEqual(indexes.slice(0, 100));

  const status = readFileSync(`/proc/${appliance.program.pid}/status`, "utf8");
  const peak_kib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
  expect(peak_kib).toBeLessThan(MEMORY_MAX_KIB);

  await appliance.publish([sent(alarm(COUNT, 17_000))]);
  expect(await listQuarantine(appliance.program.folder)).toMatchObject([
    { reason: "too_large", detail: expect.stringContaining("16384 at most") },
  ]);
});
