// All pages. The overview is loaded with the frame; the script of any other page when it is first
// opened. Two modules contain those, with curves and without, because each further import costs the
// first script 40 bytes: see vite.config.ts.

import type { Page } from "../parts/page.tsx";
import { DRAWN, type DrawnPage, type FurtherPage } from "./page-names.ts";

export async function loadPage(name: FurtherPage): Promise<Page> {
  if (name === "parts") return (await import("./parts-page.tsx")).partsPage;
  return isDrawn(name)
    ? (await import("./drawn-pages.ts")).DRAWN_PAGES[name]
    : (await import("./written-pages.ts")).WRITTEN_PAGES[name];
}

function isDrawn(name: FurtherPage): name is DrawnPage {
  return DRAWN.some((drawn) => drawn === name);
}
