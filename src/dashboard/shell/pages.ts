// The list of pages. The overview comes with the frame; the script of any other page is loaded when
// it is opened first. Pages that draw no curves are built into one file: see vite.config.ts.

import { overviewPage } from "../overview/overview-page.tsx";
import type { Page } from "../parts/page.tsx";
import type { PageName } from "./page-names.ts";

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
