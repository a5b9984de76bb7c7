// The page Operations in Debian's Chromium against the built program: all that a chief officer does
// with it, from the list to the reasons of a verdict and to paper; its filters, and odd answers.

import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judgedOperation } from "../rig/judged-operation.ts";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { loadAxe, violations } from "../rig/page-axe.ts";
import { misfits, smallTargets, useFingers } from "../rig/page-layout.ts";
import { temporaryFolder } from "../rig/program.ts";
import { sized } from "../rig/scale.ts";
import { until } from "../rig/until.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const now_ms = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
const DISCHARGE_MS = now_ms - 26 * HOUR_MS;
const RUNNING_MS = now_ms - 20 * MINUTE_MS;
const EARLIER = 60;

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({ BALLASTD_SYSTEM_UTC_OFFSET: "+09:00", BALLASTD_SYSTEM_VESSEL: "MV Example" }),
  ]);
  const minutes = Array.from({ length: 121 }, (_, minute) => minute);
  await plant.publish("telemetry", [
    ...minutes.map((minute) => treating(DISCHARGE_MS, minute)),
    ...minutes
      .slice(0, 20)
      .map((minute) => ({ ...treating(RUNNING_MS, minute), UVR_INTENSITY: 600 })),
  ]);
  const event = (at_ms: number, event_type: string, data: object) => ({
    ...{ timestamp: at_ms, event_type, description: "as the plant says", data },
  });
  const discharge = { operation_type: "DEBALLAST", location: "Busan" };
  const earlier = { operation_type: "BALLAST", location: "Singapore" };
  await plant.publish("events", [
    event(DISCHARGE_MS, "PROCESS_START", discharge),
    event(DISCHARGE_MS + 31 * MINUTE_MS, "ALARM_TRIGGERED", { code: "UV_LOW" }),
    event(DISCHARGE_MS + 120 * MINUTE_MS, "PROCESS_STOP", discharge),
    event(RUNNING_MS, "PROCESS_START", { operation_type: "BALLAST", location: "Ulsan" }),
    // More than a page of them, of which the plant sent no reading.
    ...Array.from({ length: EARLIER }, (_, index) => now_ms - (200 + 3 * index) * HOUR_MS).flatMap(
      (at_ms) => [
        event(at_ms, "PROCESS_START", earlier),
        event(at_ms + HOUR_MS, "PROCESS_STOP", earlier),
      ],
    ),
  ]);
  await until("the judgement of all that ended", async () => {
    const all = await operations("limit=100");
    return all.filter(({ verdict }) => verdict !== null).length === EARLIER + 1;
  });
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

/** Two minutes of start-up, forty below the limit, twelve past the treatment. */
function treating(start_ms: number, minute: number): object {
  const isLow = minute >= 30 && minute < 70;
  if (minute < 2)
    return {
      ...{ timestamp: start_ms + minute * MINUTE_MS, PROCESS_STATE: "WARMUP", UVR_INTENSITY: 90 },
      ...{ COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: 0, SYS_TOTAL_DEBALLAST_VOL: 5_020 },
    };
  return {
    timestamp: start_ms + minute * MINUTE_MS,
    PROCESS_STATE: minute >= 80 && minute < 92 ? "BYPASS" : "RUNNING",
    ...{ COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: 600, SYS_TOTAL_DEBALLAST_VOL: 5_000 + 10 * minute },
    UVR_INTENSITY: isLow ? 231.5 + Math.abs(50 - minute) / 2 : 400,
  };
}

async function operations(query: string): Promise<readonly { id: number; verdict: string }[]> {
  return (await fetch(`${plant.url}/api/operations?${query}`)).json();
}

test("a chief officer finds yesterday's discharge, and sees why it was outside", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, "");
  const lines = page.locator(".operation-list tbody tr");
  await expect.poll(() => lines.count(), REFRESH).toBe(50);
  await expect
    .poll(() => lines.first().textContent())
    .toMatch(/^\d+\d{4}-\d\d-\d\d \d\d:\d\dUptakeUlsan2\d min\d+600 . 600 under way/);
  // On a tablet held upright the verdict isn't cut.
  await page.setViewportSize({ width: 768, height: 1024 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(768);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByLabel("Verdict").selectOption({ label: "outside limits" });
  await expect.poll(() => lines.count(), REFRESH).toBe(1);
  const found = await lines.first().textContent();
  expect(found).toMatch(/DischargeBusan2 h1180231 . \d+ outside limits/);
  expect(found).toContain("below the limit of the mode while water was treated (40 min)");
  expect(found).toContain("(state BYPASS) (12 min)");
  await lines.first().getByRole("link").click();
  await page.locator('[data-test="verdict-of"]', { hasText: "outside limits" }).waitFor(REFRESH);
  const reasons = page.locator(".operation-panel li");
  await expect.poll(() => reasons.count()).toBe(2);
  await expect
    .poll(() => reasons.first().textContent())
    .toMatch(/40 min; limit 252.W.m² \(UV intensity, IMO\); 400 m³; worst 231.5.W.m² /);
  // The worst value leads to its reading.
  await reasons.first().getByRole("button").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("by the plant's clock").waitFor(REFRESH);
  await page.keyboard.press("Escape");
  const facts = await page.locator(".operation-facts").textContent();
  expect(facts).toMatch(/Start\d{4}-\d\d-\d\d [\d:]+.UTC; \d{4}-\d\d-\d\d [\d:]+ ship's time/);
  expect(facts).toContain("UV_LOW, ");
  await expect.poll(() => page.locator(".operation-parts-panel tbody tr").count()).toBe(5);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  // To the entries that are drafted for it, and back.
  await page.getByRole("link", { name: "Record book" }).first().click();
  await expect
    .poll(() => page.locator(".draft-entry .letter").allTextContents(), REFRESH)
    .toEqual(["B", "B", "B", "B", "B"]);
  await page.goBack();
  await page.locator('[data-test="verdict-of"]').waitFor(REFRESH);
  // Back to the list as it was filtered.
  await page.locator(".operation-ways a").first().click();
  await expect.poll(() => lines.count(), REFRESH).toBe(1);
  expect(view.complaints).toEqual([]);
});

test("the curves show each reading with the limits and intervals, also as a table", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await openDischarge(page);
  const charts = page.locator(".chart");
  await expect
    .poll(() => charts.evaluateAll((all) => all.map((one) => one.getAttribute("data-points"))), {
      ...REFRESH,
    })
    .toEqual(["121", "121"]);
  const area = page.locator(".chart .u-over").first();
  const box = await area.boundingBox();
  // In the middle of the forty minutes.
  const said = async () => {
    await area.hover({ position: { x: 10, y: 20 } });
    await area.hover({ position: { x: ((box?.width ?? 0) * 50) / 120, y: 20 } });
    return page.locator(".readout p").first().textContent();
  };
  await expect
    .poll(said, REFRESH)
    .toContain("Outside limits: the UV intensity was below the limit");
  // By the keyboard alone as well.
  await page.mouse.move(0, 0);
  await page.keyboard.press(".");
  await expect
    .poll(() => page.locator(".readout b").first().textContent(), REFRESH)
    .toMatch(/W\/m²/);
  await page.getByLabel("Tables").check();
  await page
    .locator(".curve-table")
    .getByText(/^400.W.m²$/)
    .first()
    .waitFor(REFRESH);
  expect(new URL(page.url()).hash).toContain("tables=on");
  await page.getByRole("link", { name: /^In Trends/ }).click();
  await page.getByRole("heading", { name: "Trends" }).waitFor(REFRESH);
  await page.getByRole("button", { name: "Remove: Ballast water flow" }).waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
});

test("it is printed on one sheet of A4 or Letter, its curve as vectors", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await openDischarge(page);
  const sheet = page.locator(".operation-sheet");
  // The code and the curve are asked for, and paper waits for nothing.
  await sheet.locator(".qr path").waitFor({ state: "attached", ...REFRESH });
  await expect
    .poll(() => sheet.locator(".curve .line").getAttribute("d"), REFRESH)
    .toMatch(/^M[\d. ]+L/);
  for (const format of ["A4", "Letter"]) {
    const sheets = (await page.pdf({ format })).toString("latin1").match(/\/Type \/Page\b/g);
    expect(sheets?.length, format).toBe(1);
  }
  await page.emulateMedia({ media: "print" });
  // The width of A4 without its margins.
  await page.setViewportSize({ width: 703, height: 1032 });
  expect(await misfits(page)).toEqual([]);
  await expect.poll(() => page.locator("canvas").first().isVisible()).toBe(false);
  await expect.poll(() => page.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
  const text = (await sheet.textContent()) ?? "";
  expect(text).toContain("MV Example, BWTS-001");
  expect(text).toMatch(/below the limit of the mode while water was treated.*40 min/);
  expect(text).toMatch(/252.W.m² IMO/);
  expect(text).toMatch(/Volume[\d,.\s]+ m³ by the \w+ \(.*m³ by the flow/);
  expect(text).toMatch(/limit 1.?000.m³\/h IMO/);
  // The start-up is below the limit in the curve, and left out of verdict and figures.
  expect(text).toMatch(/doesn't count while no water is treated.*: start-up [\d:]+.* to [\d:]+/);
  await expect.poll(() => sheet.locator(".curve .left-out").count()).toBe(1);
  expect(text).toMatch(/Root of its readings[\w+/=]{20,}/);
  expect(text).toContain("number ");
  expect(text).toContain(`${plant.url}/#/operations?id=`);
  expect(view.complaints).toEqual([]);
});

test.each(sized(["ja"], ["en", "es", "ja"]))(
  "one of many reasons is whole on one sheet, in %s",
  async (code) => {
    const whole = judgedOperation(DISCHARGE_MS);
    const [low, bypass, doubt] = whole.reasons;
    const many = Array.from({ length: 14 }, (_, at) => ({ ...low, seconds: 60 + at }));
    const operation = {
      ...whole,
      location: "Antwerp, Deurganckdok berth 1742",
      reasons: [{ ...doubt, seconds: 5_000 }, { ...doubt, seconds: 4_900 }, bypass, ...many],
      remarks: ["volume_differs", "readings_hidden", "no_stop", "water_unseen", "overlaps"],
    };
    const answers = { "/api/operations/12": JSON.stringify(operation) };
    await using view = await openPage(browser, plant, answers);
    const { page } = view;
    await page.goto(`${plant.url}/?lang=${code}#/operations?id=12`);
    const sheet = page.locator(".operation-sheet");
    await sheet.locator(".qr path").waitFor({ state: "attached", ...REFRESH });
    await sheet
      .locator(".curve .line")
      .first()
      .waitFor({ state: "attached", ...REFRESH });
    const folder = temporaryFolder();
    for (const format of ["A4", "Letter"]) {
      const file = path.join(folder, `${format}.pdf`);
      const pdf = (await page.pdf({ format, path: file })).toString("latin1");
      expect(pdf.match(/\/Type \/Page\b/g)?.length, format).toBe(1);
      const text = execFileSync("pdftotext", [file, "-"], { encoding: "utf8" }).replace(/\s/g, "");
      expect(text).toContain("q83vEjRWeJA=");
      expect(text).toContain("#/operations?id=12");
    }
    rmSync(folder, { recursive: true });
    // The bypass is why it is outside; what can't be told comes after it.
    const first = sheet.locator(".sheet-reasons li").first();
    await expect.poll(() => first.textContent()).toMatch(/12.?(min|分)/);
  },
);

test("the list is filtered and paged, and its address holds that", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  const lines = page.locator(".operation-list tbody tr");
  await open(page, "type=BALLAST");
  await expect.poll(() => lines.count(), REFRESH).toBe(50);
  await page.getByRole("button", { name: "Older" }).click();
  await expect.poll(() => lines.count(), REFRESH).toBe(EARLIER + 1 - 50);
  expect(new URL(page.url()).hash).toContain("before=");
  await page.getByRole("button", { name: "Newest" }).click();
  await expect.poll(() => lines.count(), REFRESH).toBe(50);
  await page.getByLabel("Port").fill("ulsan");
  // The page is drawn once a second.
  await page.waitForTimeout(1_500);
  await page.getByLabel("Port").press("Enter");
  await expect.poll(() => lines.count(), REFRESH).toBe(1);
  expect(new URL(page.url()).hash).toBe("#/operations?type=BALLAST&place=ulsan");
  await open(page, "from=2020-01-01&to=2020-01-02");
  await page.getByText("No such operation.").waitFor(REFRESH);
  await open(page, "id=999999");
  await page.getByText(/.api.operations.999999: 404, operation "999999"/).waitFor(REFRESH);
  // The browser complains of the 404.
  expect(view.complaints.filter((line) => !line.includes("404"))).toEqual([]);
});

test("an odd answer breaks its own panel, and the filters stay", async () => {
  const whole = judgedOperation(DISCHARGE_MS);
  const spoilt = JSON.stringify({ ...whole, parts: [7], alerts: "none" });
  const answers = { "/api/operations": "[7]", "/api/operations/12": spoilt };
  await using view = await openPage(browser, plant, answers);
  const { page } = view;
  await open(page, "");
  await page.getByText("unexpected answer from /api/operations?limit=51").waitFor(REFRESH);
  await expect.poll(() => page.getByLabel("Port").isVisible()).toBe(true);
  await open(page, "id=12");
  const odd = page.getByText("unexpected answer from /api/operations/12");
  await expect.poll(() => odd.count(), REFRESH).toBe(2);
  const parts = page.locator(".operation-parts-panel");
  await expect.poll(() => parts.textContent()).toContain("unexpected");
  await expect.poll(() => page.locator(".operation-panel li").count()).toBe(3);
  await page.getByText("With the hidden readings: outside limits.").waitFor(REFRESH);
  const indications = await page.locator(".operation-indications-panel").textContent();
  expect(indications).toContain("The water may have been challenging");
  expect(indications).toMatch(
    /UV intensity: 240.2.W.m²; .*in the hour before: 99.%; Backflushes: 4/,
  );
  expect(view.complaints).toEqual([]);
});

test("an operation with all that can be told fits each screen, and breaks no rule", async () => {
  const whole = JSON.stringify(judgedOperation(DISCHARGE_MS));
  await using view = await openPage(browser, plant, { "/api/operations/12": whole });
  const { page } = view;
  await useFingers(page);
  await page.goto(`${plant.url}/?lang=pseudo#/operations?id=12`);
  await page.locator(".operation-versions-panel li").nth(1).waitFor(REFRESH);
  for (const [width, height] of [
    [360, 740],
    [1_280, 900],
    [3_840, 2_160],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => misfits(page), { message: `${width} px` }).toEqual([]);
    await expect.poll(() => smallTargets(page, 44), { message: `${width} px` }).toEqual([]);
  }
  await loadAxe(page);
  expect(await violations(page)).toEqual([]);
  await page.goto(`${plant.url}/?lang=ja#/operations?id=12`);
  await page.getByText("処理中の UV 強度がモードの限度を下回った").first().waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
});

async function open(page: Page, query: string): Promise<void> {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/operations?${query}`);
  await page
    .getByRole("heading", { name: /^Operation/ })
    .first()
    .waitFor(REFRESH);
}

async function openDischarge(page: Page): Promise<void> {
  const judged = () => operations("verdict=outside_limits");
  await until("the verdict of the discharge", async () => (await judged()).length === 1);
  const [{ id }] = await judged();
  await open(page, `id=${id}`);
  await page.locator('[data-test="verdict-of"]', { hasText: "outside limits" }).waitFor(REFRESH);
}
