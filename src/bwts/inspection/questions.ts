// The ten questions of the concentrated inspection campaign of 2025 on ballast water, in their
// order. ballastd answers those that its data can; the others are the crew's.

import type { Inspection, OfficerQuestion } from "./inspection.ts";
import { counted } from "./words.ts";

type Answered = Pick<Inspection, "counts" | "ship" | "system">;

const QUESTIONS: readonly (readonly [string, (sheet: Answered) => string | null])[] = [
  ["Ballast water certificate valid?", () => null],
  ["Management plan approved, and aboard?", () => null],
  ["Plan current, for the system that is fitted?", () => null],
  ["Crew familiar with plan and system?", () => null],
  ["System type-approved?", ({ ship }) => certificateOf(ship)],
  ["System operational?", ({ system }) => operationalOf(system)],
  ["Ballast water managed as the plan says?", ({ counts }) => managedOf(counts)],
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

function operationalOf({ malfunctions, reading }: Inspection["system"]): string | null {
  if (reading === null) return null;
  const n = malfunctions.length;
  return n === 0 ? "no open malfunction" : counted(n, "open malfunction");
}

/** The plan itself isn't known aboard: only that the system stayed within its limits. */
function managedOf({ operations, within_limits }: Inspection["counts"]): string | null {
  if (operations === 0) return null;
  return `${within_limits} of ${operations} within limits`;
}
