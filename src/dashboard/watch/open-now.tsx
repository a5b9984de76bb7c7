// Lists the open alerts, those of one kind on one line, the most urgent first, and the action for
// each. The list shows the present, whatever range of changes is chosen.

import { actorName } from "../lang/actors.ts";
import { shellWords, handoverWords as t } from "../lang/words.ts";
import { beginningOf, LongText } from "../parts/long-text.tsx";
import { printMoment } from "../parts/moments.ts";
import { operationName } from "../parts/operation-words.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { WholeDates } from "../parts/whole-dates.tsx";
import { readAlertList } from "../store/alerts.ts";
import { OPEN_ALERTS } from "../store/answers.ts";
import { readOperations } from "../store/operations.ts";
import { useAnswer } from "../store/use-store.ts";
import type { AlertGroup } from "./alert-groups.ts";
import { PriorityShape } from "./alert-icon.tsx";
import { alertKind } from "./alert-kind.ts";
import {
  endedWords,
  nextActions,
  openGroups,
  riseOf,
  shelvedWords,
  unreportedGroups,
} from "./next-actions.ts";
import { usePastLife } from "./past-life.ts";

/** Maximum length of a code beside its text, in characters; the page Alerts has all of it. */
export const CODE_MAX = 60;
/** Interval of requesting operations: a running one may end without an event. */
const EVERY_MS = 60_000;
/** Maximum number of alerts asked for, and of listed kinds whose end wasn't reported. */
const KNOWN_MAX = 1000;
const UNREPORTED_MAX = 10;

export function OpenNow({ now_ms }: { readonly now_ms: number }) {
  const alerts = useAnswer(OPEN_ALERTS, readAlertList, ["alert"]);
  // Alerts of a year, as on the inspection sheet, including open and ended ones.
  const known = useAnswer(knownPath(now_ms), readAlertList, ["alert"]);
  const operations = useAnswer(
    "/api/operations?limit=2",
    readOperations,
    ["event", "operation"],
    EVERY_MS,
  );
  const groups = openGroups(usePastLife(alerts.known?.value ?? []));
  const running = (operations.known?.value ?? []).filter(({ end_ms }) => end_ms === null);
  const isKnown = [alerts, known, operations].every(
    (part) => part.known !== null && part.problem === null,
  );
  const unreported = unreportedGroups(known.known?.value ?? []);
  const actions = nextActions(groups);
  return (
    <>
      <h3>{t("open_now")}</h3>
      <ProblemBanner problem={alerts.problem} />
      <ProblemBanner problem={known.problem} />
      <ProblemBanner problem={operations.problem} />
      {isKnown && groups.length + unreported.length + running.length === 0 && (
        <p>{t("nothing_open")}</p>
      )}
      <ul data-test="open-now">
        {groups.map((group) => {
          const about = [endedWords(group), shelvedWords(group, now_ms)].flatMap(
            (one) => one ?? [],
          );
          return <OpenLine key={`${lineKey(group)} ${about.join()}`} {...{ group, about }} />;
        })}
        {unreported.slice(0, UNREPORTED_MAX).map((group) => (
          <OpenLine
            key={`${lineKey(group)} ${group[0].acknowledged_by}`}
            about={[unreportedWords(group, now_ms)]}
            {...{ group }}
          />
        ))}
        <MoreUnreported n={unreported.length - UNREPORTED_MAX} />
        {running.map((one) => (
          <li key={one.id}>
            <LongText
              text={t("op_runs", {
                ...{ from: printMoment(one.start_ms, now_ms), what: operationName(one), facts: "" },
              }).trim()}
            />{" "}
            <a class="alone" href={`#/operations?id=${one.id}`}>
              {t("look_operation")}
            </a>
          </li>
        ))}
      </ul>
      <h3>{t("do_next")}</h3>
      {isKnown && actions.length === 0 && <p>{t("nothing_to_do")}</p>}
      <ul data-test="do-next">
        {actions.map((action) => (
          <li key={action}>{action}</li>
        ))}
      </ul>
    </>
  );
}

const DAY_MS = 86_400_000;

/**
 * The path of the year's alerts. It is the same all day, so it is requested again only when an
 * alert changes.
 */
function knownPath(now_ms: number): string {
  const start_ms = (Math.floor(now_ms / DAY_MS) - 365) * DAY_MS;
  return `/api/alarms?limit=${KNOWN_MAX}&startDate=${new Date(start_ms).toISOString()}`;
}

const lineKey = ([{ code, description, priority }]: AlertGroup) =>
  `${code} ${description} ${priority}`;

interface OpenLineProps {
  readonly group: AlertGroup;
  /** Further texts: that the alert has ended, is shelved, or may continue. */
  readonly about: readonly string[];
}

function OpenLine({ group, about }: OpenLineProps) {
  const [first] = group;
  const { text, isEnglish } = alertKind(group);
  return (
    <li class="of-priority">
      <PriorityShape priority={first.priority} />
      <b>{shellWords(`worst_${first.priority}`)}</b>:{" "}
      <span lang={isEnglish ? "en" : undefined}>
        <LongText text={text} />
      </span>
      <WholeDates text={about.map((one) => `, ${one}`).join("")} />{" "}
      {first.code !== null && <small class="quiet">{beginningOf(first.code, CODE_MAX)}</small>}{" "}
      <a class="alone" href="#/alerts">
        {shellWords("alerts")}
      </a>
    </li>
  );
}

function MoreUnreported({ n }: { n: number }) {
  if (n <= 0) return null;
  return (
    <li>
      {t("more_unreported", { n })}{" "}
      <a class="alone" href="#/alerts">
        {shellWords("alerts")}
      </a>
    </li>
  );
}

/**
 * Text after a closed alert of the plant, which may continue. Nobody acknowledged those imported as
 * closed.
 */
function unreportedWords(group: AlertGroup, now_ms: number): string {
  const [{ acknowledged_by }] = group;
  if (acknowledged_by === null) {
    const moment = printMoment(Math.max(...group.map(riseOf)), now_ms);
    return t("end_unreported_since", { moment });
  }
  const acknowledged_ms = Math.max(...group.map((one) => one.acknowledged_ms ?? 0));
  const moment = printMoment(acknowledged_ms, now_ms);
  return t("end_unreported", { by: actorName(acknowledged_by), moment });
}
