// The things to do that prevent a tick of the present: open alerts, the running operation, the
// plant's own faults, lamps, and ballastd itself. Pure.

import type { Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { shelvedUntil } from "./alarm.ts";
import { areLampsDoubted } from "./alarmed-lamps.ts";
import type { PresentValue } from "./lacking.ts";
import { isMoving } from "./moving-water.ts";
import type { OverviewAnswer } from "./overview.ts";
import { isPlantFault } from "./plant-fault.ts";
import { FOUND_TO_DO, type FoundToDo } from "./present-words.ts";
import type { Priority } from "./priority.ts";
import type { ShownLimits } from "./shown-limits.ts";
import { treatingBy } from "./verdict.ts";

const FAILED_COUNT = indexOfTag("FAILED_LAMP_COUNT");

type RankedFact = Parameters<typeof areLampsDoubted>[0][number] & {
  readonly priority: Priority;
  /** End of its shelving; null if it isn't shelved, or that isn't known. */
  readonly shelved_until_ms: number | null;
};

/** The facts that the things to do are derived from. */
interface ToDoFacts {
  /** The newest values; null without a reading. */
  readonly found: { readonly values: readonly Value[]; readonly flow: PresentValue } | null;
  readonly lamps: OverviewAnswer["lamps"];
  readonly isSuspended: boolean;
  readonly end_of_life_efficiency: number;
  /** The most urgent of the open alerts, shelved ones last. */
  readonly alerts: readonly RankedFact[];
  /** Verdict of the running operation if it ended now; null: within limits, or none runs. */
  readonly so_far: "outside" | "unclear" | null;
  /** Verdict of the last operation, if none runs and it ended within a day. */
  readonly ended: "outside" | "unclear" | null;
}

interface ToDoState {
  readonly now_ms: number;
  readonly is_ready: boolean;
  readonly is_damaged: boolean;
}

interface ToDoContext {
  readonly limits: ShownLimits;
  /** Volume of the running operation. */
  readonly volume: { readonly volume_m3: number } | null;
}

/** The things to do because of alerts, the operation, the plant, lamps and ballastd itself. */
export function toDo(
  facts: ToDoFacts,
  { now_ms, is_ready, is_damaged }: ToDoState,
  { limits, volume }: ToDoContext,
): readonly FoundToDo[] {
  const { found, lamps, isSuspended, end_of_life_efficiency, so_far, ended } = facts;
  const isSome = (condition: (lamp: OverviewAnswer["lamps"][number]) => boolean) =>
    lamps.some(condition);
  const all: Readonly<Record<FoundToDo, boolean>> = {
    // A caution is something to plan, not to do now.
    alerts: facts.alerts.some(
      ({ priority, shelved_until_ms }) =>
        priority !== "caution" && shelvedUntil(shelved_until_ms, now_ms) === null,
    ),
    operation_outside: so_far === "outside",
    // Before any water has moved there is nothing to judge yet.
    operation_unclear:
      so_far === "unclear" &&
      (volume?.volume_m3 !== 0 || isMoving(found?.flow.value ?? null, limits) !== false),
    ended_outside: ended === "outside",
    ended_unclear: ended === "unclear",
    plant_fault: found !== null && isPlantFault(found.values, limits),
    lamps_failed: isSome(({ state }) => state === "failed"),
    lamps_past_life: isSome(({ condition }) => condition === "past_life"),
    // Also if more lamps have failed by the count or an alarm than by their own status: it isn't
    // known which.
    lamps_unknown:
      isSome(({ state, no_light_since }) => state === "unknown" || no_light_since !== null) ||
      Number(found?.values[FAILED_COUNT] ?? 0) >
        lamps.filter(({ state }) => state === "failed").length ||
      areLampsDoubted(facts.alerts, lamps),
    low_light:
      (isSome(({ efficiency_percent: percent }) => (percent ?? 0) > 0) &&
        isSome(
          ({ state, forecast, efficiency_percent: percent }) =>
            state === "active" &&
            (percent === 0 || forecast === null) &&
            (percent ?? 100) <= end_of_life_efficiency,
        )) ||
      // A lamp that burns by its status must have light and power.
      (found !== null &&
        treatingBy(found.values, limits) === true &&
        isSome(
          ({ state, efficiency_percent: percent, power_w }) =>
            state === "active" && (percent === 0 || power_w === 0),
        )),
    forecasts_suspended: isSuspended,
    not_ready: !is_ready,
    damage: is_damaged,
  };
  return FOUND_TO_DO.filter((one) => all[one]);
}
