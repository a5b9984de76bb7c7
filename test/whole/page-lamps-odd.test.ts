// The page Lamps in Chromium with odd answers, forecasts of another form, a statement of the wrong
// lamp, and what was stored while it opened.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEventStream } from "../rig/event-stream.ts";
import { FLEET_START_MS, openFleet } from "../rig/fleet.ts";
import { voyage } from "../rig/lamps-aboard.ts";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { printedRandom } from "../rig/random.ts";

const TOKEN = "engineers-own-token";

let browser: Browser;
let plant: Plant;
const fleet = openFleet(printedRandom("page-lamps"), (lamp) => 100 * lamp);
beforeAll(async () => {
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({ BALLASTD_AUTH_TOKEN: TOKEN }),
  ]);
  const readings = voyage(fleet, 18);
  for (let at = 0; at < readings.length; at += 100)
    await plant.publish("telemetry", readings.slice(at, at + 100));
  await plant.program.waitUntil("a forecast of all of it", async () => {
    const newest = await (await fetch(`${plant.url}/api/predictions?limit=1`)).json();
    return newest[0]?.timestamp === readings.at(-1)?.timestamp;
  });
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

test("an odd answer costs its own panel and no other", async () => {
  await using view = await openPage(browser, plant, {
    "/api/lamps/05/curve": '{"lives": "many"}',
  });
  const { page } = view;
  await open(page, "#/lamps?lamp=5&show=record");
  await page.getByText("unexpected answer from /api/lamps/05/curve").waitFor(REFRESH);
  await page.getByText("Forecasts scored").waitFor(REFRESH);
  await expect.poll(() => page.locator("main .problem").count()).toBe(1);
  await expect.poll(() => page.locator(".lamp-list tbody tr").count(), REFRESH).toBe(16);
});

test("forecasts that came in numbers for one lamp leave the other lamps theirs", async () => {
  const own = await (await fetch(`${plant.url}/api/predictions?newest=each_lamp`)).json();
  expect(own).toHaveLength(16);
  // Forecasts made aboard may be made again meanwhile, as of the newest reading at the latest.
  const { reading } = await (await fetch(`${plant.url}/api/overview`)).json();
  const newest_ms = Date.parse(reading.timestamp);
  const forecast = (index: number) => ({
    ...{ timestamp: newest_ms + index * 60_000, component_id: "LAMP_01" },
    predictions: { remaining_useful_life_hours: 4321, end_date_p05: "soon", end_date_p95: "" },
    current_state: {},
  });
  await plant.publish(
    "predictions",
    Array.from({ length: 20 }, (_, index) => forecast(index + 1)),
  );
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "#/lamps?lamp=1");
  await page.locator(".lamp-facts").getByText("4321 h").first().waitFor(REFRESH);
  const rows = page.locator(".lamp-list tbody tr");
  const row = rows.filter({ has: page.getByRole("link", { name: "Lamp 16" }) });
  await row.getByRole("button", { name: /^\d+$/ }).nth(1).waitFor(REFRESH);
  await expect.poll(() => page.locator("#content").textContent()).not.toContain("soon");
  const { lamps } = await (await fetch(`${plant.url}/api/overview`)).json();
  expect(lamps[0].forecast.remaining_hours).toBe(4321);
  for (const lamp of lamps.slice(1)) expect(lamp.forecast.remaining_hours).toBeGreaterThan(0);
});

test("a replacement that was stated of the wrong lamp is taken back on the page", async () => {
  const at_ms = FLEET_START_MS + 100 * 86_400_000;
  const curve = async () => await (await fetch(`${plant.url}/api/lamps/09/curve`)).json();
  const before = (await curve()).lives.length;
  await fetch(`${plant.url}/admin/lamps/09/replacement`, {
    method: "POST",
    headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify({ at: new Date(at_ms).toISOString(), hours: 0 }),
  });
  await expect.poll(async () => (await curve()).lives[0].began_by, REFRESH).toBe("confirmed");
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "#/lamps?lamp=9&show=earlier");
  await page.getByRole("button", { name: "It wasn't replaced" }).click();
  await page.getByText(/^Lamp 09: .* is taken back: .* Is that right\?$/).waitFor();
  await page.getByRole("button", { name: "Yes, Lamp 09 was not replaced" }).click();
  await page.getByLabel("Token").fill(TOKEN);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(/^Lamp 09: stored that it wasn't replaced at/).waitFor(REFRESH);
  await expect.poll(async () => (await curve()).lives.length, REFRESH).toBe(before);
  await page.locator(".replacement").getByRole("button", { name: "Back" }).click();
  await page.getByText("No earlier lamp is known here.").waitFor(REFRESH);
  // The button is gone, and the focus is on the heading of what stands in its place.
  const focused = () => page.evaluate(() => document.activeElement?.outerHTML ?? "");
  await expect.poll(focused, REFRESH).toMatch(/^<h2 .*>Lamp 09 /);
});

test("what was stored while the page opened is on it", async () => {
  // With a listener before it, the page's own stream doesn't begin with a resync.
  using stream = await openEventStream(`${plant.url}/stream`);
  await stream.waitFor(({ type }) => type === "beat");
  await using view = await openPage(browser, plant);
  const { page } = view;
  const { reading } = await (await fetch(`${plant.url}/api/overview`)).json();
  const predictions = { remaining_useful_life_hours: 8765 };
  const publish = async () => {
    await plant.publish("predictions", {
      timestamp: Date.parse(reading.timestamp) + 3_600_000,
      ...{ component_id: "LAMP_02", predictions, current_state: {} },
    });
    await stream.waitFor(({ data }) => data.component_id === "LAMP_02");
  };
  await page.goto("about:blank");
  // The page's forecasts are of before, the overview with its place in the stream of after.
  const asked = Promise.withResolvers<void>();
  const stored = asked.promise.then(publish);
  const isForecasts = (url: URL) => url.pathname === "/api/predictions";
  await page.route(isForecasts, async (route) => {
    const response = await route.fetch();
    asked.resolve();
    await route.fulfill({ response });
  });
  await page.route(
    (url) => url.pathname === "/api/overview",
    async (route) => {
      await stored;
      await route.continue();
    },
  );
  await page.goto(`${plant.url}/#/lamps?lamp=2`);
  await page.locator(".lamp-facts").getByText("8765 h").first().waitFor(REFRESH);
  // The page asks again meanwhile, and is closed after this.
  await page.unrouteAll({ behavior: "wait" });
});

async function open(page: Page, hash: string): Promise<void> {
  await page.evaluate((given) => {
    window.location.hash = given;
  }, hash);
  await page.getByRole("heading", { name: "Lamps", exact: true }).waitFor(REFRESH);
}
