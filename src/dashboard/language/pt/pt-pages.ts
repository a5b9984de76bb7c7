// Portuguese: the areas of the pages beyond the overview, in a chunk that is loaded with the first of
// them. An area that is missing here would stay English.

import type { Areas } from "../area.ts";
import { ptAlertCodes } from "./alert-codes.ts";
import { ptAlerts } from "./alerts.ts";
import { ptChart } from "./chart.ts";
import { ptExport } from "./export.ts";
import { ptHandover } from "./handover.ts";
import { ptHealth } from "./health.ts";
import { ptInspection } from "./inspection.ts";
import { ptLamps } from "./lamps.ts";
import { ptOperations } from "./operations.ts";
import { ptRecordBook } from "./record-book.ts";
import { ptRules } from "./rules.ts";
import { ptSystem } from "./system.ts";
import { ptTrends } from "./trends.ts";

export const ptPages: Areas = {
  alert_codes: ptAlertCodes,
  alerts: ptAlerts,
  chart: ptChart,
  export: ptExport,
  handover: ptHandover,
  health: ptHealth,
  inspection: ptInspection,
  lamps: ptLamps,
  operations: ptOperations,
  record_book: ptRecordBook,
  rules: ptRules,
  system: ptSystem,
  trends: ptTrends,
};
