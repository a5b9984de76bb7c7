// The tables behind the life of a lamp: the values of its curve, and the earlier lamps at its
// place.

import { lampsWords as t } from "../lang/words.ts";
import { clockName, printDay } from "../parts/moments.ts";
import { MISSING } from "../parts/numbers.ts";
import { type ShownCurve, statedEnd } from "./lamp-answers.ts";
import { lampName, printHours, printPercent } from "./lamp-words.ts";
import type { DrawnLife } from "./life-chart.tsx";
import { LifeNumber, outcomeWords, ReadingsNumber } from "./life-evidence.tsx";

export function PointTable({ drawn }: { drawn: readonly DrawnLife[] }) {
  return (
    <div data-test="values">
      {drawn.map(({ lamp, life }) => (
        <table key={lamp}>
          <caption>{lampName(lamp)}</caption>
          <thead>
            <tr>
              <th scope="col">{t("run")}</th>
              <th scope="col">{t("efficiency")}</th>
            </tr>
          </thead>
          <tbody>
            {(life?.points ?? []).map(({ hours, efficiency, from_ms, to_ms }) => (
              <tr key={to_ms}>
                <td>{printHours(hours)}</td>
                <td>
                  <ReadingsNumber name={t("efficiency")} {...{ lamp, from_ms: from_ms + 1, to_ms }}>
                    {printPercent(efficiency)}
                  </ReadingsNumber>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

interface PastLivesProps {
  readonly curve: ShownCurve;
  /** Takes back a stated replacement. */
  readonly takeBack: (stated_ms: number) => void;
}

export function PastLives({ curve, takeBack }: PastLivesProps) {
  const past = curve.lives.filter(({ ended_ms }) => ended_ms !== null);
  if (past.length === 0) return <p class="quiet">{t("no_past")}</p>;
  return (
    <table>
      <caption>{t("past", { clock: clockName() })}</caption>
      <thead>
        <tr>
          <th scope="col">{t("fitted")}</th>
          <th scope="col">{t("removed")}</th>
          <th scope="col">{t("run")}</th>
          <th scope="col">{t("outcome")}</th>
        </tr>
      </thead>
      <tbody>
        {past.map((life) => (
          <tr key={life.began_ms}>
            <td>{printDay(life.began_ms)}</td>
            <td>{life.ended_ms === null ? MISSING : printDay(life.ended_ms)}</td>
            <td>
              <LifeNumber life={life} lamp={curve.lamp}>
                {printHours(life.hours)}
              </LifeNumber>
            </td>
            <td>
              {outcomeWords(life)}{" "}
              <TakeBack stated_ms={statedEnd(curve, life)} takeBack={takeBack} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface TakeBackProps extends Pick<PastLivesProps, "takeBack"> {
  /** Time of the stated replacement; null: nobody stated it. */
  readonly stated_ms: number | null;
}

function TakeBack({ stated_ms, takeBack }: TakeBackProps) {
  if (stated_ms === null) return null;
  return (
    <button type="button" onClick={() => takeBack(stated_ms)}>
      {t("not_replaced")}
    </button>
  );
}
