// Spanish: its areas, one file each, in one chunk that is loaded when the language is chosen. An
// area that is missing here would stay English.

import type { Language } from "../area.ts";
import { esAlertCodes } from "./alert-codes.ts";
import { esAlerts } from "./alerts.ts";
import { esChart } from "./chart.ts";
import { esExport } from "./export.ts";
import { esFields } from "./fields.ts";
import { esHandover } from "./handover.ts";
import { esHealth } from "./health.ts";
import { esLamps } from "./lamps.ts";
import { esOverview } from "./overview.ts";
import { esParts } from "./parts.ts";
import { esShell } from "./shell.ts";
import { esSystem } from "./system.ts";
import { esTrends } from "./trends.ts";

export const es: Language = {
  code: "es",
  areas: {
    alert_codes: esAlertCodes,
    alerts: esAlerts,
    chart: esChart,
    export: esExport,
    fields: esFields,
    handover: esHandover,
    health: esHealth,
    lamps: esLamps,
    overview: esOverview,
    parts: esParts,
    shell: esShell,
    system: esSystem,
    trends: esTrends,
  },
};
