// The form of a note in Chromium against the built program: corrected while the token is asked for,
// begun and left for another page, too long, of another time.

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

test("a note that is corrected while the token is asked for is stored as corrected", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await using other = await openPage(browser, plant);
  await open(other.page, "trends");
  await other.page.locator(".notes-panel").waitFor(REFRESH);
  await open(page, "handover");
  await page.getByRole("button", { name: "Write a note" }).click();
  const text = page.getByLabel("Note", { exact: true });
  await expect
    .poll(() => text.evaluate((one) => one === document.activeElement), REFRESH)
    .toBe(true);
  await text.fill("Pump 2 vibrates");
  await page.getByRole("button", { name: "Store the note" }).click();
  await page.locator("main input[name=token]").waitFor(REFRESH);
  await text.fill("Pump 2 vibrates, bearing hot");
  await page.getByLabel("Your name").fill("C/E Tanaka");
  await giveToken(page);
  const line = page.locator(".notes-panel li", { hasText: "bearing hot" });
  await line.getByText("C/E Tanaka").waitFor(REFRESH);
  // It is of now, later than the newest reading, and yet in a view that follows.
  await other.page.locator(".notes-panel li", { hasText: "bearing hot" }).waitFor(REFRESH);
});

test("a text that is begun keeps its time on another page, which says so", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  const [{ id = 0 } = {}] = await stored("/api/operations");
  await open(page, `operations?id=${id}`);
  await page.getByRole("button", { name: "Write a note" }).click();
  await page.getByLabel("Note", { exact: true }).fill("Lamp 3 flickers");
  const [from, to] = [page.getByLabel(/^From \(/), page.getByLabel(/^To \(/)];
  const begun = [await from.inputValue(), await to.inputValue()];
  const elsewhere = page.locator("[data-test=begun-elsewhere]");
  await expect.poll(() => elsewhere.count()).toBe(0);
  await open(page, "handover");
  await elsewhere.waitFor(REFRESH);
  await expect
    .poll(() => page.getByLabel("Note", { exact: true }).inputValue())
    .toBe("Lamp 3 flickers");
  expect([await from.inputValue(), await to.inputValue()]).toEqual(begun);
  await expect.poll(() => elsewhere.textContent()).toContain(begun[0]?.slice(11));
  await expect
    .poll(() => elsewhere.getByRole("link").getAttribute("href"))
    .toBe(`#/operations?id=${id}`);
  await loadAxe(page);
  expect(await violations(page)).toEqual([]);
  await elsewhere.getByRole("link").click();
  await page.getByLabel("Note", { exact: true }).waitFor(REFRESH);
  expect([await from.inputValue(), await to.inputValue()]).toEqual(begun);
  await expect.poll(() => elsewhere.count()).toBe(0);
  await open(page, "handover");
  await elsewhere.getByRole("button", { name: "Use the time of this page" }).click();
  await elsewhere.waitFor({ state: "detached", ...REFRESH });
  await expect.poll(() => to.inputValue()).toBe("");
  await expect.poll(() => from.inputValue()).not.toBe(begun[0]);
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(view.complaints).toEqual([]);
});

test("a text that is too long isn't cut: the form says by how much, and keeps it", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "handover");
  const before = (await stored("/api/notes")).length;
  await page.getByRole("button", { name: "Write a note" }).click();
  const text = page.getByLabel("Note", { exact: true });
  await text.fill(`${"a".repeat(1_499)}\n`);
  const problem = page.locator(".notes-panel .note-form .problem");
  await problem.getByText(/^1.?499 characters; at most 1.?000/).waitFor(REFRESH);
  await problem.getByText("by 499").waitFor(REFRESH);
  await page.getByRole("button", { name: "Store the note" }).click();
  expect(await text.evaluate((one: HTMLTextAreaElement) => one.validity.customError)).toBe(true);
  await page.reload();
  await expect.poll(async () => (await text.inputValue()).length, REFRESH).toBe(1_500);
  await loadAxe(page);
  expect(await violations(page)).toEqual([]);
  await expect.poll(() => stored("/api/notes")).toHaveLength(before);
  // A text of a length that is allowed is stored whole, line by line.
  const lines = `Line 1\n${"b".repeat(900)}\n  line 3`;
  await text.fill(lines);
  await problem.waitFor({ state: "detached", ...REFRESH });
  await page.getByRole("button", { name: "Store the note" }).click();
  await giveToken(page);
  const line = page.locator(".notes-panel li .note-text", { hasText: "Line 1" });
  await line.waitFor(REFRESH);
  await expect.poll(() => line.textContent()).toBe(lines);
  expect(await line.evaluate((one) => getComputedStyle(one).whiteSpace)).toBe("pre-wrap");
  const remark = page.getByLabel("Remark for the next watch");
  await remark.fill("c".repeat(1_001));
  await page
    .locator(".signing-panel .problem")
    .getByText(/^1.?001 characters/)
    .waitFor(REFRESH);
  await remark.fill("");
  expect(view.complaints).toEqual([]);
});

test("a note of another time than the page's says where it is stored", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "handover?since=4");
  await page.getByRole("button", { name: "Write a note" }).click();
  await page.getByLabel("Note", { exact: true }).fill("Valve 4 was closed by hand");
  const early = new Date(now_ms - 9 * HOUR_MS).toISOString().slice(0, 16).replace("T", " ");
  await page.getByLabel(/^From \(/).fill(early);
  await page.getByRole("button", { name: "Store the note" }).click();
  await giveToken(page);
  const said = page.locator(".notes-panel [role=status]");
  await said.getByText(/^The note is stored for/).waitFor(REFRESH);
  await expect.poll(() => said.textContent()).toContain(early.slice(11));
  await said.getByRole("link", { name: "Show it on Trends" }).click();
  await page.locator(".notes-panel li", { hasText: "Valve 4 was closed" }).waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
});
