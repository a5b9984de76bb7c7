// An operation in which the PLC's clock is set back, through the built program: sent live, at a
// reading a second, so that the second pass of an hour meets the first.

import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { startAppliance } from "../oracle/appliance.ts";

type Told = ReturnType<typeof JSON.parse>;

const TOTAL_S = 36;

/** The step of 12 s back comes after half of it. */
const STEP_S = 18;

test("an operation whose hour is sent twice says so, and can't be told", async () => {
  await using appliance = await startAppliance();
  const begun_ms = Math.floor(Date.now() / 1000) * 1000;
  const send = (kind: string, payload: object) =>
    appliance.publish([{ kind, payload: JSON.stringify(payload) }]);
  const event = (event_type: string, timestamp: number) =>
    send("events", {
      ...{ timestamp, event_type },
      data: { operation_type: "BALLAST", location: "Busan" },
    });
  const plc = (second: number) => begun_ms + (second - (second < STEP_S ? 0 : 12)) * 1000;
  for (let second = 0; second <= TOTAL_S; second += 1) {
    if (second === 0) await event("PROCESS_START", plc(0));
    await send("telemetry", {
      ...{ timestamp: plc(second), PROCESS_STATE: "RUNNING", operation_type: "BALLAST" },
      ...{ COMPLIANCE_MODE: "IMO", UVR_INTENSITY: 600 + second, SYS_FLOW_RATE: 600 + second },
      ...{ SYS_TOTAL_BALLAST_VOL: 1000 + second / 6, SYS_PRESSURE: 2 + second / 100 },
    });
    if (second === TOTAL_S) await event("PROCESS_STOP", plc(second));
    await pause(Math.max(0, begun_ms + (second + 1) * 1000 - Date.now()));
  }
  let found: Told = [];
  await appliance.program.waitUntil("a verdict", async () => {
    found = await appliance.json("/api/operations");
    return found.some((one: Told) => one.version > 0);
  });
  const [{ remarks, verdict, reasons }] = found;
  expect(remarks).toContain("clock_stepped");
  expect({ verdict, rules: reasons.map(({ rule }: Told) => rule) }).toEqual({
    ...{ verdict: "cannot_tell", rules: ["no_readings"] },
  });
}, 120_000);
