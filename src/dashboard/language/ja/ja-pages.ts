// Japanese: the areas of the pages beyond the overview, in a chunk that is loaded with the first of
// them. An area that is missing here would stay English.

import type { Areas } from "../area.ts";
import { jaAlertCodes } from "./alert-codes.ts";
import { jaAlerts } from "./alerts.ts";
import { jaChart } from "./chart.ts";
import { jaExport } from "./export.ts";
import { jaHandover } from "./handover.ts";
import { jaHealth } from "./health.ts";
import { jaInspection } from "./inspection.ts";
import { jaLamps } from "./lamps.ts";
import { jaOperations } from "./operations.ts";
import { jaRecordBook } from "./record-book.ts";
import { jaRules } from "./rules.ts";
import { jaSystem } from "./system.ts";
import { jaTrends } from "./trends.ts";

export const jaPages: Areas = {
  alert_codes: jaAlertCodes,
  alerts: jaAlerts,
  chart: jaChart,
  export: jaExport,
  handover: jaHandover,
  health: jaHealth,
  inspection: jaInspection,
  lamps: jaLamps,
  operations: jaOperations,
  record_book: jaRecordBook,
  rules: jaRules,
  system: jaSystem,
  trends: jaTrends,
};
