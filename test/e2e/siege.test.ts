// The built program under siege, in short; `npm run siege` is the full form, which judges waits.

import { expect, test } from "vitest";
import { besiege } from "../../scripts/siege/besiege.ts";
import { webKinds } from "../../scripts/siege/hostile-http.ts";
import { startAppliance } from "../oracle/appliance.ts";
import { memoryOf } from "../rig/process-facts.ts";
import { sized } from "../rig/scale.ts";

/** Largest memory of the process under 64 hostile HTTP connections, in bytes. */
const WEB_MEMORY_MAX_BYTES = 400e6;
const SECONDS = sized(3, 6);
/** Twice what it takes; without bounds a flood needs seconds to pass it. */
const MEMORY_MAX_MIB = 1000;

test("a good publisher among idlers and floods of garbage loses no reading", async () => {
  await using appliance = await startAppliance();
  const { mqtt_port, program } = appliance;
  const siege = { port: mqtt_port, seconds: SECONDS, idle: 500, processes: 1, web: null };
  const { sent, acknowledged, thrown_out, from, to } = await besiege(siege);
  expect({ acknowledged, thrown_out }).toEqual({ acknowledged: sent, thrown_out: 0 });
  const page = `/api/telemetry/chunked?startDate=${from}&endDate=${to}&limit=1`;
  expect((await appliance.json(page)).pagination.total).toBe(sent);
  expect(memoryOf(program.pid).peak_mib).toBeLessThan(MEMORY_MAX_MIB);
});

test("64 clients of HTTP that do what they can cost no reading and bounded memory", async () => {
  await using appliance = await startAppliance();
  const { mqtt_port, program, url } = appliance;
  const stored = Array.from({ length: 3000 }, (_, at) => ({
    kind: "telemetry" as const,
    payload: JSON.stringify({ timestamp: 1.75e9 + at, UVR_INTENSITY: 600 + (at % 97) }),
  }));
  await appliance.publish(stored);
  const web = { port: Number(new URL(url).port), kinds: webKinds(64) };
  const siege = { port: mqtt_port, seconds: SECONDS, idle: 0, processes: 0, web };
  const { sent, acknowledged, thrown_out } = await besiege(siege);
  expect({ acknowledged, thrown_out }).toEqual({ acknowledged: sent, thrown_out: 0 });
  expect(memoryOf(program.pid).peak_mib * 2 ** 20).toBeLessThan(WEB_MEMORY_MAX_BYTES);
  await program.waitForOutput(/"address":"127.0.0.1".*isn't read on/);
});
