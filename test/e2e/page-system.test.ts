// /api/system, and the page System in Debian's Chromium, against the built program: the numbers are
// those of what was published, an odd part of the answer breaks one panel, and what needs a token
// asks for one.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { SystemAnswer } from "../../src/bwts/system/system.ts";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";

const TOKEN = "token-of-the-test";
const FIRST_MS = Date.parse("2026-05-01T00:00:00Z");
const HOUR_MS = 3_600_000;

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

test("/api/system tells the readings, the chains, the jobs and what was set aside", async () => {
  const system = await systemOf();
  expect(system.database).toMatchObject({
    readings: 48,
    oldest: "2026-05-01T00:00:00.000Z",
    newest: "2026-05-02T23:00:00.000Z",
  });
  expect(system.ingest).toMatchObject({ messages: 2, readings: 48, quarantined: 1 });
  expect(system.quarantine).toMatchObject({
    entries: 1,
    reasons: [{ reason: "bad_time", entries: 1, messages: 1, waiting: 1 }],
  });
  expect(system.mqtt).toMatchObject({ mode: "embedded", connected: true, clients: 1 });
  expect(system.chain.heads.map(({ chain }) => chain)).toContain("audit");
  const proof = system.jobs.find(({ name }) => name === "proof");
  expect(Date.parse(proof?.next ?? "")).toBeGreaterThan(Date.parse(system.now));
  expect(system.backup.folder).toBeNull();
  const told = await systemOf({ Authorization: `Bearer ${TOKEN}` });
  expect(told.backup.folder).toMatch(/^\//);
});

test("the page shows them, and what needs a token asks for one", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page);
  await page.getByRole("heading", { name: "Database" }).waitFor(REFRESH);
  await fact(page, "Readings", "48");
  await fact(page, "Set aside since the start", "1");
  await fact(page, "Publishers connected", "1");
  await page.getByText(/^Not yet verified since the start|^All that is stored/).waitFor(REFRESH);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await page.getByRole("heading", { name: /^Audit log/ }).count()).toBe(0);
  await page.setViewportSize({ width: 360, height: 740 });
  await useToken(page);
  await page.getByRole("heading", { name: /^Audit log/ }).waitFor(REFRESH);
  await page.locator("li", { hasText: "login" }).first().waitFor(REFRESH);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(view.complaints).toEqual([]);
});

test("an odd part of the answer breaks its panel alone", async () => {
  const odd = { ...(await systemOf()), disk: "full", jobs: [{ name: 7 }] };
  await using view = await openPage(browser, plant, { "/api/system": JSON.stringify(odd) });
  const { page } = view;
  await open(page);
  await fact(page, "Readings", "48");
  await page.getByText("unexpected answer from /api/system").first().waitFor(REFRESH);
  expect(await page.getByText("unexpected answer from /api/system").count()).toBe(2);
  expect(view.complaints).toEqual([]);
});

async function systemOf(headers: Record<string, string> = {}): Promise<SystemAnswer> {
  const answer = await fetch(`${plant.url}/api/system`, { headers });
  return z.strictObject(SystemAnswer.shape).parse(await answer.json());
}

async function open(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.location.hash = "#/system";
  });
  await page.getByRole("heading", { name: "System", exact: true }).waitFor(REFRESH);
}

async function useToken(page: Page): Promise<void> {
  await page.getByLabel("Token", { exact: true }).fill(TOKEN);
  await page.getByRole("button", { name: "Use it" }).click();
}

async function fact(page: Page, name: string, value: string): Promise<void> {
  const line = page.locator(".facts > div").filter({ hasText: name });
  await line.getByText(value, { exact: true }).first().waitFor(REFRESH);
}
