// Time of the oldest visible reading, with which the ship's history begins: for the sheet, the page
// System, and statements about a time before the first reading.

import type { Connection } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { timeline, UNDAMAGED } from "./timeline.ts";

/** Time of the oldest visible reading; null without one. */
export function oldestTime(db: Connection): number | null {
  for (const { block, from } of timeline(db, EVER, UNDAMAGED)) return block.at_ms(from);
  return null;
}
