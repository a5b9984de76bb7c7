// The pages made of words and tables. They are loaded as one module, when the first of them is
// opened.

import { firstWatchPage } from "../first-watch/first-watch-page.tsx";
import { operationsPage } from "../operations/operations-page.tsx";
import { panelPage } from "../overview/panel-page.tsx";
import { whyPage } from "../overview/why-page.tsx";
import { exportPage } from "../papers/export-page.tsx";
import { inspectionPage } from "../papers/inspection-page.tsx";
import { recordBookPage } from "../papers/record-book-page.tsx";
import type { Page } from "../parts/page.tsx";
import { systemPage } from "../system/system-page.tsx";
import { alertsPage } from "../watch/alerts-page.tsx";
import { handoverPage } from "../watch/handover-page.tsx";
import type { DrawnPage, FurtherPage } from "./page-names.ts";
import { searchPage } from "./search-page.tsx";

export const WRITTEN_PAGES: Readonly<Record<Exclude<FurtherPage, DrawnPage | "parts">, Page>> = {
  alerts: alertsPage,
  operations: operationsPage,
  handover: handoverPage,
  "record-book": recordBookPage,
  inspection: inspectionPage,
  export: exportPage,
  search: searchPage,
  panel: panelPage,
  system: systemPage,
  why: whyPage,
  "first-watch": firstWatchPage,
};
