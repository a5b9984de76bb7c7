// The page Alerts: open alerts, the most urgent first, with links to their cause; or the list of
// the past. Its script is loaded when it is first opened.

import "./alerts-page.css";
import { shellWords, alertsWords as t } from "../lang/words.ts";
import { useOpenForm } from "../parts/open-form.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { Panel } from "../parts/panel.tsx";
import { readAlertList, type ShownAlert } from "../store/alerts.ts";
import { OPEN_ALERTS } from "../store/answers.ts";
import { useAnswer } from "../store/use-store.ts";
import { AcknowledgeAll } from "./acknowledge-all.tsx";
import { PriorityShape } from "./alert-icon.tsx";
import { alertRows, awaitedOf } from "./alert-rows.ts";
import { ALERTS_VIEW, LISTS, PRIORITY_CHOICES } from "./history.ts";
import { HistoryPanel } from "./history-panel.tsx";
import { OpenAlerts } from "./open-alerts.tsx";
import { usePastLife } from "./past-life.ts";

export const alertsPage = page(ALERTS_VIEW, Alerts);

/** Maximum number of alerts shown. A ship with more has another problem. */
const SHOWN_MAX = 500;

function Alerts({ view, change }: PageProps<typeof ALERTS_VIEW>) {
  const open = useAnswer(OPEN_ALERTS, readAlertList, ["alert"]);
  const acknowledging = useOpenForm();
  const alerts = usePastLife(open.known?.value ?? []);
  const wanted = alerts.filter(({ priority }) => ["any", priority].includes(view.priority));
  const all = alertRows(wanted);
  const groups = all.slice(0, SHOWN_MAX);
  const awaited = awaitedOf(groups.flat());
  return (
    <>
      <div class="page-tools">
        <h1>{t("title")}</h1>
        <fieldset class="segments">
          <legend class="unseen">{t("kind")}</legend>
          {LISTS.map((list) => (
            <button
              key={list}
              type="button"
              aria-pressed={view.list === list}
              onClick={() => change({ list, page: null })}
            >
              {t(`list_${list}`)}
              {list === "open" && open.known !== null && ` ${alerts.length}`}
            </button>
          ))}
        </fieldset>
        <fieldset class="segments">
          <legend class="unseen">{t("priority")}</legend>
          {PRIORITY_CHOICES.map((priority) => (
            <button
              key={priority}
              type="button"
              aria-pressed={view.priority === priority}
              onClick={() => change({ priority, page: null })}
            >
              <PriorityText priority={priority} alerts={view.list === "open" ? alerts : null} />
            </button>
          ))}
        </fieldset>
        {view.list === "open" && awaited.length > 1 && (
          <button
            type="button"
            class="at-end"
            ref={acknowledging.opener}
            onClick={() => acknowledging.setOpen(true)}
          >
            {t("acknowledge_shown", { n: awaited.length })}
          </button>
        )}
      </div>
      {view.list === "past" ? (
        <HistoryPanel view={view} change={change} />
      ) : (
        <Panel name="open-alerts" title={<span class="unseen">{t("open")}</span>} part={open}>
          {() => (
            <>
              {acknowledging.isOpen && <AcknowledgeAll alerts={awaited} opened={acknowledging} />}
              {groups.length === 0 && <p>{noneWords(alerts)}</p>}
              {all.length > SHOWN_MAX && <p class="problem">{t("more_open")}</p>}
              {groups.length > 0 && <OpenAlerts groups={groups} />}
              <p class="quiet small">{t("panel_governs")}</p>
            </>
          )}
        </Panel>
      )}
    </>
  );
}

const noneWords = (alerts: readonly ShownAlert[]) =>
  t(alerts.length === 0 ? "none_open" : "none_of_these");

interface PriorityTextProps {
  readonly priority: (typeof PRIORITY_CHOICES)[number];
  /** The alerts to count; null where no count is shown. */
  readonly alerts: readonly ShownAlert[] | null;
}

function PriorityText({ priority, alerts }: PriorityTextProps) {
  if (priority === "any") return <>{t("any")}</>;
  const count = alerts?.filter((one) => one.priority === priority).length;
  return (
    <>
      <PriorityShape priority={priority} />
      <span class={alerts === null ? "" : "unseen"}>{shellWords(`worst_${priority}`)}</span> {count}
    </>
  );
}
