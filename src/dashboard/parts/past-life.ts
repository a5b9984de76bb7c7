// Alerts of lamps near their end that are past their life by now: alert and lamp are said with one
// word, which the lamp's condition decides.

import type { OpenAlert } from "../store/answers.ts";
import type { ShownLamp } from "../store/overview-shapes.ts";
import { useSnapshot } from "../store/use-store.ts";

export function withPastLife<A extends OpenAlert>(
  alerts: readonly A[],
  lamps: readonly Pick<ShownLamp, "lamp" | "condition">[],
): readonly A[] {
  return alerts.map((alert) => {
    const fitted = lamps.find(({ lamp }) => lamp === alert.lamp);
    const isPast = alert.code === "LAMP_NEAR_END" && fitted?.condition === "past_life";
    return isPast ? { ...alert, isPastLife: true } : alert;
  });
}

/** By the conditions of now. */
export function usePastLife<A extends OpenAlert>(alerts: readonly A[]): readonly A[] {
  const { lamps } = useSnapshot().overview.known?.value ?? { lamps: null };
  return withPastLife(alerts, lamps?.value.lamps ?? []);
}
