// Splits an operation where it was outside its limits, was bypassed, or lacks data. The parts cover
// all of it, in order and without overlap. Pure.

import type { OPERATION_PARTS } from "../operations/operation-words.ts";
import { type RuleFinding, ruleOf } from "./findings.ts";

type OperationPartName = (typeof OPERATION_PARTS)[number];

export interface Part {
  readonly part: OperationPartName;
  readonly start_ms: number;
  readonly end_ms: number;
}

/** The first of these counts if findings overlap. */
const ORDER: readonly OperationPartName[] = [
  "bypassed",
  "outside_limits",
  "cannot_tell",
  "within_limits",
];

export function operationParts(
  findings: readonly RuleFinding[],
  { start_ms, end_ms }: { readonly start_ms: number; readonly end_ms: number },
): readonly Part[] {
  const stretches: readonly Part[] = [
    ...findings.map((finding) => ({ ...finding, part: partOf(finding) })),
    { part: "within_limits", start_ms, end_ms },
  ];
  const times = stretches.flatMap((one) => [one.start_ms, one.end_ms]);
  const borders = [...new Set(times.map((at_ms) => Math.min(Math.max(at_ms, start_ms), end_ms)))];
  borders.sort((one, other) => one - other);
  const parts: Part[] = [];
  for (const [index, to_ms] of borders.entries()) {
    if (index === 0) continue;
    const from_ms = borders[index - 1];
    const over = stretches.filter((one) => one.start_ms <= from_ms && one.end_ms >= to_ms);
    const part = ORDER.find((name) => over.some((one) => one.part === name)) ?? "within_limits";
    const last = parts.at(-1);
    if (last?.part === part) parts[parts.length - 1] = { ...last, end_ms: to_ms };
    else parts.push({ part, start_ms: from_ms, end_ms: to_ms });
  }
  return parts;
}

function partOf(finding: RuleFinding): OperationPartName {
  return finding.rule === "bypass" ? "bypassed" : ruleOf(finding).verdict;
}
