// Korean: its areas, one file each, in one chunk that is loaded when the language is chosen. An
// area that is missing here would stay English.

import type { Language } from "../area.ts";
import { koAlertCodes } from "./alert-codes.ts";
import { koAlerts } from "./alerts.ts";
import { koChart } from "./chart.ts";
import { koExport } from "./export.ts";
import { koFields } from "./fields.ts";
import { koHandover } from "./handover.ts";
import { koHealth } from "./health.ts";
import { koLamps } from "./lamps.ts";
import { koOverview } from "./overview.ts";
import { koParts } from "./parts.ts";
import { koShell } from "./shell.ts";
import { koSystem } from "./system.ts";
import { koTrends } from "./trends.ts";

export const ko: Language = {
  code: "ko",
  sample: ["한", "물"],
  areas: {
    alert_codes: koAlertCodes,
    alerts: koAlerts,
    chart: koChart,
    export: koExport,
    fields: koFields,
    handover: koHandover,
    health: koHealth,
    lamps: koLamps,
    overview: koOverview,
    parts: koParts,
    shell: koShell,
    system: koSystem,
    trends: koTrends,
  },
};
