// UV intensity: the number, its margin to both limits, the time to the limit, and four hours of its
// curve.

import { currentLanguage } from "../lang/area.ts";
import { localNumber } from "../lang/local-number.ts";
import { overviewWords as t } from "../lang/words.ts";
import { Evident } from "../parts/evidence.tsx";
import { limitSource, printFigure, printNumber, printUnit } from "../parts/numbers.ts";
import type { ShownIntensity, ShownTimeToLimit } from "../store/overview-shapes.ts";
import { OVERVIEW_UNITS } from "../store/overview-units.ts";
import type { Curves } from "./curves.ts";
import { doubtedWords } from "./figures.tsx";
import { UvChart } from "./uv-chart.tsx";

const INTENSITY = { unit: OVERVIEW_UNITS.UVR_INTENSITY };

/** Hours above which times aren't shown exactly, longer than any operation or fall. */
export const FAR_H = 100;

interface UvProps {
  readonly shown: ShownIntensity;
  /** The time to the limit; null if it isn't known. */
  readonly toLimit: ShownTimeToLimit | null;
  readonly curves: Curves | null;
  /** True if the verdict is "within limits": only then a margin is green. */
  readonly isHeld: boolean;
  /** True while no water is treated: then no limit applies, and no margin is shown. */
  readonly isAtRest: boolean;
}

export function UvIntensity({ shown, toLimit, curves, isHeld, isAtRest }: UvProps) {
  const { intensity, mode, uv_imo, uv_uscg, source } = shown;
  const { value, doubted, at_ms } = intensity;
  const limits = [
    ["IMO", uv_imo],
    ["USCG", uv_uscg],
  ] as const;
  return (
    <>
      <div class="uv-head">
        <Evident
          name={t("intensity_title")}
          at_ms={value === null ? null : at_ms}
          test="intensity"
          isWhole
        >
          <span class="figure large">
            {printFigure(value, [uv_imo, uv_uscg])}
            {value !== null && <span class="unit">{`\u00a0${printUnit(INTENSITY)}`}</span>}
          </span>
        </Evident>
        <ul class="pills limits">
          {value !== null &&
            !isAtRest &&
            limits.map(([name, limit]) => (
              <li key={name} class={`pill ${name === mode ? toneOf(value < limit, isHeld) : ""}`}>
                {t(value < limit ? "below_mode" : "above_mode", {
                  name,
                  margin: printMargin(Math.abs(value - limit)),
                })}
              </li>
            ))}
          {doubted !== null && (
            <li class="pill warn" data-test="doubted">
              {doubtedWords(INTENSITY, doubted)}
            </li>
          )}
          {toLimit !== null && (
            <li class="pill" data-test="to-limit">
              {toLimitWords(toLimit)}
            </li>
          )}
          <li class="why-link">
            <a href="#/why">{t("uv_why")}</a>
          </li>
        </ul>
      </div>
      <UvChart curves={curves} shown={shown} />
      <p class="quiet foot">
        {toLimit !== null && <OverOperations {...toLimit} />}
        {t("limits_source", { source: limitSource(source ?? t("no_source")) })}
      </p>
    </>
  );
}

/** The margin, with tenths only near the limit. */
const printMargin = (margin: number) => printNumber(margin < 10 ? margin : Math.round(margin));

/** The colour of the margin to the mode's limit; the other limit's margin is only a fact. */
function toneOf(isBelow: boolean, isHeld: boolean): string {
  if (isBelow) return "warn";
  return isHeld ? "good" : "";
}

function toLimitWords({ hours, low_h, high_h, reason }: ShownTimeToLimit): string {
  if (hours === null || low_h === null || high_h === null)
    return t(`reason_${reason ?? "too_few"}`);
  if (low_h > FAR_H) return t("limit_far", { hours: printTenths(FAR_H) });
  return t("limit_hours", { low: printTenths(low_h), high: printTenths(high_h) });
}

/** The fall from operation to operation, over months; nothing if there are too few operations. */
function OverOperations({ over, mode }: Pick<ShownTimeToLimit, "over" | "mode">) {
  if (over === null || over.fall === null) return null;
  const { operations, isAtEqualPower, fall, low, high, reason } = over;
  const n = printNumber(operations);
  const words =
    reason === "no_fall"
      ? t("over_no_fall", { n })
      : t(isAtEqualPower ? "over_fall" : "over_fall_any", { n, fall: printNumber(fall) });
  return (
    <span data-test="over-operations">
      {words}
      {mode !== null && reason === "at_limit" && ` ${t("over_below", { mode })}`}
      {mode !== null &&
        low !== null &&
        high !== null &&
        ` ${t("over_left", { mode, low: printTenths(low), high: printTenths(high) })}`}{" "}
    </span>
  );
}

/** Prints hours in tenths, or whole from ten on. */
export function printTenths(hours: number): string {
  return localNumber(hours, hours < 10 ? 1 : 0, currentLanguage().code);
}
