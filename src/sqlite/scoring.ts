// The scores of 15-minute slots. Reading and computing happen here, in a reader's thread; the
// writer says which slots wait and stores the result, unless a slot has changed in the meantime.

import { type HealthLimits, SLOT_MS, scoreSlot } from "../bwts/health.ts";
import { messageOf } from "../errors.ts";
import { damageOf, isDamage } from "./damage.ts";
import type { ScoredHealth } from "./health-days.ts";
import type { DueSlot } from "./health-due.ts";
import type { Connection } from "./open.ts";
import { readingsIn } from "./timeline.ts";

/** A slot that was scored, and which state of it; or that readings of it are damaged. */
export type ScoredSlot = (DueSlot & ScoredHealth) | (DueSlot & { readonly record: "damaged" });

/** Scores slots over the readings as they are now. */
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

/** A slot that can't be scored is in nobody's way. */
function unlessDamaged<Result>(db: Connection, make: () => Result): Result | "damaged" {
  try {
    return make();
  } catch (error) {
    if (!isDamage(error)) throw error;
    damageOf(db).note(messageOf(error));
    return "damaged";
  }
}
