// The inspection sheet as it is given out on paper: the verdicts on it are marked, and a head of
// the ledger is signed for it, which the ledger itself tells. An officer mustn't wait for a token,
// so whoever may read may print; a stranger's prints share the head of an hour, unless a verdict is
// new to paper. So the disk takes 24 heads a day at most beside one for each new verdict.

import type { Inspection } from "../../bwts/inspection/inspection.ts";
import { HOUR_MS } from "../../ground/clock.ts";

/** Prints by nobody in particular within this time share a head. */
const SHARED_MS = HOUR_MS;

interface SheetTools {
  readonly read: () => Promise<Inspection>;
  /** Marks the newest verdicts of these operations as given out. */
  readonly giveOut: (ids: readonly number[]) => Promise<unknown>;
  /** Signs a head with the reason "print". */
  readonly sign: () => Promise<unknown>;
  /** Throws if nobody waits for the print any more. */
  readonly requireWanted: () => void;
}

/** The sheet, and the head for it; `byAnybody` is false for a command, and with a token. */
export async function printedSheet(
  { read, giveOut, sign, requireWanted }: SheetTools,
  { byAnybody }: { readonly byAnybody: boolean },
): Promise<Inspection> {
  requireWanted();
  const sheet = await read();
  const isShared = byAnybody && isPrintedLately(sheet) && newToPaper(sheet).length === 0;
  if (isShared) return sheet;
  requireWanted();
  await giveOut(newToPaper(sheet));
  await sign();
  const printed = await read();
  // A verdict that was made meanwhile is on the sheet as well; the next head has it.
  const late = newToPaper(printed);
  if (late.length === 0) return printed;
  await giveOut(late);
  return read();
}

/** By a clock that was set back the time isn't known: then a head is signed. */
function isPrintedLately({ made, trust }: Inspection): boolean {
  const { last_print } = trust.given_out;
  if (last_print === null) return false;
  const ago_ms = Date.parse(made) - Date.parse(last_print);
  return ago_ms >= 0 && ago_ms < SHARED_MS;
}

/** The operations on the sheet whose present verdict never left the ship. */
function newToPaper({ operations, exceptions, trace }: Inspection): readonly number[] {
  const traced = trace === null ? [] : [trace.uptake, trace.discharge];
  const lines = [...operations, ...traced].filter(({ version }) => version > 0);
  const ids = [
    ...lines.map(({ id, given_out }) => ({ id, given_out })),
    ...exceptions.map(({ operation_id, given_out }) => ({ id: operation_id, given_out })),
  ];
  return [...new Set(ids.flatMap(({ id, given_out }) => (given_out === null ? [id] : [])))];
}
