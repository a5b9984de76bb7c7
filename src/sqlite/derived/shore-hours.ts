// Hours whose sums changed, in the order of the changes: the shore is told of each again. Nothing
// is computed here; the sums are read when they are sent.

import { HOUR_MS, SECOND_MS } from "../../ground/clock.ts";
import { prepare } from "../file/open.ts";
import type { Derivation } from "./derivation.ts";

export const SHORE_HOURS: Derivation<readonly number[]> = {
  name: "hours",
  every_ms: 30 * SECOND_MS,
  tables: {},
  made_of: { readings: 0 },
  piece_ms: HOUR_MS,
  open_ms: HOUR_MS,
  pieces_max: 1000,
  few: 1000,
  counted: "hours to be told ashore",
  compute: (_db, starts) => ({
    found: starts.length === 0 ? null : starts,
    ...{ done: starts, damaged: [], count: starts.length, isMore: false, problem: null },
  }),
  save(db, starts) {
    for (const start_ms of starts)
      prepare(db, "shore.hour_put").run({ start_ms, now_ms: Date.now() });
  },
};
