// The page Lamps in Debian's Chromium against the built program: a lamp's life, two lamps
// compared, and "lamp replaced" as an engineer says it on a telephone at the cabinet.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TrackRecord } from "../../src/bwts/lamps/track-record.ts";
import { FLEET_START_MS, openFleet } from "../rig/fleet.ts";
import { voyage } from "../rig/lamps-aboard.ts";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { printedRandom } from "../rig/random.ts";

const TOKEN = "engineers-own-token";

let browser: Browser;
let plant: Plant;
const fleet = openFleet(printedRandom("page-lamps"), (lamp) => 100 * lamp);
beforeAll(async () => {
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({ BALLASTD_AUTH_TOKEN: TOKEN }),
  ]);
  const readings = voyage(fleet, 18);
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

test("a lamp's life is told in figures and drawn to its end, beside another's", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, "#/lamps");
  const outlooks = await (await fetch(`${plant.url}/api/predictions?limit=16`)).json();
  const left = (lamp: number): number =>
    Math.round(outlooks[lamp - 1].predictions.remaining_useful_life_hours);
  const rows = page.locator(".lamp-list tbody tr");
  await expect.poll(() => rows.count(), REFRESH).toBe(16);
  const row = rows.filter({ has: page.getByRole("link", { name: "Lamp 16" }) });
  await row.getByRole("button", { name: String(left(16)), exact: true }).waitFor(REFRESH);
  // A number opens the reading that it follows from.
  for (const number of [
    row.getByRole("button").first(),
    page.locator(".lamp-facts button").nth(2),
  ]) {
    await number.click();
    const evidence = page.getByRole("dialog", { name: /^Evidence: Lamp \d\d, / });
    await evidence.getByText("Not sealed yet").waitFor(REFRESH);
    await page.keyboard.press("Escape");
    await evidence.waitFor({ state: "detached", ...REFRESH });
    await expect
      .poll(() => number.evaluate((one) => one === document.activeElement), REFRESH)
      .toBe(true);
  }
  await page.getByRole("link", { name: "Lamp 16" }).click();
  await page.getByRole("heading", { name: "Lamp 16 row 7 from the top, alone in it" }).waitFor();
  await page.getByRole("img", { name: new RegExp(`^Lamp 16: .*, ${left(16)} h left`) }).waitFor();
  await expect.poll(() => page.locator(".life-curve .first .band").count(), REFRESH).toBe(1);
  await page.getByLabel("Compare with").selectOption("13");
  await page.getByRole("img", { name: new RegExp(`Lamp 13: .*, ${left(13)} h left`) }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expect.poll(() => page.url(), REFRESH).toMatch(/lamp=16&with=13$/);
  await page.getByRole("link", { name: "Values" }).click();
  const values = page.locator("[data-test=values] tbody tr");
  await expect.poll(() => values.count(), REFRESH).toBeGreaterThan(30);
  // A point opens its readings, and each of these its evidence.
  const evidence = page.getByRole("dialog");
  await values.nth(10).getByRole("button").click();
  await evidence.getByText(/^Readings at this time: [1-9]/).waitFor(REFRESH);
  const trends = evidence.getByRole("link", { name: "In Trends" });
  await expect.poll(() => trends.getAttribute("href")).toContain("fields=LAMP_16_EFFICIENCY&from=");
  await evidence.locator(".bucket-readings button").first().click();
  await evidence.getByText("by the plant's clock").waitFor(REFRESH);
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("heading", { name: /^Lamp 15 row 6 from the top, number 2 of 2/ }).waitFor();
  await page.getByRole("link", { name: "Track record" }).click();
  await page.getByText("Forecasts scored").waitFor();
  await page.getByRole("link", { name: "Why is the UV low?" }).waitFor();
  expect(view.complaints).toEqual([]);
});

test("who has a token says at the cabinet that a lamp was replaced, and sees it", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, "#/lamps?lamp=13");
  await page.getByRole("button", { name: "Lamp 13 was replaced" }).click();
  await page.getByText(/^Lamp 13: row 5 from the top, number 3 of 3/).waitFor();
  // Whoever has a keyboard alone goes on from there.
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  await expect.poll(focused, REFRESH).toMatch(/^Lamp 13: row 5 from the top, number 3 of 3/);
  await page.getByLabel("Hours of the fitted lamp when it was fitted").fill(" ");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator(".replacement .problem").waitFor();
  await page.getByLabel("Hours of the fitted lamp when it was fitted").fill("0");
  const last_ms = Date.parse(String(fleet.operate()[0].timestamp));
  const [day, minute] = new Date(last_ms).toISOString().split("T");
  const moment = page.getByLabel("Day and time of the replacement, UTC");
  await moment.fill(`${day} ${minute.slice(0, 5)}`);
  await page.getByLabel("Serial number of the fitted lamp").fill("A-1723");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(/ h\. It was replaced at \d{4}.*UTC\. Is that right\?/).waitFor();
  await page.getByRole("button", { name: "Yes, Lamp 13 was replaced" }).click();
  await page.getByLabel("Token").fill("wrong");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(/^This token isn’t valid/).waitFor();
  await page.getByLabel("Token").fill(TOKEN);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Lamp 13: the replacement is stored.").waitFor();
  await page.getByText("Output after: — until the next reading of treatment.").waitFor();
  const doubt = page.locator("[data-test=counter-doubt]");
  await doubt.getByText(/^The PLC's counter of lamp 13 stands at [1-9]\d* h/).waitFor(REFRESH);
  const timestamp = new Date(last_ms + 600_000).toISOString();
  const lit = { LAMP_13_STATUS: "ACTIVE", LAMP_13_EFFICIENCY: 99.5, LAMP_13_RUNTIME: 0.2 };
  await plant.publish("telemetry", { timestamp, PROCESS_STATE: "RUNNING", ...lit });
  await page.getByText(/^Output after: 99\.5.%$/).waitFor(REFRESH);
  await doubt.waitFor({ state: "detached", ...REFRESH });
  await plant.program.waitUntil("the word is told", async () => {
    const { lamps } = await (await fetch(`${plant.url}/api/lamps`)).json();
    const { began_by, serial } = lamps[12].present;
    return began_by === "confirmed" && serial === "A-1723";
  });
  await page.locator(".replacement").getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Lamp 13 was replaced" }).waitFor();
  // The hours of the lamp before, and the track record, open its readings.
  const evidence = page.getByRole("dialog");
  await page.getByRole("link", { name: "Earlier lamps" }).click();
  const past = page.locator("table", { hasText: "Earlier lamps here" });
  await past.getByRole("button").first().click(REFRESH);
  await evidence.getByText(/^Readings at this time: [1-9]/).waitFor(REFRESH);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Track record" }).click();
  await page.locator(".record-panel dd button").first().click();
  await evidence.getByRole("button", { name: /^Lamp 13: 20.* to 20/ }).click();
  await evidence.getByText(/^Readings at this time: [1-9]/).waitFor(REFRESH);
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(`${kept} ${urls.join(" ")}`).not.toContain(TOKEN);
});

test("after an update the present model's record stands apart from the one before", async () => {
  const record = JSON.stringify(TrackRecord.meta()?.example);
  await using view = await openPage(browser, plant, { "/api/predictions/track-record": record });
  await open(view.page, "#/lamps?show=record");
  const table = view.page.locator('[data-test="models"]');
  await table.waitFor(REFRESH);
  await expect
    .poll(() => table.locator("tbody th").allTextContents())
    .toEqual(["lamps-9", "lamps-8"]);
  const [present] = await table.locator("tbody tr").allTextContents();
  expect(present).toMatch(/^lamps-9120\D*91\D/);
});

test("the life of the lamp that is compared follows the engineer's word", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "#/lamps?lamp=1&with=10");
  const hoursOf = async () => {
    const { lives } = await (await fetch(`${plant.url}/api/lamps/10/curve`)).json();
    return Math.round(lives[0].hours);
  };
  const drawn = (hours: number) =>
    page.getByRole("img", { name: new RegExp(`Lamp 10: .* after ${hours} h`) }).waitFor(REFRESH);
  const before = await hoursOf();
  await drawn(before);
  const at = new Date(FLEET_START_MS + 100 * 86_400_000).toISOString();
  const told = await fetch(`${plant.url}/admin/lamps/10/replacement`, {
    method: "POST",
    headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify({ at, hours: 0 }),
  });
  expect(told.status).toBe(200);
  await expect.poll(hoursOf, REFRESH).toBeLessThan(before);
  await drawn(await hoursOf());
});

async function open(page: Page, hash: string): Promise<void> {
  await page.evaluate((given) => {
    window.location.hash = given;
  }, hash);
  await page.getByRole("heading", { name: "Lamps", exact: true }).waitFor(REFRESH);
}
