// The life of one lamp: its light over operating hours with the forecast to its end, what is left,
// and the lamps that were at its place before. It can be compared with another lamp's.

import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { lampsWords as t } from "../lang/words.ts";
import { FactList } from "../parts/fact-list.tsx";
import { clockName, printDay, printMoment } from "../parts/moments.ts";
import { MISSING } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import type { ShownLamp } from "../store/overview-shapes.ts";
import { useAnswer, useNow } from "../store/use-store.ts";
import { type LampOutlook, readCurve, type ShownCurve } from "./lamp-answers.ts";
import { intervalOf, isRated, OutlookNumber, printPercent, whole } from "./lamp-list.tsx";
import { lampName, placeWords, printHours } from "./lamp-words.ts";
import { LifeChart } from "./life-chart.tsx";
import { efficiencyField, LifeNumber, outcomeWords } from "./life-evidence.tsx";

type PastSince = NonNullable<ShownLamp["past"]>;

interface LifePanelProps {
  readonly lamp: number;
  readonly outlook: LampOutlook | null;
  /** Since when it is past its life; null: it isn't, or that isn't known. */
  readonly past: PastSince | null;
  /** The lamp to compare with, null for none. */
  readonly compared: number | null;
  readonly other: LampOutlook | null;
  readonly compare: (lamp: number | null) => void;
}

export function LifePanel({ lamp, outlook, past, compared, other, compare }: LifePanelProps) {
  const part = useAnswer(curvePath(lamp), readCurve, ["forecast"]);
  const otherPath = compared === null ? null : curvePath(compared);
  const otherPart = useAnswer(otherPath, readCurve, ["forecast"]);
  const known = otherPart.known?.value ?? null;
  // The curve of the one before stays until the new one is there.
  const otherCurve = known?.lamp === compared ? known : null;
  return (
    <Panel name="life" title={`${lampName(lamp)}, ${placeWords(lamp)}`} part={part}>
      {(curve) => (
        <>
          <Left outlook={outlook} past={past} />
          <label class="compare">
            {t("compare")}{" "}
            <select
              value={compared ?? ""}
              onChange={({ currentTarget: { value } }) =>
                compare(value === "" ? null : Number(value))
              }
            >
              <option value="">{t("nobody")}</option>
              {LAMP_NUMBERS.map((number, position) =>
                position + 1 === lamp ? null : (
                  <option key={number} value={position + 1}>
                    {lampName(position + 1)}
                  </option>
                ),
              )}
            </select>
          </label>
          {compared !== null && <ProblemBanner problem={otherPart.problem} />}
          <LifeChart
            curve={curve}
            drawn={[
              { lamp, life: curve.lives[0] ?? null, outlook },
              ...(otherCurve === null
                ? []
                : [
                    {
                      lamp: otherCurve.lamp,
                      life: otherCurve.lives[0] ?? null,
                      outlook: other,
                    },
                  ]),
            ]}
          />
          <p>
            <a class="alone" href={trendsOf(compared === null ? [lamp] : [lamp, compared])}>
              {t("in_trends")}
            </a>
          </p>
          <PastLives curve={curve} />
        </>
      )}
    </Panel>
  );
}

/** The address of Trends with the efficiency of some lamps over time. */
function trendsOf(lamps: readonly number[]): string {
  const fields = lamps.map(efficiencyField);
  return `#/trends?${new URLSearchParams({ fields: fields.join(",") })}`;
}

function curvePath(lamp: number): string {
  return `/api/lamps/${LAMP_NUMBERS[lamp - 1]}/curve`;
}

/** Since when a lamp is past its life, where that is known. */
function pastWords(past: PastSince | null): string | null {
  if (past === null) return null;
  return t("past_since", { day: printDay(past.since_ms), hours: printHours(past.hours) });
}

interface LeftProps {
  readonly outlook: LampOutlook | null;
  readonly past: PastSince | null;
}

function Left({ outlook, past }: LeftProps) {
  const now_ms = useNow();
  if (outlook === null) return <p>{t("no_forecast")}</p>;
  const { end_p05, end_p95, failure_probability, horizon_h } = outlook;
  const isPast = outlook.condition === "past_life";
  const facts: (readonly [name: string, text: string | null])[] = [
    [t("efficiency"), printPercent(outlook.efficiency)],
    [t("run"), printHours(outlook.hours)],
    ...(isPast
      ? ([[t("past_life"), pastWords(past)]] as const)
      : ([
          [t("left"), printHours(outlook.left_h)],
          [t("interval"), intervalOf(outlook)],
          [t("operations"), whole(outlook.operations)],
          [t("days"), whole(outlook.days)],
          [
            t("end_date"),
            end_p05 === null ? null : t("dates", { from: end_p05, to: end_p95 ?? MISSING }),
          ],
        ] as const)),
  ];
  if (!isPast && failure_probability !== null && horizon_h !== null)
    facts.push([t("ends_within", { n: horizon_h }), printPercent(100 * failure_probability)]);
  return (
    <>
      <FactList
        class="left"
        facts={facts.map(([name, text]) => [
          name,
          <OutlookNumber key={name} {...{ outlook, name }}>
            {text ?? MISSING}
          </OutlookNumber>,
        ])}
      />
      <p class="quiet small">
        {isRated(outlook) ? `${t("rated")} ` : ""}
        {t("forecast_of", { moment: printMoment(outlook.at_ms, now_ms) })}
      </p>
    </>
  );
}

function PastLives({ curve }: { curve: ShownCurve }) {
  const past = curve.lives.filter(({ ended_ms }) => ended_ms !== null);
  if (past.length === 0) return <p class="quiet">{t("no_past")}</p>;
  return (
    <div class="wide">
      <table>
        <caption>{t("past", { clock: clockName() })}</caption>
        <thead>
          <tr>
            <th scope="col" class="spare">
              {t("fitted")}
            </th>
            <th scope="col">{t("removed")}</th>
            <th scope="col">{t("run")}</th>
            <th scope="col">{t("outcome")}</th>
          </tr>
        </thead>
        <tbody>
          {past.map((life) => (
            <tr key={life.began_ms}>
              <td class="spare">{printDay(life.began_ms)}</td>
              <td class="day">{life.ended_ms === null ? MISSING : printDay(life.ended_ms)}</td>
              <td>
                <LifeNumber life={life} lamp={curve.lamp}>
                  {printHours(life.hours)}
                </LifeNumber>
              </td>
              <td>{outcomeWords(life)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
