// Rows of the night: each page in the palette of night, filmed by the DevTools protocol from the
// start of its navigation until it stands, and once more with the dimmer at its lowest. Red pixels
// are looked for while no alert is open.

import type { Page } from "playwright-core";
import { PAGES, settle } from "../../../test/rig/page-walk.ts";
import { type Light, type LightMeter, openLightMeter } from "../../../test/rig/picture-light.ts";
import { sail } from "../../../test/rig/treating-ship.ts";
import { failures, type Group, type Row } from "./row.ts";

/** The frames of a page that is being loaded come within that time. */
const FILMED_MS = 1_500;

export const night: Group = {
  name: "night",
  about: "light of every frame of every page at night, and where red is",
  async measure(stage) {
    await using ship = await stage.empty();
    await using meter = await openLightMeter(stage.browser);
    const context = await stage.browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(ship.url);
    await remember(page, { palette: "night" });
    const red: string[] = [];
    for (const name of PAGES) {
      await load(page, ship.url, name);
      const light = await meter.read((await page.screenshot()).toString("base64"));
      if (light.red > 0) red.push(`${name}: ${light.red} pixels`);
    }
    await sail(ship, { now_ms: Date.now() });
    const frames: Light[] = [];
    const still: Light[] = [];
    for (const name of PAGES) {
      frames.push(...(await filmed(page, meter, () => load(page, ship.url, name))));
      still.push(await meter.read((await page.screenshot()).toString("base64")));
    }
    await remember(page, { brightness: "35" });
    const dimmed: Light[] = [];
    for (const name of PAGES) {
      await load(page, ship.url, name);
      dimmed.push(await meter.read((await page.screenshot()).toString("base64")));
    }
    await context.close();
    return [
      most(`mean light of any frame from navigation on, ${frames.length} frames`, 2, [
        ...frames.map(({ mean }) => 100 * mean),
      ]),
      most("mean light of any page", 2, [...still.map(({ mean }) => 100 * mean)]),
      most(
        "mean light with the dimmer at its lowest",
        0.5,
        dimmed.map(({ mean }) => 100 * mean),
      ),
      most(
        "the brightest pixel",
        46,
        [...frames, ...still].map((one) => 100 * one.brightest),
      ),
      failures("pages with red though no alert is open", "pages", red),
    ];
  },
};

async function load(page: Page, url: string, name: string): Promise<void> {
  // Another query, so that it is a navigation and not a step within the page.
  await page.goto(`${url}/?from=${name}#/${name}`);
  await page.locator("main section").first().waitFor();
  await settle(page);
}

function remember(page: Page, choices: Readonly<Record<string, string>>): Promise<void> {
  return page.evaluate((given) => {
    for (const [name, value] of Object.entries(given))
      localStorage.setItem(`ballastd.${name}`, value);
  }, choices);
}

async function filmed(page: Page, meter: LightMeter, act: () => Promise<void>) {
  const session = await page.context().newCDPSession(page);
  const pictures: string[] = [];
  session.on("Page.screencastFrame", ({ data, sessionId }) => {
    pictures.push(data);
    // The last frames come when the film has ended.
    session.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
  });
  await session.send("Page.startScreencast", { format: "png", everyNthFrame: 1 });
  await act();
  await page.waitForTimeout(FILMED_MS);
  await session.send("Page.stopScreencast");
  await session.detach();
  const lights: Light[] = [];
  for (const picture of pictures) lights.push(await meter.read(picture));
  return lights;
}

function most(what: string, goal: number, values: readonly number[]): Row {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  const spread = { median: at(0.5), p95: at(0.95), worst: at(1), count: sorted.length };
  const figures = { measured: spread.worst, spread, isHard: true, note: null };
  return { what, unit: "% of white", goal: { most: goal }, ...figures };
}
