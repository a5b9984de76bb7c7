// The part of the route table about the program itself: whether it lives and can work, its metrics,
// its build and its description.

import * as z from "zod";
import { ReadinessAnswer } from "../../bwts/readiness.ts";
import { TAGS } from "../../bwts/tags.ts";
import type { Route } from "../route.ts";
import * as example from "./examples.ts";
import { own } from "./route-kinds.ts";
import * as system from "./system.ts";

/** Spread into the table. */
export const SYSTEM_ROUTES: readonly Route[] = [
  own({
    path: "/api/tags",
    operation: "listTags",
    access: "reader",
    summary: "The catalogue: every telemetry field with its type, unit and meaning",
    answer: { schema: z.array(system.TagAnswer), example: TAGS.slice(0, 6) },
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
