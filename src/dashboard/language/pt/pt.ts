// Portuguese: its areas, one file each, in one chunk that is loaded when the language is chosen. An
// area that is missing here would stay English.

import type { Language } from "../area.ts";
import { ptAlertCodes } from "./alert-codes.ts";
import { ptAlerts } from "./alerts.ts";
import { ptChart } from "./chart.ts";
import { ptExport } from "./export.ts";
import { ptFields } from "./fields.ts";
import { ptHandover } from "./handover.ts";
import { ptHealth } from "./health.ts";
import { ptLamps } from "./lamps.ts";
import { ptOverview } from "./overview.ts";
import { ptParts } from "./parts.ts";
import { ptShell } from "./shell.ts";
import { ptSystem } from "./system.ts";
import { ptTrends } from "./trends.ts";

export const pt: Language = {
  code: "pt",
  areas: {
    alert_codes: ptAlertCodes,
    alerts: ptAlerts,
    chart: ptChart,
    export: ptExport,
    fields: ptFields,
    handover: ptHandover,
    health: ptHealth,
    lamps: ptLamps,
    overview: ptOverview,
    parts: ptParts,
    shell: ptShell,
    system: ptSystem,
    trends: ptTrends,
  },
};
