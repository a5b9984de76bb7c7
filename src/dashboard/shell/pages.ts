// The list of pages. The overview comes with the frame; the script of each other page is loaded
// when it is opened first. The name is the page's address, `#/trends`, and the key of its title.

import { overviewPage } from "../overview/overview-page.tsx";
import type { Page } from "../parts/page.tsx";

export const PAGE_NAMES = [
  "overview",
  "trends",
  "lamps",
  "alerts",
  "health",
  "handover",
  "export",
  "system",
] as const;
export type PageName = (typeof PAGE_NAMES)[number];

/** The pages that a thumb reaches on a telephone; the others are under "More". */
export const FIRST_PAGES: readonly PageName[] = ["overview", "trends", "lamps", "alerts"];

/** A page whose script is there, or what loads it. */
export const PAGES: Readonly<Record<PageName, Page | (() => Promise<Page>)>> = {
  overview: overviewPage,
  trends: async () => (await import("../trends/trends-page.tsx")).trendsPage,
  lamps: async () => (await import("../lamps/lamps-page.tsx")).lampsPage,
  alerts: async () => (await import("../alerts/alerts-page.tsx")).alertsPage,
  health: async () => (await import("../health/health-page.tsx")).healthPage,
  handover: async () => (await import("../handover/handover-page.tsx")).handoverPage,
  export: async () => (await import("../export/export-page.tsx")).exportPage,
  system: async () => (await import("../system/system-page.tsx")).systemPage,
};

export function isPageName(name: string): name is PageName {
  return PAGE_NAMES.some((known) => known === name);
}
