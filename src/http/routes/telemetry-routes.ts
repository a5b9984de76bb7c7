// The part of the route table about readings: the newest, those of a range, and sums by hour or
// by day.

import * as z from "zod";
import { AggregatedRow } from "../../bwts/aggregated-row.ts";
import { TelemetryReading } from "../../bwts/reading.ts";
import { ReadingPage } from "../../bwts/reading-page.ts";
import { RuntimeRow } from "../../bwts/runtime-row.ts";
import { Stats } from "../../bwts/stats.ts";
import type { Route } from "../route.ts";
import * as example from "./examples.ts";
import { none, read } from "./route-kinds.ts";
import { stats } from "./stats.ts";
import * as telemetry from "./telemetry.ts";

const list = (schema: z.ZodType) => z.array(schema);

/** Spread into the table. */
export const TELEMETRY_ROUTES: readonly Route[] = [
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
];
