// The one script of the manual's pages: a browser shows them in the palette and brightness chosen
// on the dashboard. It runs before the page is drawn, so that a dark bridge isn't lit up.

import { applyPalette } from "../../src/dashboard/shell/palette.ts";

applyPalette();
