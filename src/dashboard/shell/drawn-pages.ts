// The pages that draw curves and are opened for them. One module brings them all: the first of them
// that is opened loads it.

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
