// Escape in Debian's Chromium against the built program: it closes the form that has the focus, as
// its button does, gives the focus back, and takes no text away.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([launchBrowser(), startPlant()]);
  await plant.publish("telemetry", {
    ...{ timestamp: Date.now(), LAMP_13_STATUS: "ACTIVE", LAMP_13_EFFICIENCY: 90 },
  });
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");

test("it closes the form of a note, which keeps its text", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.goto(`${plant.url}/#/handover`);
  const write = page.getByRole("button", { name: "Write a note" });
  await write.click();
  const text = page.getByLabel("Note", { exact: true });
  await text.fill("Pump 2 vibrates");
  // A calendar in the form closes first.
  const calendar = page.locator(".note-form .popover button").first();
  await calendar.click();
  await page.keyboard.press("Escape");
  await page.waitForTimeout(300);
  await expect.poll(() => text.isVisible()).toBe(true);
  await text.focus();
  await page.keyboard.press("Escape");
  await text.waitFor({ state: "detached", ...REFRESH });
  await expect.poll(() => focused(page), REFRESH).toBe("Write a note");
  await write.click();
  await expect.poll(() => text.inputValue(), REFRESH).toBe("Pump 2 vibrates");
});

test("it closes the forms of a lamp step by step, and that of the spares", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.goto(`${plant.url}/#/lamps?lamp=13`);
  const begin = page.getByRole("button", { name: "Lamp 13 was replaced" });
  await begin.click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(/Is that right\?/).waitFor(REFRESH);
  await page.keyboard.press("Escape");
  await page.getByLabel("Hours of the fitted lamp when it was fitted").focus();
  await page.keyboard.press("Escape");
  await begin.waitFor(REFRESH);
  await page.getByRole("button", { name: "Count", exact: true }).click();
  const counted = page.locator(".spares-form input");
  await counted.fill("3");
  await page.keyboard.press("Escape");
  await counted.waitFor({ state: "detached", ...REFRESH });
  await expect.poll(() => focused(page), REFRESH).toBe("Count");
  expect(view.complaints).toEqual([]);
});
