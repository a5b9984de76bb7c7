// The figures of the chosen lamp: output, hours, hours left with their 90 % range, when to change
// it and why.

import { lampsWords as t } from "../lang/words.ts";
import { FactList } from "../parts/fact-list.tsx";
import { printDay, printMoment } from "../parts/moments.ts";
import { MISSING, printNumber } from "../parts/numbers.ts";
import type { ShownLamp } from "../store/overview-shapes.ts";
import { useNow } from "../store/use-store.ts";
import type { LampOutlook } from "./lamp-answers.ts";
import { OutlookNumber } from "./lamp-list.tsx";
import { hasNoLight, type ListedLamp } from "./lamp-state.tsx";
import { changeBy, noLightWords, planReason, printHours, printPercent } from "./lamp-words.ts";
import { intervalOf, isRated } from "./outlook-words.ts";

export function LifeFacts({ chosen }: { chosen: ListedLamp }) {
  const now_ms = useNow();
  const { outlook, now, plan, condition } = chosen;
  const isPast = condition === "past_life";
  const isDark = hasNoLight(chosen);
  const facts: (readonly [name: string, text: string, beside: string | null])[] = [
    [t("efficiency"), printPercent(outlook?.efficiency ?? now?.efficiency ?? null), null],
    [t("run"), printHours(outlook?.hours ?? null), null],
    isPast
      ? [t("left"), t("past_life"), null]
      : isDark
        ? [t("left"), MISSING, noLightWords(now, now_ms)]
        : [t("left"), printHours(outlook?.left_h ?? null), intervalOf(outlook)],
    [t("change_by"), changeBy(plan), plan === null ? null : planReason(plan)],
  ];
  return (
    <>
      <FactList
        class="lamp-facts"
        facts={facts.map(([name, text, beside]) => [
          name,
          <>
            <OutlookNumber {...{ outlook, name }}>{text}</OutlookNumber>
            {beside !== null && <small>{beside}</small>}
          </>,
        ])}
      />
      <p class="quiet small ahead">
        {outlook === null ? (
          t("no_forecast")
        ) : (
          <>
            {isRated(outlook) && `${t("rated")} `}
            {isPast ? pastWords(now?.past ?? null) : aheadWords(outlook)}
            {t("forecast_of", { moment: printMoment(outlook.at_ms, now_ms) })}
            {outlook.profile_weight !== null && !isPast && ` ${fitWords(outlook.profile_weight)}`}
          </>
        )}
      </p>
    </>
  );
}

function fitWords(weight: number): string {
  return t("profile_fits", { percent: printNumber(Math.round(100 * weight)) });
}

/** Text about the time since which a lamp is past its life; empty if that isn't known. */
function pastWords(past: ShownLamp["past"]): string {
  if (past === null) return "";
  return `${t("past_since", { day: printDay(past.since_ms), hours: printHours(past.hours) })} `;
}

/** The hours left as operations and dates, and the risk within the horizon. */
function aheadWords(outlook: LampOutlook): string {
  const { operations, end_p05, end_p95, failure_probability, horizon_h } = outlook;
  const words = [
    operations === null ? null : t("operations_left", { n: Math.floor(operations) }),
    end_p05 === null ? null : t("ends_between", { from: end_p05, to: end_p95 ?? MISSING }),
    failure_probability === null || horizon_h === null
      ? null
      : t("ends_within", {
          n: horizon_h,
          percent: printNumber(Math.round(100 * failure_probability)),
        }),
  ].filter((one) => one !== null);
  return words.length === 0 ? "" : `${words.join(" ")} `;
}
