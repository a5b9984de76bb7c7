// The built program under siege, in short; `npm run siege` is the full form, which judges waits.

import { expect, test } from "vitest";
import { memoryOf } from "../scripts/bench/process-facts.ts";
import { besiege } from "../scripts/siege/besiege.ts";
import { startAppliance } from "./oracle/appliance.ts";

/** Twice what it takes; without bounds a flood needs seconds to pass it. */
const MEMORY_MAX_MIB = 1000;

test("a good publisher among idlers and floods of garbage loses no reading", async () => {
  await using appliance = await startAppliance();
  const { mqtt_port, program } = appliance;
  const siege = { port: mqtt_port, seconds: 6, idle: 500, processes: 1, web: null };
  const { sent, acknowledged, thrown_out, from, to } = await besiege(siege);
  expect({ acknowledged, thrown_out }).toEqual({ acknowledged: sent, thrown_out: 0 });
  const page = `/api/telemetry/chunked?startDate=${from}&endDate=${to}&limit=1`;
  expect((await appliance.json(page)).pagination.total).toBe(sent);
  expect(memoryOf(program.pid).peak_mib).toBeLessThan(MEMORY_MAX_MIB);
});
