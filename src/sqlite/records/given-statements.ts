// The ledger's statements of the kind `given`: which versions of verdicts left the ship, and when.
// One statement is made each time, with the versions' numbers as ranges. A version is stated once,
// so all these statements together need only some bytes per version.

import { printTime } from "../../ground/clock.ts";
import { appendStatement, leavesOf } from "../file/ledger.ts";
import { type Connection, memo, prepare } from "../file/open.ts";

/** The time at which a version left the ship, and the number of the statement about it. */
export interface StatedGiving {
  readonly at_ms: number;
  readonly number: number;
}

const HEADING = "verdicts given out";

/**
 * Appends the statement that verdicts, by their numbers in the ledger, left the ship; in a
 * transaction.
 */
export function appendGivenOut(db: Connection, verdicts: readonly number[], at_ms: number): void {
  const lines = [HEADING, `at ${printTime(at_ms)}`, `numbers ${rangesText(verdicts)}`, ""];
  appendStatement(db, "given", lines.join("\n"));
}

/** Numbers as ranges, such as `1-12 14`. */
function rangesText(numbers: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && number <= last.to + 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(" ");
}

const STATEMENT = /^verdicts given out\nat (\S+)\nnumbers ([\d -]+)\n$/;

/** The verdicts that left the ship by the ledger, keyed by their numbers in it. */
export function givenVerdicts(db: Connection): ReadonlyMap<number, StatedGiving> {
  return memo(db, "given_verdicts", () => {
    const found = new Map<number, StatedGiving>();
    const last = leavesOf(db, "verdict");
    for (const { number, content } of prepare(db, "ledger.statements").all({ kind: "given" })) {
      const [, at = "", ranges = ""] = STATEMENT.exec(content ?? "") ?? [];
      const at_ms = Date.parse(at);
      if (Number.isNaN(at_ms)) continue;
      for (const [, from, to = from] of ranges.matchAll(/(\d+)(?:-(\d+))?/g))
        for (let verdict = Number(from); verdict <= Math.min(Number(to), last); verdict += 1)
          if (!found.has(verdict)) found.set(verdict, { at_ms, number });
    }
    return found;
  });
}
