// Notes and the handed over watch in Debian's Chromium against the built program: typed, kept
// over a reload and a lost answer, stored once, corrected, seen by a second person, on Trends and
// on paper.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { loadAxe, violations } from "../rig/page-axe.ts";

const TOKEN = "token-of-the-chief-engineer";
const HOUR_MS = 3_600_000;
const now_ms = Date.now();

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({ BALLASTD_AUTH_TOKEN: TOKEN }),
  ]);
  const data = { operation_type: "BALLAST", location: "Santos" };
  const event = (at_ms: number, event_type: string) => ({
    ...{ timestamp: at_ms, event_type, description: "as the plant says", data },
  });
  await plant.publish("telemetry", [
    { timestamp: now_ms - 2 * HOUR_MS, UVR_INTENSITY: 640, SYS_FLOW_RATE: 400 },
    { timestamp: now_ms, UVR_INTENSITY: 640, SYS_FLOW_RATE: 400 },
  ]);
  await plant.publish("events", [
    event(now_ms - 3 * HOUR_MS, "PROCESS_START"),
    event(now_ms - HOUR_MS, "PROCESS_STOP"),
  ]);
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

const open = (page: Page, hash: string) => page.goto(`${plant.url}/#/${hash}`);

async function giveToken(page: Page): Promise<void> {
  await page.locator("main input[name=token]").fill(TOKEN);
  await page.locator("main form.token button").click();
}

async function stored(path: string): Promise<readonly { readonly id: number }[]> {
  return (await fetch(`${plant.url}${path}`)).json();
}

test("a watch is handed over with both names, and the line stands on paper", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "handover");
  await page.getByLabel("Remark for the next watch").fill("Lamp 10 to be changed");
  await page.getByLabel("Handed over by").fill("2/E Reyes");
  // The text survives a reload.
  await page.reload();
  const remark = page.getByLabel("Remark for the next watch");
  await expect.poll(() => remark.inputValue(), REFRESH).toBe("Lamp 10 to be changed");
  await page.getByLabel("Taken over by").fill("3/E Kim");
  await page.getByRole("button", { name: "Hand over the watch" }).click();
  await giveToken(page);
  const line = page.locator(".signing-panel li");
  await line.getByText(/2\/E Reyes to 3\/E Kim/).waitFor(REFRESH);
  await expect.poll(() => remark.inputValue()).toBe("");
  // The form of the token is gone: the focus is beside, and not on the whole document.
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("signing");
  await line.getByRole("button", { name: "Correct" }).click();
  await page.getByLabel("Taken over by").fill("3/E Lee");
  await page.getByRole("button", { name: "Hand over the watch" }).click();
  await line.getByText(/2\/E Reyes to 3\/E Lee/).waitFor(REFRESH);
  await expect.poll(() => line.count()).toBe(1);
  await expect.poll(() => stored("/api/handovers")).toHaveLength(2);
  await loadAxe(page);
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => line.isVisible()).toBe(true);
  await expect.poll(() => page.locator(".signing-panel .note-form").isVisible()).toBe(false);
});

test("a note whose answer was lost is stored once, and a second person sees it", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await using other = await openPage(browser, plant);
  await open(other.page, "handover");
  await other.page.getByText("No notes for this time.").waitFor(REFRESH);
  await open(page, "trends");
  await page.getByRole("button", { name: "Write a note" }).click();
  await page.getByLabel("Note", { exact: true }).fill("Turbid water");
  // The request reaches ballastd, and its answer is lost.
  let isLost = true;
  await page.route("**/admin/notes", async (route) => {
    if (!isLost) return route.continue();
    await route.fetch();
    isLost = false;
    return route.abort();
  });
  await page.getByRole("button", { name: "Store the note" }).click();
  await giveToken(page);
  await expect.poll(async () => (await stored("/api/notes")).length, REFRESH).toBe(1);
  await page.locator(".notes-panel .problem").waitFor(REFRESH);
  await page.getByRole("button", { name: "Store the note" }).click();
  await page.locator(".notes-panel .note-form").waitFor({ state: "detached", ...REFRESH });
  await expect.poll(() => stored("/api/notes")).toHaveLength(1);
  await page.locator(".notes-panel li", { hasText: "Turbid water" }).waitFor(REFRESH);
  await page.locator(".lane .mark.note").waitFor({ state: "attached", ...REFRESH });
  await other.page.locator(".notes-panel li", { hasText: "Turbid water" }).waitFor(REFRESH);
  await loadAxe(page);
  expect(await violations(page)).toEqual([]);
});

test("an operation shows the notes of its time, and takes one of all of it", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(async () => (await stored("/api/operations")).length, REFRESH).toBe(1);
  const [{ id = 0 } = {}] = await stored("/api/operations");
  await open(page, `operations?id=${id}`);
  await page.getByRole("button", { name: "Write a note" }).click();
  await page.getByLabel("Note", { exact: true }).fill("Filter cleaned by hand");
  await page.getByRole("button", { name: "Store the note" }).click();
  await giveToken(page);
  await page.locator(".notes-panel li", { hasText: "Filter cleaned by hand" }).waitFor(REFRESH);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("an odd answer is told by the panel of notes, and the page stands", async () => {
  await using view = await openPage(browser, plant, { "/api/notes": "[7]" });
  const { page } = view;
  await open(page, "handover?since=4");
  await page
    .locator(".notes-panel")
    .getByText(/unexpected answer/)
    .waitFor(REFRESH);
  await page.locator(".signing-panel").waitFor(REFRESH);
});
