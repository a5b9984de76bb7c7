// The plan: lamps to change at the next call, within three months, and what to order, each with its
// reasons. The plain rule stands beside the forecast, because it decides as well when to change.

import type { ComponentChildren } from "preact";
import type { PlanReason } from "../../bwts/lamps/plan-words.ts";
import { lampsWords as t } from "../lang/words.ts";
import { printNumber } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import type { PagePart } from "../store/ask.ts";
import { lampDigits, printHours, printPercent } from "./lamp-words.ts";
import type { ShownPlan, ShownPlanLamp } from "./plan-answer.ts";
import { SparesForm } from "./spares-form.tsx";

export function PlanPanel({ part }: { part: PagePart<ShownPlan> }) {
  const hours_a_day = part.known?.value.hours_a_day ?? null;
  return (
    <Panel
      name="plan"
      title={t("plan")}
      part={part}
      aside={hours_a_day === null ? null : t("duty", { hours: printNumber(hours_a_day) })}
    >
      {(plan) => (
        <>
          <div class="plan">
            <Group lamps={dueLamps(plan)} name="next_call">
              {plan.next_call === null
                ? t("plan_next_call")
                : t("plan_next_call_about", { day: plan.next_call })}
            </Group>
            <Group lamps={soonLamps(plan)} name="three_months">
              {t("plan_three_months")}
            </Group>
            <div data-test="plan-order">
              <p class="figure">
                {plan.order === null ? t("order_unknown") : t("order_n", { n: plan.order })}
              </p>
              <p>{needWords(plan)}</p>
              <SparesForm spares={plan.spares} />
            </div>
          </div>
          <p class="quiet small">{ruleWords(plan)}</p>
        </>
      )}
    </Panel>
  );
}

/** To be changed at the next call at the latest. */
export const dueLamps = ({ lamps }: ShownPlan) =>
  lamps.filter(({ planned }) => planned === "now" || planned === "next_call");

export const soonLamps = ({ lamps }: ShownPlan) =>
  lamps.filter(({ planned }) => planned === "three_months");

interface GroupProps {
  readonly lamps: readonly ShownPlanLamp[];
  readonly name: "next_call" | "three_months";
  readonly children: ComponentChildren;
}

function Group({ lamps, name, children }: GroupProps) {
  return (
    <div data-test={`plan-${name}`}>
      <p class="figure">
        {name === "next_call"
          ? t("plan_lamps", { n: lamps.length })
          : t("plan_more", { n: lamps.length })}
      </p>
      <p>{children}</p>
      {REASON_GROUPS.map(([text, reasons]) => {
        const of = lamps.filter(({ reason }) => reason !== null && reasons.includes(reason));
        if (of.length === 0) return null;
        return (
          <p key={text} class="small">
            {t(text)}{" "}
            {of.map(({ lamp }, index) => (
              <span key={lamp}>
                {index > 0 && ", "}
                <a href={`#/lamps?lamp=${lamp}`}>{lampDigits(lamp)}</a>
              </span>
            ))}
          </p>
        );
      })}
    </div>
  );
}

const REASON_GROUPS: readonly (readonly [
  text: "by_failure" | "by_rule" | "by_forecast",
  reasons: readonly PlanReason[],
])[] = [
  ["by_failure", ["failed"]],
  ["by_rule", ["output", "rated_hours"]],
  ["by_forecast", ["forecast"]],
];

/** The number of lamps that the lead time needs, and those that nobody knows of. */
export function needWords({ need, lead_days, not_known }: ShownPlan): string {
  if (need === null) return t("need_unknown");
  const words = t("need", { low: need.p05, high: need.p95, days: lead_days });
  return not_known === 0 ? words : `${words} ${t("need_not_known", { n: not_known })}`;
}

export function ruleWords({ end_efficiency, rated_h }: ShownPlan): string {
  return t("rule", { percent: printPercent(end_efficiency), hours: printHours(rated_h) });
}
