// Records as large as they may be, and many of them: lists of them are answered whole, by a process
// that stays small, and what is larger is set aside.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listQuarantine, startAppliance } from "../oracle/appliance.ts";
import { printed } from "../rig/logbook.ts";

const AT_MS = Date.UTC(2026, 4, 1);
const COUNT = 600;
const MEMORY_MAX_KIB = 400e6 / 1024;

const alarm = (index: number, characters: number) => ({
  timestamp: printed(AT_MS + index * 1000),
  event_type: "ALARM_TRIGGERED",
  description: "UV_LOW: below the limit",
  data: { index, text: "x".repeat(characters) },
});
const sent = (...alarms: object[]) => ({ kind: "events", payload: JSON.stringify(alarms) });

test("lists of the largest events are whole, and cost little memory", async () => {
  await using appliance = await startAppliance();
  for (let from = 0; from < COUNT; from += 50)
    await appliance.publish([
      sent(...Array.from({ length: 50 }, (_, index) => alarm(from + index, 16_000))),
    ]);
  await appliance.publish([sent(alarm(COUNT, 17_000))]);
  expect(await listQuarantine(appliance.program.folder)).toMatchObject([
    { reason: "too_large", detail: expect.stringContaining("16384 at most") },
  ]);

  const indexes = Array.from({ length: COUNT }, (_, index) => COUNT - 1 - index);
  const indexOf = ({ data }: { data: { index: number } }) => data.index;
  const lists = ["/api/events?limit=10000", "/api/alarms?limit=10000&state=unknown"];
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, turn) => appliance.json(lists[turn % lists.length])),
  );
  for (const list of answers) expect(list.map(indexOf)).toEqual(indexes);
  const { recentEvents } = await appliance.json("/api/stats");
  expect(recentEvents.map(indexOf)).toEqual(indexes.slice(0, 100));

  const status = readFileSync(`/proc/${appliance.program.pid}/status`, "utf8");
  const peak_kib = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
  expect(peak_kib).toBeLessThan(MEMORY_MAX_KIB);
});
