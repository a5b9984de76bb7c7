// Health records and predictions of one time that come in parts: null says nothing, and a part that
// contradicts changes nothing.

import { expect, test } from "vitest";
import { contentOf, rigsOfTests } from "../../../rig/database.ts";
import { AT, messageOf } from "../../../rig/decoding.ts";

const rigOf = rigsOfTests();

/** Commits the messages, one by one, and returns what is stored then. */
function stored(kind: string, sent: readonly object[]) {
  const { db, store } = rigOf();
  for (const one of sent) store.commit([messageOf(kind, { timestamp: AT, ...one })]);
  const { health, predictions, quarantine } = contentOf(db);
  const details = quarantine.map(({ reason, detail }) => `${reason}: ${detail}`).reverse();
  return { health, predictions, details };
}

test.each([
  [80, "LOW"],
  [79.9, "MEDIUM"],
  [60, "MEDIUM"],
  [59.9, "HIGH"],
  [40, "HIGH"],
  [39.9, "CRITICAL"],
])("a health record of %d without a risk is %s, its month is that of its time", (score, risk) => {
  const { health } = stored("health", [{ overall_score: score }]);
  expect(health).toMatchObject([{ risk_level: risk, month: 5 }]);
});

test("a health record is completed by one of its time, in any order", () => {
  const parts = [
    { overall_score: 81.5, risk_level: "HIGH", month: 6, componentsUvHealth: 90 },
    { overall_score: 81.5, componentsUvHealth: null, componentsLampHealth: 70 },
    { overall_score: "81,5", components: { thermal_health: 0 }, componentsLampHealth: 70 },
  ];
  const whole = {
    ...{ overall_score: 81.5, risk_level: "HIGH", month: 6 },
    components: { uv_health: 90, lamp_health: 70, power_efficiency: null, thermal_health: 0 },
  };
  for (const order of [parts, [parts[0], parts[2], parts[1], ...parts]]) {
    const { health, details } = stored("health", order);
    expect(health).toMatchObject([whole]);
    expect(health).toHaveLength(1);
    expect(details).toEqual([]);
  }
});

test("a health record that contradicts changes nothing, and is in quarantine", () => {
  const { health, details } = stored("health", [
    { overall_score: 81.5, componentsUvHealth: 90 },
    { overall_score: 81.5, componentsUvHealth: 91, componentsLampHealth: 70 },
    { overall_score: 40, componentsLampHealth: 30 },
  ]);
  expect(health).toMatchObject([
    { overall_score: 81.5, components: { uv_health: 90, lamp_health: null } },
  ]);
  expect(details).toEqual([
    `conflict: health at ${AT}: uv_health differ from the stored record`,
    `conflict: health at ${AT}: overall_score differ from the stored record`,
  ]);
});

const NO_FORECAST = {
  ...{ remaining_useful_life_hours: null, failure_probability: null, efficiency_percent: null },
};
const NO_STATE = { runtime_hours: null, efficiency_percent: null, status: null };

/** The one stored prediction. */
function prediction({ predictions }: ReturnType<typeof stored>) {
  expect(predictions).toHaveLength(1);
  const [{ predictions: forecast, current_state }] = predictions;
  return { forecast: JSON.parse(String(forecast)), state: JSON.parse(String(current_state)) };
}

test("a prediction is completed by one of its time and lamp, in any order", () => {
  const lamp = { component_id: "LAMP_07" };
  const parts = [
    { ...lamp, predictions: { remaining_useful_life_hours: 5, failure_probability: null } },
    { ...lamp, predictions: { failure_probability: 0.5 }, current_state: { runtime_hours: 2100 } },
    { ...lamp, current_state: { status: "DEGRADED", runtime_hours: 2100 } },
  ];
  for (const order of [parts, [...parts].reverse(), [...parts, ...parts]]) {
    const found = stored("predictions", order);
    expect(prediction(found)).toEqual({
      forecast: { ...NO_FORECAST, remaining_useful_life_hours: 5, failure_probability: 0.5 },
      state: { ...NO_STATE, runtime_hours: 2100, status: "DEGRADED" },
    });
    expect(found.details).toEqual([]);
  }
});

test("a prediction that contradicts the stored one changes nothing, and is in quarantine", () => {
  const lamp = { component_id: "LAMP_07" };
  const found = stored("predictions", [
    { ...lamp, predictions: { remaining_useful_life_hours: 5, model: "a" } },
    { ...lamp, predictions: { remaining_useful_life_hours: 6, failure_probability: 0.5 } },
    { ...lamp, predictions: { failure_probability: 0.5, model: "b" } },
    { ...lamp, predictions: { failure_probability: 0.5, further: 1 } },
  ]);
  expect(prediction(found)).toEqual({
    forecast: { ...NO_FORECAST, remaining_useful_life_hours: 5, model: "a" },
    state: NO_STATE,
  });
  const differs = `conflict: prediction for LAMP_07 at ${AT} differs from the stored one`;
  expect(found.details).toEqual([differs, differs, differs]);
});
