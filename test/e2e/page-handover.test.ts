// The pages Handover and Health in Debian's Chromium against the built program: what changed since
// some hours ago or since the last look, in sentences and on paper; the scores and their parts.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { LONG } from "../rig/scale.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HALF_HOUR_MS = 30 * MINUTE_MS;
const now_ms = Date.now();
/** Two whole quarters of an hour of one day in which water is treated, so that health is scored. */
const TREATED_MS = Math.floor((now_ms - 6 * HOUR_MS) / HALF_HOUR_MS) * HALF_HOUR_MS;
/** An operation that the plant sends no events of, on the day before. */
const UNTOLD_MS = TREATED_MS - 24 * HOUR_MS;

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([launchBrowser(), startPlant()]);
  const treating = (at_ms: number, UVR_INTENSITY: number) => ({
    ...{ timestamp: at_ms, operation_type: "BALLAST", PROCESS_STATE: "RUNNING" },
    ...{ UVR_INTENSITY, SYS_FLOW_RATE: 400, COMPLIANCE_MODE: "IMO" },
  });
  const each = Array.from({ length: 30 }, (_, minute) => minute);
  const intensity = (minute: number) => (minute < 15 ? 640 : 520);
  await plant.publish("telemetry", [
    ...each.map((minute) => treating(TREATED_MS + minute * MINUTE_MS, intensity(minute))),
    // The evening before: no event tells of it.
    ...each.map((minute) => treating(UNTOLD_MS + minute * MINUTE_MS, minute === 20 ? 248 : 410)),
    { timestamp: UNTOLD_MS + 31 * MINUTE_MS, PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0 },
  ]);
  const data = { operation_type: "BALLAST", location: "Singapore" };
  const event = (at_ms: number, event_type: string, given: object) => ({
    ...{ timestamp: at_ms, event_type, description: "as the plant says", data: given },
  });
  await plant.publish("events", [
    event(TREATED_MS, "PROCESS_START", data),
    event(TREATED_MS + 30 * MINUTE_MS, "PROCESS_STOP", data),
    event(now_ms - 10 * HOUR_MS, "PROCESS_START", { operation_type: "CIP" }),
    event(now_ms - 9 * HOUR_MS, "PROCESS_STOP", { operation_type: "CIP" }),
    event(now_ms - 3 * HOUR_MS, "ALARM_TRIGGERED", { code: "UV_LOW", parameter: "LAMP_07_POWER" }),
    event(now_ms - 30 * HOUR_MS, "ALARM_TRIGGERED", { code: "LONG_AGO" }),
  ]);
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

test("what changed is told in sentences, for as many hours as one chooses", async () => {
  // Both quarters of an hour are scored in the background.
  await expect.poll(() => scored(), REFRESH).toBe(2);
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, "since=8");
  // Intensity alone is scored: 640 and 520 of the target of 650.
  await page.getByText("Health: from 98.5 to 80 of 100.").waitFor(REFRESH);
  await page
    .getByText(/^UV intensity while treating: from 640.W.m² to 520.W.m²\.$/)
    .waitFor(REFRESH);
  await expect.poll(() => page.locator("[data-test=changed] li").count(), REFRESH).toBe(5);
  const said = await page.locator("[data-test=changed] li").allTextContents();
  const untimed = said.map((line) =>
    line
      .replace(/(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d.UTC/g, "T")
      .replace(/\s+/g, " ")
      .trim(),
  );
  expect(untimed).toEqual([
    "T to T: Uptake, Singapore. 193.3 m³ by the flow. Minimum UV intensity 520 W/m², " +
      "limit 252 W/m² (IMO). Verdict: within limits. Its evidence",
    "T: alarm: as the plant says (Lamp 7). UV_LOW Alerts",
    ...untimed.slice(2),
  ]);
  const heads = await page.locator(".handover h3").allTextContents();
  expect(heads).toEqual(["Open now", "Do next", "What changed"]);
  await expect
    .poll(() => page.locator("[data-test=open-now] li", { hasText: "UV_LOW" }).count())
    .toBe(1);
  await expect.poll(() => page.locator("[data-test=do-next] li").count()).toBeGreaterThan(0);
  await page.getByLabel("What changed since").selectOption({ label: "12 hours ago" });
  await page.locator("li", { hasText: ": Cleaning. Its evidence" }).waitFor(REFRESH);
  await expect.poll(() => new URL(page.url()).hash, REFRESH).toBe("#/handover?since=12");
  await page.getByLabel("What changed since").selectOption({ label: "4 hours ago" });
  await page.locator("li", { hasText: ": Cleaning." }).waitFor({ state: "detached", ...REFRESH });
  await expect.poll(() => page.locator("[data-test=changed] li").count(), REFRESH).toBe(2);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(view.complaints).toEqual([]);
});

test("since the last look nothing changed; on paper stands the text alone", async () => {
  // The start of the program itself is a change.
  await using view = await openPage(browser, plant, { "/api/changes": "[]" });
  const { page } = view;
  await page.evaluate((at_ms) => {
    window.localStorage.setItem("ballastd.handover.now", String(at_ms));
  }, now_ms - HOUR_MS);
  await open(page, "since=looked");
  await page.getByText("Nothing changed.").waitFor(REFRESH);
  // A reload belongs to the same look.
  await page.reload();
  await page.getByText("Nothing changed.").waitFor(REFRESH);
  await expect.poll(() => page.getByLabel("What changed since").inputValue()).toBe("looked");
  // Remark, names and button stand in one row, so that a watch is signed on the first screen.
  await page.setViewportSize({ width: 1280, height: 800 });
  const bottoms = await page
    .locator(".signing textarea, .signing input, .signing button")
    .evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().bottom));
  expect(bottoms).toHaveLength(4);
  expect(Math.max(...bottoms) - Math.min(...bottoms)).toBeLessThan(4);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
  // The ship's name comes after what changed.
  await page.getByText(/^BWTS-001 From /).waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
});

test("an odd answer is told, and then nobody says that nothing changed", async () => {
  await using view = await openPage(browser, plant, { "/api/gaps": "[7]" });
  const { page } = view;
  await open(page, "since=4");
  await page.getByText(/unexpected answer from .api.gaps/).waitFor(REFRESH);
  await page.locator("[data-test=changed] li", { hasText: "UV_LOW" }).waitFor(REFRESH);
  await expect.poll(() => page.getByText("Nothing changed.").count()).toBe(0);
});

test("the page Health shows the scores and their parts, newest first", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${plant.url}/#/health?step=quarter`);
  const lines = page.locator(".health-lines > li");
  await lines.nth(1).waitFor(REFRESH);
  await expect.poll(() => lines.first().textContent()).toContain("Overall80UV80Lamps—");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  // The score and its four parts, and beside them six fields.
  await expect.poll(() => page.locator(".chart").count(), REFRESH).toBe(11);
  const uv = page.locator('[data-test="part-uv_health"]');
  await expect.poll(() => uv.locator("h3").textContent()).toBe("UV · 35 % of the score");
  await uv.getByText("W/m² Limits: 650\u00a0W/m²").waitFor(REFRESH);
  await page.getByLabel("Tables").check();
  await uv
    .locator("table", { hasText: "Score: UV" })
    .getByText("80", { exact: true })
    .waitFor(REFRESH);
  await uv
    .locator("table", { hasText: "UV intensity" })
    .getByText(/^410.W.m²$/)
    .first()
    .waitFor(REFRESH);
  // A score leads to the readings of its time, and each of these to its evidence.
  await lines.first().getByRole("button").first().click();
  const readings = page.locator('[data-test="bucket-readings"]');
  await readings.getByText("Readings at this time: 15.").waitFor(REFRESH);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await readings.getByRole("button").first().click();
  await page.getByRole("dialog").getByText("by the plant's clock").waitFor(REFRESH);
  await page.keyboard.press("Escape");
  // On operating hours the score of each hour stands where water was treated.
  await page.getByRole("button", { name: "Operating hours" }).click();
  await expect.poll(() => new URL(page.url()).hash, REFRESH).toContain("axis=hours");
  await expect.poll(() => page.locator(".chart").count(), REFRESH).toBe(11);
  await uv
    .locator("table", { hasText: "Score: UV" })
    .getByText("80", { exact: true })
    .waitFor(REFRESH);
  await page.getByRole("button", { name: "Calendar" }).click();
  await page.getByLabel("Each line is").selectOption("day");
  await expect.poll(() => lines.first().textContent(), REFRESH).toMatch(/UTCOverall89.[23]UV89.2/);
  expect(view.complaints).toEqual([]);
});

test("an operation without events, and quarantined messages, are listed as well", async () => {
  await plant.publish("telemetry", { timestamp: "noon", UVR_INTENSITY: 1 });
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.evaluate(
    (at_ms) => {
      window.localStorage.setItem("ballastd.handover.now", String(at_ms));
    },
    now_ms - 31 * HOUR_MS,
  );
  await open(page, "since=looked");
  const unreported = page.locator("li", { hasText: "Known from readings only" });
  await unreported.waitFor(REFRESH);
  // Nobody saw it begin.
  await expect
    .poll(() => unreported.textContent())
    .toMatch(
      /200 m³ by the flow\. Minimum UV intensity 248.W.m², limit 252.W.m² \(IMO\)\. Verdict: cannot/,
    );
  const aside = page.locator("li", { hasText: "1 message was quarantined: bad_time" });
  await aside.getByRole("link", { name: "See them on the page System" }).click();
  await page.getByRole("heading", { name: "Quarantined messages" }).waitFor(REFRESH);
  const both = await fetch(`${plant.url}/api/operations?startDate=${started(31)}`);
  expect(await both.json()).toMatchObject([
    {
      known_by: "events",
      operation_type: "BALLAST",
      location: "Singapore",
      volume_m3: expect.closeTo(193.33, 2),
    },
    { known_by: "events", operation_type: "CIP", readings: 0, volume_m3: null },
    { known_by: "readings", operation_type: "BALLAST", values: { UVR_INTENSITY: { min: 248 } } },
  ]);
  expect(view.complaints).toEqual([]);
});

test("of a score without treated water in its time no intensity is compared", LONG, async () => {
  const timestamp = Date.now() - 5_000;
  const atRest = { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, UVR_INTENSITY: 5.8 };
  await plant.publish("telemetry", { timestamp, ...atRest });
  await plant.publish("health", { timestamp, overall_score: 77, risk_level: "LOW", month: 5 });
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "since=4");
  await page.getByText("Health: 77 of 100.").waitFor(REFRESH);
  await open(page, "since=8");
  await page.getByText("Health: from 98.5 to 77 of 100.").waitFor(REFRESH);
  await page.locator("[data-test=changed] li", { hasText: "Uptake, Singapore" }).waitFor(REFRESH);
  await expect.poll(() => page.getByText(/^UV intensity while treating: /).count()).toBe(0);
  await expect.poll(() => page.locator(".problem").allTextContents()).toEqual([]);
  expect(view.complaints).toEqual([]);
});

test("of a month away the first score and the last are told", LONG, async () => {
  // Half an hour apart, the first one day after the look.
  const records = Array.from({ length: 1_100 }, (_, index) => ({
    ...{ timestamp: now_ms - 32 * 24 * HOUR_MS + index * HALF_HOUR_MS, month: 5 },
    ...{ overall_score: index === 0 ? 91 : 50, risk_level: "LOW" },
  }));
  await plant.publish("health", records);
  const data = { operation_type: "DEBALLAST", location: "Busan" };
  for (const [hours, event_type] of [
    [481, "PROCESS_START"],
    [480, "PROCESS_STOP"],
  ] as const)
    await plant.publish("events", { timestamp: started(hours), event_type, data });
  const gap = { start: started(900), end: started(899) };
  const gaps = JSON.stringify(Array.from({ length: 1_000 }, () => gap));
  await using view = await openPage(browser, plant, { "/api/gaps": gaps });
  const { page } = view;
  await page.evaluate(
    (at_ms) => {
      window.localStorage.setItem("ballastd.handover.now", String(at_ms));
    },
    now_ms - 33 * 24 * HOUR_MS,
  );
  await open(page, "since=looked");
  await page.getByText("Health: from 91 to 77 of 100.").waitFor(REFRESH);
  await page.locator("li", { hasText: "Discharge, Busan" }).waitFor(REFRESH);
  await page.getByText("this page shows the newest 1000 of each kind.").waitFor(REFRESH);
  // The days of the month are known until those of the shorter time have come.
  await page.getByLabel("What changed since").selectOption({ label: "4 hours ago" });
  await page.getByText("Health: 77 of 100.").waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
});

test("alerts of one kind are one line that names the lamps in words", async () => {
  const timestamp = Date.now() - 2_000;
  const failed = Object.fromEntries(["05", "07", "11"].map((n) => [`LAMP_${n}_STATUS`, "FAILED"]));
  await plant.publish("telemetry", { timestamp, PROCESS_STATE: "IDLE", ...failed });
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "since=4");
  const line = page.locator("[data-test=changed] li", { hasText: "3 lamps failed: 05, 07, 11." });
  await line.waitFor(REFRESH);
  await expect
    .poll(() => line.textContent())
    .toMatch(/: warning: 3 lamps failed: .*LAMP_FAILED Alerts$/);
  const failures = page.locator("li", { hasText: "LAMP_FAILED" });
  await expect.poll(() => failures.count()).toBe(2);
  await page.locator("[data-test=open-now]").getByText("3 lamps failed: 05, 07, 11").waitFor();
  expect(view.complaints).toEqual([]);
});

const started = (hours: number) => new Date(now_ms - hours * HOUR_MS).toISOString();

async function scored(): Promise<number> {
  const answer = await fetch(`${plant.url}/api/health?startDate=${started(8)}`);
  return (await answer.json()).length;
}

async function open(page: Page, query: string): Promise<void> {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/handover?${query}`);
  await page.getByRole("heading", { name: "Handover" }).waitFor(REFRESH);
}
