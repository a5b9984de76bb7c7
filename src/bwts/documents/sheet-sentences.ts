// Sentences of the inspection sheet about the plant's upkeep, and about how far its data can be
// trusted: clock, gaps, corrections, proofs, and signed heads that left the ship.

import type { Inspection } from "./inspection.ts";
import { amountOf, BOX, counted, dayOf, lengthOf, minuteOf, spanOf } from "./sheet-words.ts";

type Upkeep = Omit<Inspection["upkeep"], "sentence">;
type Trust = Omit<Inspection["trust"], "sentences">;

export function upkeepSentence(upkeep: Upkeep) {
  const { hours_since_cip, cip_hours, calibrated } = upkeep;
  const hours = hours_since_cip === null ? BOX : `${amountOf(hours_since_cip)} h ago`;
  const sensors = `sensors calibrated: ${calibrated ?? BOX}`;
  const cleaned = `Cleaned in place (CIP): ${hours}, due after ${amountOf(cip_hours)} h`;
  return `${cleaned}; lamps failed: ${lampWords(upkeep)}; ${sensors}.`;
}

/** The failed lamps as text; `none` only if the status of all lamps is known. */
function lampWords({ lamps_failed: failed, lamps_unknown: unknown }: Upkeep): string {
  if (failed === null || unknown === null) return BOX;
  // Two digits, since a bare number would look like a count.
  const numbers = failed.map((lamp) => String(lamp).padStart(2, "0")).join(", ");
  const named = failed.length === 0 ? "none" : `${failed.length}, lamp ${numbers}`;
  if (unknown.length === 0) return named;
  const untold = `status of ${counted(unknown.length, "lamp")} not known`;
  return failed.length === 0 ? untold : `${named} (${untold})`;
}

export function trustSentences(trust: Trust): string[] {
  const { clock, gap_seconds, operation_seconds, voids, replaced, verified } = trust;
  const { head, given_out } = trust;
  const steps = clock.last_step === null ? "" : `, last ${dayOf(clock.last_step)}`;
  const trusted = clock.problem === null ? "trusted" : `NOT trusted, ${clock.problem}`;
  const all = lengthOf(operation_seconds);
  return [
    `Clock: ${trusted}; set ${counted(clock.steps, "time")} in 12 months${steps}.`,
    `Gaps: ${lengthOf(gap_seconds)} without readings in ${all} of operations.`,
    voidSentence(voids, replaced.length > 0),
    replacedSentence(replaced),
    provenSentence(verified),
    head === null
      ? "Ledger: no head is signed yet."
      : `Ledger: ${counted(head.size, "leaf", "leaves")}, head signed ` +
        `${minuteOf(head.signed)} UTC (${head.reason}).`,
    givenSentence(given_out),
    "To verify: ballastd's manual, docs/ledger.md; its script needs Python 3.8 alone.",
  ];
}

/** The newest proof of all stored data as text; data with damage isn't called verified. */
function provenSentence(verified: Trust["verified"]): string {
  if (verified === null) return "Stored data: not yet verified as a whole.";
  const { at, result } = verified;
  const done = /\b0 problems/.test(result) ? "verified" : "checked, NOT whole,";
  return `Stored data: ${done} ${minuteOf(at)} UTC, ${result}.`;
}

/** Maximum number of voids that are listed (others are counted), and length of a reason. */
const VOIDS_MAX = 3;
const REASON_MAX = 40;

/** Maximum number of replacements that are listed; others are counted. */
const REPLACED_MAX = 2;

function replacedSentence(replaced: Trust["replaced"]): string {
  if (replaced.length === 0) return "Stored data replaced: never.";
  const named = replaced.slice(0, REPLACED_MAX).map(({ at, reason }) => `${dayOf(at)} (${reason})`);
  const more = replaced.length > REPLACED_MAX ? `; and ${replaced.length - REPLACED_MAX} more` : "";
  return `Stored data REPLACED: ${counted(replaced.length, "time")}: ${named.join("; ")}${more}.`;
}

/** A replaced database as the text of an exception. */
export function replacedException({ at, reason, lost_size }: Trust["replaced"][number]): string {
  const lost = lost_size === null ? "" : `, a signed head of ${lost_size} leaves is lost`;
  return `Stored data was replaced ${dayOf(at)}: ${reason}${lost}. Operations may be missing.`;
}

function voidSentence(voids: Trust["voids"], isReplaced: boolean): string {
  if (voids.length === 0) return isReplaced ? "Corrections: no void." : "Corrections: none.";
  const named = voids.slice(0, VOIDS_MAX).map(({ id, start, end, reason, undone }) => {
    const letters = [...reason];
    const cut = letters.length > REASON_MAX ? `${letters.slice(0, REASON_MAX).join("")}…` : reason;
    return `no. ${id} ${spanOf(start, end)}${undone ? " (undone)" : ""}: ${cut}`;
  });
  const more = voids.length > VOIDS_MAX ? `; and ${voids.length - VOIDS_MAX} more` : "";
  return `Corrections: ${counted(voids.length, "void")}: ${named.join("; ")}${more}.`;
}

function givenSentence({ count, compared, in_tree, newest }: Trust["given_out"]): string {
  if (count === 0) return "Heads given out before: none.";
  const dates = newest.map(({ at, reason }) => `${dayOf(at)} (${reason})`).join(", ");
  const which = compared === count ? "all" : `the last ${compared}`;
  const told = in_tree === compared ? `grew from ${which}` : `lacks ${compared - in_tree} of them`;
  return `Heads given out before: ${count}, this tree ${told}; last: ${dates}.`;
}
