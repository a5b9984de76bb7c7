// Lists the alerts that are open now, of one kind in one line, the most urgent first, and the
// action that belongs to each: what to do next. It is the same whatever time is looked back over.

import { shellWords, handoverWords as t } from "../lang/words.ts";
import { beginningOf, LongText } from "../parts/long-text.tsx";
import { printMoment } from "../parts/moments.ts";
import { operationName } from "../parts/operation-words.tsx";
import { usePastLife } from "../parts/past-life.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import { readAlertList } from "../store/alerts.ts";
import { OPEN_ALERTS } from "../store/answers.ts";
import { readOperations } from "../store/operations.ts";
import { useAnswer } from "../store/use-store.ts";
import { alertKind } from "./alert-kind.ts";
import { endedWords, nextActions, openGroups } from "./next-actions.ts";

/** Characters of a code beside its words, at most; the page Alerts has all of it. */
export const CODE_MAX = 60;
/** The operation under way begins with an event, and may end without one. */
const EVERY_MS = 60_000;

export function OpenNow({ now_ms }: { readonly now_ms: number }) {
  const alerts = useAnswer(OPEN_ALERTS, readAlertList, ["alert"]);
  const operations = useAnswer(
    "/api/operations?limit=2",
    readOperations,
    ["event", "operation"],
    EVERY_MS,
  );
  const groups = openGroups(usePastLife(alerts.known?.value ?? []));
  const running = (operations.known?.value ?? []).filter(({ end_ms }) => end_ms === null);
  const isKnown = [alerts, operations].every(
    ({ known, problem }) => known !== null && problem === null,
  );
  const actions = nextActions(groups);
  return (
    <>
      <h3>{t("open_now")}</h3>
      <ProblemBanner problem={alerts.problem} />
      <ProblemBanner problem={operations.problem} />
      {isKnown && groups.length + running.length === 0 && <p>{t("nothing_open")}</p>}
      <ul data-test="open-now">
        {groups.map((group) => {
          const [first] = group;
          const { text, isEnglish } = alertKind(group);
          const ended = endedWords(group);
          return (
            <li key={`${first.code} ${first.description} ${first.priority} ${ended}`}>
              <b>{shellWords(`worst_${first.priority}`)}</b>:{" "}
              <span lang={isEnglish ? "en" : undefined}>
                <LongText text={text} />
              </span>
              {ended !== null && `, ${ended}`}{" "}
              {first.code !== null && (
                <small class="quiet">{beginningOf(first.code, CODE_MAX)}</small>
              )}{" "}
              <a class="alone" href="#/alerts">
                {shellWords("alerts")}
              </a>
            </li>
          );
        })}
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
