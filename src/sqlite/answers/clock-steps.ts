// Steps of the plant's clock and of the box's: each is stored when it is found, with what the clock
// would have shown and what it said.

import { type ClockStep, stepAnswer } from "../../bwts/clock-step.ts";
import { type Connection, prepare } from "../file/open.ts";
import { closed, type Newest } from "../file/query.ts";

/** Clock steps found in a range, newest first. */
export function clockStepsJson(db: Connection, { range, limit }: Newest): string {
  const rows = prepare<"clock.steps", ClockStep>(db, "clock.steps").all({
    ...closed(range),
    limit,
  });
  return JSON.stringify(rows.map(stepAnswer));
}
