// Spanish texts of the area `alerts`, in the words of ship's officers and of makers' panels. The
// keys are those of English.

import type { Translated } from "../area.ts";
import type { alertsWords } from "../en/alerts.ts";

export const esAlerts: Translated<typeof alertsWords> = {
  title: "Alertas",
};
