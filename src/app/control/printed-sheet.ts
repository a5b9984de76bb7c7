// The inspection sheet for print: its verdicts are marked as given out, the audit log records who
// printed it, and a head of the ledger is signed for it, which the ledger itself records.

import type { Inspection } from "../../bwts/documents/inspection.ts";

interface SheetTools {
  readonly read: () => Promise<Inspection>;
  /**
   * Marks the newest verdicts of these operations as given out, and records it in the audit log.
   */
  readonly giveOut: (ids: readonly number[]) => Promise<unknown>;
  /** Signs a head with the reason "print". */
  readonly sign: () => Promise<unknown>;
  /** Throws if nobody waits for the print any more. */
  readonly requireWanted: () => void;
}

/** The sheet with the head that was signed for it. */
export async function printedSheet({
  read,
  giveOut,
  sign,
  requireWanted,
}: SheetTools): Promise<Inspection> {
  requireWanted();
  const sheet = await read();
  requireWanted();
  await giveOut(newToPaper(sheet));
  await sign();
  const printed = await read();
  // Verdicts made in the meantime are on the sheet as well; they are marked now, and covered by the
  // next head.
  const late = newToPaper(printed);
  if (late.length === 0) return printed;
  await giveOut(late);
  return read();
}

/** Ids of the operations on the sheet whose present verdict wasn't given out before. */
function newToPaper({ operations, exceptions, trace }: Inspection): readonly number[] {
  const traced = trace === null ? [] : [trace.uptake, trace.discharge];
  const lines = [...operations, ...traced].filter(({ verdict }) => verdict !== null);
  const ids = [
    ...lines.map(({ id, given_out }) => ({ id, given_out })),
    ...exceptions.map(({ operation_id, given_out }) => ({ id: operation_id, given_out })),
  ];
  return [...new Set(ids.flatMap(({ id, given_out }) => (given_out === null ? [id] : [])))];
}
