// Recreates lost small tables. Voids come from the audit log, which records each of them: a wrong
// reading that was hidden must not return with the damage. Health and gaps are made from the
// readings, by the jobs of the next start.

import * as z from "zod";
import { DERIVATIONS } from "../../derived/derivations.ts";
import { addAllDue } from "../../derived/derived-repair.ts";
import { type Connection, prepare } from "../../file/open.ts";
import { UNDO_VOID, VOIDABLE } from "../../sealed/voids.ts";
import type { Loss } from "./loss.ts";

/** The audit log's entry of a void, as void-writes.ts writes it. */
const VoidTold = z.object({
  id: z.number().int(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  what: z.enum(VOIDABLE).default("readings"),
  reason: z.string().default(""),
  undone: z.boolean().default(false),
});

/** Recreates the voids that are in the audit log and not in the table. */
export function recreateVoids(db: Connection): void {
  for (const { at_ms, detail } of prepare(db, "salvage.voids_told").all({})) {
    const { id, from, to, what, reason, undone } = VoidTold.parse(JSON.parse(detail));
    if (undone) prepare(db, UNDO_VOID[what]).run({ id, undone_ms: at_ms });
    else {
      const span = { start_ms: Date.parse(from), end_ms: Date.parse(to) };
      prepare(db, what === "events" ? "salvage.void_of_events" : "salvage.void").run({
        id,
        ...span,
        reason,
        made_ms: at_ms,
      });
    }
  }
}

/** After a loss of small tables, makes the next start compute all that is made of readings. */
export function markAllDue(db: Connection, losses: readonly Loss[]): void {
  if (losses.some(({ what }) => what === "table")) addAllDue(db, DERIVATIONS);
}
