// The fleet's page with thousands of ships, in Chromium: paged and found at once; and no rule of
// WCAG is broken in the longest language.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolders } from "../rig/database.ts";
import { SHIPS, type ShipsServed, startShips } from "../rig/fleet-ships.ts";
import { launchBrowser, openPage, REFRESH, type View } from "../rig/onboard-page.ts";
import { loadAxe, violations } from "../rig/page-axe.ts";
import { misfits, smallTargets, useFingers } from "../rig/page-layout.ts";
import { LANGUAGES, paint } from "../rig/page-walk.ts";

const { WELL } = SHIPS;

let ships: ShipsServed;
let url: string;
let browser: Browser;
let view: View;
let page: Page;

beforeAll(async () => {
  [ships, browser] = await Promise.all([startShips(), launchBrowser()]);
  url = ships.url;
  view = await openPage(browser, { url });
  page = view.page;
});
afterAll(async () => {
  await view?.[Symbol.asyncDispose]();
  await browser?.close();
  await ships?.[Symbol.asyncDispose]();
  removeFolders();
});

const row = (imo: string) => page.locator(`[data-test="ship-${imo}"]`);

const waitFor = (part: string, text: string | RegExp) =>
  page.locator(part).filter({ hasText: text }).first().waitFor(REFRESH);

test("no rule of WCAG 2.2 AA is broken, and the longest language fits a telephone", async () => {
  const found: string[] = [];
  const shown = async (hash: string, language: string) => {
    await page.goto(`${url}/?lang=${language}${hash}`);
    await page.locator("main section").first().waitFor(REFRESH);
    if (hash.includes("ship?"))
      await page.locator('.chart[data-points="30"]').first().waitFor(REFRESH);
  };
  for (const hash of ["#/fleet", `#/ship?imo=${WELL}`]) {
    await shown(hash, "en");
    await loadAxe(page);
    found.push(...(await violations(page)).map((line) => `${hash} ${line}`));
    for (const palette of ["dusk", "night"]) {
      await paint(page, palette);
      found.push(...(await violations(page, "colours")).map((line) => `${palette} ${line}`));
    }
  }
  await useFingers(page);
  await page.setViewportSize({ width: 360, height: 740 });
  for (const hash of ["#/fleet", `#/ship?imo=${WELL}`]) {
    await shown(hash, "pseudo");
    const faults = [...(await misfits(page)), ...(await smallTargets(page, 44))];
    found.push(...faults.map((fault) => `${hash} ${fault}`));
  }
  expect(found).toEqual([]);
  const titles = new Set<string>();
  for (const language of LANGUAGES) {
    await shown("#/fleet", language);
    titles.add((await page.locator("h1").textContent()) ?? "");
    expect(await page.evaluate(() => document.documentElement.scrollWidth), language).toBe(360);
  }
  expect(titles.size).toBe(LANGUAGES.length);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test("thousands of ships are paged and found at once; a server that is away is told", async () => {
  await ships.fleet.psql(`insert into fleet.ship (ship, role, name)
    select to_char(n, 'FM0000000'), 'many_' || n, 'MV MANY ' || n
    from generate_series(1, 5000) as n`);
  await page.goto(`${url}/?lang=en#/fleet`);
  const count = page.locator('[data-test="count"]');
  await count.filter({ hasText: "5007 ships" }).waitFor(REFRESH);
  await expect.poll(() => page.locator("tbody tr").count()).toBe(50);
  await page.keyboard.press("/");
  await page.keyboard.insertText("many 4321");
  await count.filter({ hasText: /^1 ship$/ }).waitFor(REFRESH);
  await row("0004321").waitFor(REFRESH);
  await ships.served.stop("SIGTERM");
  await waitFor('[data-test="lost"]', "is old");
  await expect.poll(() => page.locator(".told.old").count()).toBe(1);
  await row("0004321").waitFor(REFRESH);
});
