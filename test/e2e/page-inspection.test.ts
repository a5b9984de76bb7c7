// The page Inspection in Debian's Chromium against the built program, as it comes out of a printer:
// one page whatever the plant sent, no small letter, and a QR code that a photocopy leaves whole.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Inspection } from "../../src/bwts/documents/inspection.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { sailYear } from "../rig/inspected-year.ts";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { misfits } from "../rig/page-layout.ts";
import { LANGUAGES, PALETTES, paint } from "../rig/page-walk.ts";
import { codeOn, photocopied } from "../rig/photocopy.ts";
import { printedRandom } from "../rig/random.ts";
import { LONG, sized } from "../rig/scale.ts";
import { until } from "../rig/until.ts";

const VERIFIER = path.join(import.meta.dirname, "../../docs/verify-ledger.py");
const OPERATIONS = 40;
const TOKEN = "engineer-of-the-test";
/** Names that a plant may send, of which the sheet shows a row each. */
const PORTS = [
  "Singapore",
  "<b>Busan</b><img src=x onerror=alert(1)>",
  "Port of ".repeat(24),
  "\u202eمرفأ بورسعيد",
  "釜山港".repeat(20),
  `W${"WWWWWWWWW".repeat(20)}`,
  "🚢".repeat(40),
  "a\r\nb\u2028c\u001b[2J",
];
const every = (step: number, from: number) =>
  Array.from({ length: Math.ceil((OPERATIONS - from) / step) }, (_, index) => from + index * step);

const newFolder = foldersOfTests();
let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  const long = "of the Very Long Northern Ballast Water Line";
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({
      ...{ BALLASTD_SYSTEM_VESSEL: `MV Example ${long}`, BALLASTD_SYSTEM_IMO: "9074729" },
      ...{ BALLASTD_SYSTEM_TYPE: `Maker UV ${long}`, BALLASTD_SYSTEM_SERIAL: "A-1207" },
      ...{ BALLASTD_SYSTEM_CERTIFICATE: `TA-0815 ${long}`, BALLASTD_SYSTEM_CAPACITY: "1000" },
      BALLASTD_AUTH_TOKEN: TOKEN,
      ...{ BALLASTD_LIMITS_SOURCE: `certificate ${long}`, BALLASTD_SYSTEM_UTC_OFFSET: "+09:00" },
    }),
  ]);
  const year = { now_ms: Date.now(), operations: OPERATIONS, ports: PORTS };
  await sailYear(plant, { ...year, below: every(3, 0), bypassed: every(3, 1) });
  await until("all to be judged", async () => {
    const { operations, waiting } = (await sheet()).counts;
    return operations === OPERATIONS && waiting === 0;
  });
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

async function sheet(): Promise<Inspection> {
  return (await fetch(`${plant.url}/api/inspection`)).json();
}

async function openSheet(page: Page, language: string): Promise<void> {
  await page.goto(`${plant.url}/?lang=${language}#/inspection?operations=0`);
  await page.locator(".sheet .qr").waitFor(REFRESH);
}

test("it is one page of A4 and of Letter in each language, without a small letter", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  for (const language of sized<readonly string[]>(["ja", "es"], LANGUAGES)) {
    await page.emulateMedia({ media: null });
    await openSheet(page, language);
    for (const format of ["A4", "Letter"]) {
      const pdf = (await page.pdf({ format })).toString("latin1");
      expect(pdf.match(/\/Type \/Page\b/g), `${language} ${format}`).toHaveLength(1);
    }
    await page.emulateMedia({ media: "print" });
    // The width of A4 without the sheet's margins.
    await page.setViewportSize({ width: 725, height: 1_000 });
    expect(await misfits(page), language).toEqual([]);
    // 9 points are 12 px.
    expect(await page.evaluate(leastLetter), language).toBeGreaterThanOrEqual(12);
    expect(view.complaints).toEqual([]);
  }
});

function leastLetter(): number {
  const sizes: number[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const part = node.parentElement;
    if (part === null || part.getClientRects().length === 0) continue;
    if (node.textContent?.trim() !== "") sizes.push(parseFloat(getComputedStyle(part).fontSize));
  }
  return Math.min(...sizes);
}

test("each palette is black on white, and a photocopy bears the signed head", LONG, async () => {
  const random = printedRandom("photocopies");
  const folder = newFolder();
  for (const palette of sized<readonly string[]>(["night"], PALETTES)) {
    await using view = await openPage(browser, plant);
    const { page } = view;
    await openSheet(page, "en");
    await paint(page, palette);
    const size = (await sheet()).trust.head?.size ?? 0;
    await page.getByRole("button", { name: "Print" }).click();
    await page.getByLabel("Token").fill(TOKEN);
    await page.getByRole("button", { name: "Continue" }).click();
    await until("the printed sheet to be drawn", async () => {
      const { head } = (await sheet()).trust;
      const drawn = await page.locator(".sheet pre").textContent();
      return (head?.size ?? 0) > size && drawn?.includes(head?.root ?? "none") === true;
    });
    const pdf = path.join(folder, `${palette}.pdf`);
    await page.pdf({ format: "A4", printBackground: true, path: pdf });
    const head = codeOn(photocopied(pdf, random));
    const { trust } = await sheet();
    expect(head, palette).toBe(trust.head?.checkpoint);
    const text = execFileSync("pdftotext", [pdf, "-"], { encoding: "utf8" });
    for (const line of [trust.head?.origin, String(trust.head?.size), trust.head?.root])
      expect(text).toContain(line);
    writeFileSync(path.join(folder, "head"), head);
    const args = ["-I", VERIFIER, "--key", trust.head?.verifier_key ?? "", "--head", "head"];
    const verified = execFileSync("python3", args, { cwd: folder, encoding: "utf8" });
    expect(verified).toContain(`${trust.head?.size}`);
    expect(view.complaints).toEqual([]);
  }
});

test("the last three operations are two clicks away, and print", async () => {
  const folder = newFolder();
  await using view = await openPage(browser, plant);
  const { page } = view;
  // The print stops the clock, with the sheets that were drawn by then.
  await page.evaluate(() => {
    window.print = () => {
      const sheets = [...document.querySelectorAll(".operation-sheet")];
      const isWhole = (one: Element) =>
        one.querySelector(".curve .line")?.getAttribute("d")?.startsWith("M") === true &&
        one.querySelector(".qr path") !== null;
      document.body.dataset.printed = String(sheets.filter(isWhole).length);
    };
  });
  await page.goto(`${plant.url}/#/inspection`);
  await page.getByRole("button", { name: "Print" }).click();
  await page.getByLabel("Token").fill(TOKEN);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator("body[data-printed]").waitFor({ state: "attached", ...REFRESH });
  // The token is known from here on.
  await page.evaluate(() => delete document.body.dataset.printed);
  await page.getByRole("link", { name: "Overview" }).first().click();
  await expect.poll(() => new URL(page.url()).hash, REFRESH).toBe("#/overview");
  await page.getByRole("link", { name: "Inspection" }).first().click();
  await page.getByRole("button", { name: "Print" }).click();
  await page.locator("body[data-printed]").waitFor({ state: "attached", ...REFRESH });
  await expect.poll(() => page.locator("body").getAttribute("data-printed")).toBe("3");
  for (const format of ["A4", "Letter"]) {
    const pdf = path.join(folder, `${format}.pdf`);
    await page.pdf({ format, path: pdf });
    const [first, ...others] = execFileSync("pdftotext", [pdf, "-"], { encoding: "utf8" })
      .split("\f")
      .filter((text) => text.trim() !== "");
    expect(first, format).toContain("inspection sheet");
    const ids = (await sheet()).operations.filter(({ end }) => end !== null).map(({ id }) => id);
    expect(others.map((text) => Number(/Operation (\d+):/.exec(text)?.[1]))).toEqual(
      ids.slice(0, 3),
    );
  }
  // One paper has one clock, whichever the page shows.
  await page.evaluate(() => localStorage.setItem("ballastd.clock", "ship"));
  await page.reload();
  await expect.poll(() => page.locator(".operation-sheet .qr path").count(), REFRESH).toBe(3);
  await expect
    .poll(() => page.locator(".operation-sheet").allTextContents())
    .toSatisfy((texts: string[]) =>
      texts.every((text) => text.includes(" UTC") && !text.includes("ship's time")),
    );
  await page.getByRole("link", { name: "Trends" }).first().click();
  await page.getByText("ship's time UTC+09:00").first().waitFor(REFRESH);
  await page.goBack();
  await page.getByLabel("Sheets of the last operations").selectOption("1");
  await expect.poll(() => page.locator(".operation-sheet").count(), REFRESH).toBe(1);
  expect(new URL(page.url()).hash).toBe("#/inspection?operations=1");
  expect(view.complaints).toEqual([]);
});
