// The overview in Chromium: its evidence, its time machine, its requests, its sizes, names that are
// long or of another script, and answers that went wrong on their way.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test as single } from "vitest";
import { launchBrowser, openPage, REFRESH, shown, startPlant } from "../rig/onboard-page.ts";
import { misfits, useFingers } from "../rig/page-layout.ts";
import { LONG } from "../rig/scale.ts";

const test = single.concurrent;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** An hour of treatment, its intensity falling by 60 W/m2. */
function treatment(end_ms: number, location: string): readonly object[] {
  return Array.from({ length: 21 }, (_, index) => ({
    timestamp: new Date(end_ms - (20 - index) * 3 * MINUTE_MS).toISOString(),
    ...{ PROCESS_STATE: "RUNNING", COMPLIANCE_MODE: "IMO", operation_type: "BALLAST", location },
    ...{ UVR_INTENSITY: 420 - index * 3, SYS_FLOW_RATE: 600, LAMP_01_STATUS: "ACTIVE" },
    ...{ FLT_DIFF_PRESSURE: 0.7, UVR_POWER_OUTPUT: 80 },
  }));
}

const start = (at_ms: number, location: string) => ({
  ...{ timestamp: new Date(at_ms).toISOString(), event_type: "PROCESS_START" },
  data: { operation_type: "BALLAST", location },
});

test("the verdict stands after four requests, and every number leads to its reading", async ({
  expect,
}) => {
  await using plant = await startPlant();
  const end_ms = Date.now() - 5_000;
  await plant.publish("events", start(end_ms - HOUR_MS, "Busan"));
  for (const reading of treatment(end_ms, "Busan")) await plant.publish("telemetry", reading);
  await using view = await openPage(browser, plant, { "/api/alarms": "[]" });
  const { page } = view;
  const seen: string[] = [];
  page.on("request", (request) => seen.push(new URL(request.url()).pathname));
  await page.reload();
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  await expectPaintedFirst(page);
  // Without a score there is no health to ask for.
  const further = () =>
    new Set(seen.filter((path) => !/^\/(assets|icon|api\/health|$)/.test(path)));
  const after = [
    ...["/api/alarms", "/api/operations", "/api/overview", "/api/telemetry/chunked", "/readyz"],
    ...["/stream", "/version"],
  ];
  await expect.poll(() => [...further()].sort(), REFRESH).toEqual(after);
  // 60 W/m2 an hour from 360: 108 W/m2 above the limit.
  await expect.poll(() => shown(page, "to-limit")).toBe("1.8 to 1.8 h to the limit");
  await expectOneScreen(page);
  await expectOneScreenIn(["es", "pt"], page);
  await expect.poll(() => shown(page, "FLT_DIFF_PRESSURE")).toContain("BEYOND");
  await expect
    .poll(() => shown(page, "finish"))
    .toBe("Not known if it can be finished. IMO limit in 1.8 to 1.8 h. Below the USCG limit.");
  const intensity = page.locator('[data-test="intensity"]');
  await intensity.click();
  const evidence = page.getByRole("dialog");
  await evidence.getByText("Not sealed yet").waitFor(REFRESH);
  await expect.poll(() => evidence.textContent()).toContain("by the plant's clock");
  await page.keyboard.press("Escape");
  await evidence.waitFor({ state: "detached", ...REFRESH });
  const hasFocus = () => intensity.evaluate((element) => element === document.activeElement);
  await expect.poll(hasFocus, REFRESH).toBe(true);
  // As after ballastd's clock was set back: the newest reading isn't "0 s old".
  const [ahead] = treatment(Date.now() + 64 * MINUTE_MS, "Busan");
  await plant.publish("telemetry", ahead);
  await page.getByText(/^Reading: [234] min ahead of this clock$/).waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
  await expectTouchable(page);
});

/** A laptop and an old tablet show all of it without scrolling, and nothing moves any more. */
async function expectOneScreen(page: Page): Promise<void> {
  for (const [width, height] of [
    [1280, 800],
    [1024, 768],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.waitForFunction(() => document.documentElement.scrollHeight <= window.innerHeight);
    const bottoms = await page
      .locator("header, .alert-bar")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
    expect(Math.max(...bottoms)).toBeLessThanOrEqual(96);
  }
}

/** In the longest languages too, and no word leaves its box. */
async function expectOneScreenIn(languages: readonly string[], page: Page): Promise<void> {
  await page.setViewportSize({ width: 1024, height: 768 });
  for (const language of languages) {
    const url = new URL(page.url());
    await page.goto(`${url.origin}/?lang=${language}${url.hash}`);
    await page.locator(`html[lang=${language}] .verdict .headline`).waitFor(REFRESH);
    await page.locator(".strip a").first().waitFor(REFRESH);
    await page.waitForFunction(() => document.documentElement.scrollHeight <= window.innerHeight);
    expect([language, ...(await misfits(page))]).toEqual([language]);
  }
  await page.goto(new URL("/?lang=en", page.url()).href);
  await page.locator("html[lang=en] .verdict .headline").waitFor(REFRESH);
}

/** The page waits no longer for a frame, as in a tab that is hidden meanwhile. */
const FRAME_MAX_MS = 2_000;

/** Until a frame has the verdict, the page has asked for itself and the overview alone. */
async function expectPaintedFirst(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector('[data-test="age"]') === null) requestAnimationFrame(look);
      else document.documentElement.dataset.framed = String(performance.now());
    };
    requestAnimationFrame(look);
  });
  for (let round = 0; round < 5; round += 1) {
    await page.reload();
    await page.locator("html[data-framed]").waitFor(REFRESH);
    const early = await page.evaluate((most_ms) => {
      const asked = performance.getEntriesByType("resource");
      const [overview] = asked.filter(({ name }) => name.endsWith("/api/overview"));
      const answered_ms = overview.startTime + overview.duration;
      const shown_ms = Number(document.documentElement.dataset.framed);
      const framed_ms = Math.min(shown_ms, answered_ms + most_ms);
      return asked
        .filter(({ startTime }) => startTime < framed_ms)
        .map(({ name }) => new URL(name).pathname);
    }, FRAME_MAX_MS);
    const others = early.filter(
      (path) => !/^\/(assets\/(index|icon|inter)-|api\/overview)/.test(path),
    );
    expect(others).toEqual([]);
    expect(early).toContain("/api/overview");
  }
}

/** Each target of the overview is 56 px high for a finger, and the page fits the telephone. */
async function expectTouchable(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  await useFingers(page);
  const heights = await page
    .locator(".overview button:not(.whole), .overview .tape, .overview a")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(20);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(56);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
}

test("a moment of the past can't be taken for the present", async ({ expect }) => {
  await using plant = await startPlant();
  const then_ms = Math.floor(Date.now() / 1000) * 1000 - 40 * HOUR_MS;
  for (const reading of treatment(then_ms, "Busan")) await plant.publish("telemetry", reading);
  await plant.publish("telemetry", { timestamp: new Date().toISOString(), PROCESS_STATE: "IDLE" });
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.getByText("Not treating water: IDLE").waitFor(REFRESH);
  const hash = `#/overview?at=${new Date(then_ms).toISOString()}`;
  await page.evaluate((to) => window.location.assign(to), hash);
  await page.getByText("THE PAST, not live:").waitFor(REFRESH);
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  await expect
    .poll(() => shown(page, "verdict"))
    .toMatch(/Reading of \d{4}-\d\d-\d\d \d\d:\d\d.UTC/);
  await expect.poll(() => shown(page, "verdict")).not.toContain("old");
  await expect.poll(() => page.locator(".ages").textContent()).not.toContain("ago");
  const texts = (await page.locator(".overview section").allTextContents()).join(" ");
  expect(texts).toContain("108 above IMO");
  expect(texts).not.toMatch(/\bnow\b|present/);
  await expect.poll(() => page.locator(".overview.past").count()).toBe(1);
  await page.getByText("None was open.").waitFor(REFRESH);
  await page.getByRole("button", { name: "− 24 h" }).click();
  await page.getByText("No reading is stored up to this moment").waitFor(REFRESH);
  for (const panel of ["present", "alerts-then", "health"])
    await page.locator(`.${panel}-panel`).getByText("Not known.").waitFor(REFRESH);
  await page.goBack();
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  const typed = new Date(then_ms + HOUR_MS).toISOString().slice(0, 16).replace("T", " ");
  await page.getByLabel("Day and time (UTC)").fill(typed);
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByText("STALE: no reading for").waitFor(REFRESH);
  await page.getByRole("button", { name: "Back to now" }).click();
  await page.getByText("Not treating water: IDLE").waitFor(REFRESH);
  await page.locator(".past-banner").waitFor({ state: "detached", ...REFRESH });
  // A moment that is still to come is neither the past nor the present.
  const next = new Date(Date.now() + HOUR_MS).toISOString();
  await page.evaluate((to) => window.location.assign(to), `#/overview?at=${next}`);
  await page.getByText(/^NOT YET: .* is in the future\.$/).waitFor(REFRESH);
  await expect.poll(() => page.getByText("THE PAST").count()).toBe(0);
  await expect.poll(() => page.locator(".overview section").count(), REFRESH).toBe(1);
  const refused = await fetch(`${plant.url}/api/overview?at=${next}`);
  expect([refused.status, (await refused.json()).message]).toEqual([
    400,
    `at: ${next} is ahead of ballastd's clock, expected a time up to now`,
  ]);
  expect(view.complaints).toEqual([]);
});

test("odd members break their panels alone; odd names widen nothing", LONG, async ({ expect }) => {
  await using plant = await startPlant();
  const names = ["x".repeat(200), "ميناء جدة الإسلامي", "🚢⚓ Port 🏴‍☠️", "<b>Busan</b>\u202e"];
  const end_ms = Date.now();
  for (const reading of treatment(end_ms, names[0])) await plant.publish("telemetry", reading);
  const real = await (await fetch(`${plant.url}/api/overview`)).json();
  const odd = {
    time_to_limit: { hours: "soon" },
    lamps: [{}],
    operation: { since: 7 },
    health: { timestamp: "x", overall_score: 1 },
    limits: null,
    verdict: "perhaps",
    silence_seconds: "long",
  };
  await using view = await openPage(browser, plant);
  const { page } = view;
  let body = "";
  await page.route("**/api/overview", (route) =>
    route.fulfill({ contentType: "application/json", body }),
  );
  const show = async (members: object) => {
    body = JSON.stringify({ ...real, ...members });
    await page.reload();
  };
  for (const [name, value] of Object.entries(odd)) {
    await show({ [name]: value });
    await page.getByText("Time machine").waitFor(REFRESH);
    const problems = page.locator(".overview section > .problem, .overview .quiet .headline");
    const count = name === "limits" ? 2 : 1;
    await problems.nth(count - 1).waitFor(REFRESH);
    expect([name, await problems.count()]).toEqual([name, count]);
    expect([name, view.complaints]).toEqual([name, []]);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  for (const location of names) {
    await show({ operation: { ...real.operation, location } });
    await page.locator(".place").waitFor(REFRESH);
    await expect
      .poll(() => page.locator(".place").textContent())
      .toBe(location.replace("\u202e", "\ufffd"));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  }
});
