// Days and times typed key by key in Debian's Chromium against the built program, whose language is
// American: in 24 hours, in several ways, none of them ahead of now, and by the calendar. The
// browser's Back leaves the page at once, because no key is a step of its own; and the day is the
// one that was typed, from a quick hand and from a slow one, between whose keys the page is drawn
// again.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, startPlant } from "../rig/onboard-page.ts";
import { loadAxe, violations } from "../rig/page-axe.ts";
import { sized } from "../rig/scale.ts";

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([launchBrowser(), startPlant()]);
  await plant.publish("telemetry", { timestamp: "2026-05-20T16:00Z", UVR_INTENSITY: 600 });
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

const DAYS = [
  { name: "operations", heading: /^Operations$/, from: "From day, UTC", to: "To day, UTC" },
  { name: "alerts", heading: /^Alerts and operations$/, from: "From day, UTC", to: "To day, UTC" },
  { name: "trends", heading: /^Trends$/, from: "From (UTC)", to: "To (UTC)" },
  { name: "export", heading: /^Export$/, from: "First day, UTC", to: "Last day, UTC" },
  { name: "record-book", heading: /^Record book$/, from: "First day (UTC)", to: "Last day (UTC)" },
];

/** The days of the page Alerts are those of the past. */
const listOf = (name: string) => (name === "alerts" ? "list=past&" : "");

const HANDS = [{ delay: 20 }, { delay: 250 }];

// Slow hands on two of the pages in a small run.
const TYPED = DAYS.flatMap((day, at) =>
  HANDS.slice(0, at < sized(2, DAYS.length) ? 2 : 1).map((hand) => ({ ...day, ...hand })),
);

test.each(TYPED)("days typed on $name, a key each $delay ms", async (typed) => {
  const { name, heading, from, to, delay } = typed;
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.locator("main").getByRole("heading").first().waitFor();
  await page.evaluate(
    (hash) => {
      window.location.hash = hash;
    },
    `#/${name}?${listOf(name)}from=2026-05-01T00:00:00.000Z&to=2026-05-20T23:59:59.999Z`,
  );
  await page.getByRole("heading", { name: heading }).first().waitFor();
  if (name === "export") await page.getByLabel("Range").selectOption("dates");
  if (name === "trends") await page.getByRole("button", { name: "Dates" }).click();
  const before = await page.evaluate(() => window.history.length);
  await page.getByLabel(to).selectText();
  await page.keyboard.type("2026-05-30", { delay });
  await page.getByLabel(from).selectText();
  await page.keyboard.type("2026/4/2", { delay });
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain("from=2026-04-02T");
  expect(page.url()).toContain("to=2026-05-30T23");
  await expect.poll(() => page.getByLabel(from).inputValue()).toMatch(/^2026-04-02( 00:00)?$/);
  expect(await page.evaluate(() => window.history.length)).toBe(before);
  await page.goBack();
  await page.getByRole("heading", { name: heading }).first().waitFor({ state: "detached" });
});

const ADDRESSED = DAYS.filter(({ name }) => name !== "trends");

test.each(ADDRESSED)("a plain date as the end of $name is the end of that day", async (day) => {
  const { name, from, to } = day;
  await using view = await openPage(browser, plant);
  const { page } = view;
  const asked = page.waitForRequest((request) => {
    const query = new URL(request.url()).searchParams;
    return query.get("endDate") === "2026-05-20T23:59:59.999Z";
  });
  await page.goto(
    `${plant.url}/#/${name}?${listOf(name)}range=dates&from=2026-05-20&to=2026-05-20`,
  );
  const query = new URL((await asked).url()).searchParams;
  expect(query.get("startDate")).toBe("2026-05-20T00:00:00.000Z");
  for (const label of [from, to])
    await expect.poll(() => page.getByLabel(label).inputValue()).toBe("2026-05-20");
});

test("a day that can't be taken is named with what is allowed, and nothing is asked", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.goto(`${plant.url}/#/operations`);
  const field = page.getByLabel("To day, UTC");
  const next = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const today = new Date().toISOString().slice(0, 10);
  for (const [typed, told] of [
    ["31.02.2026", "“31.02.2026” is no day. Write it as 2026-05-31 or 31.05.2026."],
    ["3.4.2026", "“3.4.2026” can be 2026-04-03 or 2026-03-04. Write the year first."],
    [next, `“${next}” is too late. The latest possible is ${today}.`],
  ]) {
    await field.fill(typed);
    await field.press("Enter");
    await page.getByRole("alert").getByText(told, { exact: true }).waitFor();
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  }
  expect(new URL(page.url()).hash).toBe("#/operations");
  await loadAxe(page);
  expect(await violations(page)).toEqual([]);
  await field.fill("29.11.2025");
  await field.press("Enter");
  await expect.poll(() => page.url()).toContain("to=2025-11-29T23");
  await expect.poll(() => page.locator("main .time-field .problem").count()).toBe(0);
  await field.fill("");
  await field.press("Enter");
  await expect.poll(() => new URL(page.url()).hash).toBe("#/operations");
});

test("the calendar chooses a day by keys alone, and none that is still to come", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.goto(`${plant.url}/#/operations?from=2026-05-12`);
  await page.getByLabel("From day, UTC").press("Tab");
  await page.keyboard.press("Enter");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await expect.poll(focused).toBe("12, 2026-05-12");
  for (const key of ["ArrowUp", "ArrowLeft", "PageUp"]) await page.keyboard.press(key);
  await expect.poll(focused).toBe("4, 2026-04-04");
  await loadAxe(page);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain("from=2026-04-04T00");
  await expect.poll(focused).toBe("Calendar");
  await expect.poll(() => page.locator(".popover-box").count()).toBe(0);
  const to = page.locator(".time-entry", { hasText: "To day, UTC" });
  await to.getByRole("button", { name: "Calendar" }).click();
  await expect.poll(focused).toContain(new Date().toISOString().slice(0, 10));
  await page.keyboard.press("ArrowRight");
  await expect.poll(focused).toContain(new Date().toISOString().slice(0, 10));
  await page.keyboard.press("Escape");
  await expect.poll(focused).toBe("Calendar");
});

test("times are of 24 hours whatever the language of the browser is", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.goto(`${plant.url}/#/trends?from=2026-05-20T13:05Z&to=2026-05-20T18:00Z`);
  await page.getByRole("button", { name: "Dates: 2026-05-20" }).click();
  const from = page.getByLabel("From (UTC)");
  await expect.poll(() => from.inputValue()).toBe("2026-05-20 13:05");
  await from.fill("20.05.2026 1430");
  await from.press("Enter");
  await expect.poll(() => page.url()).toContain("from=2026-05-20T14%3A30");
  await from.fill("2026-05-20 2:30 PM");
  await from.press("Enter");
  await page.getByText(/^“2026-05-20 2:30 PM” is no day and time\. Write them as 2026/).waitFor();
  // The calendar closes alone; its box stays.
  await page.getByRole("button", { name: "Calendar" }).first().click();
  await page.keyboard.press("Escape");
  await expect.poll(() => from.isVisible()).toBe(true);
  await page.goto(`${plant.url}/#/panel`);
  await page.getByText("Panel settings").click();
  await page.getByLabel("Night by the clock").check();
  const night = page.getByLabel("from", { exact: true });
  await expect.poll(() => night.inputValue()).toBe("19:00");
  await night.fill("7:00 PM");
  await night.press("Enter");
  await page.getByText("“7:00 PM” is no time of day.").waitFor();
  await night.fill("2030");
  await night.press("Enter");
  await expect.poll(() => night.inputValue()).toBe("20:30");
});

test("a day of trends by plain dates is that day, by the clock that is shown", async () => {
  await using east = await startPlant({ BALLASTD_SYSTEM_UTC_OFFSET: "+05:30" });
  await east.publish("telemetry", { timestamp: "2026-05-20T16:00Z", UVR_INTENSITY: 600 });
  await using view = await openPage(browser, east);
  const { page } = view;
  await page.locator("header .ship-time").waitFor();
  await page.goto(`${east.url}/#/trends?from=2026-05-20&to=2026-05-20`);
  const readings = page.locator(".chart .u-over");
  await readings.first().waitFor();
  await page.getByRole("button", { name: "Dates" }).click();
  await expect.poll(() => page.getByLabel("To (UTC)").inputValue()).toBe("2026-05-20 23:59");
  await page.keyboard.press("t");
  if ((await page.getByLabel(/^To \(/).count()) === 0)
    await page.getByRole("button", { name: "Dates" }).click();
  const [from, to] = ["From", "To"].map((end) => page.getByLabel(`${end} (ship's time UTC+05:30)`));
  await to?.waitFor();
  await expect.poll(() => from?.inputValue()).toBe("2026-05-20 00:00");
  await expect.poll(() => to?.inputValue()).toBe("2026-05-20 23:59");
  const asked = page.waitForRequest((request) => {
    return new URL(request.url()).searchParams.get("endDate") === "2026-05-19T18:29:59.999Z";
  });
  await page.evaluate(() => {
    window.location.hash = "#/operations?from=2026-05-19&to=2026-05-19";
  });
  const query = new URL((await asked).url()).searchParams;
  expect(query.get("startDate")).toBe("2026-05-18T18:30:00.000Z");
});

test.each(["alerts", "operations"])("a day of %s is taken away key by key", async (name) => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.goto(
    `${plant.url}/#/${name}?${listOf(name)}from=2026-05-01T00:00:00Z&to=2026-05-20T23:59:59.999Z`,
  );
  await page.getByLabel("To day, UTC").focus();
  await page.keyboard.press("End");
  for (const _ of "2026-05-20") await page.keyboard.press("Backspace");
  await page.getByLabel("From day, UTC").focus();
  await expect.poll(() => page.url()).not.toContain("to=");
  expect(page.url()).toContain("from=2026-05-01T");
});

test("a typed day gives way to another that is chosen before the field is left", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  const address = (last: string) => `#/trends?from=2026-05-01T00:00:00Z&to=${last}T23:59:59.999Z`;
  await page.goto(`${plant.url}/${address("2026-05-20")}`);
  await page.getByRole("button", { name: "Dates" }).click();
  const to = page.getByLabel("To (UTC)");
  await to.selectText();
  await page.keyboard.type("2026-06-15 23:59");
  await expect.poll(() => page.url()).toContain("to=2026-06-15T");
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, address("2026-05-18"));
  await expect.poll(() => to.inputValue()).toBe("2026-05-18 23:59");
  expect(await to.evaluate((field) => field === document.activeElement)).toBe(true);
});
