// The pages. The overview comes with the frame; the script of any other page is loaded when it is
// opened first. Two modules bring those, of pages that draw curves and of pages that don't, because
// each import that the first script has costs it 40 bytes: see vite.config.ts.

import type { Page } from "../parts/page.tsx";
import { DRAWN, type DrawnPage, type FurtherPage } from "./page-names.ts";

export async function loadPage(name: FurtherPage): Promise<Page> {
  if (name === "parts") return (await import("../parts/parts-page.tsx")).partsPage;
  return isDrawn(name)
    ? (await import("./drawn-pages.ts")).DRAWN_PAGES[name]
    : (await import("./written-pages.ts")).WRITTEN_PAGES[name];
}

function isDrawn(name: FurtherPage): name is DrawnPage {
  return DRAWN.some((drawn) => drawn === name);
}
