// The routes about readings: the newest, those of a range, and sums by hour or by day. A reader's
// thread makes every answer, so a row has the parameters and the query made from them.

import * as z from "zod";
import {
  AggregatedRow,
  FieldsPage,
  FieldsRow,
  ReadingPage,
  RuntimeRow,
  Stats,
  TelemetryReading,
} from "../../bwts/telemetry.ts";
import {
  closedRange,
  dates,
  endDate,
  fieldsParameter,
  hoursParameter,
  interval,
  limitParameter,
  offsetParameter,
  oneOfParameter,
  optionalRange,
  rangeOf,
  startDate,
} from "../parameters.ts";
import { route } from "../route.ts";

const DAY_HOURS = 24;

const summedFields = fieldsParameter(
  ({ type }) => type === "number" || type === "integer",
  "number",
  "fields of /api/tags that are numbers, by comma: of each its value, _min and _max; by default " +
    "the 55 that buckets keep, without them",
);
const readFields = fieldsParameter(
  ({ name }) => name !== "timestamp",
  "field",
  "fields of /api/tags, by comma; all by default; the timestamp is always there",
);

/** The rows of telemetry in the route table. */
export const TELEMETRY_ROUTES = [
  route({
    path: "/api/stats",
    operation: "getStats",
    summary: "The latest reading and health, recent events, and the month's averages",
    answer: Stats,
    ask: () => ({ name: "stats" }),
  }),
  route({
    path: "/api/telemetry/latest",
    operation: "getLatestTelemetry",
    summary: "The most recent reading",
    answer: TelemetryReading,
    errors: [404],
    ask: () => ({ name: "latest" }),
  }),
  route({
    path: "/api/telemetry/history",
    operation: "listTelemetryHistory",
    summary: "The readings of the hours up to the latest one, ascending",
    query: { hours: hoursParameter(DAY_HOURS) },
    answer: z.array(TelemetryReading),
    ask: ({ hours }) => ({ name: "history", hours }),
  }),
  route({
    path: "/api/telemetry/aggregated",
    operation: "listTelemetryBuckets",
    summary: "Readings summed up by UTC hour or day, ascending; dates take precedence over hours",
    query: { interval, ...dates, hours: hoursParameter(30 * DAY_HOURS), fields: summedFields },
    answer: z.union([z.array(AggregatedRow), z.array(FieldsRow)]),
    ask: ({ interval, hours, fields, ...given }) => ({
      name: "aggregated",
      interval,
      range: optionalRange(given),
      hours,
      fields,
    }),
  }),
  route({
    path: "/api/telemetry/chunked",
    operation: "listTelemetryPage",
    summary: "A page of the raw readings of a range, ascending",
    query: {
      startDate,
      endDate,
      offset: offsetParameter("readings"),
      limit: limitParameter(500),
      fields: readFields,
      believed: oneOfParameter(
        ["true", "false"],
        "with fields, true: null in place of each value that isn't believed; by default values " +
          "are as they came",
      ),
    },
    answer: z.union([ReadingPage, FieldsPage]),
    ask: ({ offset, limit, fields, believed, ...given }) => ({
      name: "chunked",
      ...closedRange(given),
      ...{ offset, limit, fields },
      ...(believed === "true" ? { believed: true } : {}),
    }),
  }),
  route({
    path: "/api/telemetry/runtime-analysis",
    operation: "listLampRuntimes",
    summary: "Lamp figures of at most 10,000 readings, ascending, thinned over the whole range",
    query: dates,
    answer: z.array(RuntimeRow).max(10_000),
    ask: (given) => ({ name: "runtime", range: rangeOf(given) }),
  }),
];
