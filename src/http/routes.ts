// THE ROUTE TABLE: every path, what it asks for, what it answers and who does it. The app and the
// OpenAPI document follow from this list; what isn't in it (beside the dashboard's files) is 404.

import * as z from "zod";
import { AggregatedRow } from "../bwts/aggregated-row.ts";
import { AlarmAnswer } from "../bwts/alarm.ts";
import { AuditPage } from "../bwts/audit.ts";
import { ClockAnswer } from "../bwts/clock-step.ts";
import { EventAnswer } from "../bwts/event.ts";
import { HealthBucket, HealthFlat } from "../bwts/health-record.ts";
import { NewPlantBody, PlantAnswer } from "../bwts/plant.ts";
import { PredictionAnswer } from "../bwts/prediction.ts";
import { TelemetryReading } from "../bwts/reading.ts";
import { ReadingPage } from "../bwts/reading-page.ts";
import { RuntimeRow } from "../bwts/runtime-row.ts";
import { GapAnswer } from "../bwts/silence.ts";
import { Stats } from "../bwts/stats.ts";
import { TAGS } from "../bwts/tags.ts";
import { AlarmsQuery, alarms, GapsQuery, gaps } from "./alarms.ts";
import { AuditQuery, auditLog } from "./audit.ts";
import { ClockQuery, clock } from "./clock.ts";
import { EventsQuery, events } from "./events.ts";
import * as example from "./examples.ts";
import { EXPORT_ROUTES } from "./export-routes.ts";
import { HealthAggregatedQuery, HealthQuery, health, healthAggregated } from "./health.ts";
import { LAMP_ROUTES } from "./lamp-routes.ts";
import { createPlant } from "./plants.ts";
import { PredictionsQuery, predictions } from "./predictions.ts";
import { ReadinessAnswer } from "./readiness.ts";
import { type Route, route } from "./route.ts";
import { none, own, read } from "./route-kinds.ts";
import { stats } from "./stats.ts";
import * as system from "./system.ts";
import * as telemetry from "./telemetry.ts";

const list = (schema: z.ZodType) => z.array(schema);

export const ROUTES: readonly Route[] = [
  read({
    path: "/api/stats",
    operation: "getStats",
    summary: "The latest reading and health, recent events, and the month's averages",
    query: none,
    answer: { schema: Stats, example: example.stats },
    handle: stats,
  }),
  read({
    path: "/api/telemetry/latest",
    operation: "getLatestTelemetry",
    summary: "The most recent reading",
    query: none,
    answer: { schema: TelemetryReading, example: example.reading },
    errors: [404],
    handle: telemetry.latest,
  }),
  read({
    path: "/api/telemetry/history",
    operation: "listTelemetryHistory",
    summary: "The readings of the hours up to the latest one, ascending",
    query: telemetry.HistoryQuery,
    answer: { schema: list(TelemetryReading), example: [example.reading] },
    handle: telemetry.history,
  }),
  read({
    path: "/api/telemetry/aggregated",
    operation: "listTelemetryBuckets",
    summary: "Readings summed up by UTC hour or day, ascending; dates take precedence over hours",
    query: telemetry.AggregatedQuery,
    answer: { schema: list(AggregatedRow), example: [example.aggregatedRow] },
    handle: telemetry.aggregated,
  }),
  read({
    path: "/api/telemetry/chunked",
    operation: "listTelemetryPage",
    summary: "A page of the raw readings of a range, ascending",
    query: telemetry.ChunkedQuery,
    answer: { schema: ReadingPage, example: example.readingPage },
    handle: telemetry.chunked,
  }),
  read({
    path: "/api/telemetry/runtime-analysis",
    operation: "listLampRuntimes",
    summary: "Lamp figures of at most 10,000 readings, ascending, thinned over the whole range",
    query: telemetry.RuntimeQuery,
    answer: { schema: list(RuntimeRow).max(10_000), example: [example.runtimeRow] },
    handle: telemetry.runtime,
  }),
  read({
    path: "/api/health",
    operation: "listHealth",
    summary: "Health records, newest first",
    query: HealthQuery,
    answer: { schema: list(HealthFlat), example: [example.healthFlat] },
    handle: health,
  }),
  read({
    path: "/api/health/aggregated",
    operation: "listHealthBuckets",
    summary: "Health by UTC hour or day, ascending; without dates the newest buckets",
    query: HealthAggregatedQuery,
    answer: { schema: list(HealthBucket), example: [example.healthBucket] },
    handle: healthAggregated,
  }),
  read({
    path: "/api/events",
    operation: "listEvents",
    summary: "Operations that started and stopped, and alarms, newest first",
    query: EventsQuery,
    answer: { schema: list(EventAnswer), example: [example.event] },
    handle: events,
  }),
  read({
    path: "/api/predictions",
    operation: "listPredictions",
    summary: "Lamp predictions, newest first, then by lamp",
    query: PredictionsQuery,
    answer: { schema: list(PredictionAnswer), example: [example.prediction] },
    handle: predictions,
  }),
  read({
    path: "/api/alarms",
    operation: "listAlarms",
    summary: "Alarms and whether they are over, newest first: ballastd's own, and the plant's",
    query: AlarmsQuery,
    answer: { schema: list(AlarmAnswer), example: [example.alarm] },
    handle: alarms,
  }),
  read({
    path: "/api/gaps",
    operation: "listGaps",
    summary: "When no readings came though an operation was running, newest first",
    query: GapsQuery,
    answer: { schema: list(GapAnswer), example: [example.gap] },
    handle: gaps,
  }),
  read({
    path: "/api/clock",
    operation: "getClock",
    summary: "The PLC's clock against the box's, trust in it, and the steps of both, newest first",
    query: ClockQuery,
    answer: { schema: ClockAnswer, example: example.clock },
    handle: clock,
  }),
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
  own({
    path: "/api/tags",
    operation: "listTags",
    access: "reader",
    summary: "The catalogue: every telemetry field with its type, unit and meaning",
    answer: { schema: list(system.TagAnswer), example: TAGS.slice(0, 6) },
    handle: system.catalogue,
  }),
  own({
    path: "/healthz",
    operation: "getAlive",
    access: "anybody",
    summary: "Whether the process answers",
    answer: { schema: system.HealthzAnswer, example: { status: "ok" } },
    handle: system.healthz,
  }),
  own({
    path: "/readyz",
    operation: "getReadiness",
    access: "anybody",
    summary: "Whether the appliance can do its work, and if not, why",
    answer: { schema: ReadinessAnswer, example: example.readiness, statuses: [200, 503] },
    handle: system.readyz,
  }),
  own({
    path: "/metrics",
    operation: "getMetrics",
    access: "reader",
    summary: "Metrics for Prometheus",
    answer: {
      schema: z.string(),
      example: "# TYPE ballastd_up gauge\nballastd_up 1\n",
      type: "text/plain",
    },
    handle: system.metrics,
  }),
  own({
    path: "/version",
    operation: "getVersion",
    access: "reader",
    summary: "What is running",
    answer: { schema: system.VersionAnswer, example: example.version },
    handle: system.version,
  }),
  own({
    path: "/openapi.json",
    operation: "getOpenApi",
    access: "reader",
    summary: "This document",
    answer: { schema: system.OpenApiAnswer, example: { openapi: "3.1.0" } },
    handle: system.openapi,
  }),
  own({
    path: "/docs",
    operation: "getDocs",
    access: "reader",
    summary: "This document as a page",
    answer: { schema: z.string(), example: "<!doctype html>", type: "text/html" },
    handle: system.docs,
  }),
];
