// English texts of the page Alerts: the source and the type of its translations. They
// come with that page's script.

import { area } from "../area.ts";

export const alertsWords = area("alerts", {
  title: "Alerts",
});
