// The token of the page System, in Chromium against the built program: kept in memory alone, and
// forgotten after 15 idle minutes.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";

const TOKEN = "token-of-the-test";
const FIRST_MS = Date.parse("2026-05-01T00:00:00Z");
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({ BALLASTD_AUTH_TOKEN: TOKEN }),
  ]);
  const readings = Array.from({ length: 48 }, (_, hour) => ({
    timestamp: FIRST_MS + hour * HOUR_MS,
    UVR_INTENSITY: 600 + hour,
  }));
  await plant.publish("telemetry", readings);
  await plant.publish("telemetry", { timestamp: "the day before", UVR_INTENSITY: 601.5 });
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

test("the token is kept in memory alone, and forgotten after 15 idle minutes", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  const audit = page.getByRole("heading", { name: /^Audit log/ });
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await page.clock.install();
  await page.reload();
  await open(page);
  await useToken(page, "a-token-of-nobody-at-all");
  await page.getByText(/^This token isn’t valid/).waitFor(REFRESH);
  await expect.poll(() => audit.count()).toBe(0);
  await useToken(page);
  await page.locator(".audit li", { hasText: "Signed in" }).first().waitFor(REFRESH);
  const told: string[] = [];
  page.on("request", (request) => {
    if (request.headers().authorization !== undefined) told.push(new URL(request.url()).pathname);
  });
  const asked = ["/readyz", "/api/system"].map((path) =>
    page.waitForRequest((request) => request.url().endsWith(path)),
  );
  await page.clock.fastForward(9_000);
  await page.clock.fastForward(9_000);
  await Promise.all(asked);
  expect(told.filter((path) => !path.startsWith("/admin/") && path !== "/api/system")).toEqual([]);
  expect(told).toContain("/api/system");
  await page.clock.fastForward(14 * MINUTE_MS);
  await page.keyboard.press("Shift");
  await page.clock.fastForward(14 * MINUTE_MS);
  await expect.poll(() => audit.count()).toBe(1);
  await page.clock.fastForward(2 * MINUTE_MS);
  await page.getByLabel("Token", { exact: true }).waitFor(REFRESH);
  await expect.poll(() => audit.count()).toBe(0);
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(`${kept} ${urls.join(" ")} ${page.url()}`).not.toContain(TOKEN);
});

async function open(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.location.hash = "#/system?technician=open";
  });
  await page.getByRole("heading", { name: "System", exact: true }).waitFor(REFRESH);
}

async function useToken(page: Page, token = TOKEN): Promise<void> {
  await page.getByLabel("Token", { exact: true }).fill(token);
  await page.getByRole("button", { name: "Continue" }).click();
}
