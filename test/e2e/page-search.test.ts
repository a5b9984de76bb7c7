// The page Search in Debian's Chromium against the built program: reached by keys from any page,
// walked by the arrow keys, opened by Enter and by a finger, left by Escape.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { useFingers } from "../rig/page-layout.ts";

const HOUR_MS = 3_600_000;
const now_ms = Date.now();

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([launchBrowser(), startPlant()]);
  const data = { operation_type: "DEBALLAST", location: "Port Hedland" };
  const event = (at_ms: number, event_type: string) => ({
    ...{ timestamp: at_ms, event_type, description: "as the plant says", data },
  });
  await plant.publish("telemetry", [
    { timestamp: now_ms - 3 * HOUR_MS, UVR_INTENSITY: 640, SYS_FLOW_RATE: 400 },
  ]);
  await plant.publish("events", [
    event(now_ms - 4 * HOUR_MS, "PROCESS_START"),
    event(now_ms - 2 * HOUR_MS, "PROCESS_STOP"),
  ]);
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

test("a slash opens it; arrows, Enter and Escape do the rest, in Spanish too", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  const field = page.locator(".search input");
  const hits = page.locator(".hits a");
  await page.locator("[data-test=verdict]").waitFor(REFRESH);
  await page.keyboard.press("/");
  await field.waitFor(REFRESH);
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.type("why uv low");
  await expect.poll(() => hits.first().getAttribute("href"), REFRESH).toBe("#/why");
  expect(new URL(page.url()).hash).toBe("#/search?q=why+uv+low");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).hash, REFRESH).toBe("#/why");
  // By the chord, also while somebody types.
  await page.keyboard.press("Control+k");
  await field.fill("port hedland");
  await expect
    .poll(() => hits.first().getAttribute("href"), REFRESH)
    .toBe("#/operations?place=Port+Hedland");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const second = await hits.nth(1).getAttribute("href");
  expect(second).toMatch(/^#\/operations\?id=\d+$/);
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).hash, REFRESH).toBe(second);
  await page.goto(`${plant.url}/?lang=es#/search`);
  await field.fill("cambiar lampara");
  await expect.poll(() => hits.first().getAttribute("href"), REFRESH).toContain("#/lamps");
  await page.keyboard.press("Escape");
  await expect.poll(() => field.inputValue(), REFRESH).toBe("");
  await expect.poll(() => hits.count()).toBe(0);
  expect(view.complaints).toEqual([]);
});

test("a date that was typed on a telephone opens the time machine at that moment", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await useFingers(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.locator('.menu a[href="#/search"]').click();
  const at = new Date(now_ms - 3 * HOUR_MS + 60_000).toISOString().slice(0, 16);
  await page.locator(".search input").fill(at.replace("T", " "));
  await page.locator(".hits a").first().click();
  await page.locator("[data-test=past]").waitFor(REFRESH);
  expect(new URL(page.url()).hash).toBe(`#/overview?at=${at}:00.000Z`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(view.complaints).toEqual([]);
});

test("an odd answer costs the operations alone; pages and the manual are still found", async () => {
  await using view = await openPage(browser, plant, { "/api/operations": "[7]" });
  const { page } = view;
  await page.goto(`${plant.url}/#/search?q=restore`);
  await page.getByText(/unexpected answer from .api.operations/).waitFor(REFRESH);
  await page.locator('.hits a[href^="manual/operating"]').first().waitFor(REFRESH);
});
