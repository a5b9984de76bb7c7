// /metrics through the built program: the plant in base units, nothing for what isn't known, and
// requests by bounded labels.

import { expect, test } from "vitest";
import { startAppliance } from "../oracle/appliance.ts";

const sample = (text: string, name: string): number | null => {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length + 1));
};

test("the plant's newest values are there in base units, and what isn't known isn't", async () => {
  await using appliance = await startAppliance();
  const scrape = async () => (await appliance.get("/metrics")).text;
  const empty = await scrape();
  expect(empty).not.toMatch(/ NaN$/m);
  expect(empty).not.toMatch(/^ballastd_(uv_intensity_watts|treating|lamp_|health_|failed_)/m);
  expect(sample(empty, 'ballastd_alarms_active{code="NO_DATA"}')).toBe(0);
  // The heap's limits stand before the program is loaded, which took 16 MiB of it for good.
  const young = 'ballastd_nodejs_heap_space_size_total_bytes{space="new"}';
  expect(sample(empty, young)).toBeLessThanOrEqual(4 * 1024 * 1024);
  const payload = (timestamp: number, fields: object) => ({
    kind: "telemetry",
    payload: JSON.stringify({ timestamp, ...fields }),
  });
  const now_ms = Date.now();
  // In two readings, as PLCs do that stamp each of their messages.
  await appliance.publish([
    payload(now_ms - 500, { UVR_INTENSITY: 648.5, PROCESS_STATE: "RUNNING", SYS_FLOW_RATE: 720 }),
    payload(now_ms, { LAMP_07_RUNTIME: 1200.5, LAMP_07_EFFICIENCY: 91.5, FLT_DIFF_PRESSURE: 0.35 }),
    {
      kind: "events",
      payload: JSON.stringify({
        ...{ timestamp: now_ms, event_type: "ALARM_TRIGGERED", description: "UV_LOW: dim" },
      }),
    },
  ]);
  await appliance.get("/api/nothing/here?x=1");
  await appliance.get("/api/nothing/there");
  const text = await scrape();
  const expected = {
    ballastd_uv_intensity_watts_per_square_meter: 648.5,
    ballastd_flow_cubic_meters_per_second: 0.2,
    ballastd_filter_differential_pressure_pascals: 35_000,
    ballastd_treating: 1,
    'ballastd_lamp_runtime_seconds{lamp="07"}': 4_321_800,
    'ballastd_lamp_efficiency_ratio{lamp="07"}': 0.915,
    ballastd_water_temperature_celsius: null,
    'ballastd_lamp_runtime_seconds{lamp="08"}': null,
    'ballastd_plc_alarms_last_day{code="UV_LOW"}': 1,
    'ballastd_filter_differential_pressure_limit_pascals{limit="dp_warn"}': 50_000,
  };
  const found = Object.keys(expected).map((name) => [name, sample(text, name)]);
  expect(Object.fromEntries(found)).toEqual(expected);
  expect(sample(text, "ballastd_last_reading_age_seconds")).toBeLessThan(120);
  const requests = "ballastd_http_request_duration_seconds_count";
  expect(sample(text, `${requests}{route="(unknown)",method="GET",status="4xx"}`)).toBe(2);
  expect(sample(text, `${requests}{route="/metrics",method="GET",status="2xx"}`)).toBe(1);
  expect(text).not.toContain("nothing/here");

  // An alarm may have a long text: neither its label nor the scrape grows with it.
  const long = { code: "x".repeat(8000), more: "y".repeat(8000) };
  const alarm = { timestamp: now_ms, event_type: "ALARM_TRIGGERED", description: "", data: long };
  await appliance.publish([{ kind: "events", payload: JSON.stringify(alarm) }]);
  const cut = `ballastd_plc_alarms_last_day{code="${"x".repeat(64)}"}`;
  expect(sample(await scrape(), cut)).toBe(1);

  // A measured 0 is a value.
  await appliance.publish([payload(now_ms + 1000, { UVR_INTENSITY: 0 })]);
  expect(sample(await scrape(), "ballastd_uv_intensity_watts_per_square_meter")).toBe(0);
});

test("readings of last year are no values of now", async () => {
  await using appliance = await startAppliance();
  const fields = { UVR_INTENSITY: 648.5, LAMP_07_RUNTIME: 10 };
  const payload = JSON.stringify({ timestamp: "2025-05-01T10:00:00Z", ...fields });
  await appliance.publish([{ kind: "telemetry", payload }]);
  const { text } = await appliance.get("/metrics");
  expect(sample(text, "ballastd_uv_intensity_watts_per_square_meter")).toBeNull();
  expect(sample(text, 'ballastd_lamp_runtime_seconds{lamp="07"}')).toBe(36_000);
});
