// Makes the pictures of README.md and of the manual from the program as it is: `npm run picture`
// starts the demo on other ports in a temporary folder, waits until her history is in, and
// photographs the pages. The ship and the demo's clock are the same each time, so that a picture
// differs where the page does, and in seconds of age. Words name those to be made; with `--all` it
// takes every page by day and night, on a screen and a telephone, into dist/pictures/, and fails if
// a text leaves its box.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { fakeClock } from "../test/rig/fake-clock.ts";
import { launchBrowser } from "../test/rig/onboard-page.ts";
import { misfits } from "../test/rig/page-layout.ts";
import { PAGES } from "../test/rig/page-walk.ts";
import { orUsage } from "./command.ts";
import { indexed } from "./picture/indexed-png.ts";

/** One picture: its name and the page's address, in what it differs from 1280 px by day. */
interface Shot {
  readonly name: string;
  readonly address: string;
  readonly width?: number;
  /** Longer pages are cut there. */
  readonly height?: number;
  readonly palette?: "day" | "night";
  readonly prepare?: (page: Page) => Promise<void>;
}

const root = path.join(import.meta.dirname, "..");
const target = path.join(root, "docs", "pictures");
/** Three in the morning, and later than any build: else the clock wouldn't be trusted. */
const START_MS = Date.UTC(new Date().getUTCFullYear() + 1, 4, 14, 3);
/** In an operation with turbid water, and the filter above its limit. */
const TURBID = before(39 * 24 + 8);
/** Long enough ago to be sealed. */
const SEALED = before(75 * 24 + 3);
const YEAR = `from=${before(365 * 24)}&to=${before(0)}`;

/**
 * The pictures of README.md have two points for each of the page's, as screens have today; the
 * manual's have one, because they are inside the executable.
 */
const DENSE = ["overview", "overview-telephone", "alerts-telephone"];
/** The sizes of `--all`, and its palettes. */
const SIZES = [
  { size: "screen", width: 1280, height: 800 },
  { size: "telephone", width: 390, height: 844 },
] as const;
const INKS = ["day", "night"] as const;

const SHOTS: readonly Shot[] = [
  { name: "overview", address: "overview" },
  { name: "overview-night", address: "overview", palette: "night" },
  { name: "overview-telephone", address: "overview", width: 360 },
  { name: "time-machine", address: `overview?at=${TURBID}` },
  { name: "evidence", address: `overview?at=${SEALED}`, prepare: openEvidence },
  { name: "trends", address: "trends?fields=UVR_INTENSITY,SYS_FLOW_RATE" },
  { name: "operating-hours", address: `trends?fields=UVR_INTENSITY&axis=hours&${YEAR}` },
  { name: "lamps", address: "lamps?lamp=7" },
  { name: "alerts", address: "alerts" },
  { name: "alerts-telephone", address: "alerts", width: 360, palette: "night" },
  { name: "operations", address: `operations?${YEAR}` },
  {
    name: "operation",
    address: `operations?from=${before(40 * 24)}&to=${TURBID}`,
    prepare: openOperation,
  },
  { name: "health", address: "health" },
  { name: "handover", address: "handover?since=12" },
  { name: "record-book", address: "record-book" },
  { name: "inspection", address: "inspection" },
  { name: "export", address: "export" },
  { name: "system", address: "system" },
];

async function openEvidence(page: Page): Promise<void> {
  await page.locator("[data-test=intensity]").click();
  await page.locator(".evidence code").first().waitFor();
}

/** The newest one of the list. */
async function openOperation(page: Page): Promise<void> {
  await page.locator(".operation-list a").first().click();
  await page.waitForTimeout(3_000);
}

/** So many hours before the moment of the pictures. */
function before(hours: number): string {
  return new Date(START_MS - hours * 3_600_000).toISOString();
}

const USAGE = `npm run picture [-- <name>...] [-- --all]
names: ${SHOTS.map(({ name }) => name).join(", ")}`;
const { isAll, wanted } = orUsage(USAGE, () => {
  const { values, positionals } = parseArgs({
    options: { all: { type: "boolean", default: false }, help: { type: "boolean" } },
    allowPositionals: true,
  });
  const unknown = positionals.find((word) => SHOTS.every(({ name }) => name !== word));
  if (unknown !== undefined) throw new Error(`got ${unknown}, expected a picture's name`);
  if (values.help === true) throw new Error("makes the pictures of README.md and of the manual");
  return { isAll: values.all, wanted: positionals };
});

const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-picture-"));
mkdirSync(path.join(folder, "demo-data"));
writeFileSync(
  path.join(folder, "demo-data", "ship.json"),
  JSON.stringify({ seed: 1, anchor_ms: START_MS }),
);
mkdirSync(target, { recursive: true });
const clock = fakeClock(folder);
clock.set((START_MS - Date.now()) / 1000);
const demo = spawn(process.execPath, [path.join(root, "dist", "main.cjs"), "demo"], {
  cwd: folder,
  env: {
    ...process.env,
    ...clock.env,
    BALLASTD_HTTP_LISTEN: "127.0.0.1:0",
    BALLASTD_MQTT_LISTEN: "127.0.0.1:0",
    BALLASTD_SYSTEM_VESSEL: "MV Example",
    BALLASTD_SYSTEM_UTC_OFFSET: "+08:00",
  },
  stdio: ["ignore", "inherit", "pipe"],
});

try {
  const url = await liveUrl();
  const browser = await launchBrowser();
  await scored(browser, url);
  if (isAll) await takeAll(browser, url);
  else
    for (const shot of SHOTS)
      if (wanted.length === 0 || wanted.includes(shot.name)) await take(browser, url, shot);
  await browser.close();
} finally {
  demo.kill("SIGTERM");
  await new Promise((resolve) => demo.once("close", resolve));
  rmSync(folder, { recursive: true, force: true });
}

/** Scores, lamp lives and forecasts of the history are made after it is in. */
async function scored(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(url);
  await page
    .getByText(/Treating[,;]/)
    .first()
    .waitFor();
  await page.waitForTimeout(12_000);
  await page.close();
}

async function take(browser: Browser, url: string, shot: Shot): Promise<void> {
  await using page = await opened(browser, url, {
    ...shot,
    density: DENSE.includes(shot.name) ? 2 : 1,
  });
  await shot.prepare?.(page);
  const png = indexed(await page.screenshot({ animations: "disabled" }));
  writeFileSync(path.join(target, `${shot.name}.png`), png);
  console.log(`docs/pictures/${shot.name}.png: ${png.length} bytes`);
}

async function opened(browser: Browser, url: string, shot: Shot & { readonly density: number }) {
  const { address, width = 1280, height = 1000, palette = "day", density } = shot;
  const context = await browser.newContext({
    ...{ viewport: { width, height }, locale: "en-GB", deviceScaleFactor: density },
    ...{ hasTouch: width < 600 },
  });
  await context.addInitScript(
    (chosen) => window.localStorage.setItem("ballastd.palette", chosen),
    palette,
  );
  const page = await context.newPage();
  await page.goto(`${url}#/${address}`);
  await page.waitForLoadState("load");
  await page.waitForTimeout(3_000);
  return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() });
}

async function takeAll(browser: Browser, url: string): Promise<void> {
  const folder = path.join(root, "dist", "pictures");
  mkdirSync(folder, { recursive: true });
  for (const address of [...PAGES, "why", "panel"])
    for (const { size, width, height } of SIZES)
      for (const palette of INKS) {
        const name = `${address}-${size}-${palette}`;
        const shot = { name, address, width, height, palette };
        await using page = await opened(browser, url, { ...shot, density: 1 });
        const faults = await misfits(page);
        const high_px = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
        console.log(`dist/pictures/${name}.png: ${high_px} px high`, ...faults);
        if (faults.length > 0) process.exitCode = 1;
      }
}

/** The page's address, once the demo says that it is live. */
function liveUrl(): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    demo.stderr.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      const url = /now live: (\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
    demo.once("close", () => reject(new Error(`the demo ended: ${text}`)));
  });
}
