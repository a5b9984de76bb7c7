// The state of each lamp, as a shape and a word, and the order of the list: the most urgent first,
// which is the lamp to change first.

import type { LampCondition } from "../../bwts/present/lamp-condition.ts";
import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { lampsWords as t } from "../lang/words.ts";
import { LampShape } from "../parts/icon.tsx";
import type { ShownLamp } from "../store/overview-shapes.ts";
import type { LampOutlook } from "./lamp-answers.ts";
import type { ShownPlan, ShownPlanLamp } from "./plan-answer.ts";

/** A lamp with all known data about it. */
export interface ListedLamp {
  readonly lamp: number;
  readonly outlook: LampOutlook | null;
  /** The lamp in the plant's newest readings. */
  readonly now: ShownLamp | null;
  readonly plan: ShownPlanLamp | null;
  readonly condition: LampCondition;
}

interface KnownLamps {
  readonly outlooks: readonly LampOutlook[];
  readonly now: readonly ShownLamp[];
  readonly plan: ShownPlan | null;
}

/**
 * All sixteen lamps: failed, past life, due, without light, then by day; those without data last.
 */
export function byUrgency(known: KnownLamps): readonly ListedLamp[] {
  return LAMP_NUMBERS.map((_, position): ListedLamp => {
    const lamp = position + 1;
    const outlook = known.outlooks.find((one) => one.lamp === lamp) ?? null;
    const now = known.now[position] ?? null;
    const plan = known.plan?.lamps[position] ?? null;
    const condition = now?.condition ?? outlook?.condition ?? "unknown";
    return { lamp, outlook, now, plan, condition };
  }).sort(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      (one.plan?.by ?? LAST).localeCompare(other.plan?.by ?? LAST) ||
      leftOf(one) - leftOf(other) ||
      one.lamp - other.lamp,
  );
}

/** True if the hours left can't be forecast, because the lamp shows no light now. */
export function hasNoLight({ condition, now }: Pick<ListedLamp, "condition" | "now">): boolean {
  return condition === "unknown" && now !== null && now.no_light_since_ms !== null;
}

/** Text that sorts after every day. */
const LAST = "9999";

function rankOf(listed: ListedLamp): number {
  const { condition, plan, outlook } = listed;
  if (condition === "failed") return 0;
  if (condition === "past_life") return 1;
  if (plan?.planned === "now") return 2;
  if (hasNoLight(listed)) return 3;
  return outlook === null && (plan === null || plan.by === null) ? 5 : 4;
}

const leftOf = ({ outlook }: ListedLamp) => outlook?.left_h ?? Number.MAX_VALUE;

interface LampSignProps extends Pick<ListedLamp, "condition"> {
  readonly isDark?: boolean;
}

export function LampSign({ condition, isDark = false }: LampSignProps) {
  return (
    <span class={`lamp-state ${condition}`}>
      <LampShape word={condition} />
      {t(isDark ? "state_no_light" : `state_${condition}`)}
    </span>
  );
}
