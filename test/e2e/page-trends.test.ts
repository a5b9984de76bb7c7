// The tools of the page Trends in Chromium, against the built program with three operations at one
// port: its ranges, the choice of fields, what it compares with, the lane, the address, and files.

import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  launchBrowser,
  openPage,
  type Plant,
  REFRESH,
  startPlant,
  type View,
} from "../rig/onboard-page.ts";
import { showTrends } from "../rig/page-walk.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LAST_MS = Date.UTC(2026, 4, 20, 16);
const OPERATIONS_MS = [100, 10, 0].map((days) => LAST_MS - days * DAY_MS - 8 * HOUR_MS);

let browser: Browser;
let plant: Plant;
let view: View;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  plant = await startPlant();
  const readings = OPERATIONS_MS.flatMap((start_ms) =>
    Array.from({ length: 160 }, (_, index) => reading(start_ms + index * 3 * MINUTE_MS)),
  );
  await plant.publish("telemetry", readings);
  for (const start_ms of OPERATIONS_MS) {
    await plant.publish("events", operationEvent(start_ms, "PROCESS_START"));
    await plant.publish("events", operationEvent(start_ms + 8 * HOUR_MS, "PROCESS_STOP"));
  }
  view = await openPage(browser, plant);
  ({ page } = view);
  await page.setViewportSize({ width: 1280, height: 900 });
});
afterAll(async () => {
  expect(view.complaints).toEqual([]);
  await view[Symbol.asyncDispose]();
  await plant[Symbol.asyncDispose]();
  await browser.close();
});

function reading(at_ms: number) {
  return {
    timestamp: new Date(at_ms).toISOString(),
    ...{ PROCESS_STATE: "RUNNING", SYS_FLOW_RATE: 800, FLT_DIFF_PRESSURE: 0.2 },
    UVR_INTENSITY: 620 + ((at_ms / MINUTE_MS) % 30),
  };
}

function operationEvent(at_ms: number, event_type: string): object {
  const data = { operation_type: "BALLAST", location: "Singapore" };
  return { timestamp: new Date(at_ms).toISOString(), event_type, data };
}

const show = (query: string, level: RegExp) => showTrends(page, query, level);

const range = (from_ms: number, to_ms: number) =>
  `from=${new Date(from_ms).toISOString()}&to=${new Date(to_ms).toISOString()}`;

const encoded = (at_ms: number) => encodeURIComponent(new Date(at_ms).toISOString());

test("nothing is shown of the future, and the newest operation is one press away", async () => {
  await page.goto(`${plant.url}/#/trends?from=2026-05-01T00:00Z&to=2099-01-01T00:00Z`);
  const dates = page.getByRole("button", { name: /^Dates/ });
  await expect.poll(() => dates.getAttribute("aria-pressed"), REFRESH).toBe("true");
  await dates.click();
  const to = await page.getByLabel(/^To/).inputValue();
  expect(to).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
  expect(Math.abs(Date.now() - Date.parse(`${to}Z`))).toBeLessThan(HOUR_MS);
  await page.keyboard.press("Escape");
  const operation = page.getByRole("button", { name: "Operation", exact: true });
  await operation.click();
  await expect.poll(() => operation.getAttribute("aria-pressed"), REFRESH).toBe("true");
  await expect.poll(() => dates.getAttribute("aria-pressed")).toBe("false");
  // A range up to now isn't panned on, and one before it no further than now.
  const now_ms = Date.now();
  await show(range(now_ms - 10 * DAY_MS, now_ms - DAY_MS), /hourly mean/);
  for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowRight");
  const end = () => Date.parse(new URLSearchParams(page.url().split("?")[1]).get("to") ?? "");
  await expect.poll(end, REFRESH).toBeGreaterThan(now_ms - HOUR_MS);
  expect(end()).toBeLessThanOrEqual(Date.now());
});

test("fields are grouped and searched, by keys alone", async () => {
  await show(`fields=UVR_INTENSITY&${range(LAST_MS - 20 * DAY_MS, LAST_MS)}`, /hourly mean/);
  await page.getByRole("button", { name: "Add a field" }).press("Enter");
  const groups = page.locator(".field-list legend");
  await expect.poll(() => groups.count(), REFRESH).toBe(7);
  // The box gives its whole width to what is in it.
  const box = await page.locator(".popover-box").boundingBox();
  const field = await page.getByLabel("Search fields").boundingBox();
  expect(field?.width).toBeGreaterThan(0.85 * (box?.width ?? Number.NaN));
  await page.getByLabel("Search fields").fill("filter press");
  await expect.poll(() => groups.allTextContents(), REFRESH).toEqual(["Filter"]);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Remove: Differential pressure/ }).waitFor(REFRESH);
  await expect.poll(() => page.locator(".chart").count(), REFRESH).toBe(2);
  // Two charts, the tools and the lane are one screen; notes stand below it.
  await page.setViewportSize({ width: 1280, height: 800 });
  const bottom = async () => {
    const { y = Number.NaN, height = 0 } = (await page.locator(".lane").boundingBox()) ?? {};
    return y + height;
  };
  await expect.poll(bottom, REFRESH).toBeLessThanOrEqual(800);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("operations are bars with type, place and verdict, beside their marks in words", async () => {
  await show(range(OPERATIONS_MS[2] - HOUR_MS, LAST_MS), /each reading/);
  const bar = page.locator(".lane .operation");
  await expect
    .poll(() => bar.locator("text").textContent(), REFRESH)
    .toMatch(/\d+ Uptake Singapore/);
  await expect.poll(() => bar.locator("title").textContent(), REFRESH).toMatch(/, .+/);
});

test("a year ago and the last time at this port are one press, address and code two", async () => {
  await show(range(LAST_MS - 8 * HOUR_MS, LAST_MS), /each reading/);
  const compare = page.getByRole("button", { name: /^Compare/ });
  const toolsBox = () => page.locator(".trend-tools .segments").first().boundingBox();
  const still = await toolsBox();
  await compare.click();
  await page.getByRole("button", { name: "With the last time at Singapore" }).click();
  const before = `beside=${encoded(LAST_MS - 8 * HOUR_MS - 10 * DAY_MS)}`;
  await expect.poll(() => page.url(), REFRESH).toContain(before);
  await compare.click();
  await page.getByRole("button", { name: "With the same range a year ago" }).click();
  await expect.poll(() => page.url(), REFRESH).toContain("beside=2025-05-20");
  // There are no readings then, and the page says so; the tools have stood still.
  await page.getByText("No values from 2025-05-20 on, to compare with").waitFor(REFRESH);
  expect(await toolsBox()).toEqual(still);
  await page.getByRole("button", { name: "Address, tables and paper" }).click();
  const address = page.locator('[data-copy="Address of this view"]');
  await expect.poll(() => address.textContent()).toBe(page.url());
  await page.getByRole("img", { name: "QR code of the address" }).waitFor(REFRESH);
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor(REFRESH);
  await page.keyboard.press("Escape");
});

test("the values of a chart are saved as a file, of its range alone", async () => {
  const from_ms = OPERATIONS_MS[1];
  await show(range(from_ms, from_ms + HOUR_MS), /each reading/);
  const points = () => page.locator(".chart").getAttribute("data-points");
  await expect.poll(points, REFRESH).not.toBe("0");
  const saved = page.waitForEvent("download", REFRESH);
  await page.getByRole("button", { name: "Save the values of UV intensity as CSV" }).click();
  const text = readFileSync(await (await saved).path(), "utf8").split("\r\n");
  expect(text[0]).toBe("field,time,value,minimum,maximum,unit");
  expect(text[1]).toBe(`UVR_INTENSITY,${new Date(from_ms).toISOString()},620,,,W/m2`);
  expect(text.length).toBe(21 + 2);
});

test("an address that changes while the page is drawn first is followed", async () => {
  await using early = await openPage(browser, plant);
  await early.page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector("main") === null) return;
      observer.disconnect();
      window.location.hash = "#/trends";
    }).observe(document, { childList: true, subtree: true });
  });
  await early.page.reload();
  await early.page.getByRole("heading", { name: "Trends" }).waitFor(REFRESH);
});
