// Finds a verdict that its own reasons contradict: exactly one reason outside makes the whole
// outside. This holds for every version of the rules, so such a verdict was altered.

import type { Operation } from "./operation.ts";

/** The contradiction in words; null without one. */
export function contradictionIn({
  verdict,
  reasons,
}: Pick<Operation, "verdict" | "reasons">): string | null {
  if (verdict === null) return null;
  const shown = reasons.filter(({ is_hidden }) => !is_hidden);
  const isOutside = shown.some((reason) => reason.verdict === "outside_limits");
  return isOutside === (verdict === "outside_limits")
    ? null
    : "its verdict isn't that of its reasons";
}
