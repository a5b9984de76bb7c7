// Spanish: the areas of the pages beyond the overview, in a chunk that is loaded with the first of
// them. An area that is missing here would stay English.

import type { Areas } from "../area.ts";
import { esAlertCodes } from "./alert-codes.ts";
import { esAlerts } from "./alerts.ts";
import { esChart } from "./chart.ts";
import { esExport } from "./export.ts";
import { esHandover } from "./handover.ts";
import { esHealth } from "./health.ts";
import { esInspection } from "./inspection.ts";
import { esLamps } from "./lamps.ts";
import { esOperations } from "./operations.ts";
import { esRecordBook } from "./record-book.ts";
import { esRules } from "./rules.ts";
import { esSystem } from "./system.ts";
import { esTrends } from "./trends.ts";

export const esPages: Areas = {
  alert_codes: esAlertCodes,
  alerts: esAlerts,
  chart: esChart,
  export: esExport,
  handover: esHandover,
  health: esHealth,
  inspection: esInspection,
  lamps: esLamps,
  operations: esOperations,
  record_book: esRecordBook,
  rules: esRules,
  system: esSystem,
  trends: esTrends,
};
