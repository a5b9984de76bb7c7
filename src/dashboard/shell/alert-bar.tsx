// The alert bar, on every page: how many alerts are open, the worst of them, and since when the
// oldest waits to be acknowledged. It leads to the list of alerts.

import { isAwaited } from "../../bwts/alerts/priority.ts";
import { partsWords, shellWords as t } from "../lang/words.ts";
import { AlertIcon } from "../parts/alert-icon.tsx";
import { beginningOf } from "../parts/long-text.tsx";
import { printMoment } from "../parts/moments.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import type { OpenAlert } from "../store/answers.ts";
import type { PagePart } from "../store/ask.ts";

interface AlertBarProps {
  readonly alarms: PagePart<readonly OpenAlert[]>;
  readonly now_ms: number;
  /** False while the link to ballastd is lost: these are the last that are known. */
  readonly reached: boolean;
}

/** The list has the whole name; the bar stays in sight, and must leave room for the page. */
const NAME_MAX = 60;

export function AlertBar({ alarms, now_ms, reached }: AlertBarProps) {
  const all = alarms.known?.value ?? [];
  const known = all.filter(({ isShelved }) => !isShelved);
  const worst = known.length === 0 ? null : known[0];
  const waiting_ms = oldestWaiting(known);
  return (
    <div class={worst === null ? "alert-bar" : "alert-bar open"} role="status">
      <a href="#/alerts" class={worst === null ? "alert-link" : `alert-link ${worst.priority}`}>
        {worst !== null && <AlertIcon alert={worst} />}
        <b>{alarms.known === null ? t("alerts_unknown") : headline(known.length, reached)}</b>
        {worst !== null && (
          <span>
            {" "}
            {t(`worst_${worst.priority}`)}{" "}
            <span lang="en">{beginningOf(worst.code ?? worst.description, NAME_MAX)}</span>
          </span>
        )}
        {all.length > known.length && (
          <span class="quiet"> {t("shelved", { n: all.length - known.length })}</span>
        )}
        {waiting_ms !== null && (
          <span class="quiet"> {t("oldest", { moment: printMoment(waiting_ms, now_ms) })}</span>
        )}
      </a>
      <ProblemBanner problem={alarms.problem} />
    </div>
  );
}

function headline(n: number, reached: boolean): string {
  const words = n === 0 ? t("no_alerts") : t("alert_count", { n });
  return reached ? words : partsWords("last_known", { headline: words });
}

function oldestWaiting(alerts: readonly OpenAlert[]): number | null {
  const times = alerts
    .filter(isAwaited)
    .flatMap(({ since_ms }) => (since_ms === null ? [] : [since_ms]));
  return times.length === 0 ? null : Math.min(...times);
}
