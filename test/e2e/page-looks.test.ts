// Every page in Chromium as people see it, against the built program: axe-core, what fits a narrow
// telephone in the longest language, targets for fingers, answers spoilt on their way, and the keys
// that are listed. `npm run bench -- --pages` does the same in all languages, palettes and widths.

import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Faults, tryPage } from "../../scripts/bench/pages/spoilt.ts";
import { loadConfig } from "../../src/config/load.ts";
import { launchBrowser, openPage, type Plant, startPlant } from "../rig/onboard-page.ts";
import { loadAxe, violations } from "../rig/page-axe.ts";
import { brokenWords, misfits, shownKeys, smallTargets, useFingers } from "../rig/page-layout.ts";
import { PAGES, paint, speak, turnTo } from "../rig/page-walk.ts";
import { printedRandom } from "../rig/random.ts";
import { LONG, sized } from "../rig/scale.ts";
import { PORTS, sail } from "../rig/treating-ship.ts";

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([launchBrowser(), startPlant()]);
  await sail(plant, { now_ms: Date.now(), port: PORTS.long });
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

/** Maximum length of the compressed script that the first view waits for. */
const FIRST_SCRIPT_MAX_BYTES = 40 * 1024;

test("the first script is small", async () => {
  const html = await (await fetch(`${plant.url}/`)).text();
  const [, script = ""] = /<script[^>]* src="([^"]+)"/.exec(html) ?? [];
  const code = await (await fetch(new URL(script, `${plant.url}/`))).arrayBuffer();
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(FIRST_SCRIPT_MAX_BYTES);
});

test("no page breaks a rule of WCAG 2.2 AA, by day and by night", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await speak(page, plant.url, "en");
  await loadAxe(page);
  const found: string[] = [];
  for (const name of PAGES) {
    await turnTo(page, name);
    found.push(...(await violations(page)).map((line) => `${name} day: ${line}`));
    await paint(page, "night");
    found.push(...(await violations(page, "colours")).map((line) => `${name} night: ${line}`));
    await paint(page, "day");
  }
  expect(found).toEqual([]);
  expect(view.complaints).toEqual([]);
});

test("the longest name of a ship has two lines of the head", LONG, async () => {
  await using long = await startPlant({ BALLASTD_SYSTEM_VESSEL: `MV ${"Wide ".repeat(25)}` });
  const heights = async (of: Plant) => {
    await using view = await openPage(browser, of);
    const found: number[] = [];
    for (const width of [390, 1024, 1280]) {
      await view.page.setViewportSize({ width, height: 800 });
      const box = await view.page.locator("header").boundingBox();
      found.push(Math.round(box?.height ?? Number.NaN));
    }
    return found;
  };
  const usual = await heights(plant);
  for (const [at, height] of (await heights(long)).entries())
    expect(height - usual[at], `${at}`).toBeLessThan(40);
});

test("at 360 px the longest language fits, and a finger hits what it means", LONG, async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await useFingers(page);
  await speak(page, plant.url, "pseudo");
  const found: string[] = [];
  for (const name of PAGES) {
    await turnTo(page, name);
    const small = [
      ...(await smallTargets(page, 44)),
      // For gloves.
      ...(name === "overview" ? await smallTargets(page, 56, "main") : []),
    ];
    found.push(...[...(await misfits(page)), ...small].map((fault) => `${name}: ${fault}`));
  }
  expect(found, found.join("\n")).toEqual([]);
});

test("no word is broken inside, no key stands for words, no jump ends below the bar", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 390, height: 844 });
  await useFingers(page);
  const { config } = loadConfig({ file: null, env: {}, defaultFile: null });
  const keys = Object.entries(config).flatMap(([table, members]) =>
    Object.keys(members).map((key) => `${table}.${key}`),
  );
  expect(keys.length).toBeGreaterThan(50);
  const found: string[] = [];
  // The longest words, and all in those of the others.
  for (const language of sized(["es"], ["en", "es"])) {
    await speak(page, plant.url, language);
    for (const name of PAGES) {
      await turnTo(page, name);
      const faults = [...(await brokenWords(page)), ...(await shownKeys(page, keys))];
      found.push(...[...faults, ...(await page.evaluate(covered))].map((one) => `${name}: ${one}`));
    }
  }
  expect(found, found.join("\n")).toEqual([]);
});

/** Headings that a jump to them leaves under the line of alerts; it runs in the page. */
function covered(): string[] {
  const bar = document.querySelector(".alert-bar.open");
  if (bar === null) return ["no alert is open"];
  return [...document.querySelectorAll("main h2, main h3")].flatMap((heading) => {
    // A sheet for the printer alone.
    if (heading.closest("[aria-hidden=true]") !== null) return [];
    heading.scrollIntoView();
    const under_px = bar.getBoundingClientRect().bottom - heading.getBoundingClientRect().top;
    return under_px > 1
      ? [`${heading.textContent} is ${Math.round(under_px)} px under the bar`]
      : [];
  });
}

test("the page of parts shows each of them, by day and by night and on a telephone", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.goto(`${plant.url}/#/parts`);
  for (const name of ["Panel: silent", "table", "LimitChart, SmallCurve", "form"])
    await page.getByText(name, { exact: true }).first().waitFor();
  await loadAxe(page);
  expect(await violations(page)).toEqual([]);
  await paint(page, "night");
  expect(await violations(page, "colours")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await misfits(page)).toEqual([]);
  expect(view.complaints).toEqual([]);
});

test("the word SIMULATED comes into the head without moving it", LONG, async () => {
  const readyz = JSON.stringify({ ready: true, reasons: [], simulated: true });
  await using view = await openPage(browser, plant, { "/readyz": readyz });
  await view.page.getByText("SIMULATED").waitFor();
  await using real = await openPage(browser, plant);
  await real.page.locator("[data-test=verdict]").waitFor();
  for (const width of [390, 1280]) {
    const heights = [view, real].map(async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      return page.locator("header").evaluate((head) => head.getBoundingClientRect().height);
    });
    const [marked, plain] = await Promise.all(heights);
    expect(marked).toBe(plain);
  }
});

test("a spoilt answer breaks one panel of one page, and is told", LONG, async () => {
  const random = printedRandom("spoilt answers");
  const found: Faults = { blank: [], uncaught: [], spread: [] };
  const tryOne = async (name: string) => {
    await using context = await browser.newContext();
    const page = await context.newPage();
    await tryPage(page, { url: plant.url, name, random, rounds: sized(4, 8) }, found);
  };
  await Promise.all(["overview", "alerts"].map(tryOne));
  expect(found).toEqual({ blank: [], uncaught: [], spread: [] });
});
