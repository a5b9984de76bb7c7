// The line of alerts on every page: the worst one in words, the number of open ones by priority,
// and the time of the oldest that waits to be acknowledged. It is a link to the list of alerts.

import { isAwaited, PRIORITIES } from "../../bwts/present/priority.ts";
import { partsWords, shellWords as t } from "../lang/words.ts";
import { beginningOf } from "../parts/long-text.tsx";
import { printMoment } from "../parts/moments.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import type { OpenAlert } from "../store/answers.ts";
import type { PagePart } from "../store/ask.ts";
import { AlertIcon } from "../watch/alert-icon.tsx";
import { alertLine } from "../watch/alert-lines.ts";
import { usePastLife } from "../watch/past-life.ts";

interface AlertBarProps {
  readonly alarms: PagePart<readonly OpenAlert[]>;
  readonly now_ms: number;
  /** False while the link to ballastd is lost: then the alerts are the last known ones. */
  readonly reached: boolean;
}

/**
 * Maximum length of the alert's text, in characters. The line is always in sight and must leave
 * room for the page; the list has the whole text.
 */
const NAME_MAX = 60;

export function AlertBar({ alarms, now_ms, reached }: AlertBarProps) {
  const all = usePastLife(alarms.known?.value ?? []);
  const open = all.filter(({ isShelved }) => !isShelved);
  const worst = worstOf(open);
  const headline = headlineOf(alarms.known === null ? null : open);
  return (
    <div class={worst === null ? "alert-bar" : "alert-bar open"} role="status">
      <a href="#/alerts" class={worst === null ? "alert-link" : `alert-link ${worst.priority}`}>
        <span>
          {worst !== null && <AlertIcon alert={worst} />}
          <b>{reached ? headline : partsWords("last_known", { headline })}</b>
          {worst !== null && <Worst worst={worst} open={open} />}
          <Rest all={all} open={open} now_ms={now_ms} />
        </span>
        {worst !== null && <span class="go spare">{t("what_to_do")} ›</span>}
      </a>
      <ProblemBanner problem={alarms.problem} />
    </div>
  );
}

/**
 * The alert to show: the first one, or a lamp past its life of the same priority; null if none is
 * open.
 */
function worstOf(open: readonly OpenAlert[]): OpenAlert | null {
  const [first = null] = open;
  return open.find((one) => one.priority === first?.priority && one.isPastLife) ?? first;
}

/** The number of the worst priority as text, such as `2 warnings`; null: not known. */
function headlineOf(open: readonly OpenAlert[] | null): string {
  if (open === null) return t("alerts_unknown");
  if (open.length === 0) return t("no_alerts");
  const { priority } = open[0];
  return t(`count_${priority}`, { n: countOf(open, priority) });
}

const countOf = (open: readonly OpenAlert[], priority: OpenAlert["priority"]) =>
  open.filter((one) => one.priority === priority).length;

function Worst({ worst, open }: { worst: OpenAlert; open: readonly OpenAlert[] }) {
  const { code, priority, isPastLife } = worst;
  const alike = open.filter(
    (one) => one.code === code && one.priority === priority && one.isPastLife === isPastLife,
  );
  const { text, isEnglish } = alertLine(worst, alike.slice(1));
  return (
    <span>
      {" · "}
      <span lang={isEnglish ? "en" : undefined}>{beginningOf(text, NAME_MAX)}</span>
    </span>
  );
}

interface RestProps {
  readonly all: readonly OpenAlert[];
  readonly open: readonly OpenAlert[];
  readonly now_ms: number;
}

/** Numbers of the lower priorities and of shelved alerts, and the time of the oldest that waits. */
function Rest({ all, open, now_ms }: RestProps) {
  const lower = PRIORITIES.filter((one) => one !== open[0]?.priority && countOf(open, one) > 0);
  const waiting_ms = oldestWaiting(open);
  const shelved = all.length - open.length;
  const facts = [
    ...lower.map((priority) => t(`count_${priority}`, { n: countOf(open, priority) })),
    ...(shelved === 0 ? [] : [t("shelved", { n: shelved })]),
  ];
  return (
    <span class="quiet">
      {facts.length > 0 && ` · ${facts.join(" · ")}`}
      {waiting_ms !== null && (
        <span class="spare">
          {" · "}
          {t("oldest", { moment: printMoment(waiting_ms, now_ms) })}
        </span>
      )}
    </span>
  );
}

function oldestWaiting(alerts: readonly OpenAlert[]): number | null {
  const times = alerts
    .filter(isAwaited)
    .flatMap(({ since_ms }) => (since_ms === null ? [] : [since_ms]));
  return times.length === 0 ? null : Math.min(...times);
}
