// The problem with a part's last answer, as a line above the last known data: no answer, one of an
// unknown shape, or a refusal.

import { partsWords as t } from "../lang/words.ts";
import type { AnswerProblem } from "../store/ask.ts";
import { Later } from "./later.tsx";

const loadRefused = () => import("./refused.tsx");

/** The line; nothing without a problem. */
export function ProblemBanner({ problem }: { problem: AnswerProblem | null }) {
  if (problem === null) return null;
  const { kind, path, status, message, reasons } = problem;
  if (kind !== "refused") return <p class="problem">{t(kind, { path })}</p>;
  const text = t("refused", { path, status: status ?? "", message: message ?? t("no_reason") });
  return (
    <p class="problem">
      <Later
        load={loadRefused}
        draw={({ RefusedRequest }) => <RefusedRequest {...{ status, reasons }} message={text} />}
      />
    </p>
  );
}
