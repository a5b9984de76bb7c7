// Health records over HTTP: single ones in the flat form, hours and days in the nested form, as the
// two operations have always differed.

import * as z from "zod";
import { dates, interval, limitParameter, rangeGiven, rangeOf } from "../parameters.ts";
import { type Asked, ask, type HttpContext, type Reply } from "../route.ts";

export const HealthQuery = z.object({ limit: limitParameter(100), ...dates });

export const HealthAggregatedQuery = z.object({
  interval,
  ...dates,
  limit: limitParameter(30).meta({
    description: "the newest so many buckets; only without startDate and endDate",
  }),
});

export function health(
  { query }: Asked<z.output<typeof HealthQuery>>,
  context: HttpContext,
): Promise<Reply> {
  return ask(context, { name: "health", range: rangeOf(query), limit: query.limit });
}

export function healthAggregated(
  { query }: Asked<z.output<typeof HealthAggregatedQuery>>,
  context: HttpContext,
): Promise<Reply> {
  const { interval, limit } = query;
  return ask(context, { name: "health_aggregated", interval, range: rangeGiven(query), limit });
}
