// Alarms and gaps over HTTP: their times, and whether they last. A reader's thread makes the
// answers; this file defines the parameters.

import * as z from "zod";
import { ALARM_STATES } from "../../bwts/alarm.ts";
import { dates, limitParameter, rangeOf } from "../parameters.ts";
import { type Asked, ask, type HttpContext, type Reply } from "../route.ts";

export const AlarmsQuery = z.object({
  limit: limitParameter(100),
  ...dates,
  state: z
    .enum(ALARM_STATES, "expected active, cleared or unknown")
    .optional()
    .meta({ description: "only alarms in this state" }),
});

export function alarms(
  { query }: Asked<z.output<typeof AlarmsQuery>>,
  context: HttpContext,
): Promise<Reply> {
  const { limit, state = null } = query;
  return ask(context, { name: "alarms", range: rangeOf(query), state, limit });
}

export const GapsQuery = z.object({ limit: limitParameter(100), ...dates });

export function gaps(
  { query }: Asked<z.output<typeof GapsQuery>>,
  context: HttpContext,
): Promise<Reply> {
  return ask(context, { name: "gaps", range: rangeOf(query), limit: query.limit });
}
