// Events, health records and predictions through the built program, whose members stand where other
// programs put them, or come in parts: each is in an answer, or in quarantine.

import { expect, test } from "vitest";
import { startAppliance } from "../oracle/appliance.ts";

const timestamp = "2026-05-01T00:00:00.000Z";

test("all that is sent of a record is in its answer, or in quarantine", async () => {
  await using appliance = await startAppliance();
  const publish = (kind: string, record: object) =>
    appliance.publish([{ kind, payload: JSON.stringify({ timestamp, ...record }) }]);

  const alarm = { event_type: "ALARM_TRIGGERED", description: "d", data: { code: "LAMP7_FAIL" } };
  await publish("events", { ...alarm, code: "LAMP7", severity: "high", value: 3 });
  await publish("events", { event_type: "PROCESS_START", operation_type: "CIP", location: "Kiel" });
  expect(await appliance.json("/api/events?type=ALARM_TRIGGERED")).toMatchObject([
    { timestamp, description: "d", data: { code: "LAMP7_FAIL", severity: "high", value: 3 } },
  ]);
  expect(await appliance.json("/api/events?type=PROCESS_START")).toMatchObject([
    {
      description: "CIP process started at Kiel",
      data: { operation_type: "CIP", location: "Kiel", target_flow: null },
    },
  ]);

  const components = { uv_health: 90, lamp_health: 70, power_efficiency: null };
  await publish("health", { overall_score: 81.5, risk_level: "HIGH", components, comment: "x" });
  await publish("health", { overall_score: 81.5, componentsThermalHealth: 100 });
  await publish("health", { overall_score: 40, componentsPowerEfficiency: 30 });
  const health = {
    ...{ timestamp, overall_score: 81.5, risk_level: "HIGH", month: 5 },
    ...{ componentsUvHealth: 90, componentsPowerEfficiency: null },
    ...{ componentsLampHealth: 70, componentsThermalHealth: 100 },
  };
  expect(await appliance.json("/api/health")).toEqual([health]);
  await publish("health", health);

  const component_id = "LAMP_07";
  await publish("predictions", { component_id, "predictions.remaining_useful_life_hours": 5 });
  await publish("predictions", { component_id, current_state: { runtime_hours: 2100 } });
  await publish("predictions", { component_id: "LAMP_08", runtime_hours: 5 });
  const nothing = { failure_probability: null, efficiency_percent: null };
  const prediction = {
    ...{ timestamp, component_id, component_type: "UV_LAMP" },
    predictions: { remaining_useful_life_hours: 5, ...nothing },
    current_state: { runtime_hours: 2100, efficiency_percent: null, status: null },
  };
  expect(await appliance.json("/api/predictions")).toEqual([prediction]);
  await publish("predictions", prediction);

  const entries = await appliance.quarantine();
  expect(entries.map(({ reason, detail }) => `${reason}: ${detail}`).reverse()).toEqual([
    'bad_value: code: got "LAMP7", data has "LAMP7_FAIL"',
    "bad_value: comment: is no member of a health record",
    expect.stringMatching(/^conflict: health at .*: overall_score differ from the stored record$/),
    expect.stringMatching(/^bad_value: runtime_hours: is no member of a prediction; predictions /),
  ]);
});
