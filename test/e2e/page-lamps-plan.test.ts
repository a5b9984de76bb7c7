// The plan on the page Lamps in Debian's Chromium against the built program: one screen, what to
// change and why, spares that an engineer counts, and the order list on paper and as CSV.

import { readFileSync } from "node:fs";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LampPlanAnswer } from "../../src/bwts/lamps/plan-answer.ts";
import { openFleet, recentStart } from "../rig/fleet.ts";
import { voyage } from "../rig/lamps-aboard.ts";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { printedRandom } from "../rig/random.ts";
import { LONG } from "../rig/scale.ts";

const TOKEN = "engineers-own-token";
const PLAN = LampPlanAnswer.parse(LampPlanAnswer.meta()?.example);

/** An answer with lamp 5 at the limit, lamp 7 by its forecast, and lamp 8 within three months. */
const planned = JSON.stringify({
  ...PLAN,
  ...{ spares: null, order: 3 },
  lamps: PLAN.lamps.map((one) => {
    if (one.lamp === 7)
      return { ...one, planned: "next_call", reason: "forecast", change_by: "2026-05-10" };
    if (one.lamp === 8)
      return { ...one, planned: "three_months", reason: "rated_hours", change_by: "2026-07-02" };
    return one;
  }),
});

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({
      ...{ BALLASTD_AUTH_TOKEN: TOKEN, BALLASTD_LAMPS_PART_NUMBER: "UVL, 3400" },
      BALLASTD_SYSTEM_VESSEL: "MV Example",
    }),
  ]);
  // Lamp 16 is past its rated hours.
  const random = printedRandom("page-lamps-plan");
  const fleet = openFleet(random, (lamp) => (lamp === 15 ? 3100 : 300), recentStart(8));
  const readings = voyage(fleet, 8);
  for (let at = 0; at < readings.length; at += 100)
    await plant.publish("telemetry", readings.slice(at, at + 100));
  await plant.program.waitUntil("a forecast of all of it", async () => {
    const newest = await (await fetch(`${plant.url}/api/predictions?limit=1`)).json();
    return newest[0]?.timestamp === readings.at(-1)?.timestamp;
  });
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

test("list, life and plan are on one screen, with rows of 34 px and an address", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${plant.url}/#/lamps?lamp=7`);
  await page.getByRole("heading", { name: "Lamp 07 row 4 from the top" }).waitFor(REFRESH);
  const rows = page.locator(".lamp-list tbody tr");
  await page.getByText(/lamps? needed within 60 days/).waitFor(REFRESH);
  const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight));
  expect(heights).toHaveLength(16);
  expect(Math.max(...heights)).toBeLessThanOrEqual(35);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(34);
  const bottom = await page
    .locator(".lamps-page")
    .evaluate((one) => one.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThanOrEqual(800);
  // The most urgent lamp is first, and a touch anywhere in a row chooses its lamp.
  await expect
    .poll(() => rows.first().getByRole("link").getAttribute("aria-label"))
    .toBe("Lamp 16");
  await rows.nth(0).getByText("now").click();
  await expect.poll(() => page.url(), REFRESH).toMatch(/#\/lamps\?lamp=16$/);
  await page.getByRole("heading", { name: "Lamp 16 row 7 from the top" }).waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
});

test("the plan names lamps by the plain rule, and by a forecast that says more", async () => {
  await using view = await openPage(browser, plant, { "/api/lamps/plan": planned });
  const { page } = view;
  await page.goto(`${plant.url}/#/lamps?lamp=7`);
  const next = page.locator("[data-test=plan-next_call]");
  await next.getByText("2 lamps").waitFor(REFRESH);
  const text = await next.textContent();
  expect(text).toContain("at the next port call, about 2026-05-08");
  expect(text).toContain("By the plain rule: 05");
  expect(text).toContain("By the forecast: 07");
  const soon = await page.locator("[data-test=plan-three_months]").textContent();
  expect(soon).toMatch(/1 more.*within three months.*By the plain rule: 08$/);
  await page
    .getByText("Plain rule: change a lamp at 70 % output or less at full power, or past 3000 h.")
    .waitFor();
  await expect.poll(() => page.locator(".lamp-facts").textContent()).toContain("next callforecast");
});

test("a lamp that nobody can plan is named; no sheet says that nothing is due", LONG, async () => {
  const body = JSON.stringify({
    ...PLAN,
    ...{ no_forecast: [3, 9], order: 1, spares: 0 },
    within_lead_time: { expected: 0.4, p05: 0, p95: 1 },
    lamps: PLAN.lamps.map((one) =>
      one.lamp === 3
        ? { ...one, planned: "unknown", reason: null, change_by: null }
        : { ...one, planned: "later", reason: "forecast", change_by: "2029-06-17" },
    ),
  });
  await using view = await openPage(browser, plant, { "/api/lamps/plan": body });
  const { page } = view;
  await page.goto(`${plant.url}/#/lamps`);
  const next = page.locator("[data-test=plan-next_call]");
  await next.getByText("Cannot tell: 03").waitFor(REFRESH);
  await expect.poll(() => next.locator(".figure").textContent()).toBe("—");
  const order = await page.locator("[data-test=plan-order]").textContent();
  expect(order).toContain("No forecast for lamps 03, 09: counted by rated hours.");
  await page.getByRole("link", { name: "Order list" }).click();
  const sheet = page.locator(".order-panel");
  await sheet.getByText("Cannot tell: 03").waitFor(REFRESH);
  const text = await sheet.textContent();
  expect(text).toContain("No forecast for lamps 03, 09");
  expect(text).not.toContain("No lamp is to be changed");
});

test("an odd plan costs its own panel, and the list keeps its lamps", async () => {
  await using view = await openPage(browser, plant, { "/api/lamps/plan": '{"lamps": 7}' });
  const { page } = view;
  await page.goto(`${plant.url}/#/lamps`);
  await page.getByText("unexpected answer from /api/lamps/plan").waitFor(REFRESH);
  await expect.poll(() => page.locator("main .problem").count()).toBe(1);
  await expect.poll(() => page.locator(".lamp-list tbody tr").count(), REFRESH).toBe(16);
});

test("an engineer counts the spares, and the order is smaller, here and elsewhere", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await using other = await openPage(browser, plant);
  await other.page.goto(`${plant.url}/#/lamps`);
  await page.goto(`${plant.url}/#/lamps`);
  await other.page.getByText("Spares aboard: not counted.").waitFor(REFRESH);
  const order = page.locator("[data-test=plan-order]");
  await order.getByText("Spares aboard: not counted.").waitFor(REFRESH);
  const { order: before } = await (await fetch(`${plant.url}/api/lamps/plan`)).json();
  expect(before).toBeGreaterThan(0);
  await order.getByText(`Order ${before}`, { exact: true }).waitFor(REFRESH);
  await order.getByRole("button", { name: "Count" }).click();
  const counted = page.getByLabel("Spares aboard, as counted");
  await expect.poll(() => isFocused(counted), REFRESH).toBe(true);
  await counted.fill("2");
  await order.getByRole("button", { name: "Store" }).click();
  const token = page.getByLabel("Token");
  await expect.poll(() => isFocused(token), REFRESH).toBe(true);
  // Corrected before it is stored.
  await counted.fill("1");
  await token.fill(TOKEN);
  await page.getByRole("button", { name: "Continue" }).click();
  await order.getByText("Spares aboard: 1.").waitFor(REFRESH);
  await order.getByText(`Order ${before - 1}`, { exact: true }).waitFor(REFRESH);
  const count = order.getByRole("button", { name: "Count" });
  await expect.poll(() => isFocused(count), REFRESH).toBe(true);
  // By the stream: the other page has it before it would ask for everything.
  await other.page.getByText("Spares aboard: 1.").waitFor(REFRESH);
  // Two count at once: the second reads in Japanese what the first has stored, and what is typed
  // stays.
  await other.page.goto(`${plant.url}/?lang=ja#/lamps`);
  const theirs = other.page.locator("[data-test=plan-order]");
  const theirCount = theirs.locator("input[name=spares]");
  await theirs.locator("[data-test=spares] button").click();
  await theirCount.fill("7");
  await count.click();
  await counted.fill("4");
  await order.getByRole("button", { name: "Store" }).click();
  await order.getByText("Spares aboard: 4.").waitFor(REFRESH);
  await theirCount.press("Enter");
  await theirs.locator("input[name=token]").fill(TOKEN);
  await theirs.locator("form.token button").click();
  await theirs
    .getByText("その間に別の人が数えました。保存されている数は 4 です。もう一度数えてください。")
    .waitFor(REFRESH);
  await expect.poll(() => theirCount.inputValue()).toBe("7");
  // The second may store his own once he has read that.
  await theirCount.press("Enter");
  await order.getByText("Spares aboard: 7.").waitFor(REFRESH);
  expect(view.complaints.filter((one) => !one.includes("401"))).toEqual([]);
});

const isFocused = (field: Locator) => field.evaluate((one) => one === document.activeElement);

test("the order list is one sheet with part number, quantity and reasons, and a CSV", async () => {
  await using view = await openPage(browser, plant, { "/api/lamps/plan": planned });
  const { page } = view;
  await page.goto(`${plant.url}/#/lamps`);
  await page.getByRole("link", { name: "Order list" }).click();
  await page.getByRole("heading", { name: "Order list: UV lamps" }).waitFor(REFRESH);
  const sheet = page.locator(".order-panel");
  await sheet.getByText("MV Example").waitFor(REFRESH);
  const facts = await sheet.locator("dl").textContent();
  expect(facts).toContain("Part numberUVL-3400");
  expect(facts).toContain("Quantity3");
  expect(facts).toContain("Spares aboardnot known");
  const rows = await sheet.locator("tbody tr").allTextContents();
  expect(rows).toHaveLength(5);
  expect([rows.shift(), rows.splice(2, 1)[0]]).toEqual([
    "At the next port call",
    "Within three months",
  ]);
  expect(rows[0]).toMatch(/^Lamp 05row 3 from the top.*66\.52776 hnowoutput at the limit$/);
  expect(rows[1]).toMatch(/^Lamp 07.*next callforecast$/);
  expect(rows[2]).toMatch(/^Lamp 08.*2026-07-02rated hours$/);
  await page.emulateMedia({ media: "print" });
  for (const chrome of ["header", ".before-order", "footer", "nav.pages"])
    await expect.poll(() => page.locator(chrome).first().isVisible()).toBe(false);
  for (const format of ["A4", "Letter"]) {
    const pdf = (await page.pdf({ format })).toString("latin1");
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
  }
  await page.emulateMedia({ media: "screen" });
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "As CSV" }).click();
  const lines = readFileSync(await (await download).path(), "utf8").split("\r\n");
  expect(lines[0]).toMatch(/^ship,date,data_through,part_number,quantity,spares_aboard,lead_/);
  expect(lines[1]).toMatch(
    /^"MV Example, .*",".{10}","2026-05-01","UVL-3400",3,,60,5,66\.5,2776,now,,output$/,
  );
  expect(lines).toHaveLength(5);
});
