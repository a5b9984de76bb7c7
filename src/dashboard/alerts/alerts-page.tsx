// The page Alerts: what is open and what to do about it, and the list of alerts and operations with
// what ended when. Its script is loaded when it is opened first.

import "./alerts-page.css";
import { byRank } from "../../bwts/alerts/priority.ts";
import { alertsWords as t } from "../lang/words.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { Panel } from "../parts/panel.tsx";
import { readAlertList } from "../store/alerts.ts";
import { OPEN_ALERTS } from "../store/answers.ts";
import { useAnswer, useNow } from "../store/use-store.ts";
import { ALERTS_VIEW } from "./history.ts";
import { HistoryPanel } from "./history-panel.tsx";
import { OpenAlertCard } from "./open-alert.tsx";

export const alertsPage = page(ALERTS_VIEW, Alerts);

/** More are not shown: who has as many open has another problem. */
const SHOWN_MAX = 500;

function Alerts({ view, change }: PageProps<typeof ALERTS_VIEW>) {
  const open = useAnswer(OPEN_ALERTS, readAlertList, ["alert"]);
  const now_ms = useNow();
  return (
    <>
      <Panel name="open-alerts" title={t("open")} part={open}>
        {(alerts) => (
          <>
            <p class="quiet">{t("panel_governs")}</p>
            {alerts.length === 0 && <p>{t("none_open")}</p>}
            {alerts.length > SHOWN_MAX && <p class="problem">{t("more_open")}</p>}
            <ol class="open-alerts">
              {[...alerts]
                .sort(byRank)
                .slice(0, SHOWN_MAX)
                .map((alert, index) => (
                  <OpenAlertCard key={alert.id ?? index} alert={alert} now_ms={now_ms} />
                ))}
            </ol>
          </>
        )}
      </Panel>
      <HistoryPanel view={view} change={change} />
    </>
  );
}
