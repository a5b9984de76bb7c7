// The open alerts, and the actions for them on the page Handover: each action once, with the lamps
// concerned. Pure.

import { actorName } from "../lang/actors.ts";
import { handoverWords as t } from "../lang/words.ts";
import { printMoment } from "../parts/moments.ts";
import { MISSING, printLamps } from "../parts/numbers.ts";
import type { ShownAlert } from "../store/alerts.ts";
import { type AlertGroup, groupsOf } from "./alert-groups.ts";
import { alertAction } from "./alert-words.ts";

/**
 * Groups of open alerts; ended ones that wait to be acknowledged form their own groups, as do
 * shelved ones.
 */
export const openGroups = (alerts: readonly ShownAlert[]) =>
  groupsOf(alerts, ({ state, shelved_until_ms, shelved_by, shelved_reason }) => [
    ...[state === "rectified", shelved_until_ms, shelved_by, shelved_reason],
  ]);

/**
 * Groups of acknowledged alerts of the plant that may continue, since the plant has reported no
 * end. For each code and place only the newest alert counts: if it is open or has ended, the state
 * is known.
 */
export function unreportedGroups(alerts: readonly ShownAlert[]): readonly AlertGroup[] {
  const newest = new Map<string, ShownAlert>();
  for (const one of alerts) {
    const place = JSON.stringify([one.code ?? one.description, one.parameter, one.lamp]);
    const known = newest.get(place);
    if (known === undefined || riseOf(one) > riseOf(known)) newest.set(place, one);
  }
  const mayLast = [...newest.values()].filter(
    ({ source, state, cleared_ms }) =>
      source === "plc" && state === "closed" && cleared_ms === null,
  );
  return groupsOf(mayLast, ({ acknowledged_by }) => [acknowledged_by]);
}

/** Time of the alert's last rise; 0 if it isn't known. */
export const riseOf = ({ last_ms, since_ms }: ShownAlert) => last_ms ?? since_ms ?? 0;

/** Text after alerts that somebody shelved; null for others. */
export function shelvedWords([first]: AlertGroup, now_ms: number): string | null {
  const { shelved_until_ms, shelved_by, shelved_reason } = first;
  if (shelved_until_ms === null) return null;
  return t("shelved_open", {
    ...{ moment: printMoment(shelved_until_ms, now_ms) },
    ...{ by: actorName(shelved_by ?? MISSING), reason: shelved_reason ?? MISSING },
  });
}

/** Text after alerts that have ended; null while they last. */
export function endedWords([{ state }]: AlertGroup): string | null {
  return state === "rectified" ? t("ended_open") : null;
}

/**
 * The actions in the order of the groups, those of ended alerts last: `Lamps 03, 10: Replace the
 * lamp, ...`.
 */
export function nextActions(groups: readonly AlertGroup[]): readonly string[] {
  const lampsBy = new Map<string, Set<number>>();
  const hasEnded = (group: AlertGroup) => Number(endedWords(group) !== null);
  for (const group of [...groups].sort((one, other) => hasEnded(one) - hasEnded(other))) {
    const action = alertAction(group[0]);
    const lamps = lampsBy.get(action) ?? new Set();
    for (const { lamp } of group) if (lamp !== null) lamps.add(lamp);
    lampsBy.set(action, lamps);
  }
  return [...lampsBy].map(([action, named]) => {
    const lamps = printLamps([...named].sort((one, other) => one - other));
    return named.size === 0 ? action : t("action_lamps", { n: named.size, lamps, action });
  });
}
