// The present, end to end: a plant that publishes over MQTT, and what the real page, the API, the
// metrics and the inspection sheet say in states in which all seemed to be well. The whole table is
// in unit/sqlite/answers/present-table.test.ts.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { LAMP_NUMBERS } from "../../src/bwts/tags.ts";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { LONG } from "../rig/scale.ts";

const MINUTE_MS = 60_000;

/** The text of the verdict, and its mark. */
const verdictOf = (page: Page) => page.locator('[data-test="verdict"]');

const lamps = (statuses: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    LAMP_NUMBERS.map((lamp) => [`LAMP_${lamp}_STATUS`, statuses[lamp] ?? "ACTIVE"]),
  );

const reading = (at_ms: number, fields: object = {}) => ({
  ...{ timestamp: new Date(at_ms).toISOString(), operation_type: "BALLAST", location: "Busan" },
  ...{ PROCESS_STATE: "RUNNING", COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: 600 },
  ...{ UVR_INTENSITY: 420, UVR_POWER_OUTPUT: 90, ...lamps(), ...fields },
});

/** A minute at rest, and an hour of steady light up to now. */
async function treat(plant: Plant): Promise<void> {
  const now_ms = Date.now();
  const atRest = { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0 };
  await plant.publish("telemetry", reading(now_ms - 61 * MINUTE_MS, atRest));
  const minutes = Array.from({ length: 60 }, (_, index) => 60 - index);
  for (const ago of minutes) await plant.publish("telemetry", reading(now_ms - ago * MINUTE_MS));
}

/** States in their order, each with the mark and a text of the page: what is outside counts on. */
const STATES: readonly (readonly [fields: object, mark: string, text: string])[] = [
  [{}, "good", "Treating, within the IMO limit"],
  [{ ...lamps({ "07": "NOK" }) }, "due", "Status of 1 lamp not known"],
  [{ ...lamps({ "07": "FAILED" }) }, "due", "Lamp 07 FAILED"],
  [{ FAILED_LAMP_COUNT: 2 }, "due", "The plant reports a lamp fault that no lamp status shows"],
  [{ UVR_INTENSITY: 230 }, "warn", "BELOW the IMO limit"],
  [{ UVR_INTENSITY: 32767 }, "warn", "The UV intensity is not plausible."],
  [{ UVR_INTENSITY: null }, "warn", "No UV intensity is reported."],
  [{ COMPLIANCE_MODE: "AUTO" }, "warn", "The compliance mode is an unknown word: AUTO."],
  [{ SYS_FLOW_RATE: 0 }, "warn", "RUNNING, but no water moves"],
  [{ SYS_FLOW_RATE: 1100 }, "warn", "ABOVE the certified flow"],
  [{ PROCESS_STATE: "BYPASS" }, "alarm", "OUTSIDE LIMITS: water moves untreated: BYPASS"],
  [{ PROCESS_STATE: "MARCHE" }, "warn", "The controller state is an unknown word."],
];

test("the page ticks off nothing that isn't known, of now and within", async () => {
  const browser = await launchBrowser();
  await using plant = await startPlant();
  await treat(plant);
  await using view = await openPage(browser, plant);
  const verdict = verdictOf(view.page);
  for (const [fields, mark, text] of STATES) {
    await plant.publish("telemetry", reading(Date.now(), fields));
    await verdict.getByText(text).waitFor(REFRESH);
    await expect.poll(() => verdict.getAttribute("data-mark"), REFRESH).toBe(mark);
    const { verdict: said, operation, time_to_limit } = await overviewOf(plant);
    const green = view.page.locator(".intensity-panel .pill.good");
    await expect.poll(() => green.count(), REFRESH).toBe(said === "within_limit" ? 1 : 0);
    if (said === "within_limit") continue;
    expect([text, operation?.can_finish]).not.toEqual([text, "yes"]);
    if (said === "below_limit") expect(time_to_limit).toMatchObject({ hours: null });
  }
  const margin = view.page.locator(".intensity-panel .pill", { hasText: /below IMO/ });
  await plant.publish("telemetry", reading(Date.now(), { UVR_INTENSITY: 5.8 }));
  await expect.poll(() => margin.count(), REFRESH).toBe(1);
  // No limit counts while no water is treated.
  const atRest = { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, UVR_INTENSITY: 5.8 };
  await plant.publish("telemetry", reading(Date.now(), atRest));
  await expect.poll(() => margin.count(), REFRESH).toBe(0);
  expect(view.complaints).toEqual([]);
  await browser.close();
});

test("the plant's own alarm of a lamp stands against the lamps' own words", async () => {
  const browser = await launchBrowser();
  await using plant = await startPlant();
  await treat(plant);
  await using view = await openPage(browser, plant);
  const said = view.page.locator('[data-test="lamps"]');
  await expect.poll(() => said.textContent(), REFRESH).toContain("No lamp reports a failure");
  const alarm = { event_type: "ALARM_TRIGGERED", description: "Ignition failure, lamp 7" };
  await plant.publish("events", { timestamp: new Date().toISOString(), ...alarm, data: {} });
  await expect.poll(() => said.textContent(), REFRESH).toContain("reports a lamp fault");
  await expect.poll(() => said.textContent()).not.toContain("No lamp");
  expect((await overviewOf(plant)).to_do).toEqual(["alerts", "lamps_unknown"]);
  await browser.close();
});

test("a lamp of an unknown word may have failed; a proof of nothing is none", LONG, async () => {
  await using plant = await startPlant();
  await plant.publish("telemetry", reading(Date.now(), lamps({ "03": "FAULT", "09": "NOK" })));
  const latest = await jsonOf(plant, "/api/telemetry/latest");
  expect(latest.FAILED_LAMP_COUNT).toBeNull();
  const metrics = async () => (await fetch(`${plant.url}/metrics`)).text();
  expect(await metrics()).not.toMatch(/^ballastd_failed_lamps \d/m);
  expect(await metrics()).toMatch(/^ballastd_lamp_condition\{lamp="03",condition="unknown"\} 1$/m);
  const { upkeep } = await jsonOf(plant, "/api/inspection");
  expect(upkeep).toMatchObject({ lamps_failed: [], lamps_unknown: [3, 9] });
  expect(upkeep.sentence).toContain("lamps failed: status of 2 lamps not known");
  const proof = async () => {
    const { jobs } = await jsonOf(plant, "/api/system");
    const run = jobs.find(({ name }: { readonly name: string }) => name === "proof")?.last_run;
    return run?.result ?? "";
  };
  await expect.poll(proof, REFRESH).toMatch(/^0 of 0 segments checked/);
  const { trust } = await jsonOf(plant, "/api/inspection");
  expect(trust.verified).toBeNull();
  expect(trust.sentences).toContain("Stored data: not yet verified as a whole.");
  expect((await jsonOf(plant, "/readyz")).damage.proven).toBeNull();
});

const overviewOf = (plant: Plant) => jsonOf(plant, "/api/overview");

async function jsonOf(plant: Plant, path: string) {
  const answer = await fetch(plant.url + path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}
