// The routes about records: health, events, predictions, gaps, clock steps and the audit log.
// Readers answer; only the clocks' present state comes from the main thread.

import * as z from "zod";
import { AUDIT_KINDS, AuditPage } from "../../bwts/audit.ts";
import { ClockAnswer, type ClockNow } from "../../bwts/clock-step.ts";
import { EVENT_TYPES, EventAnswer } from "../../bwts/event.ts";
import { HealthBucket, HealthFlat } from "../../bwts/health-record.ts";
import { PredictionAnswer } from "../../bwts/prediction.ts";
import { GapAnswer } from "../../bwts/present/silence.ts";
import {
  dates,
  interval,
  limitParameter,
  offsetParameter,
  oneOfParameter,
  optionalRange,
  rangeOf,
} from "../parameters.ts";
import { ask, route } from "../route.ts";

/** Parameters for the newest records of a range. */
const newest = { limit: limitParameter(100), ...dates };

/** The rows of records in the route table. */
export const RECORD_ROUTES = [
  route({
    path: "/api/health",
    operation: "listHealth",
    summary: "Health records, newest first",
    query: newest,
    answer: z.array(HealthFlat),
    ask: ({ limit, ...given }) => ({ name: "health", range: rangeOf(given), limit }),
  }),
  route({
    path: "/api/health/aggregated",
    operation: "listHealthBuckets",
    summary: "Health by UTC hour or day, ascending; without dates the newest buckets",
    query: {
      interval,
      ...dates,
      limit: limitParameter(30).meta({
        description: "the newest so many buckets; only without startDate and endDate",
      }),
    },
    answer: z.array(HealthBucket),
    ask: ({ interval, limit, ...given }) => ({
      name: "health_aggregated",
      interval,
      range: optionalRange(given),
      limit,
    }),
  }),
  route({
    path: "/api/events",
    operation: "listEvents",
    summary: "Operations that started and stopped, and alarms, newest first",
    query: { ...newest, type: oneOfParameter(EVENT_TYPES, "only events of this type") },
    answer: z.array(EventAnswer),
    ask: ({ limit, type = null, ...given }) => ({
      name: "events",
      range: rangeOf(given),
      type,
      limit,
    }),
  }),
  route({
    path: "/api/predictions",
    operation: "listPredictions",
    summary: "Lamp predictions, newest first, then by lamp",
    query: {
      ...newest,
      newest: oneOfParameter(["all", "each_lamp"], "each_lamp: of each lamp the newest alone"),
    },
    answer: z.array(PredictionAnswer),
    ask: ({ limit, newest: of, ...given }) => ({
      name: "predictions",
      range: rangeOf(given),
      limit,
      isEachLamp: of === "each_lamp",
    }),
  }),
  route({
    path: "/api/gaps",
    operation: "listGaps",
    summary: "When no readings came though an operation was running, newest first",
    query: newest,
    answer: z.array(GapAnswer),
    ask: ({ limit, ...given }) => ({ name: "gaps", range: rangeOf(given), limit }),
  }),
  route({
    path: "/api/clock",
    operation: "getClock",
    summary: "The PLC's clock against the box's, trust in it, and the steps of both, newest first",
    query: newest,
    answer: ClockAnswer,
    errors: [503],
    async handle({ query }, context) {
      const { limit } = query;
      const steps = await ask(context, { name: "clock_steps", range: rangeOf(query), limit });
      if (steps.kind !== "chunks") return steps;
      return { ...steps, chunks: withSteps(context.clock(), steps.chunks) };
    },
  }),
];

async function* withSteps(
  now: ClockNow,
  steps: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield Buffer.from(`${JSON.stringify(now).slice(0, -1)},"steps":`);
  yield* steps;
  yield Buffer.from("}");
}

/** The row of the audit log, placed in the table after the exports. */
export const AUDIT_ROUTE = route({
  path: "/admin/audit",
  operation: "listAudit",
  group: "admin",
  access: "engineer",
  summary: "The audit log, newest first",
  query: {
    offset: offsetParameter("entries"),
    ...newest,
    kind: oneOfParameter(AUDIT_KINDS, "only entries of this kind"),
  },
  answer: AuditPage,
  ask: ({ offset, limit, kind = null, ...given }) => ({
    name: "audit",
    range: rangeOf(given),
    kind,
    offset,
    limit,
  }),
});
