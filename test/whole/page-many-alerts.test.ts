// More open alerts than one answer has by itself, in Debian's Chromium against the built program:
// the oldest of them counts like the newest, and the most urgent are shown before all others.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";

const ALARMS = 110;
const WHOLE = "/api/alarms?state=open&limit=10000";
const start_ms = Date.now() - 60_000;

interface Alert {
  readonly code: string;
  readonly since: string;
}

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([launchBrowser(), startPlant()]);
  await plant.publish("telemetry", { timestamp: start_ms, LAMP_07_STATUS: "FAILED" });
  await plant.program.waitUntil("the failed lamp", async () => {
    const open: readonly Alert[] = await answer(WHOLE);
    return open.some(({ code }) => code === "LAMP_FAILED");
  });
  await plant.publish("events", alarms("CODE", ALARMS));
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

/** Alarms of the treatment system, after the lamp has failed. */
function alarms(prefix: string, length: number): readonly object[] {
  return Array.from({ length }, (_, index) => {
    const data = { code: `${prefix}_${index}` };
    const timestamp = Date.now() + index;
    return { timestamp, event_type: "ALARM_TRIGGERED", description: data.code, data };
  });
}

const answer = async (path: string) => (await fetch(`${plant.url}${path}`)).json();

test("the bar counts all open alerts, since the oldest of them", async () => {
  const open: readonly Alert[] = await answer(WHOLE);
  expect(open).toHaveLength(ALARMS + 1);
  const oldest = open.find(({ code }) => code === "LAMP_FAILED")?.since.slice(11, 16);
  await using view = await openPage(browser, plant);
  const { page } = view;
  const bar = page.locator(".alert-bar");
  await bar.getByText(`${ALARMS} alarms`).waitFor();
  await expect.poll(() => bar.textContent()).toMatch(new RegExp(`since ${oldest}\\sUTC`));
  await page.goto(`${plant.url}/?lang=en#/alerts`);
  const cards = page.locator("[data-test=open-alert]");
  await expect.poll(() => cards.count()).toBe(ALARMS + 1);
  await expect.poll(() => cards.last().textContent()).toContain("LAMP_FAILED");
  expect(view.complaints).toEqual([]);
});

test("the overview has the most urgent, now and then, and says how many there are", async () => {
  // All of the alarms come before the warning, the newest first.
  const then = new Date().toISOString();
  for (const { alerts, alerts_open } of [
    await answer("/api/overview"),
    await answer(`/api/overview?at=${then}`),
  ]) {
    expect(alerts_open).toBe(ALARMS + 1);
    const priorities = alerts.map(({ priority }: { priority: string }) => priority);
    expect(priorities).toEqual(Array.from({ length: 50 }, () => "alarm"));
    expect(alerts[0].code).toBe(`CODE_${ALARMS - 1}`);
  }
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.goto(`${plant.url}/?lang=en#/overview?at=${then}`);
  const panel = page.locator(".alerts-then");
  await expect.poll(() => panel.locator("li").count()).toBe(50);
  const more = page.locator("[data-test=more-then]");
  await expect
    .poll(() => more.textContent())
    .toBe(`${ALARMS + 1} alerts were open; the 50 most urgent are here.`);
  expect(view.complaints).toEqual([]);
});

test("on a telephone the cards are still a table, whose heads name the cells", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${plant.url}/#/alerts`);
  const table = page.getByRole("table");
  await table.waitFor(REFRESH);
  const names = await page.getByRole("columnheader").allTextContents();
  expect(names).toEqual(["Priority", "Alert", "Where", "Since", "Value", "Limit", "State", "Act"]);
  const row = table.getByRole("row").filter({ hasText: "Lamp 07 failed" });
  await row.waitFor(REFRESH);
  await expect.poll(() => row.getByRole("rowheader").count()).toBe(1);
  await expect.poll(() => row.getByRole("cell").count()).toBe(7);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
