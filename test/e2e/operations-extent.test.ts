// Beginning and end of operations, through the built program: of two that lost the stop and the
// start between them, and of one of which a reading comes late.

import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/ground/clock.ts";
import { startAppliance } from "../oracle/appliance.ts";
import { eventsOfRun, idleReadings, readingsOfRun } from "../rig/operations.ts";

type Told = ReturnType<typeof JSON.parse>;

const DAY_MS = Date.UTC(2026, 4, 4);
const at = (hours: number, minutes = 0) => DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS;
const time = (at_ms: number) => new Date(at_ms).toISOString();

test("a lost stop and a lost start leave two operations, also after a late reading", async () => {
  await using appliance = await startAppliance();
  const busan = { start_ms: at(6), minutes: 180, location: "Busan" };
  const ulsan = { start_ms: at(30), minutes: 162, location: "Ulsan" };
  const low = { ...ulsan, at: () => ({ UVR_INTENSITY: 100 }) };
  const late = { ...readingsOfRun(busan)[60], timestamp: at(7) + 30_000 };
  const send = (items: readonly object[]) =>
    appliance.publish(
      items.map((item) => ({
        kind: "event_type" in item ? ("events" as const) : ("telemetry" as const),
        payload: JSON.stringify(item),
      })),
    );
  await send([
    ...[eventsOfRun(busan).start, eventsOfRun(ulsan).stop],
    ...readingsOfRun(busan),
    ...idleReadings(at(9, 1), 21 * 60 - 1),
    ...readingsOfRun(low),
  ]);
  const found = async () => {
    const all: readonly Told[] = await appliance.json("/api/operations?startDate=2020-01-01");
    return all.map(({ start, end, location, verdict, readings }) => [
      ...[start, end, location, verdict, readings],
    ]);
  };
  const second = [time(at(30)), time(at(32, 42)), "Ulsan", "outside_limits", 163];
  const first = (readings: number) => [
    ...[time(at(6)), time(at(9, 1)), "Busan", "within_limits", readings],
  ];
  await expect.poll(found).toEqual([second, first(182)]);
  await send([late]);
  await expect.poll(found).toEqual([second, first(183)]);
});
