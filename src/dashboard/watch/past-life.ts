// Alerts about lamps near their end that are past their life by now: alert and lamp use one word,
// which follows from the lamp's condition.

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

/** The alerts, marked by the present conditions of the lamps. */
export function usePastLife<A extends OpenAlert>(alerts: readonly A[]): readonly A[] {
  const { lamps } = useSnapshot().overview.known?.value ?? { lamps: null };
  return withPastLife(alerts, lamps?.value.lamps ?? []);
}
