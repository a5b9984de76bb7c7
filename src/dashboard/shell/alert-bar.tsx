// The alert bar, on every page: how many alerts are open, the worst, and the oldest that nobody has
// acknowledged. It leads to the list of alerts.

import { shellWords as t } from "../language/en/shell.ts";
import { printMoment } from "../parts/moments.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import type { ActiveAlarm } from "../store/answers.ts";
import type { PagePart } from "../store/ask.ts";

interface AlertBarProps {
  readonly alarms: PagePart<readonly ActiveAlarm[]>;
  readonly now_ms: number;
}

export function AlertBar({ alarms, now_ms }: AlertBarProps) {
  const known = alarms.known?.value ?? [];
  const oldest_ms = oldestOf(known);
  const moment = oldest_ms === null ? null : printMoment(oldest_ms, now_ms);
  return (
    <div>
      <a href="#/alerts" class={known.length > 0 ? "alert-link open" : "alert-link"}>
        <b>{headline(alarms)}</b>
        {known.length > 0 && <span> {known[0].code ?? known[0].description}</span>}
        {moment !== null && <span class="quiet"> {t("oldest", { moment })}</span>}
      </a>
      <ProblemBanner problem={alarms.problem} />
    </div>
  );
}

function headline({ known }: PagePart<readonly ActiveAlarm[]>): string {
  if (known === null) return t("alerts_unknown");
  return known.value.length === 0 ? t("no_alerts") : t("alert_count", { n: known.value.length });
}

function oldestOf(alarms: readonly ActiveAlarm[]): number | null {
  const times = alarms.flatMap(({ since_ms }) => (since_ms === null ? [] : [since_ms]));
  return times.length === 0 ? null : Math.min(...times);
}
