// Prints operations as lines for a terminal of 80 columns, under a head. Texts of the treatment
// system are shortened, and the part that isn't recorded is given below the line.

import { isRunning, storedVerdict } from "../bwts/documents/operation-text.ts";
import type { Operation } from "../bwts/operations/operation.ts";
import { notRecordedText } from "../bwts/operations/operation-words.ts";
import { DAY_MS } from "../ground/clock.ts";
import { fitted } from "../ground/columns.ts";

/** The head and a line for each operation; nothing for an empty list. */
export function operationRows(operations: readonly Operation[]): readonly string[] {
  if (operations.length === 0) return [];
  const head = line("ID", "TYPE", "PLACE", "START (UTC)", "END", "M3", "VERDICT");
  return [head, ...operations.flatMap((one) => [rowOf(one), ...missingOf(one)])];
}

/**
 * The line below an operation's row about the part that isn't recorded; none if all is recorded.
 */
function missingOf({ not_recorded }: Operation): readonly string[] {
  const missing = notRecordedText(not_recorded);
  return missing === null ? [] : [`      ${missing}`];
}

function rowOf(one: Operation): string {
  const { id, operation_type, location, start, end, volume_m3 } = one;
  return line(
    String(id),
    operation_type ?? "-",
    location ?? "-",
    `${start.slice(0, 10)} ${start.slice(11, 16)}`,
    end === null ? "-" : clockAfter(start, end),
    volume_m3 === null ? "-" : volume_m3.toFixed(0),
    isRunning(one) ? "running" : storedVerdict(one.verdict, one.remarks),
  );
}

/** The end's clock time; `04:30+1` for an end on the next day (UTC). */
function clockAfter(start: string, end: string): string {
  const [first, last] = [start, end].map((time) => Date.parse(time.slice(0, 10)));
  return end.slice(11, 16) + (first === last ? "" : `+${(last - first) / DAY_MS}`);
}

const WIDTHS = [5, 10, 13, 16, 7, 8, 15] as const;

function line(...cells: readonly string[]): string {
  return cells
    .map((cell, at) => {
      const [width, isNumber] = [WIDTHS[at], at === 0 || at === 5];
      return fitted(isNumber ? cell.padStart(width) : cell, width, "~");
    })
    .join(" ")
    .trimEnd();
}
