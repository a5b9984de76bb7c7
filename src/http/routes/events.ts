// Events over HTTP: newest first, all or those of a range or of one type. A reader's thread makes
// the answers; this file defines the parameters.

import * as z from "zod";
import { EVENT_TYPES } from "../../bwts/event.ts";
import { dates, limitParameter, rangeOf } from "../parameters.ts";
import { type Asked, ask, type HttpContext, type Reply } from "../route.ts";

export const EventsQuery = z.object({
  limit: limitParameter(100),
  ...dates,
  type: z
    .enum(EVENT_TYPES, `expected ${EVENT_TYPES.slice(0, -1).join(", ")} or ${EVENT_TYPES.at(-1)}`)
    .optional()
    .meta({ description: "only events of this type" }),
});

export function events(
  { query }: Asked<z.output<typeof EventsQuery>>,
  context: HttpContext,
): Promise<Reply> {
  const { limit, type = null } = query;
  return ask(context, { name: "events", range: rangeOf(query), type, limit });
}
