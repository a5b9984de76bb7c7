// Rows of paper: each page printed on A4 and on Letter, from the palette of night. On the sheet
// stand the ship's name and the time zone, nothing leaves its margins, and no control is printed.

import type { Page } from "playwright-core";
import { misfits } from "../../../test/rig/page-layout.ts";
import { PAGES, paint, settle, speak, turnTo } from "../../../test/rig/page-walk.ts";
import { sail } from "../../../test/rig/treating-ship.ts";
import { failures, type Group } from "./row.ts";

/** Width between margins of 15 mm, in CSS pixels of 96 to the inch. */
const SHEETS = { A4: 680, Letter: 702 } as const;

/** Nobody reads more sheets of one page. */
const SHEETS_MAX = 12;

export const paper: Group = {
  name: "paper",
  about: "each page printed on A4 and Letter",
  async measure(stage) {
    await using ship = await stage.empty({ BALLASTD_SYSTEM_VESSEL: "MV Example" });
    await sail(ship, { now_ms: Date.now() });
    const context = await stage.browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await speak(page, ship.url, "en");
    await paint(page, "night");
    const faults: string[] = [];
    const counts: string[] = [];
    for (const name of PAGES) {
      await turnTo(page, name);
      for (const [format, width] of Object.entries(SHEETS)) {
        const sheets = sheetsIn(await page.pdf({ format, printBackground: true }));
        counts.push(`${name} ${sheets}`);
        if (sheets > SHEETS_MAX) faults.push(`${name} ${format}: ${sheets} sheets`);
        const found = await onPaper(page, width);
        faults.push(...found.map((fault) => `${name} ${format}: ${fault}`));
      }
    }
    await context.close();
    const printed = `faults on ${PAGES.length} pages, printed on A4 and Letter`;
    const row = failures(printed, "faults", faults);
    return [{ ...row, note: row.note ?? `sheets: ${[...new Set(counts)].join(", ")}` }];
  },
};

async function onPaper(page: Page, width: number): Promise<readonly string[]> {
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width, height: 900 });
  await settle(page);
  const faults = await page.evaluate(() => {
    const found: string[] = [];
    for (const part of document.querySelectorAll("button, input, select, nav a"))
      if (part.getClientRects().length > 0 && !part.matches(".evident, .lamp"))
        found.push(`printed: ${part.localName} ${part.textContent?.slice(0, 30)}`);
    // The inspection sheet is printed alone, and has a head of its own.
    const heads = [...document.querySelectorAll<HTMLElement>("header, .sheet .head")];
    const text = heads.map((head) => (head.offsetHeight === 0 ? "" : head.textContent)).join(" ");
    for (const word of ["MV Example", "UTC"]) if (!text.includes(word)) found.push(`no ${word}`);
    const colour = getComputedStyle(document.body).backgroundColor;
    if (colour !== "rgb(255, 255, 255)") found.push(`on ${colour}`);
    return found;
  });
  const wide = await misfits(page);
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 1280, height: 900 });
  return [...faults, ...wide];
}

/** The sheets of a PDF, by its objects of the type Page. */
function sheetsIn(pdf: Buffer): number {
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}
