// The pages of the dashboard as a check visits them: by their address, in a language, until their
// answers are there.

import type { Page } from "playwright-core";
import { isPageName, railNameOf } from "../../src/dashboard/shell/page-names.ts";
import { REFRESH } from "./onboard-page.ts";

export const PAGES = [
  ...["overview", "trends", "lamps", "alerts", "operations", "health"],
  ...["handover", "record-book", "inspection", "export", "system", "search", "first-watch"],
] as const;
export const PALETTES = ["day", "dusk", "night", "bright"] as const;
export const LANGUAGES = ["en", "ja", "ko", "es", "pt"] as const;

/** Loads the dashboard in a language, `pseudo` among them. */
export async function speak(page: Page, url: string, language: string): Promise<void> {
  await page.goto(`${url}/?lang=${language}#/overview`);
  await page.locator("[data-test=verdict]").waitFor();
}

/** Opens a page by its address and waits until it asks for nothing more. */
export async function turnTo(page: Page, name: string): Promise<void> {
  const asked = page.waitForEvent("request", { timeout: 1_000 }).catch(() => null);
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/${name}`);
  const place = name.split("?")[0] ?? "";
  const rail = isPageName(place) ? railNameOf(place) : place;
  await page.locator(`a[aria-current="page"][href="#/${rail}"]`).first().waitFor({
    state: "attached",
  });
  await asked;
  await settle(page);
}

/** Waits until no panel says that it is asking, and two frames have been drawn. */
export async function settle(page: Page): Promise<void> {
  await page
    .waitForFunction(() => document.querySelector("main section, main .problem") !== null)
    .catch(() => undefined);
  await page.waitForTimeout(250);
  await drawn(page);
}

/** Waits until two frames have been drawn, and what follows a drawing is done. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))),
      ),
  );
}

/** A view that isn't drawn for so long is asked for again. */
const AGAIN_MS = 5000;

/**
 * Opens a view of Trends, waits until its points are drawn; those of the view before go first. A
 * gesture that comes to rest meanwhile writes its own address over it, and it is asked for again.
 */
export async function showTrends(page: Page, query: string, level: RegExp): Promise<void> {
  const shownLevel = page.locator('[data-test="level"]');
  const replace = (hash: string) => page.evaluate((to) => window.location.replace(to), hash);
  const none = page.getByText("No field is chosen");
  let isNone = false;
  while (!isNone) {
    await replace("#/trends?fields=");
    isNone = await none.waitFor({ timeout: AGAIN_MS }).then(
      () => true,
      () => false,
    );
  }
  await replace(`#/trends?${query}`);
  await shownLevel.filter({ hasText: level }).first().waitFor(REFRESH);
  await drawn(page);
}

/** Changes the palette in place, as the menu does, without its memory. */
export function paint(page: Page, palette: string): Promise<void> {
  return page.evaluate((name) => {
    document.documentElement.dataset.palette = name;
  }, palette);
}
