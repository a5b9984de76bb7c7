// All lamps, the one that is expected to end next first: light, hours, and what is left in hours,
// operations and days. Choosing one shows its life below.

import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { lampsWords as t } from "../lang/words.ts";
import { Evident } from "../parts/evidence.tsx";
import { MISSING, printNumber } from "../parts/numbers.ts";
import { addressOf } from "../parts/view.ts";
import type { LampOutlook } from "./lamp-answers.ts";
import { lampName, printHours } from "./lamp-words.ts";
import { LAMPS_VIEW, type LampsView } from "./view.ts";

interface LampListProps {
  readonly outlooks: readonly LampOutlook[];
  readonly view: LampsView;
  /** The lamp that is shown below. */
  readonly chosen: number;
}

export function LampList({ outlooks, view, chosen }: LampListProps) {
  return (
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">{t("which")}</th>
            <th scope="col">{t("efficiency")}</th>
            <th scope="col" class="spare">
              {t("run")}
            </th>
            <th scope="col">{t("left")}</th>
            <th scope="col" class="spare">
              {t("interval")}
            </th>
            <th scope="col" class="spare">
              {t("operations")}
            </th>
            <th scope="col" class="spare">
              {t("days")}
            </th>
          </tr>
        </thead>
        <tbody>
          {byEnd(outlooks).map(({ lamp, outlook }) => (
            <tr key={lamp} class={lamp === chosen ? "chosen" : ""}>
              <th scope="row">
                <a
                  href={addressOf("lamps", LAMPS_VIEW, { ...view, lamp })}
                  aria-current={lamp === chosen ? "true" : undefined}
                >
                  {lampName(lamp)}
                </a>
                <ConditionMark outlook={outlook} />
              </th>
              <td>
                <OutlookNumber outlook={outlook} name={t("efficiency")}>
                  {printPercent(outlook?.efficiency ?? null)}
                </OutlookNumber>
              </td>
              <td class="spare">
                <OutlookNumber outlook={outlook} name={t("run")}>
                  {printHours(outlook?.hours ?? null)}
                </OutlookNumber>
              </td>
              <td>
                <OutlookNumber outlook={outlook} name={t("left")}>
                  {leftWords(outlook)}
                </OutlookNumber>
                {isRated(outlook) && <abbr title={t("rated")}>*</abbr>}
              </td>
              <td class="spare">{intervalOf(outlook)}</td>
              <td class="spare">{whole(outlook?.operations ?? null)}</td>
              <td class="spare">{whole(outlook?.days ?? null)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {outlooks.some(isRated) && <p class="quiet small">* {t("rated")}</p>}
    </div>
  );
}

/** A lamp past its life or near its end, in a word. */
export function ConditionMark({ outlook }: { outlook: LampOutlook | null }) {
  const { condition = "good" } = outlook ?? {};
  if (condition !== "past_life" && condition !== "near_end") return null;
  return <strong class={`condition ${condition}`}>{t(`condition_${condition}`)}</strong>;
}

/** The hours left; of a lamp past its life none are, for months. */
export function leftWords(outlook: LampOutlook | null): string {
  if (outlook?.condition === "past_life") return t("past_life");
  return printHours(outlook?.left_h ?? null);
}

interface OutlookNumberProps {
  readonly outlook: LampOutlook | null;
  readonly name: string;
  readonly children: string;
}

/** A number of a lamp opens the newest reading that it and its forecast follow from. */
export function OutlookNumber({ outlook, name, children }: OutlookNumberProps) {
  const isKnown = outlook !== null && children !== MISSING;
  return (
    <Evident
      name={outlook === null ? name : `${lampName(outlook.lamp)}, ${name}`}
      at_ms={isKnown ? outlook.at_ms : null}
    >
      {children}
    </Evident>
  );
}

interface ListedLamp {
  readonly lamp: number;
  readonly outlook: LampOutlook | null;
}

/** All sixteen, the nearest end first; those without a forecast last. */
export function byEnd(outlooks: readonly LampOutlook[]): readonly ListedLamp[] {
  const left = ({ outlook }: ListedLamp) => outlook?.left_h ?? Number.MAX_VALUE;
  return LAMP_NUMBERS.map((_, position) => ({
    lamp: position + 1,
    outlook: outlooks.find(({ lamp }) => lamp === position + 1) ?? null,
  })).sort((one, other) => left(one) - left(other) || one.lamp - other.lamp);
}

/** True if the forecast rests on the rated life, not on the lamp's own light. */
export function isRated(outlook: LampOutlook | null): boolean {
  return outlook?.basis === "rated_life_prior" || outlook?.basis === "counter_derived";
}

export function printPercent(percent: number | null): string {
  return percent === null ? MISSING : `${printNumber(percent)}\u00a0%`;
}

export function intervalOf(outlook: LampOutlook | null): string {
  if (
    outlook === null ||
    outlook.condition === "past_life" ||
    outlook.p05_h === null ||
    outlook.p95_h === null
  )
    return MISSING;
  return t("between", { low: Math.round(outlook.p05_h), high: Math.round(outlook.p95_h) });
}

export function whole(value: number | null): string {
  return value === null ? MISSING : printNumber(Math.floor(value));
}
