// The list of alerts and operations by date, newest first, fifty per page. Its filters are in the
// address.

import { alertsWords as t } from "../lang/words.ts";
import { ChoiceInput } from "../parts/choice.tsx";
import { clockName, dayEnd, dayStart } from "../parts/moments.ts";
import type { PageProps } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { DayInput } from "../parts/time-fields.tsx";
import { readAlertList } from "../store/alerts.ts";
import { readEvents } from "../store/events.ts";
import { useAnswer, useNow } from "../store/use-store.ts";
import { type ALERTS_VIEW, historyOf, historyPaths, LINE_KINDS, PAGE_LINES } from "./history.ts";
import { HistoryTable } from "./history-table.tsx";

type Props = PageProps<typeof ALERTS_VIEW>;

export function HistoryPanel({ view, change }: Props) {
  return (
    <section aria-labelledby="history">
      <h2 id="history">{t("history")}</h2>
      <Filters view={view} change={change} />
      <Guarded>
        <HistoryList view={view} change={change} />
      </Guarded>
    </section>
  );
}

function HistoryList({ view, change }: Props) {
  const now_ms = useNow();
  const paths = historyPaths(view);
  const alerts = useAnswer(paths.alerts, readAlertList, ["alert"]);
  const starts = useAnswer(paths.starts, readEvents, ["event"]);
  const stops = useAnswer(paths.stops, readEvents, ["event"]);
  const sent = useAnswer(paths.sent, readEvents, ["event"]);
  const asked = [
    ...(paths.alerts === null ? [] : [alerts]),
    ...(paths.starts === null ? [] : [starts, stops]),
    ...(paths.sent === null ? [] : [sent]),
  ];
  const isAsking = asked.some(({ known, problem }) => known === null && problem === null);
  const given = { alerts: paths.alerts === null ? NONE : alerts };
  const events = [
    ...(paths.starts === null ? [] : [starts, stops]),
    ...(paths.sent === null ? [] : [sent]),
  ];
  const { lines, earlier_ms } = historyOf({ ...given, events }, view);
  const pages = Math.max(1, Math.ceil(lines.length / PAGE_LINES));
  const page = Math.min(view.page ?? 1, pages);
  const shown = lines.slice((page - 1) * PAGE_LINES, page * PAGE_LINES);
  return (
    <>
      {asked.map(({ problem }, index) => (
        <ProblemBanner key={index} problem={problem} />
      ))}
      <p class="quiet" role="status" data-test="lines">
        {isAsking ? t("asking") : t("lines", { n: lines.length })}
      </p>
      {shown.length > 0 && <HistoryTable lines={shown} now_ms={now_ms} />}
      <nav class="paging" aria-label={t("history")}>
        {page > 1 && (
          <button type="button" onClick={() => change({ page: page === 2 ? null : page - 1 })}>
            {t("newer")}
          </button>
        )}{" "}
        {pages > 1 && <span class="page-of">{t("page_of", { page, pages })} </span>}
        {page < pages && (
          <button type="button" onClick={() => change({ page: page + 1 })}>
            {t("older")}
          </button>
        )}
        {page === pages && earlier_ms !== null && (
          <button type="button" onClick={() => change({ to: earlier_ms, page: null })}>
            {t("older")}
          </button>
        )}
      </nav>
    </>
  );
}

const NONE = { known: null, problem: null };

function Filters({ view, change }: Props) {
  const now_ms = useNow();
  const choose = (days: Partial<typeof view>) => change({ ...days, page: null }, "none");
  return (
    <div class="form filters">
      <ChoiceInput
        label={t("kind")}
        chosen={view.kind}
        choices={LINE_KINDS.map((kind) => [kind, t(`kind_${kind}`)] as const)}
        choose={(kind) => change({ kind, page: null })}
      />
      <DayInput
        label={t("first_day", { clock: clockName() })}
        at_ms={view.from}
        latest_ms={now_ms}
        choose={(day) => choose({ from: day === null ? null : dayStart(day) })}
      />
      <DayInput
        label={t("last_day", { clock: clockName() })}
        at_ms={view.to}
        latest_ms={now_ms}
        choose={(day) => choose({ to: day === null ? null : dayEnd(day) })}
      />
    </div>
  );
}
