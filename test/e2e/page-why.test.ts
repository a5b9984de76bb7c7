// The page Why in Chromium, against the built program: of a ship whose lamp failed and of one whose
// sleeves are fouled the row that counts, the sum, what to do, and how it looks.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { type DimState, lightOf, publishDim, WELL, weekApart } from "../rig/dim-ship.ts";
import { launchBrowser, openPage, REFRESH } from "../rig/onboard-page.ts";
import { loadAxe, violations } from "../rig/page-axe.ts";
import { misfits } from "../rig/page-layout.ts";
import { LANGUAGES, paint, speak } from "../rig/page-walk.ts";
import { openLightMeter } from "../rig/picture-light.ts";
import { LONG } from "../rig/scale.ts";

const FAILED: Partial<DimState> = { failed: [7, 9], water: 0.8 };
const FOULED: Partial<DimState> = { sleeves: 0.37, since_cleaning_h: 61 * 24 };

let browser: Browser;
let lampsOut: Appliance;
let fouled: Appliance;

async function shipWith(changes: Partial<DimState>): Promise<Appliance> {
  const appliance = await startAppliance();
  const end_ms = Math.floor(Date.now() / 60_000) * 60_000;
  await publishDim(appliance, weekApart(end_ms, changes), 1);
  return appliance;
}

beforeAll(async () => {
  [browser, lampsOut, fouled] = await Promise.all([
    launchBrowser(),
    shipWith(FAILED),
    shipWith(FOULED),
  ]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([lampsOut, fouled].map((each) => each[Symbol.asyncDispose]()));
});

/** Opens the page and waits for its rows. */
async function openWhy(page: Page, query = ""): Promise<void> {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/why${query}`);
  await page.locator(".waterfall li").nth(5).waitFor(REFRESH);
}

const row = (page: Page, cause: string) => page.locator(`.waterfall li.${cause}`);

/** A number of the page, whose minus is a sign of its own. */
const numberIn = (text: string | null) => Number((text ?? "").replace("\u2212", "-"));

/** The parts of the table behind the bars, 0 for one that isn't known, and their sum. */
async function partsIn(page: Page): Promise<readonly [parts: number, sum: number]> {
  await page.locator(".causes-panel summary").click();
  const cells = await page.locator(".causes-panel tbody td.number").allTextContents();
  const values = cells.map((text) => (text === "—" ? 0 : numberIn(text)));
  const parts = values.slice(0, -1).reduce((sum, value) => sum + value, 0);
  return [parts, values.at(-1) ?? Number.NaN];
}

test("lamps that failed and turbid water have their rows, which add up to the loss", async () => {
  await using view = await openPage(browser, lampsOut);
  const { page } = view;
  await openWhy(page);
  await expect.poll(() => row(page, "lamps").textContent()).toContain("lamps 07, 09 failed");
  await expect.poll(() => row(page, "water").textContent()).toContain("factor 0.8, was 0.95");
  const [now, before] = [lightOf({ ...WELL, ...FAILED }), lightOf(WELL)];
  const [parts, sum] = await partsIn(page);
  expect(parts).toBeCloseTo(sum, 5);
  expect(Math.abs(sum - (now - before))).toBeLessThan(3);
  const head = await page.locator(".why-head").textContent();
  expect(head).toContain("Why is the UV low?");
  expect(head).toMatch(/compared with operation \d+, Port Hedland, .*616 → \d+ W\/m²/);
  const acts = await page.locator(".do-first-panel li").allTextContents();
  expect(acts.join("\n")).toMatch(/Change lamps 07, 09\. Expect \+\d+ to \d+ W\/m²\./);
  // It is above its limit already.
  expect(acts.join("\n")).not.toContain("above the IMO limit");
  await expect
    .poll(() => page.locator(".rests-on-panel").textContent())
    .toContain("5 readings of this");
  // It belongs to the overview.
  await page.locator('nav a[aria-current="page"][href="#/overview"]').first().waitFor();
  expect(view.complaints).toEqual([]);
});

test("fouled sleeves are the row, below the limit, without an invented gain", async () => {
  await using view = await openPage(browser, fouled);
  const { page } = view;
  await openWhy(page);
  await row(page, "sleeves").and(page.locator(".worst")).waitFor();
  const sleeves = await row(page, "sleeves").textContent();
  expect(sleeves).toContain("61 days since the cleaning");
  expect(sleeves).toContain("by exclusion");
  await expect.poll(() => row(page, "sensor").textContent()).toContain("cannot tell");
  const ends = page.locator(".waterfall .ends").last();
  await expect.poll(() => ends.textContent()).toContain("IMO limit 252");
  const first = await page.locator(".do-first-panel li").first().textContent();
  expect(first).toContain("Wipe the sleeves or start a CIP.");
  expect(first).toContain("check that the UV rises");
  expect(first).not.toMatch(/\+\d/);
});

test("UV that isn't low is called so, and no remedy is proposed", async () => {
  await using view = await openPage(browser, lampsOut);
  const { page } = view;
  const known = await (await fetch(`${lampsOut.url}/api/diagnosis`)).json();
  const { comparison } = known;
  const before = { ...comparison.before, intensity_w_m2: comparison.now.intensity_w_m2 };
  const body = { ...known, comparison: { ...comparison, before, change_w_m2: 0 } };
  await page.route("**/api/diagnosis", (route) => route.fulfill({ json: body }));
  await openWhy(page);
  await page.getByRole("heading", { name: "UV isn't low" }).waitFor(REFRESH);
  const first = await page.locator(".do-first-panel").textContent();
  expect(first).toMatch(/UV is \d+ W\/m², above the IMO limit of 252 W\/m²/);
  expect(first).not.toContain("Change lamp");
});

test("another operation is compared by a choice, and an odd address is reported", async () => {
  await using view = await openPage(browser, lampsOut);
  const { page } = view;
  await openWhy(page);
  const choice = page.getByLabel("Compare with");
  await expect.poll(() => choice.locator("option").count(), REFRESH).toBe(2);
  await choice.selectOption({ index: 1 });
  await expect.poll(() => page.url(), REFRESH).toContain("compare=");
  await page.locator(".waterfall li").nth(5).waitFor(REFRESH);
  // Before the first reading nothing is known.
  await page.evaluate(() => {
    window.location.hash = "#/why?at=2020-01-01T00:00:00.000Z";
  });
  await page.getByText("Cannot tell: there is no reading of treated water").waitFor(REFRESH);
  await page.evaluate(() => {
    window.location.hash = "#/why?compare=9999";
  });
  await page.locator(".causes-panel .problem").waitFor(REFRESH);
});

test("an odd answer is reported, and leaves the frame and the choice", async () => {
  await using view = await openPage(browser, lampsOut, { "/api/diagnosis": '{"comparison": 5}' });
  const { page } = view;
  await page.evaluate(() => {
    window.location.hash = "#/why";
  });
  await page.getByText("unexpected answer from /api/diagnosis").waitFor(REFRESH);
  await page.getByLabel("Compare with").waitFor(REFRESH);
});

test("it breaks no rule of WCAG, fits a telephone, and is dark at night", LONG, async () => {
  await using view = await openPage(browser, fouled);
  const { page } = view;
  await using meter = await openLightMeter(browser);
  await openWhy(page);
  await loadAxe(page);
  await page.locator(".causes-panel summary").click();
  const found: string[] = [];
  for (const palette of ["day", "dusk", "night", "bright"]) {
    await paint(page, palette);
    const rules = palette === "day" ? undefined : "colours";
    found.push(...(await violations(page, rules)).map((line) => `${palette}: ${line}`));
  }
  await paint(page, "night");
  const { mean } = await meter.read((await page.screenshot()).toString("base64"));
  expect(mean).toBeLessThan(0.02);
  await page.setViewportSize({ width: 360, height: 740 });
  for (const language of [...LANGUAGES, "pseudo"]) {
    await speak(page, fouled.url, language);
    await openWhy(page);
    found.push(...(await misfits(page)).map((fault) => `${language}: ${fault}`));
  }
  expect(found).toEqual([]);
});
