// Time of the oldest visible reading: the ship's history begins with it, for the sheet, the page
// System, and statements about a time before anything was read.

import type { Connection } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { timeline, UNDAMAGED } from "./timeline.ts";

/** Null without a reading. */
export function oldestTime(db: Connection): number | null {
  for (const { block, from } of timeline(db, EVER, UNDAMAGED)) return block.at_ms(from);
  return null;
}
