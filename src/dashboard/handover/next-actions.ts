// The alerts that are open now, and the actions that belong to them: each once, with the lamps that
// it is about. Pure.

import { handoverWords as t } from "../lang/words.ts";
import { type AlertGroup, groupsOf } from "../parts/alert-groups.ts";
import { alertAction } from "../parts/alert-words.ts";
import { printLamps } from "../parts/numbers.ts";
import type { ShownAlert } from "../store/alerts.ts";

/** Groups of open alerts; ended ones that wait to be acknowledged are apart. */
export const openGroups = (alerts: readonly ShownAlert[]) =>
  groupsOf(alerts, ({ state }) => [state === "rectified"]);

/** Words behind alerts that have ended; null while they last. */
export function endedWords([{ state }]: AlertGroup): string | null {
  return state === "rectified" ? t("ended_open") : null;
}

/** In the order of the groups, what has ended last: `Lamps 03, 10: Replace the lamp, ...`. */
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
