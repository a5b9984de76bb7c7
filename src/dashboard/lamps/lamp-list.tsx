// All lamps, the most urgent first: state, output, hours, hours left with their range, and the day
// by which to change each. Choosing one shows its life beside it.

import type { TargetedMouseEvent } from "preact";
import { lampsWords as t } from "../lang/words.ts";
import { Bar } from "../parts/bar.tsx";
import { Evident } from "../parts/evidence.tsx";
import { MISSING, printAligned, printNumber } from "../parts/numbers.ts";
import { addressOf } from "../parts/view.ts";
import type { LampOutlook } from "./lamp-answers.ts";
import { hasNoLight, LampSign, type ListedLamp } from "./lamp-state.tsx";
import { changeBy, lampDigits, lampName } from "./lamp-words.ts";
import { isRated } from "./outlook-words.ts";
import { LAMPS_VIEW, type LampsView } from "./view.ts";

interface LampListProps {
  readonly listed: readonly ListedLamp[];
  readonly view: LampsView;
  /** Number of the lamp shown beside the list. */
  readonly chosen: number;
  readonly choose: (lamp: number) => void;
}

export function LampList({ listed, view, chosen, choose }: LampListProps) {
  return (
    <>
      <table class="lamp-list">
        <thead>
          <tr>
            <th scope="col">{t("which")}</th>
            <th scope="col">{t("state")}</th>
            <th scope="col">{t("output_percent")}</th>
            <th scope="col" class="spare number">
              {t("hours_h")}
            </th>
            <th scope="col" class="number">
              {t("left_h")} <small class="spare">{t("interval")}</small>
            </th>
            <th scope="col" class="number">
              {t("change_by")}
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.map((one) => (
            <ListRow
              key={one.lamp}
              listed={one}
              address={addressOf("lamps", LAMPS_VIEW, { ...view, lamp: one.lamp })}
              isChosen={one.lamp === chosen}
              choose={() => choose(one.lamp)}
            />
          ))}
        </tbody>
      </table>
      {listed.some(({ outlook }) => isRated(outlook)) && <p class="quiet small">* {t("rated")}</p>}
    </>
  );
}

interface ListRowProps {
  readonly listed: ListedLamp;
  readonly address: string;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function ListRow({ listed, address, isChosen, choose }: ListRowProps) {
  const { lamp, outlook, now, plan, condition } = listed;
  const output = outlook?.efficiency ?? plan?.output ?? now?.efficiency ?? null;
  // The whole row acts as its link, except the numbers, which open their evidence.
  const onClick = ({ target }: TargetedMouseEvent<HTMLTableRowElement>) => {
    if (target instanceof Element && target.closest("a, button") === null) choose();
  };
  return (
    <tr class={isChosen ? "chosen" : ""} onClick={onClick}>
      <th scope="row">
        <a href={address} aria-label={lampName(lamp)} aria-current={isChosen ? "true" : undefined}>
          {lampDigits(lamp)}
        </a>
      </th>
      <td>
        <LampSign condition={condition} isDark={hasNoLight(listed)} />
      </td>
      <td class={`output ${condition}`}>
        <OutlookNumber outlook={outlook} name={t("efficiency")}>
          {printAligned(output)}
        </OutlookNumber>
        <Bar percent={output} />
      </td>
      <td class="spare number">
        <OutlookNumber outlook={outlook} name={t("run")}>
          {wholeHours(outlook?.hours ?? plan?.hours ?? null)}
        </OutlookNumber>
      </td>
      <td class="number">
        {condition === "failed" || condition === "past_life" ? (
          "0"
        ) : (
          <OutlookNumber outlook={outlook} name={t("left")}>
            {wholeHours(outlook?.left_h ?? null)}
          </OutlookNumber>
        )}
        {isRated(outlook) && <abbr title={t("rated")}>*</abbr>}
        <small class="spare range">{rangeOf(listed)}</small>
      </td>
      <td class={`number by ${plan?.planned ?? ""}`}>{changeBy(plan)}</td>
    </tr>
  );
}

interface OutlookNumberProps {
  readonly outlook: LampOutlook | null;
  readonly name: string;
  readonly children: string;
}

/** A number of a lamp; it opens the newest reading from which it and its forecast follow. */
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

/** The 90 % range, without its unit; empty for a lamp that has no hours left. */
function rangeOf({ outlook, condition }: ListedLamp): string {
  if (outlook === null || condition === "failed" || condition === "past_life") return "";
  const { p05_h, p95_h } = outlook;
  if (p05_h === null || p95_h === null) return "";
  return t("from_to", { low: wholeHours(p05_h), high: wholeHours(p95_h) });
}

const wholeHours = (hours: number | null) =>
  hours === null ? MISSING : printNumber(Math.round(hours));
