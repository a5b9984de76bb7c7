// The one script of the manual's pages: a browser in which the dashboard's night mode is on shows
// them so too. It runs before the page is drawn, so that a dark bridge isn't lit up.

import { applyNight, storedNight } from "../../src/dashboard/stored-night.ts";

applyNight(storedNight());
