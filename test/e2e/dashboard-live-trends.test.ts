// Trends in Chromium against the built program: new readings are followed until one pans, states
// are bands with their words, days are typed by the clock that is shown, and fingers pan and zoom.

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

let browser: Browser;
let plant: Plant;
let view: View;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  plant = await startPlant({ BALLASTD_SYSTEM_UTC_OFFSET: "+05:30" });
  await plant.publish("telemetry", reading(LAST_MS));
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

const written = (at_ms: number) => new Date(at_ms).toISOString();
const range = (from_ms: number, to_ms: number) => `from=${written(from_ms)}&to=${written(to_ms)}`;

function reading(at_ms: number): object {
  return { timestamp: written(at_ms), UVR_INTENSITY: 640 };
}

const show = (query: string, level: RegExp) => showTrends(page, query, level);

test("new readings are followed, not under the cursor, and no longer once one pans", async () => {
  const first_ms = LAST_MS + 12 * HOUR_MS;
  const send = (at_ms: number) => plant.publish("telemetry", reading(at_ms));
  await send(first_ms);
  await show(`${range(first_ms - HOUR_MS, first_ms)}&live=on`, /each reading/);
  const box = await page.locator(".chart .u-over").boundingBox();
  if (box === null) throw new Error("the chart has no drawing area");
  /** The time at the place of the newest reading, by pointing at it for a moment. */
  const newest = async () => {
    await page.mouse.move(box.x + box.width / 1.02, box.y + 20);
    const said = (await page.locator(".readout p").textContent()) ?? "";
    return Date.parse(`${/\d{4}-\d\d-\d\d \d\d:\d\d/.exec(said)?.[0]}Z`);
  };
  const away = () => page.mouse.move(640, 5);
  const moved = async () => {
    const at_ms = await newest();
    await away();
    return at_ms;
  };
  const seldom = { ...REFRESH, interval: 1_500 };
  await expect.poll(moved, seldom).toBeGreaterThan(first_ms - 3 * MINUTE_MS);
  await newest();
  await send(first_ms + 20 * MINUTE_MS);
  await page.waitForTimeout(2_500);
  expect(await newest()).toBeLessThan(first_ms + 3 * MINUTE_MS);
  await away();
  await expect.poll(moved, seldom).toBeGreaterThan(first_ms + 17 * MINUTE_MS);
  const dates = page.getByRole("button", { name: /^Dates/ });
  const follow = page.getByLabel("Follow new readings");
  await dates.click();
  await expect.poll(() => follow.isChecked()).toBe(true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => page.url(), REFRESH).not.toContain("live=on");
  await dates.click();
  await expect.poll(() => follow.isChecked(), REFRESH).toBe(false);
  await page.keyboard.press("Escape");
});

test("a value that a click holds opens its reading, a mean the readings of its hour", async () => {
  const start_ms = LAST_MS - 50 * DAY_MS;
  const hour = Array.from({ length: 20 }, (_, index) => reading(start_ms + index * 3 * MINUTE_MS));
  await plant.publish("telemetry", hour);
  await show(range(start_ms, start_ms + HOUR_MS), /each reading/);
  const value = page.locator('button[data-test="at-cursor"]');
  const evidence = page.getByRole("dialog", { name: /^Evidence: / });
  const close = async () => {
    await page.keyboard.press("Escape");
    await evidence.waitFor({ state: "detached", ...REFRESH });
  };
  const area = page.locator(".chart .u-over");
  await area.click();
  await value.click();
  await evidence.getByText("Reading of 2026-03-31").waitFor(REFRESH);
  await evidence.getByText("by ballastd's clock").waitFor(REFRESH);
  await close();
  // The next click frees the cursor, which goes with the mouse.
  await area.click();
  await page.mouse.move(5, 5);
  await value.waitFor({ state: "detached", ...REFRESH });
  await show(range(start_ms - DAY_MS, start_ms + DAY_MS), /hourly mean/);
  await page.keyboard.press(".");
  await value.click();
  await evidence.getByText("Readings at this time: 20.").waitFor(REFRESH);
  await evidence.locator("button.evident").nth(1).click();
  await evidence.getByText("by the plant's clock").waitFor(REFRESH);
  await close();
});

test("states are bands with their words, and never a line", async () => {
  const start_ms = LAST_MS + 20 * HOUR_MS;
  await plant.publish(
    "telemetry",
    Array.from({ length: 40 }, (_, index) => ({
      timestamp: written(start_ms + index * MINUTE_MS),
      PROCESS_STATE: index < 20 ? "WARMUP" : "RUNNING",
      FLT_BACKFLUSH_ACTIVE: index >= 10 && index < 20,
    })),
  );
  const span = range(start_ms, start_ms + 40 * MINUTE_MS);
  await show(`fields=PROCESS_STATE,FLT_BACKFLUSH_ACTIVE&tables=on&${span}`, /each reading/);
  const words = () => page.locator(".states text").allTextContents();
  await expect.poll(words, REFRESH).toEqual(["WARMUP", "RUNNING", "no", "yes", "no"]);
  const [warmup, run] = await Promise.all(
    [0, 1].map((index) => page.locator(".states rect").nth(index).boundingBox()),
  );
  // But for their frames.
  expect(Math.abs((warmup?.x ?? 0) + (warmup?.width ?? 0) - (run?.x ?? 0))).toBeLessThan(6);
  await page.mouse.move((warmup?.x ?? 0) + 5, (warmup?.y ?? 0) + 5);
  await expect
    .poll(() => page.locator('[data-test="state-at-cursor"]').allTextContents(), REFRESH)
    .toEqual(["WARMUP", "no"]);
  const row = page.locator("table", { hasText: "Process state" }).locator("tbody tr").first();
  await expect.poll(() => row.textContent(), REFRESH).toMatch(/12:00:00.*12:20:00WARMUP/);
  await show(`fields=PROCESS_STATE&${range(LAST_MS - 9 * DAY_MS, LAST_MS)}`, /at most 36 hours/);
  await expect.poll(() => page.locator(".chart").count(), REFRESH).toBe(0);
});

test("a day is typed by ship's time once that is shown, and named", async () => {
  await show(range(LAST_MS - 20 * DAY_MS, LAST_MS), /hourly mean/);
  await page.keyboard.press("t");
  await page.getByRole("button", { name: /^Dates/ }).click();
  await page.getByLabel("From (ship's time UTC+05:30)").fill("2026-05-10");
  await page.keyboard.press("Enter");
  const midnight_ms = Date.parse("2026-05-10T00:00+05:30");
  await expect
    .poll(() => page.url(), REFRESH)
    .toContain(`from=${encodeURIComponent(written(midnight_ms))}`);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
});

test("two fingers zoom, one scrolls the page or pans", async () => {
  await using phone = await openPage(browser, plant);
  await phone.page.setViewportSize({ width: 360, height: 740 });
  const start_ms = LAST_MS - 40 * DAY_MS;
  await showTrends(phone.page, range(start_ms, LAST_MS), /mean/);
  const area = phone.page.locator(".chart .u-over");
  // Clear of the bar of pages at the lower edge, which takes the touches there.
  await area.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const box = await area.boundingBox();
  if (box === null) throw new Error("the chart has no drawing area");
  const hand = await phone.page.context().newCDPSession(phone.page);
  await hand.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 5 });
  const x = box.x + box.width / 2;
  /** Each finger goes from its first place to its last in eight steps. */
  const drag = async (
    fingers: readonly { readonly by: readonly [number, number]; x: number }[],
  ) => {
    const now = await area.boundingBox();
    const y = (now?.y ?? 0) + box.height / 2;
    const places = (step: number) =>
      fingers.map((finger, id) => ({
        ...{ id, x: finger.x + (finger.by[0] * step) / 8, y: y + (finger.by[1] * step) / 8 },
      }));
    await hand.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: places(0) });
    for (let step = 1; step <= 8; step += 1)
      await hand.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: places(step) });
    await hand.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  const shown = () => {
    const query = new URLSearchParams(new URL(phone.page.url()).hash.split("?")[1]);
    return [query.get("from"), query.get("to")].map((text) => Date.parse(text ?? ""));
  };
  const days = async () => {
    const [from_ms = 0, to_ms = 0] = shown();
    return (to_ms - from_ms) / DAY_MS;
  };
  await drag([
    { x: x - 20, by: [-60, 5] },
    { x: x + 20, by: [60, -5] },
  ]);
  // From 40 pixels apart to 160: a quarter of the time, with the same middle.
  await expect.poll(days, REFRESH).toBeCloseTo(10, 0);
  const [from_ms = 0, to_ms = 0] = shown();
  expect(Math.abs((from_ms + to_ms) / 2 - (start_ms + 20 * DAY_MS))).toBeLessThan(DAY_MS / 2);
  const scrolled = () => phone.page.evaluate(() => window.scrollY);
  const before = await scrolled();
  const zoomed = phone.page.url();
  await drag([{ x, by: [8, -250] }]);
  await expect.poll(scrolled, REFRESH).toBeGreaterThan(before + 40);
  await phone.page.waitForTimeout(400);
  expect(phone.page.url()).toBe(zoomed);
  await expect
    .poll(() => phone.page.locator(".readout p").textContent())
    .toContain("Point at the curve");
  await area.scrollIntoViewIfNeeded(REFRESH);
  await drag([{ x, by: [-box.width / 4, 2] }]);
  await expect.poll(() => shown()[0], REFRESH).toBeGreaterThan(from_ms + DAY_MS);
  expect(await days()).toBeCloseTo(10, 0);
  expect(phone.complaints).toEqual([]);
});
