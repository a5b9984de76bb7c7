// The ten questions of the concentrated inspection campaign of 2025 on ballast water, in their
// order. Data helps with some of them but answers none: the rest is a box for the crew.

import type { Inspection, OfficerQuestion } from "./inspection.ts";
import { counted } from "./sheet-words.ts";

type Answered = Pick<Inspection, "counts" | "ship" | "system">;

const QUESTIONS: readonly (readonly [string, (sheet: Answered) => string | null])[] = [
  ["Ballast water certificate valid?", () => null],
  ["Management plan approved, and aboard?", () => null],
  ["Plan current, for the system that is fitted?", () => null],
  ["Crew familiar with plan and system?", () => null],
  ["System type-approved?", ({ ship }) => certificateOf(ship)],
  ["System operational?", ({ system }) => operationalOf(system)],
  ["Managed as the plan says?", ({ counts }) => managedOf(counts)],
  ["Record book filled in properly?", () => null],
  ["Sediments managed as the plan says?", () => null],
  ["Exemptions and exceptions recorded?", () => null],
];

export function answeredQuestions(sheet: Answered): OfficerQuestion[] {
  return QUESTIONS.map(([question, answer]) => ({ question, answer: answer(sheet) }));
}

function certificateOf({ certificate }: Inspection["ship"]): string | null {
  return certificate === null ? null : `certificate ${certificate}`;
}

/** Open malfunctions and a box: without a reported one the system may still not work. */
function operationalOf(system: Inspection["system"]): string | null {
  const { malfunctions, end_not_reported, reading, present } = system;
  if (reading === null) return null;
  const n = malfunctions.length;
  const open = n === 0 ? "no open malfunction" : counted(n, "open malfunction");
  const without = end_not_reported.length;
  const known = without === 0 ? open : `${open}, ${without} without a reported end`;
  return `${known}${present ? "" : ", last known"}; operational: ${OWN_WORD}`;
}

/** Operations within limits, and a box: ballastd doesn't know the ship's plan. */
function managedOf({ operations, within_limits }: Inspection["counts"]): string | null {
  if (operations === 0) return null;
  return `limits kept in ${within_limits} of ${operations}; plan: ${OWN_WORD}`;
}

/** A box for the crew's yes or no. */
const OWN_WORD = "____";
