// The pages whose purpose is curves. They are loaded as one module, when the first of them is
// opened.

import { lampsPage } from "../lamps/lamps-page.tsx";
import type { Page } from "../parts/page.tsx";
import { healthPage } from "../trends/health-page.tsx";
import { trendsPage } from "../trends/trends-page.tsx";
import type { DrawnPage } from "./page-names.ts";

export const DRAWN_PAGES: Readonly<Record<DrawnPage, Page>> = {
  trends: trendsPage,
  lamps: lampsPage,
  health: healthPage,
};
