// /api/system, and the page System in Debian's Chromium, against the built program: the numbers are
// those of what was published, an odd part of the answer breaks one panel, and what needs a token
// asks for one.

import { readdirSync, readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { SystemAnswer } from "../../src/bwts/system.ts";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { LONG } from "../rig/scale.ts";
import { unzipped } from "../rig/unzipped.ts";

const TOKEN = "token-of-the-test";
const FIRST_MS = Date.parse("2026-05-01T00:00:00Z");
const HOUR_MS = 3_600_000;

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({ BALLASTD_AUTH_TOKEN: TOKEN }),
  ]);
  const readings = Array.from({ length: 48 }, (_, hour) => ({
    timestamp: FIRST_MS + hour * HOUR_MS,
    UVR_INTENSITY: 600 + hour,
  }));
  await plant.publish("telemetry", readings);
  await plant.publish("telemetry", { timestamp: "the day before", UVR_INTENSITY: 601.5 });
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

test("/api/system has the readings, the chains, the jobs and what was quarantined", async () => {
  const system = await systemOf();
  expect(system.database).toMatchObject({
    readings: 48,
    oldest: "2026-05-01T00:00:00.000Z",
    newest: "2026-05-02T23:00:00.000Z",
  });
  expect(system.ingest).toMatchObject({ messages: 2, readings: 48, quarantined: 1 });
  expect(system.quarantine).toMatchObject({
    entries: 1,
    reasons: [{ reason: "bad_time", entries: 1, messages: 1, waiting: 1 }],
  });
  expect(system.mqtt).toMatchObject({ mode: "embedded", connected: true, clients: 1 });
  expect(system.chain.heads.map(({ chain }) => chain)).toContain("audit");
  const proof = system.jobs.find(({ name }) => name === "proof");
  expect(Date.parse(proof?.next ?? "")).toBeGreaterThan(Date.parse(system.now));
  expect(system.backup.folder).toBeNull();
  const told = await systemOf({ Authorization: `Bearer ${TOKEN}` });
  expect(told.backup.folder).toMatch(/^\//);
});

test("six lines say if all is well, and the rest is folded until a technician asks", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.evaluate(() => {
    window.location.hash = "#/system";
  });
  const lines = page.locator(".well-line");
  // One message was quarantined; later none has come for minutes.
  await lines.first().getByText("look here").waitFor(REFRESH);
  await expect.poll(() => lines.count()).toBe(6);
  await expect.poll(() => page.getByRole("heading", { name: "Database" }).count()).toBe(0);
  await page.getByText("For the technician").click();
  await page.getByRole("heading", { name: "Database" }).waitFor(REFRESH);
  expect(page.url()).toContain("technician=open");
  expect(view.complaints).toEqual([]);
});

test("the page shows them, and what needs a token asks for one", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page);
  await page.getByRole("heading", { name: "Database" }).waitFor(REFRESH);
  await fact(page, "Readings", "48");
  await fact(page, "Quarantined since the start", "1");
  await fact(page, "Publishers connected", "1");
  await page
    .getByText(/^Not yet verified since the start|^Stored data last verified at/)
    .last()
    .waitFor(REFRESH);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expect.poll(() => page.getByRole("heading", { name: /^Audit log/ }).count()).toBe(0);
  await page.setViewportSize({ width: 360, height: 740 });
  await useToken(page);
  await page.getByRole("heading", { name: /^Audit log/ }).waitFor(REFRESH);
  await page.locator(".audit li", { hasText: "Signed in" }).first().waitFor(REFRESH);
  const [bundle] = await Promise.all([
    page.waitForEvent("download", REFRESH),
    page.getByRole("button", { name: "Make and save it" }).click(),
  ]);
  expect(bundle.suggestedFilename()).toMatch(/^ballastd-support-[\dT-]+\.zip$/);
  expect([...unzipped(readFileSync(await bundle.path())).keys()]).toContain("running.txt");
  await page.getByRole("button", { name: "Make a backup now" }).click();
  await page.getByText(/^ballastd-BWTS-001-.*Z\.db was made and verified/).waitFor(REFRESH);
  const line = await page.getByText(/ was made and verified/).textContent();
  const { backup } = await systemOf({ Authorization: `Bearer ${TOKEN}` });
  expect(readdirSync(backup.folder ?? "")).toContain(line?.split(" ")[0]);
  await expect
    .poll(async () => (await systemOf()).backup.last?.bytes ?? 0, REFRESH)
    .toBeGreaterThan(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(view.complaints).toEqual([]);
});

test("a quarantined message is corrected, tried and taken in; the entry keeps it", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page);
  await page.getByText("Entries: 1; messages: 1; entries waiting: 1").waitFor(REFRESH);
  expect((await asked("", null)).status).toBe(401);
  await useToken(page);
  await page.getByRole("button", { name: "Open entry 1" }).click();
  const text = page.getByLabel("Text of the message");
  await text.waitFor(REFRESH);
  await expect
    .poll(() => text.inputValue())
    .toBe('{"timestamp":"the day before","UVR_INTENSITY":601.5}');
  await page.getByRole("button", { name: "Take it in" }).click();
  await page.getByText("Readings and records stored: 0. Remaining:").waitFor(REFRESH);
  await text.fill('{"timestamp":"2026-05-03T00:00:00Z",\n"UVR_INTENSITY":601.5}');
  await page.getByRole("button", { name: "Dry run" }).click();
  await page
    .getByText("Readings and records that would be stored: 1. Nothing remains")
    .waitFor(REFRESH);
  expect((await systemOf()).database.readings).toBe(48);
  await page.getByRole("button", { name: "Take it in" }).click();
  await page.getByText("Readings and records stored: 1. Nothing remains").waitFor(REFRESH);
  const { database, quarantine } = await systemOf();
  expect(database).toMatchObject({ readings: 49, newest: "2026-05-03T00:00:00.000Z" });
  expect(quarantine.reasons).toMatchObject([{ entries: 1, waiting: 0 }]);
  const entry = await (await asked("/1")).json();
  expect(entry).toMatchObject({ replay: { stored: 1, left: null }, is_whole: true });
  expect(entry.payload).toContain("the day before");
  const again = { payload: '{"timestamp":"2026-05-04T00:00:00Z","UVR_INTENSITY":1}' };
  expect(await (await asked("/1/replay", TOKEN, again)).json()).toMatchObject({
    ...{ stored: 0, left: null, detail: "it was taken before" },
  });
  expect((await asked("/2")).status).toBe(404);
  expect((await asked("/2/replay", TOKEN, {})).status).toBe(404);
  expect((await asked("/1/replay", TOKEN, { payload: 7 })).status).toBe(400);
  await plant.publish("unheard-of", { timestamp: FIRST_MS });
  const reason = page.getByLabel("Only of the reason");
  await reason.selectOption("unknown_topic", REFRESH);
  await page.getByRole("button", { name: "Open entry 2" }).waitFor(REFRESH);
  const first = page.getByRole("button", { name: "Open entry 1" });
  await first.waitFor({ ...REFRESH, state: "detached" });
  await reason.selectOption("any");
  await first.waitFor(REFRESH);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(view.complaints).toEqual([]);
});

test("the audit log says in words who changed what, and has the entry folded", async () => {
  for (const spares of [5, 4])
    await fetch(`${plant.url}/admin/lamps/spares`, {
      method: "POST",
      headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
      body: JSON.stringify({ spares }),
    });
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page);
  await useToken(page);
  const entry = page.locator(".audit li").filter({ hasText: "5 → 4" });
  await entry.waitFor(REFRESH);
  const line = await entry.locator("summary").textContent();
  expect(line).toMatch(/^Spare lamps 5 → 4 .* · token from the configuration · 127\.0\.0\.1$/);
  const lines = (await page.locator(".audit summary").allTextContents()).join("\n");
  expect(lines).not.toMatch(/[{}]|lamp_spares|\bconfigured\b/);
  await entry.locator("summary").click();
  await entry.getByText('"kind": "lamp_spares"').waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
});

test("an odd part of the answer breaks its panel alone", LONG, async () => {
  const odd = { ...(await systemOf()), disk: "full", jobs: [{ name: 7 }] };
  await using view = await openPage(browser, plant, { "/api/system": JSON.stringify(odd) });
  const { page } = view;
  await open(page);
  await fact(page, "Readings", "49");
  await page.getByText("unexpected answer from /api/system").first().waitFor(REFRESH);
  await expect.poll(() => page.getByText("unexpected answer from /api/system").count()).toBe(2);
  expect(view.complaints).toEqual([]);
});

async function systemOf(headers: Record<string, string> = {}): Promise<SystemAnswer> {
  const answer = await fetch(`${plant.url}/api/system`, { headers });
  return z.strictObject(SystemAnswer.shape).parse(await answer.json());
}

function asked(path: string, token: string | null = TOKEN, sent: object | null = null) {
  const authorization: Record<string, string> =
    token === null ? {} : { Authorization: `Bearer ${token}` };
  const url = `${plant.url}/admin/quarantine${path}`;
  if (sent === null) return fetch(url, { headers: authorization });
  const headers = { ...authorization, "Content-Type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(sent) });
}

async function open(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.location.hash = "#/system?technician=open";
  });
  await page.getByRole("heading", { name: "System", exact: true }).waitFor(REFRESH);
}

async function useToken(page: Page, token = TOKEN): Promise<void> {
  await page.getByLabel("Token", { exact: true }).fill(token);
  await page.getByRole("button", { name: "Continue" }).click();
}

async function fact(page: Page, name: string, value: string): Promise<void> {
  const line = page.locator(".facts > div").filter({ hasText: name });
  await line.getByText(value, { exact: true }).first().waitFor(REFRESH);
}
