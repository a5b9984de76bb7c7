// Lamp predictions over HTTP, newest first. A reader's thread makes the answers; this file defines
// the parameters.

import * as z from "zod";
import { dates, limitParameter, rangeOf } from "../parameters.ts";
import { type Asked, ask, type HttpContext, type Reply } from "../route.ts";

export const PredictionsQuery = z.object({ limit: limitParameter(100), ...dates });

export function predictions(
  { query }: Asked<z.output<typeof PredictionsQuery>>,
  context: HttpContext,
): Promise<Reply> {
  return ask(context, { name: "predictions", range: rangeOf(query), limit: query.limit });
}
