// THE ROUTE TABLE: every path with its parameters, its answer, the access that it needs and its
// handler. The app and the OpenAPI document follow from this list; any other path (except the
// dashboard's files) is 404. The schema, example and making of an answer are with its noun in
// bwts/.

import type { Route } from "../route.ts";
import { ALARM_ROUTES } from "./alarms.ts";
import { BACKUP_ROUTE } from "./backup.ts";
import {
  CONFIG_CHANGE_ROUTE,
  CONFIG_ROUTE,
  SEEN_TOPICS_ROUTE,
  TEST_MESSAGE_ROUTE,
} from "./config.ts";
import { EXPORT_ROUTES } from "./exports.ts";
import { INSPECTION_ROUTES } from "./inspection.ts";
import { LAMP_ROUTES } from "./lamps.ts";
import { LEDGER_ROUTES } from "./ledger.ts";
import { NOTE_ROUTES } from "./notes.ts";
import { OPERATION_ROUTES } from "./operations.ts";
import { OVERVIEW_ROUTES } from "./overview.ts";
import { PLANT_ROUTE } from "./plants.ts";
import { QUARANTINE_ROUTES } from "./quarantine.ts";
import { RECORD_BOOK_ROUTES } from "./record-book.ts";
import { AUDIT_ROUTE, RECORD_ROUTES } from "./records.ts";
import { SHORE_ROUTE } from "./shore.ts";
import { STREAM_ROUTE } from "./stream.ts";
import { SUPPORT_ROUTE } from "./support.ts";
import { SYSTEM_ROUTES } from "./system.ts";
import { TELEMETRY_ROUTES } from "./telemetry.ts";
import { TOKEN_ROUTES } from "./tokens.ts";

export const ROUTES: readonly Route[] = [
  ...OVERVIEW_ROUTES,
  ...INSPECTION_ROUTES,
  ...TELEMETRY_ROUTES,
  ...RECORD_ROUTES,
  ...OPERATION_ROUTES,
  ...ALARM_ROUTES,
  ...NOTE_ROUTES,
  ...RECORD_BOOK_ROUTES,
  STREAM_ROUTE,
  ...LAMP_ROUTES,
  PLANT_ROUTE,
  ...EXPORT_ROUTES,
  AUDIT_ROUTE,
  ...LEDGER_ROUTES,
  ...QUARANTINE_ROUTES,
  BACKUP_ROUTE,
  CONFIG_CHANGE_ROUTE,
  CONFIG_ROUTE,
  SEEN_TOPICS_ROUTE,
  TEST_MESSAGE_ROUTE,
  ...TOKEN_ROUTES,
  SUPPORT_ROUTE,
  SHORE_ROUTE,
  ...SYSTEM_ROUTES,
];
