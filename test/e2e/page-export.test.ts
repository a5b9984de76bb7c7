// The page Export in Debian's Chromium against the built program: the size before the download, the
// file that is saved, and what is said when it is refused, cut or cancelled.

import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TAGS } from "../../src/bwts/tags.ts";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { CLEAR, openProxy } from "../rig/proxy.ts";
import { printedRandom } from "../rig/random.ts";
import { LONG } from "../rig/scale.ts";

const FIRST_MS = Date.parse("2026-05-01T00:00:00Z");
const MINUTE_MS = 60_000;

const random = printedRandom("page-export");
let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({ BALLASTD_SYSTEM_UTC_OFFSET: "+05:30" }),
  ]);
  // Random, so that compression leaves something to download.
  const numbers = () =>
    TAGS.filter(({ type }) => type === "number").map(({ name }) => [name, random.between(0, 1e6)]);
  for (let part = 0; part < 4; part += 1)
    await plant.publish(
      "telemetry",
      Array.from({ length: 500 }, (_, index) => ({
        timestamp: FIRST_MS + (part * 500 + index) * MINUTE_MS,
        ...Object.fromEntries(numbers()),
      })),
    );
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

test("the size stands before the download, and the file is what the command writes", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, "range=all");
  await page.getByText(/^About .*B; 2000 lines\. Measured: \d+\.$/).waitFor(REFRESH);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByLabel("Some columns, with the time").check();
  await page.getByLabel("UV intensity").check();
  await page.getByLabel("Output against a new lamp, all lamps").check();
  await page.getByLabel("Range").selectOption("dates");
  await page.getByLabel("First day, UTC").fill("2026-05-02");
  await page.getByLabel("Last day, UTC").fill("2026-05-02");
  // The second day of the readings has 560 minutes.
  await page.getByText(/; 560 lines\./).waitFor(REFRESH);
  const path = `export/telemetry${new URL(page.url()).hash.replace(/^.*?columns=/, "?columns=")}`;
  const saved = await download(page);
  const range = "startDate=2026-05-02&endDate=2026-05-02";
  const file = await fetch(`${plant.url}/${path}&${range}`);
  expect(saved).toEqual({
    name: "BWTS-001-telemetry-from-2026-05-02-to-2026-05-02.csv",
    text: await file.text(),
  });
  expect(saved.text.split("\r\n")[0]?.split(",")).toHaveLength(2 + 16);
  await page.getByText(/-to-2026-05-02\.csv is complete: .* The browser has saved it/).waitFor();
  expect(view.complaints).toEqual([]);
});

test("of two ticks in quick succession none is lost", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "columns=timestamp");
  await page.getByLabel("UV intensity").waitFor(REFRESH);
  // The page may draw between the two; the browser tells of the new address only after both.
  const hash = await page.evaluate(async () => {
    for (const box of [...document.querySelectorAll<HTMLElement>(".ticks input")].slice(0, 2)) {
      box.click();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    }
    return window.location.hash;
  });
  const columns = new URLSearchParams(hash.replace(/^.*\?/, "")).get("columns")?.split(",");
  expect(columns).toEqual(["timestamp", TAGS[1].name, TAGS[2].name]);
  await expect.poll(() => page.locator(".ticks input:checked").count(), REFRESH).toBe(2);
  expect(view.complaints).toEqual([]);
});

test("days are those of the clock that is named; the address keeps the choice", LONG, async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "range=dates&from=2026-05-01T00:00:00.000Z&to=2026-05-01T23:59:59.999Z");
  await page.getByText(/; 1440 lines\./).waitFor(REFRESH);
  await page.locator("header .ship-time", { hasText: "UTC+05:30" }).waitFor(REFRESH);
  await page.keyboard.press("t");
  await page.getByLabel("First day, ship's time UTC+05:30").fill("2026-05-02");
  await page.getByText(/^From 2026-05-02 00:00.ship's time UTC\+05:30 to/).waitFor(REFRESH);
  await expect.poll(() => page.url(), REFRESH).toContain("from=2026-05-01T18%3A30%3A00.000Z");
  await page.getByLabel("Last day, ship's time UTC+05:30").fill("2026-05-01");
  await page.getByText("The first day is after the last one.").waitFor(REFRESH);
  await page.getByRole("button", { name: "Download" }).waitFor({ state: "detached", ...REFRESH });
  await open(page, "kind=events&range=dates&from=2020-01-01T00:00Z&to=2020-01-02T00:00Z");
  await page.getByText("There is no data in this range.").waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
});

test("a download that is refused, cut or cancelled says so, nothing is saved", LONG, async () => {
  const url = new URL(plant.url);
  const proxy = await openProxy({ port: Number(url.port) });
  const near = { ...plant, url: `http://127.0.0.1:${proxy.port}` };
  await using view = await openPage(browser, near, {});
  const { page } = view;
  page.on("download", () => expect.unreachable("nothing may be saved"));
  await open(page, "range=all&format=ndjson");
  const button = page.getByRole("button", { name: "Download" });
  await button.waitFor(REFRESH);
  await page.route(/export\/telemetry/, (route) =>
    route.fulfill({ status: 503, json: { error: 503, message: "busy: 8 answers" } }),
  );
  await button.click();
  await page.getByText("ballastd refused the file (503). Nothing was saved.").waitFor(REFRESH);
  await page.getByText("busy: 8 answers").waitFor(REFRESH);
  await page.unroute(/export\/telemetry/);
  proxy.set({ down: { ...CLEAR, bytes_per_s: 20_000 } });
  await button.click();
  await page.getByText(/^\d+.* of .*[km]B/i).waitFor(REFRESH);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText(/^Cancelled after .* Nothing was saved\./).waitFor(REFRESH);
  await button.click();
  await page.getByText(/^[1-9].* of .*[km]B/i).waitFor(REFRESH);
  proxy.cut("reset");
  await page.getByText(/^The connection was cut after .* Nothing was saved/).waitFor(REFRESH);
  proxy.close();
  await button.click();
  await page.getByText("ballastd didn't answer. Nothing was saved.").waitFor(REFRESH);
});

async function open(page: Page, query: string): Promise<void> {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/export?${query}`);
  await page.getByRole("heading", { name: "Export" }).waitFor(REFRESH);
}

async function download(page: Page): Promise<{ name: string; text: string }> {
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), "utf8") };
}
