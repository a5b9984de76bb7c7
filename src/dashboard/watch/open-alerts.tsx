// Open alerts as a table with a row for each kind: in words, place, since, value and limit, state;
// an action in the row, and the detail below it.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { isAwaited } from "../../bwts/present/priority.ts";
import { shellWords, alertsWords as t } from "../lang/words.ts";
import { ActOutcomeLine, anyAnswer, useAct } from "../parts/act.tsx";
import { beginningOf, LongText } from "../parts/long-text.tsx";
import { printAge, printMoment } from "../parts/moments.ts";
import { MISSING, printLamp, printNumber, writtenUnit } from "../parts/numbers.ts";
import { useOpenForm } from "../parts/open-form.ts";
import type { ShownAlert } from "../store/alerts.ts";
import { useNow } from "../store/use-store.ts";
import { AcknowledgeAll } from "./acknowledge-all.tsx";
import { actPath } from "./alert-acts.tsx";
import { AlertDetail } from "./alert-detail.tsx";
import type { AlertGroup } from "./alert-groups.ts";
import { AlertIcon } from "./alert-icon.tsx";
import { awaitedOf, TITLE_MAX, titleOf } from "./alert-rows.ts";
import { alertName, alertPlace } from "./alert-words.ts";
import { stateText } from "./history.ts";

const COLUMNS = 8;

export function OpenAlerts({ groups }: { groups: readonly AlertGroup[] }) {
  const now_ms = useNow();
  return (
    <table class="open-alerts">
      <thead>
        <tr>
          <th>
            <span class="unseen">{t("priority")}</span>
          </th>
          <th>{t("alert")}</th>
          <th>{t("where")}</th>
          <th>{t("since")}</th>
          <th class="number">{t("value")}</th>
          <th class="number">{t("limit")}</th>
          <th>{t("state")}</th>
          <th>
            <span class="unseen">{t("act")}</span>
          </th>
        </tr>
      </thead>
      {groups.map((group) =>
        group.length === 1 ? (
          <AlertRow key={keyOf(group[0])} alert={group[0]} now_ms={now_ms} />
        ) : (
          <GroupRows key={`${keyOf(group[0])} and others`} group={group} now_ms={now_ms} />
        ),
      )}
    </table>
  );
}

const keyOf = ({ id, code, description, since_ms }: ShownAlert) =>
  id ?? `${code ?? description} ${since_ms}`;

interface AlertRowProps {
  readonly alert: ShownAlert;
  readonly now_ms: number;
  /** True if the row is below the row of its kind. */
  readonly isMember?: boolean;
}

function AlertRow({ alert, now_ms, isMember = false }: AlertRowProps) {
  const [isOpen, setOpen] = useState(false);
  const act = useAct(anyAnswer);
  const { id } = alert;
  const acknowledge = () => act.run(actPath(id, "acknowledge"), {});
  return (
    <tbody
      class={isMember ? "open-alert member" : "open-alert"}
      data-test="open-alert"
      data-code={alert.code ?? ""}
    >
      <tr class={isOpen ? "chosen" : ""}>
        <Cells group={[alert]} now_ms={now_ms} isOpen={isOpen} toggle={() => setOpen(!isOpen)} />
        <td class="act-cell">
          {id !== null && isAwaited(alert) && (
            <button type="button" class="plain" disabled={act.isBusy} onClick={acknowledge}>
              {t("acknowledge_short")}
            </button>
          )}
        </td>
      </tr>
      {act.outcome !== null && (
        <Below>
          <ActOutcomeLine act={act} />
        </Below>
      )}
      {isOpen && (
        <Below>
          <AlertDetail alert={alert} now_ms={now_ms} />
        </Below>
      )}
    </tbody>
  );
}

function GroupRows({ group, now_ms }: { group: AlertGroup; now_ms: number }) {
  const [isOpen, setOpen] = useState(false);
  const acknowledging = useOpenForm();
  const awaited = awaitedOf(group);
  return (
    <>
      <tbody class="open-alert group" data-test="alert-group">
        <tr class={isOpen ? "chosen" : ""}>
          <Cells group={group} now_ms={now_ms} isOpen={isOpen} toggle={() => setOpen(!isOpen)} />
          <td class="act-cell">
            {awaited.length > 0 && (
              <button
                type="button"
                class="plain"
                ref={acknowledging.opener}
                onClick={() => acknowledging.setOpen(true)}
              >
                {t("acknowledge_short")}
              </button>
            )}
          </td>
        </tr>
        {acknowledging.isOpen && (
          <Below>
            <AcknowledgeAll alerts={awaited} opened={acknowledging} />
          </Below>
        )}
      </tbody>
      {isOpen &&
        group.map((alert) => (
          <AlertRow key={keyOf(alert)} alert={alert} now_ms={now_ms} isMember />
        ))}
    </>
  );
}

function Below({ children }: { children: ComponentChildren }) {
  return (
    <tr class="below">
      <td colSpan={COLUMNS}>{children}</td>
    </tr>
  );
}

interface CellsProps {
  readonly group: AlertGroup;
  readonly now_ms: number;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

/** All cells except the action's. For several alerts they show only the values in common. */
function Cells({ group, now_ms, isOpen, toggle }: CellsProps) {
  const [first] = group;
  const { value, limit, unit } = first;
  const title = titleOf(group);
  const code = alertName(first);
  const since_ms = Math.min(...group.map((one) => one.since_ms ?? Number.POSITIVE_INFINITY));
  const isOne = group.length === 1;
  const place = isOne ? alertPlace(first) : null;
  return (
    <>
      <td class="mark">
        <AlertIcon alert={first} />
        <span class="unseen">{shellWords(`worst_${first.priority}`)}</span>
      </td>
      <th scope="row">
        <button type="button" class="plain title" aria-expanded={isOpen} onClick={toggle}>
          <span lang={title.isEnglish ? "en" : undefined}>
            {beginningOf(title.text, TITLE_MAX)}
          </span>
        </button>{" "}
        <span class="quiet about">
          {title.text !== code && (
            <code lang="en">
              <LongText text={code} max={60} />
            </code>
          )}{" "}
          {isOne ? timesText(first) : membersText(group)}
        </span>
      </th>
      <td class="place">{place !== null && <LongText text={place} max={60} />}</td>
      <td class="since">
        {Number.isFinite(since_ms)
          ? `${printMoment(since_ms, now_ms)} · ${printAge(now_ms - since_ms)}`
          : MISSING}
      </td>
      <td class="number value">
        {isOne && value !== null && (
          <>
            <b>{printNumber(value)}</b>
            {unit !== null && <LongText text={`\u00a0${writtenUnit(unit)}`} max={20} />}
          </>
        )}
      </td>
      <td class="number limit">
        {sameLimit(group) && limit !== null && (
          <>
            <span class="on-card" aria-hidden="true">
              {t("limit")}{" "}
            </span>
            <LongText text={isOne || unit === null ? printNumber(limit) : withUnit(limit, unit)} />
          </>
        )}
      </td>
      <td class={isAwaited(first) ? `state awaited ${first.priority}` : "state"}>
        {rowState(first, now_ms)}
      </td>
    </>
  );
}

const withUnit = (value: number, unit: string) => `${printNumber(value)}\u00a0${writtenUnit(unit)}`;

const sameLimit = ([first, ...others]: AlertGroup) =>
  others.every(({ limit }) => limit === first.limit);

const timesText = ({ count }: ShownAlert) => (count > 1 ? t("times", { n: count }) : "");

/** The numbers of the lamps, or the number of alerts if some aren't about a lamp. */
function membersText(group: AlertGroup): string {
  const lamps = group.flatMap(({ lamp }) => (lamp === null ? [] : [lamp]));
  if (lamps.length < group.length) return t("of_these", { n: group.length });
  return [...lamps]
    .sort((one, other) => one - other)
    .map(printLamp)
    .join(" ");
}

function rowState(alert: ShownAlert, now_ms: number): string {
  const { state, isShelved, acknowledged_by, acknowledged_ms } = alert;
  if (isAwaited(alert) && state === "unacknowledged") return t("waiting");
  if (state !== "acknowledged" || isShelved || acknowledged_ms === null) return stateText(alert);
  const moment = printMoment(acknowledged_ms, now_ms);
  return t("acknowledged_row", { by: acknowledged_by ?? MISSING, moment });
}
