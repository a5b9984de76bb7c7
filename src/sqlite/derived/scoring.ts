// Scores 15-minute slots. Reading and computing happen here, in a reader's thread. The writer gives
// the due slots and stores the results, unless a slot changed in the meantime.

import { type HealthLimits, SLOT_MS, scoreSlot } from "../../bwts/health.ts";
import { messageOf } from "../../ground/errors.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import type { Connection } from "../file/open.ts";
import { readingsIn } from "../sealed/timeline.ts";
import type { ScoredHealth } from "./health-days.ts";
import type { DueSlot } from "./health-due.ts";

/** A scored slot with its revision, or a slot with damaged readings. */
export type ScoredSlot = (DueSlot & ScoredHealth) | (DueSlot & { readonly record: "damaged" });

/** Scores slots over the current readings. */
export function scoreSlots(
  db: Connection,
  slots: readonly DueSlot[],
  limits: HealthLimits,
): readonly ScoredSlot[] {
  return slots.map(({ start_ms, revision }) => {
    const record = unlessDamaged(db, () => {
      const readings = [...readingsIn(db, { start_ms, end_ms: start_ms + SLOT_MS - 1 })];
      return scoreSlot({ start_ms, readings }, limits);
    });
    return { start_ms, revision, record };
  });
}

/** A slot that can't be scored must not hold up others. */
function unlessDamaged<Result>(db: Connection, make: () => Result): Result | "damaged" {
  try {
    return make();
  } catch (error) {
    if (!isDamage(error)) throw error;
    damageOf(db).note(messageOf(error));
    return "damaged";
  }
}
