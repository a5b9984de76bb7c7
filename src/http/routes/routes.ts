// THE ROUTE TABLE: every path, what it asks for, what it answers and who does it, one file a noun.
// The app and the OpenAPI document follow from this list; what isn't in it (beside the dashboard's
// files) is 404.

import { AuditPage } from "../../bwts/audit.ts";
import { NewPlantBody, PlantAnswer } from "../../bwts/plant.ts";
import { type Route, route } from "../route.ts";
import { AuditQuery, auditLog } from "./audit.ts";
import * as example from "./examples.ts";
import { EXPORT_ROUTES } from "./export-routes.ts";
import { LAMP_ROUTES } from "./lamp-routes.ts";
import { createPlant } from "./plants.ts";
import { RECORD_ROUTES } from "./record-routes.ts";
import { none } from "./route-kinds.ts";
import { SYSTEM_ROUTES } from "./system-routes.ts";
import { TELEMETRY_ROUTES } from "./telemetry-routes.ts";

export const ROUTES: readonly Route[] = [
  ...TELEMETRY_ROUTES,
  ...RECORD_ROUTES,
  ...LAMP_ROUTES,
  route({
    method: "POST",
    path: "/plants",
    operation: "createPlant",
    group: "plants",
    access: "engineer",
    summary: "Stores a plant; the same one again is answered as the first time",
    query: none,
    body: { schema: NewPlantBody, example: example.newPlant },
    answer: {
      statuses: [200],
      type: "application/json",
      schema: PlantAnswer,
      example: example.plant,
    },
    errors: [413, 415, 503],
    handle: createPlant,
  }),
  ...EXPORT_ROUTES,
  route({
    method: "GET",
    path: "/admin/audit",
    operation: "listAudit",
    group: "admin",
    access: "engineer",
    summary: "The audit log, newest first",
    query: AuditQuery,
    body: null,
    answer: {
      statuses: [200],
      type: "application/json",
      schema: AuditPage,
      example: example.auditPage,
    },
    errors: [503],
    handle: auditLog,
  }),
  ...SYSTEM_ROUTES,
];
