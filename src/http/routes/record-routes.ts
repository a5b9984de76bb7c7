// The part of the route table about what happened: health, events, predictions, alarms, gaps, and
// the steps of the clocks.

import * as z from "zod";
import { AlarmAnswer } from "../../bwts/alarm.ts";
import { ClockAnswer } from "../../bwts/clock-step.ts";
import { EventAnswer } from "../../bwts/event.ts";
import { HealthBucket, HealthFlat } from "../../bwts/health-record.ts";
import { PredictionAnswer } from "../../bwts/prediction.ts";
import { GapAnswer } from "../../bwts/silence.ts";
import type { Route } from "../route.ts";
import { AlarmsQuery, alarms, GapsQuery, gaps } from "./alarms.ts";
import { ClockQuery, clock } from "./clock.ts";
import { EventsQuery, events } from "./events.ts";
import * as example from "./examples.ts";
import { HealthAggregatedQuery, HealthQuery, health, healthAggregated } from "./health.ts";
import { PredictionsQuery, predictions } from "./predictions.ts";
import { read } from "./route-kinds.ts";

const list = (schema: z.ZodType) => z.array(schema);

/** Spread into the table. */
export const RECORD_ROUTES: readonly Route[] = [
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
];
