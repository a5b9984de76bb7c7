// The clocks over HTTP: their present state, from the main
// thread, and their steps, from a reader.

import * as z from "zod";
import type { ClockNow } from "../../bwts/clock-step.ts";
import { dates, limitParameter, rangeOf } from "../parameters.ts";
import { type Asked, ask, type HttpContext, type Reply } from "../route.ts";

export const ClockQuery = z.object({
  limit: limitParameter(100),
  ...dates,
});

export async function clock(
  { query }: Asked<z.output<typeof ClockQuery>>,
  context: HttpContext,
): Promise<Reply> {
  const steps = await ask(context, {
    name: "clock_steps",
    range: rangeOf(query),
    limit: query.limit,
  });
  return steps.kind === "chunks"
    ? { ...steps, chunks: withSteps(context.clock(), steps.chunks) }
    : steps;
}

async function* withSteps(
  now: ClockNow,
  steps: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield Buffer.from(`${JSON.stringify(now).slice(0, -1)},"steps":`);
  yield* steps;
  yield Buffer.from("}");
}
