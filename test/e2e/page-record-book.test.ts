// The page Record book in Debian's Chromium against the built program: draft entries with empty
// boxes, in the book's language whatever the page's, and the officer's entries beside them.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";

const MINUTE_MS = 60_000;
const START_MS = Date.parse("2026-05-01T05:00:00Z");
const DAYS = "from=2026-05-01&to=2026-05-03";

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([launchBrowser(), startPlant()]);
  const each = Array.from({ length: 140 }, (_, minute) => minute);
  const state = (minute: number) => {
    if (minute > 120) return "IDLE";
    return minute >= 60 && minute < 80 ? "BYPASS" : "RUNNING";
  };
  await plant.publish("events", event(0, "PROCESS_START"));
  await plant.publish(
    "telemetry",
    each.map((minute) => ({
      ...{ timestamp: START_MS + minute * MINUTE_MS, PROCESS_STATE: state(minute) },
      ...{ operation_type: "BALLAST", COMPLIANCE_MODE: "IMO", UVR_INTENSITY: 600 },
      ...{ SYS_FLOW_RATE: minute > 120 ? 0 : 600 },
      SYS_TOTAL_BALLAST_VOL: 1000 + Math.min(120, minute) * 10,
    })),
  );
  await plant.publish("events", event(120, "PROCESS_STOP"));
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

function event(minute: number, event_type: string) {
  const data = { operation_type: "BALLAST", location: "Busan" };
  return { timestamp: START_MS + minute * MINUTE_MS, event_type, data };
}

test("the draft has an entry for each part, empty boxes, and the book's language", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, DAYS);
  const entries = page.locator(".draft-entry");
  await expect.poll(() => entries.count(), REFRESH).toBe(3);
  const letters = await page.locator(".draft-entry .letter").allTextContents();
  expect(letters).toEqual(["A", "A", "A"]);
  const first = entries.first();
  await first.getByText("2026-05-01 05:00 UTC, Busan").waitFor(REFRESH);
  for (const box of ["tanks", "minimum depth of water, m", "signature of the officer in charge"])
    await expect.poll(() => first.locator(".book-box", { hasText: box }).count()).toBe(1);
  await expect
    .poll(() => first.textContent())
    .toContain("draft: to be verified and signed by the officer");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByLabel("Language of the entries").selectOption("fr");
  await entries.first().getByText("Début : heure, lieu").waitFor(REFRESH);
  await expect.poll(() => page.locator(".draft-entries").getAttribute("lang")).toBe("fr");
  expect(view.complaints).toEqual([]);
});

test("pasted entries are compared, and what differs is told by word and shape", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, DAYS);
  const lines = [
    "code,start,end,place,volume,tanks",
    "A,2026-05-01 05:00,2026-05-01 06:00,Busan,600,WBT 1",
    "A,2026-05-01 06:20,2026-05-01 07:00,Busan,700,WBT 1",
    "3.3,2026-05-02 06:20,,Busan,700,WBT 1",
  ];
  await page.getByLabel("Or paste the lines here").fill(lines.join("\n"));
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText("The book doesn't agree with the log.").waitFor(REFRESH);
  const headings = await page.locator(".result h3").allTextContents();
  expect(headings.map((text) => text.trim())).toEqual([
    ...["Matches", "A failure or bypass without its entry", "Differs", "In the book only"],
  ]);
  await expect.poll(() => page.locator(".result h3 .outcome-mark path").count()).toBe(4);
  const shapes = await page
    .locator(".result h3 .outcome-mark path")
    .evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
  expect(new Set(shapes).size).toBe(4);
  const differs = page.locator(".result.differs");
  await expect
    .poll(() => differs.textContent())
    .toContain("Volume: log 400 m³, book 700 m³ (75 %)");
  const faults = await page.locator(".book-faults li").allTextContents();
  expect(faults).toEqual([
    "line 4 an item of the form before 2025 (3.3)",
    "line 4 the end is missing",
  ]);
  for (const width of [360, 1280, 3840]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
  await expect.poll(() => differs.isVisible()).toBe(true);
  expect(view.complaints).toEqual([]);
});

test("what wasn't compared, how the file was read, and ship's time are told", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, DAYS);
  const lines = [
    "code,start,end,place,Amt",
    "A,2026-05-01 14:00,2026-05-01 15:00,Busan,600",
    "A,2026-05-01 15:00,2026-05-01 15:20,Busan,200",
    "A,2026-05-01 15:20,2026-05-01 16:00,Busan,400",
    "TOTAL,,,,1200",
  ];
  await page.getByLabel("Or paste the lines here").fill(lines.join("\n"));
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText("3 entries are 9 h ahead of the log. Is this ship's time?").waitFor(REFRESH);
  const outcome = page.locator(".outcome");
  for (const text of [
    "Times without a zone were read as UTC.",
    "Unknown columns, not used: Amt",
    "Taken for totals, signatures or repeated names of columns: line 5",
    "line 1 volume: got the columns",
    "The volume wasn't compared",
  ])
    await expect.poll(() => outcome.textContent()).toContain(text);
  await page.goto(`${page.url().split("#")[0]}#/record-book?${DAYS}`);
  await page
    .getByLabel("Or paste the lines here")
    .fill(
      lines
        .map((line) => line.replace(/ (\d\d)/g, (_, hour) => ` 0${Number(hour) - 9}`))
        .join("\n"),
    );
  await page.getByRole("button", { name: "Compare" }).click();
  await page.locator(".result.partly_compared").first().waitFor(REFRESH);
  await expect.poll(() => page.locator(".result.partly_compared").count()).toBe(3);
  await expect.poll(() => outcome.textContent()).toContain("The book doesn't agree with the log.");
  expect(view.complaints).toEqual([]);
});

test("a file is compared as well, and one that is no book is refused in words", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, DAYS);
  const text = "Código;Inicio;Fin;Lugar\r\nA;01/05/2026 05:00;01/05/2026 07:00;Busán\r\n";
  const buffer = Buffer.from(text, "latin1");
  await page.getByLabel("File").setInputFiles({ name: "libro.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText("The log has 3 parts: each needs an entry of its own").waitFor(REFRESH);
  const odd = Buffer.from("nothing here\n");
  await page
    .getByLabel("File")
    .setInputFiles({ name: "odd.csv", mimeType: "text/csv", buffer: odd });
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText("expected a line with names of columns").waitFor(REFRESH);
});

test("a draft never stands under other choices, and a failure passes by itself", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, DAYS);
  const entries = page.locator(".draft-entry");
  await expect.poll(() => entries.count(), REFRESH).toBe(3);
  const isDraft = ({ pathname }: URL) => pathname === "/api/record-book";
  await page.route(isDraft, (route) =>
    route.fulfill({ status: 503, json: { error: 503, message: "busy" } }),
  );
  await page.getByLabel("Language of the entries").selectOption("fr");
  await page.locator(".draft-panel .problem", { hasText: "503, busy" }).waitFor(REFRESH);
  await expect.poll(() => entries.count()).toBe(0);
  await page.unroute(isDraft);
  await entries.first().getByText("Début : heure, lieu").waitFor(REFRESH);
  await expect.poll(() => page.locator(".draft-panel .problem").count()).toBe(0);
});

test("an odd draft is told, and the comparison stands", async () => {
  await using view = await openPage(browser, plant, { "/api/record-book": "[7]" });
  const { page } = view;
  await open(page, DAYS);
  await page.getByText(/unexpected answer from .api.record-book/).waitFor(REFRESH);
  await expect.poll(() => page.getByRole("button", { name: "Compare" }).isVisible()).toBe(true);
});

async function open(page: Page, query: string): Promise<void> {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/record-book?${query}`);
  await page.getByRole("heading", { name: "Record book" }).waitFor(REFRESH);
}
