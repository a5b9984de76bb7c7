// Japanese: its areas, one file each, in one chunk that is loaded when the language is chosen. An
// area that is missing here would stay English.

import type { Language } from "../area.ts";
import { jaAlertCodes } from "./alert-codes.ts";
import { jaAlerts } from "./alerts.ts";
import { jaChart } from "./chart.ts";
import { jaExport } from "./export.ts";
import { jaFields } from "./fields.ts";
import { jaHandover } from "./handover.ts";
import { jaHealth } from "./health.ts";
import { jaLamps } from "./lamps.ts";
import { jaOverview } from "./overview.ts";
import { jaParts } from "./parts.ts";
import { jaShell } from "./shell.ts";
import { jaSystem } from "./system.ts";
import { jaTrends } from "./trends.ts";

export const ja: Language = {
  code: "ja",
  sample: ["日", "水"],
  areas: {
    alert_codes: jaAlertCodes,
    alerts: jaAlerts,
    chart: jaChart,
    export: jaExport,
    fields: jaFields,
    handover: jaHandover,
    health: jaHealth,
    lamps: jaLamps,
    overview: jaOverview,
    parts: jaParts,
    shell: jaShell,
    system: jaSystem,
    trends: jaTrends,
  },
};
