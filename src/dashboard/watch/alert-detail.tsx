// The detail of an open alert, below its row: its curve, meaning and remedy, links to its cause,
// further facts, and the engineer's actions.

import { alertsWords as t } from "../lang/words.ts";
import { LongText } from "../parts/long-text.tsx";
import { printAge, printSecond } from "../parts/moments.ts";
import { MISSING, printLamp } from "../parts/numbers.ts";
import type { ShownAlert } from "../store/alerts.ts";
import { AlertActs } from "./alert-acts.tsx";
import { AlertCurve, curveField, curveStretch } from "./alert-curve.tsx";
import { isCut } from "./alert-rows.ts";
import { alertAction, alertMeaning, alertName, alertValue } from "./alert-words.ts";
import { acknowledgedText } from "./history.ts";

interface AlertDetailProps {
  readonly alert: ShownAlert;
  readonly now_ms: number;
}

export function AlertDetail({ alert, now_ms }: AlertDetailProps) {
  const tag = curveField(alert);
  const stretch = curveStretch(alert, now_ms);
  const meaning = alertMeaning(alert);
  return (
    <div class={tag === null ? "alert-detail" : "alert-detail with-curve"}>
      {tag !== null && <AlertCurve alert={alert} tag={tag} stretch={stretch} />}
      <div>
        {meaning !== null && <p class="meaning">{meaning}</p>}
        {(alert.description !== alertName(alert) || isCut(alert.description)) && (
          <p class="quiet" lang="en">
            <LongText text={alert.description} />
          </p>
        )}
        <p>
          <b>{t("action")}</b> {alertAction(alert)}
        </p>
        <Ways alert={alert} field={tag?.name ?? null} stretch={stretch} />
        <Facts alert={alert} now_ms={now_ms} />
        {alert.id !== null && <AlertActs alert={alert} id={alert.id} now_ms={now_ms} />}
      </div>
    </div>
  );
}

interface WaysProps {
  readonly alert: ShownAlert;
  readonly field: string | null;
  readonly stretch: { readonly from_ms: number; readonly to_ms: number };
}

/** Links to the cause, the curve, the lamp and the manual. */
function Ways({ alert: { code, parameter, lamp }, field, stretch }: WaysProps) {
  const isLight = code === "UV_BELOW_LIMIT" || parameter === "UVR_INTENSITY";
  const span = `from=${written(stretch.from_ms)}&to=${written(stretch.to_ms)}`;
  return (
    <p class="together ways">
      {isLight && (
        <a class="button first" href="#/why">
          {t("to_why")}
        </a>
      )}
      {field !== null && (
        <a class="button" href={`#/trends?fields=${field}&${span}`}>
          {t("to_curve")}
        </a>
      )}
      {lamp !== null && (
        <a class="button" href={`#/lamps?lamp=${lamp}`}>
          {t("to_lamp", { lamp: printLamp(lamp) })}
        </a>
      )}
      <a class="button" href="manual/alerts">
        {t("to_manual")}
      </a>
    </p>
  );
}

const written = (at_ms: number) => encodeURIComponent(new Date(at_ms).toISOString());

function Facts({ alert, now_ms }: AlertDetailProps) {
  const { since_ms, count, last_ms, cleared_ms, state } = alert;
  const moment = (at_ms: number) => printSecond(at_ms, now_ms);
  const since =
    since_ms === null
      ? null
      : t("since_for", { moment: moment(since_ms), age: printAge(now_ms - since_ms) });
  const repeated =
    count > 1 && last_ms !== null ? t("count", { n: count, moment: moment(last_ms) }) : null;
  const over = state === "rectified" && cleared_ms !== null ? moment(cleared_ms) : null;
  return (
    <dl>
      <Fact name={t("since")} text={since} />
      <Fact name={t("repeated")} text={repeated} />
      <Fact name={t("over")} text={over} />
      <Fact name={t("value")} text={alertValue(alert)} />
      <Fact name={t("source")} text={t(alert.source)} />
      <Fact name={t("acknowledged")} text={acknowledgedText(alert, now_ms)} />
      <Fact name={t("shelved")} text={shelvedText(alert, now_ms)} />
    </dl>
  );
}

/** A line with a fact; nothing if the fact isn't known. */
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
