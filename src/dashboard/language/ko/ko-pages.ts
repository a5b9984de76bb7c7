// Korean: the areas of the pages beyond the overview, in a chunk that is loaded with the first of
// them. An area that is missing here would stay English.

import type { Areas } from "../area.ts";
import { koAlertCodes } from "./alert-codes.ts";
import { koAlerts } from "./alerts.ts";
import { koChart } from "./chart.ts";
import { koExport } from "./export.ts";
import { koHandover } from "./handover.ts";
import { koHealth } from "./health.ts";
import { koInspection } from "./inspection.ts";
import { koLamps } from "./lamps.ts";
import { koOperations } from "./operations.ts";
import { koRecordBook } from "./record-book.ts";
import { koRules } from "./rules.ts";
import { koSystem } from "./system.ts";
import { koTrends } from "./trends.ts";

export const koPages: Areas = {
  alert_codes: koAlertCodes,
  alerts: koAlerts,
  chart: koChart,
  export: koExport,
  handover: koHandover,
  health: koHealth,
  inspection: koInspection,
  lamps: koLamps,
  operations: koOperations,
  record_book: koRecordBook,
  rules: koRules,
  system: koSystem,
  trends: koTrends,
};
