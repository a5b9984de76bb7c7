// The plan: lamps to change at the next call and within three months, and the order, each with its
// reasons. The plain rule stands beside the forecast, because either can decide the time of the
// change.

import type { ComponentChildren } from "preact";
import type { PlanReason } from "../../bwts/lamps/plan-words.ts";
import { lampsWords as t } from "../lang/words.ts";
import { printDay } from "../parts/moments.ts";
import { MISSING, printNumber } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import type { PagePart } from "../store/ask.ts";
import { useNow } from "../store/use-store.ts";
import { lampDigits, printHours, printPercent } from "./lamp-words.ts";
import type { ShownPlan, ShownPlanLamp } from "./plan-answer.ts";
import { SparesForm } from "./spares-form.tsx";

const OLD_MS = 24 * 3_600_000;

export function PlanPanel({ part }: { part: PagePart<ShownPlan> }) {
  const { hours_a_day = null, last_ms = null } = part.known?.value ?? {};
  const duty = hours_a_day === null ? null : t("duty", { hours: printNumber(hours_a_day) });
  const age = planAge(last_ms, useNow());
  return (
    <Panel
      name="plan"
      title={t("plan")}
      part={part}
      aside={[duty, age].filter((one) => one !== null).join(" · ")}
    >
      {(plan) => (
        <>
          <div class="plan">
            <Group lamps={dueLamps(plan)} unknown={unknownLamps(plan)} name="next_call">
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

/** A note about the day of the readings, if the plan follows from readings older than a day. */
export function planAge(last_ms: number | null, now_ms: number): string | null {
  const isOld = last_ms !== null && now_ms - last_ms > OLD_MS;
  return isOld ? t("plan_old", { day: printDay(last_ms) }) : null;
}

/** Lamps to be changed at the next call at the latest. */
export const dueLamps = ({ lamps }: ShownPlan) =>
  lamps.filter(({ planned }) => planned === "now" || planned === "next_call");

/** Lamps for which neither the rule nor a forecast gives a time to change them. */
export const unknownLamps = ({ lamps }: ShownPlan) =>
  lamps.filter(({ planned }) => planned === "unknown");

export const soonLamps = ({ lamps }: ShownPlan) =>
  lamps.filter(({ planned }) => planned === "three_months");

interface GroupProps {
  readonly lamps: readonly ShownPlanLamp[];
  readonly unknown?: readonly ShownPlanLamp[];
  readonly name: "next_call" | "three_months";
  readonly children: ComponentChildren;
}

function Group({ lamps, unknown = [], name, children }: GroupProps) {
  const { length: n } = lamps;
  const known = name === "next_call" ? t("plan_lamps", { n }) : t("plan_more", { n });
  return (
    <div data-test={`plan-${name}`}>
      {/* No lamp is known to be due, but for some it isn't known: that isn't 0. */}
      <p class="figure">{n === 0 && unknown.length > 0 ? MISSING : known}</p>
      <p>{children}</p>
      {REASON_GROUPS.map(([text, reasons]) => (
        <Links
          key={text}
          lamps={lamps.filter(({ reason }) => reason !== null && reasons.includes(reason))}
          words={t(text)}
        />
      ))}
      <Links lamps={unknown} words={t("by_nothing")} />
    </div>
  );
}

interface LinksProps {
  readonly lamps: readonly ShownPlanLamp[];
  readonly words: string;
}

function Links({ lamps, words }: LinksProps) {
  if (lamps.length === 0) return null;
  return (
    <p class="small">
      {words}{" "}
      {lamps.map(({ lamp }, index) => (
        <span key={lamp}>
          {index > 0 && ", "}
          <a href={`#/lamps?lamp=${lamp}`}>{lampDigits(lamp)}</a>
        </span>
      ))}
    </p>
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

/** The number of lamps needed within the lead time, and the lamps without a forecast. */
export function needWords({ need, lead_days, no_forecast: lamps }: ShownPlan): string {
  const words =
    need === null
      ? t("need_unknown")
      : t("need", { low: need.p05, high: need.p95, days: lead_days });
  const none = t("need_no_forecast", { n: lamps.length, lamps: lamps.map(lampDigits).join(", ") });
  return lamps.length === 0 ? words : `${words} ${none}`;
}

export function ruleWords({ end_efficiency, rated_h }: ShownPlan): string {
  return t("rule", { percent: printPercent(end_efficiency), hours: printHours(rated_h) });
}
