// One open alert: priority as shape, word and colour; state, what, where, since when, value and
// limit, what to do; and the engineer's two acts.

import { shellWords, alertsWords as t } from "../lang/words.ts";
import { AlertIcon } from "../parts/alert-icon.tsx";
import {
  alertAction,
  alertMeaning,
  alertName,
  alertPlace,
  alertValue,
} from "../parts/alert-words.ts";
import { LongText } from "../parts/long-text.tsx";
import { printAge, printSecond } from "../parts/moments.ts";
import { MISSING } from "../parts/numbers.ts";
import type { ShownAlert } from "../store/alerts.ts";
import { AlertActs } from "./alert-acts.tsx";
import { acknowledgedText, stateText } from "./history.ts";

interface OpenAlertProps {
  readonly alert: ShownAlert;
  readonly now_ms: number;
}

export function OpenAlertCard({ alert, now_ms }: OpenAlertProps) {
  const { since_ms, count, last_ms, cleared_ms } = alert;
  const name = alertName(alert);
  const meaning = alertMeaning(alert);
  const moment = (at_ms: number) => printSecond(at_ms, now_ms);
  const isOver = alert.state === "rectified";
  return (
    <li class={`open-alert ${alert.priority}`} data-test="open-alert">
      <h3>
        <AlertIcon alert={alert} />
        {shellWords(`worst_${alert.priority}`)}{" "}
        <span lang="en" class="code">
          <LongText text={name} />
        </span>
      </h3>
      <p>
        <b>{stateText(alert)}</b>
        {count > 1 && last_ms !== null && (
          <span> {t("count", { n: count, moment: moment(last_ms) })}</span>
        )}
      </p>
      {meaning !== null && <p>{meaning}</p>}
      {alert.description !== name && (
        <p class="quiet" lang="en">
          <LongText text={alert.description} />
        </p>
      )}
      <dl>
        <Fact name={t("where")} text={alertPlace(alert)} />
        <Fact
          name={t("since")}
          text={
            since_ms === null
              ? null
              : t("since_for", { moment: moment(since_ms), age: printAge(now_ms - since_ms) })
          }
        />
        <Fact name={t("over")} text={isOver && cleared_ms !== null ? moment(cleared_ms) : null} />
        <Fact name={t("value")} text={alertValue(alert)} />
        <Fact name={t("source")} text={t(alert.source)} />
        <Fact name={t("acknowledged")} text={acknowledgedText(alert, now_ms)} />
        <Fact name={t("shelved")} text={shelvedText(alert, now_ms)} />
      </dl>
      <p>
        <b>{t("action")}</b> {alertAction(alert)}
      </p>
      {alert.id !== null && <AlertActs alert={alert} id={alert.id} now_ms={now_ms} />}
    </li>
  );
}

/** A line of facts; nothing for one that isn't known. */
function Fact({ name, text }: { name: string; text: string | null }) {
  if (text === null) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <LongText text={text} />
      </dd>
    </div>
  );
}

function shelvedText(alert: ShownAlert, now_ms: number): string | null {
  if (alert.shelved_until_ms === null) return null;
  return t("shelved_until", {
    moment: printSecond(alert.shelved_until_ms, now_ms),
    by: alert.shelved_by ?? MISSING,
    reason: alert.shelved_reason ?? MISSING,
  });
}
