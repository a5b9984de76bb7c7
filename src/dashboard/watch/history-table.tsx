// The lines of the list: alerts with the times at which they were raised and ended, and who
// acknowledged them; operations with their starts and stops.

import "./history.css";
import { shellWords, alertsWords as t } from "../lang/words.ts";
import { LongText } from "../parts/long-text.tsx";
import { printSecond } from "../parts/moments.ts";
import type { ShownAlert } from "../store/alerts.ts";
import type { ShownEvent } from "../store/events.ts";
import { AlertIcon } from "./alert-icon.tsx";
import { alertMeaning, alertName, alertPlace, alertValue } from "./alert-words.ts";
import { acknowledgedText, type HistoryLine, stateText } from "./history.ts";

interface HistoryTableProps {
  readonly lines: readonly HistoryLine[];
  readonly now_ms: number;
}

export function HistoryTable({ lines, now_ms }: HistoryTableProps) {
  return (
    <ul class="history">
      {lines.map((line, index) => (
        <li key={`${line.at_ms} ${index}`} class="history-line">
          <time dateTime={new Date(line.at_ms).toISOString()}>
            {printSecond(line.at_ms, now_ms)}
          </time>
          {"alert" in line ? (
            <AlertLine alert={line.alert} now_ms={now_ms} />
          ) : (
            <EventLine event={line.event} />
          )}
        </li>
      ))}
    </ul>
  );
}

function AlertLine({ alert, now_ms }: { alert: ShownAlert; now_ms: number }) {
  const { since_ms, cleared_ms, count } = alert;
  const name = alertName(alert);
  const meaning = alertMeaning(alert);
  const facts = [
    alertPlace(alert),
    alertValue(alert),
    count > 1 && since_ms !== null
      ? t("times_since", { n: count, moment: printSecond(since_ms, now_ms) })
      : null,
    ended(alert, now_ms),
  ].filter((fact) => fact !== null);
  const acknowledged = acknowledgedText(alert, now_ms);
  return (
    <>
      <span class="what">
        <AlertIcon alert={alert} />
        {shellWords(`worst_${alert.priority}`)}{" "}
        <b lang="en">
          <LongText text={name} />
        </b>
        {cleared_ms === null && <span>, {stateText(alert)}</span>}
      </span>
      <span class="about">
        {meaning === null ? (
          <span lang="en">
            <LongText text={alert.description} />
          </span>
        ) : (
          <span>{meaning}</span>
        )}
        {facts.map((fact) => (
          <span key={fact} class="fact">
            <LongText text={fact} />
          </span>
        ))}
        {acknowledged !== null && (
          <span class="fact">{t("acknowledged_by", { text: acknowledged })}</span>
        )}
      </span>
    </>
  );
}

function ended({ source, cleared_ms }: ShownAlert, now_ms: number): string | null {
  if (cleared_ms !== null) return t("cleared", { moment: printSecond(cleared_ms, now_ms) });
  return source === "plc" ? t("end_unknown") : t("not_over");
}

function EventLine({ event }: { event: ShownEvent }) {
  const word =
    event.event_type === "PROCESS_START"
      ? t("started")
      : event.event_type === "PROCESS_STOP"
        ? t("stopped")
        : t("alarm_sent");
  return (
    <>
      <span class="what">
        {word} <b lang="en">{event.operation_type ?? ""}</b>
      </span>
      <span class="about" lang="en">
        <LongText text={event.description} />
      </span>
    </>
  );
}
