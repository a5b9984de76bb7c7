// The panel in Chromium over hours, by a clock that the test moves on: the rail and the picture,
// the way back to a chosen panel, night by two clock times.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";

const now_ms = Date.now();

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([launchBrowser(), startPlant()]);
  await plant.publish("telemetry", [
    {
      ...{ timestamp: now_ms, UVR_INTENSITY: 640, SYS_FLOW_RATE: 400, FLT_DIFF_PRESSURE: 0.3 },
      ...{ PROCESS_STATE: "RUNNING", operation_type: "BALLAST", COMPLIANCE_MODE: "IMO" },
    },
  ]);
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

const isBare = (page: Page) =>
  page.evaluate(() => document.documentElement.classList.contains("bare"));

test("the rail leaves after 20 s without a touch; the picture shifts after 10 min", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.clock.install();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await page.locator("[data-test=verdict]").waitFor(REFRESH);
  await page.keyboard.press("p");
  await page.locator(".wall .figure.large").waitFor(REFRESH);
  const rail = page.locator("nav.pages");
  expect(await isBare(page)).toBe(false);
  await page.clock.runFor(21_000);
  await expect.poll(() => rail.isVisible(), REFRESH).toBe(false);
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 300);
  await expect.poll(() => rail.isVisible(), REFRESH).toBe(true);
  // The touch that wakes it does nothing else: the link under the finger isn't followed.
  await page.clock.runFor(21_000);
  await expect.poll(() => isBare(page), REFRESH).toBe(true);
  const touch = () =>
    page.evaluate(() => {
      const link = document.createElement("a");
      link.href = "#/health";
      document.querySelector(".wall")?.append(link);
      link.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
      link.click();
      link.remove();
      return window.location.hash;
    });
  expect(await touch()).toBe("#/panel");
  await expect.poll(() => rail.isVisible(), REFRESH).toBe(true);
  const left = () => page.evaluate(() => document.getElementById("page")?.offsetLeft);
  const before = await left();
  await page.clock.runFor(10 * 60_000);
  expect(await left()).not.toBe(before);
  // Awake, the same touch follows its link.
  await page.mouse.move(320, 300);
  await expect.poll(() => isBare(page), REFRESH).toBe(false);
  expect(await touch()).toBe("#/health");
});

test("a page comes back to a chosen panel after 5 min, not while a text is unsent", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.clock.install();
  await page.goto(`${plant.url}/#/panel`);
  await page.reload();
  await page.getByText("Panel settings").click();
  await page.getByLabel(/This screen is a panel/).check();
  const turn = (hash: string) => page.evaluate((to) => window.location.replace(to), hash);
  const place = () => new URL(page.url()).hash;
  await turn("#/health");
  await page.locator("#health").waitFor(REFRESH);
  await page.clock.runFor(4 * 60_000);
  expect(place()).toBe("#/health");
  await page.clock.runFor(70_000);
  await expect.poll(place, REFRESH).toBe("#/panel");
  await turn("#/system");
  const field = page.locator("main input[name=token]").first();
  await field.fill("typed");
  await page.clock.runFor(20 * 60_000);
  expect(place()).toBe("#/system");
  await field.fill("");
  await page.clock.runFor(6 * 60_000);
  await expect.poll(place, REFRESH).toBe("#/panel");
});

test("night comes and goes by the two clock times that were chosen on the panel", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  const at = (hours: number) => {
    const clock = new Date(now_ms + hours * 3_600_000).toISOString().slice(11, 16);
    return clock;
  };
  const palette = () => page.evaluate(() => document.documentElement.dataset.palette);
  await page.goto(`${plant.url}/#/panel`);
  expect(await palette()).toBe("day");
  await page.getByText("Panel settings").click();
  await page.getByLabel("Night by the clock").check();
  await page.getByLabel("from", { exact: true }).fill(at(-1));
  await page.getByLabel("to", { exact: true }).fill(at(1));
  await expect.poll(palette, REFRESH).toBe("night");
  // The choice is remembered; the palette of all pages isn't changed.
  await page.reload();
  await expect.poll(palette, REFRESH).toBe("night");
  await page.evaluate(() => window.location.replace("#/health"));
  await expect.poll(palette, REFRESH).toBe("day");
});
