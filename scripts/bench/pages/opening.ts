// From an address typed to a verdict that stands: cold browser cache, warm server, 24 months of
// readings behind it. Then eight tabs of one browser at once, and every page for a look at what it
// asks of others and complains of.

import { openPage } from "../../../test/rig/onboard-page.ts";
import { coldSheet } from "./cold-sheet.ts";
import { paintOf, slowNetwork, slowProcessor, watchPaints } from "./painted.ts";
import { failures, type Group, type Row, times } from "./row.ts";
import type { Stage } from "./stage.ts";

/** Drawn with the verdict, once the overview's answer is there. */
const AGE = '[data-test="age"]';
const OPENINGS = 12;
const SLOW_OPENINGS = 6;
const TABS = 8;
const TAB_ROUNDS = 4;

export const opening: Group = {
  name: "opening",
  about:
    "time until the verdict stands, eight tabs, the sheet after a start, other hosts, complaints",
  measure: async (stage) => {
    const { url } = await stage.history();
    await openOnce(stage, url);
    const quick = await repeated(OPENINGS, () => openOnce(stage, url));
    const slow = await repeated(SLOW_OPENINGS, () => openOnce(stage, url, true));
    const tabs_ms = await repeated(TAB_ROUNDS, () => openTabs(stage, url));
    const painted = "verdict and age painted";
    const slowed = "processor a quarter, 10 Mbit/s, 40 ms";
    const values_ms = quick.map(({ took_ms }) => took_ms);
    const slow_ms = slow.map(({ took_ms }) => took_ms);
    return [
      requestRow(quick.map(({ paths }) => paths)),
      times(painted, { most: 250, by: "median", values_ms }),
      times(`${painted}: ${slowed}`, { most: 900, by: "median", values_ms: slow_ms }),
      times("eight tabs of one browser drawn", { most: 2000, by: "worst", values_ms: tabs_ms }),
      await coldSheet(stage),
      ...(await strangers(stage, url)),
    ];
  },
};

async function repeated<T>(count: number, run: () => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (let index = 0; index < count; index += 1) found.push(await run());
  return found;
}

interface Opening {
  readonly took_ms: number;
  /** All that was asked for before the verdict stood, but the icon. */
  readonly paths: readonly string[];
}

async function openOnce({ browser }: Stage, url: string, isSlow = false): Promise<Opening> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  if (isSlow) {
    await slowProcessor(session, 4);
    await slowNetwork(session);
  }
  await watchPaints(page, AGE);
  await page.goto(url, { waitUntil: "commit" });
  const { changed_ms, at_ms } = await paintOf(page, () => true);
  const asked = await page.evaluate(
    (end_ms) =>
      performance
        .getEntriesByType("resource")
        .filter(({ startTime }) => startTime + performance.timeOrigin < end_ms)
        .map(({ name }) => name),
    changed_ms,
  );
  const origin_ms = await page.evaluate(() => performance.timeOrigin);
  await context.close();
  // The verdict doesn't wait for the icon, which a browser asks for when it likes.
  const paths = ["/", ...asked.map((name) => new URL(name).pathname)].filter(isNoIcon);
  return { took_ms: at_ms - origin_ms, paths };
}

const isNoIcon = (name: string) => !/\/icon-[^/]*\.svg$/.test(name);

function requestRow(all: readonly (readonly string[])[]): Row {
  const most = [...all].sort((one, other) => other.length - one.length)[0] ?? [];
  const figures = { measured: most.length, spread: null, isHard: false };
  const what = "requests until the verdict stands";
  return {
    what,
    unit: "requests",
    goal: { most: 4 },
    ...figures,
    note: `without the icon: ${most.join(" ")}`,
  };
}

/** From the first address given to the last verdict; every tab is a visible one. */
async function openTabs({ browser }: Stage, url: string): Promise<number> {
  const context = await browser.newContext();
  const pages = await repeated(TABS, () => context.newPage());
  for (const page of pages) await watchPaints(page, AGE);
  const began_ms = Date.now();
  const painted = await Promise.all(
    pages.map(async (page) => {
      await page.goto(url, { waitUntil: "commit" });
      return (await paintOf(page, () => true)).at_ms;
    }),
  );
  await context.close();
  return Math.max(...painted) - began_ms;
}

async function strangers({ browser }: Stage, url: string): Promise<readonly Row[]> {
  await using view = await openPage(browser, { url });
  await view.page.locator(AGE).waitFor();
  const hrefs = await view.page
    .locator("nav.pages a")
    .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
  for (const href of hrefs) {
    await view.page.goto(`${url}/${href}`);
    await view.page.locator(`a[aria-current="page"][href="${href}"]`).first().waitFor();
    await view.page.waitForTimeout(1000);
  }
  const others = view.hosts().filter((host) => host !== new URL(url).host);
  return [
    failures("requests to any other host, all pages", "hosts", others),
    failures("errors in the console, all pages", "errors", view.complaints),
  ];
}
