// Readings over HTTP: the query of each telemetry route. Dates and hours are parsed here; a
// reader's thread finds the data.

import * as z from "zod";
import { DAY_MS, HOUR_MS } from "../../ground/clock.ts";
import {
  closedRange,
  dates,
  endDate,
  hoursParameter,
  integerParameter,
  interval,
  limitParameter,
  OFFSET_MAX,
  rangeGiven,
  rangeOf,
  startDate,
} from "../parameters.ts";
import { type Asked, ask, type HttpContext, type Reply } from "../route.ts";

const DAY_HOURS = DAY_MS / HOUR_MS;

export const HistoryQuery = z.object({ hours: hoursParameter(DAY_HOURS) });

export const AggregatedQuery = z.object({
  interval,
  ...dates,
  hours: hoursParameter(30 * DAY_HOURS),
});

export const ChunkedQuery = z.object({
  startDate,
  endDate,
  offset: integerParameter({ min: 0, max: OFFSET_MAX, fallback: 0, about: "readings to skip" }),
  limit: limitParameter(500),
});

export const RuntimeQuery = z.object(dates);

export function latest(_asked: Asked<unknown>, context: HttpContext): Promise<Reply> {
  return ask(context, { name: "latest" });
}

export function history(
  { query }: Asked<z.output<typeof HistoryQuery>>,
  context: HttpContext,
): Promise<Reply> {
  return ask(context, { name: "history", hours: query.hours });
}

export function aggregated(
  { query }: Asked<z.output<typeof AggregatedQuery>>,
  context: HttpContext,
): Promise<Reply> {
  const { interval, hours } = query;
  return ask(context, { name: "aggregated", interval, range: rangeGiven(query), hours });
}

export function chunked(
  { query }: Asked<z.output<typeof ChunkedQuery>>,
  context: HttpContext,
): Promise<Reply> {
  const { offset, limit } = query;
  return ask(context, { name: "chunked", ...closedRange(query), offset, limit });
}

export function runtime(
  { query }: Asked<z.output<typeof RuntimeQuery>>,
  context: HttpContext,
): Promise<Reply> {
  return ask(context, { name: "runtime", range: rangeOf(query) });
}
