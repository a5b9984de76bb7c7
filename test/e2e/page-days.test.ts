// Days typed key by key in Debian's Chromium against the built program: the browser's Back leaves
// the page at once, because no key is a step of its own; and the day is the one that was typed,
// from a quick hand and from a slow one, between whose keys the page is drawn again.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, startPlant } from "../rig/onboard-page.ts";

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

const TYPED = DAYS.flatMap((day) => HANDS.map((hand) => ({ ...day, ...hand })));

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
  // As a browser of American English has them: month, day, year.
  await page.getByLabel(to).focus();
  await page.keyboard.type(name === "trends" ? "05302026" : "05302027", { delay });
  await page.getByLabel(from).focus();
  await page.keyboard.type("04022026", { delay });
  await expect.poll(() => page.url()).toContain("from=2026-04-02T");
  // Trends show nothing of the future.
  expect(page.url()).toContain(name === "trends" ? "to=2026-05-30T" : "to=2027-05-30T");
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
    expect(await page.getByLabel(label).inputValue()).toBe("2026-05-20");
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
  expect(await page.getByLabel("To (UTC)").inputValue()).toBe("2026-05-20");
  await page.keyboard.press("t");
  if ((await page.getByLabel(/^To \(/).count()) === 0)
    await page.getByRole("button", { name: "Dates" }).click();
  const [from, to] = ["From", "To"].map((end) => page.getByLabel(`${end} (ship's time UTC+05:30)`));
  await to?.waitFor();
  expect(await from?.inputValue()).toBe("2026-05-20");
  expect(await to?.inputValue()).toBe("2026-05-20");
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
  for (const key of ["Backspace", "ArrowRight", "Backspace", "ArrowRight", "Backspace"])
    await page.keyboard.press(key);
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
  await to.focus();
  await page.keyboard.type("06152026");
  await expect.poll(() => page.url()).toContain("to=2026-06-15T");
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, address("2026-05-18"));
  await expect.poll(() => to.inputValue()).toBe("2026-05-18");
  expect(await to.evaluate((field) => field === document.activeElement)).toBe(true);
});
