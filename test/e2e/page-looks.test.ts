// Every page in Chromium as people see it, against the built program: axe-core, what fits a narrow
// telephone in the longest language, targets for fingers, answers spoilt on their way, and the keys
// that are listed. `npm run bench -- --pages` does the same in all languages, palettes and widths.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Faults, tryPage } from "../../scripts/bench/pages/spoilt.ts";
import { launchBrowser, openPage, type Plant, startPlant } from "../rig/onboard-page.ts";
import { loadAxe, violations } from "../rig/page-axe.ts";
import { misfits, smallTargets, useFingers } from "../rig/page-layout.ts";
import { PAGES, paint, speak, turnTo } from "../rig/page-walk.ts";
import { printedRandom } from "../rig/random.ts";
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

test("at 360 px the longest language fits, and a finger hits what it means", async () => {
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

test("a spoilt answer breaks one panel of one page, and is told", async () => {
  const random = printedRandom("spoilt answers");
  const found: Faults = { blank: [], uncaught: [], spread: [] };
  const tryOne = async (name: string) => {
    await using context = await browser.newContext();
    const page = await context.newPage();
    await tryPage(page, { url: plant.url, name, random, rounds: 8 }, found);
  };
  await Promise.all(["overview", "alerts"].map(tryOne));
  expect(found).toEqual({ blank: [], uncaught: [], spread: [] });
});
