// The problem with a part's last answer, as a line above the last known data. ballastd's own
// messages stay English.

import { partsWords as t } from "../lang/words.ts";
import type { AnswerProblem } from "../store/ask.ts";

/** The line; nothing without a problem. */
export function ProblemBanner({ problem }: { problem: AnswerProblem | null }) {
  return problem === null ? null : <p class="problem">{problemText(problem)}</p>;
}

function problemText({ kind, path, status, message }: AnswerProblem): string {
  if (kind !== "refused") return t(kind, { path });
  return t("refused", { path, status: status ?? "", message: message ?? t("no_reason") });
}
