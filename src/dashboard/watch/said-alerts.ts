// The sentences of the handover about alerts. Those of one kind share a sentence each: about
// rising, about ending, and one for each name under which they were acknowledged.

import { actorName } from "../lang/actors.ts";
import { shellWords, handoverWords as t } from "../lang/words.ts";
import { printSecond } from "../parts/moments.ts";
import { MISSING } from "../parts/numbers.ts";
import type { ShownAlert } from "../store/alerts.ts";
import { type AlertGroup, alertsBy, groupsOf } from "./alert-groups.ts";
import { alertKind } from "./alert-kind.ts";
import type { ReportedChange, ReportedSpan } from "./said.ts";

export function saidOfAlerts(
  alerts: readonly ShownAlert[],
  { since_ms, now_ms }: ReportedSpan,
): readonly ReportedChange[] {
  const isIn = (at_ms: number | null): at_ms is number =>
    at_ms !== null && at_ms >= since_ms && at_ms <= now_ms;
  return groupsOf(alerts).flatMap((group) => {
    const [{ code, priority }] = group;
    const section = code?.startsWith("LAMP_") === true ? "lamps" : "alerts";
    const say = (at_ms: number, text: (moment: string) => string): ReportedChange => ({
      ...{ section, at_ms, more: "alerts", text: text(printSecond(at_ms, now_ms)) },
      ...(code === null ? {} : { code }),
    });
    const risen = atLeastOne(group.filter((one) => isIn(risenAt(one))));
    const ended = atLeastOne(
      placesOf(group)
        .filter((equal) => equal.every(({ cleared_ms }) => cleared_ms !== null))
        .flatMap((equal) => equal.filter(({ cleared_ms }) => isIn(cleared_ms))),
    );
    const acknowledged = group.filter((one) => isIn(one.acknowledged_ms));
    return [
      ...(risen === null ? [] : [say(latest(risen.map(risenAt)), rose(risen, priority))]),
      ...(ended === null
        ? []
        : [
            say(latest(ended.map(({ cleared_ms }) => cleared_ms)), (moment) =>
              t("over", { moment, name: alertKind(ended).text }),
            ),
          ]),
      ...namesOf(acknowledged).map((equal) => {
        const [{ acknowledged_by, acknowledged_note: note }] = equal;
        const given = { name: alertKind(equal).text, by: actorName(acknowledged_by ?? MISSING) };
        return say(latest(equal.map(({ acknowledged_ms }) => acknowledged_ms)), (moment) =>
          note === null
            ? t("acknowledged", { ...given, moment })
            : t("acknowledged_note", { ...given, moment, note }),
        );
      }),
    ];
  });
}

/**
 * The sentence about rising alerts. With more rises than places it gives their number and the time
 * of the last.
 */
function rose(risen: AlertGroup, priority: ShownAlert["priority"]) {
  const n = risen.reduce((sum, { count }) => sum + count, 0);
  const given = { priority: shellWords(`worst_${priority}`), name: alertKind(risen).text };
  return (moment: string) =>
    n > placesOf(risen).length
      ? t("rose_again", { ...given, n, moment })
      : t("rose", { ...given, moment });
}

const risenAt = ({ last_ms, since_ms }: ShownAlert) => last_ms ?? since_ms;

const latest = (times: readonly (number | null)[]) => Math.max(...times.map((one) => one ?? 0));

/** Alerts of one kind, grouped by their lamp or field. */
function placesOf(alerts: readonly ShownAlert[]): readonly AlertGroup[] {
  return alertsBy(alerts, ({ lamp, parameter }) => [lamp, parameter]);
}

/** Acknowledged alerts, grouped by name and remark. */
function namesOf(alerts: readonly ShownAlert[]): readonly AlertGroup[] {
  return alertsBy(alerts, (one) => [one.acknowledged_by, one.acknowledged_note]);
}

function atLeastOne([first, ...others]: readonly ShownAlert[]): AlertGroup | null {
  return first === undefined ? null : [first, ...others];
}
