// Flow, filter, power and temperatures as tapes with their limits and a small curve; the operation,
// its progress, and whether it can be finished.

import type { ComponentChildren } from "preact";
import { SmallCurve } from "../chart/small-curve.tsx";
import { overviewWords as t } from "../lang/words.ts";
import { Bar } from "../parts/bar.tsx";
import { Evident } from "../parts/evidence.tsx";
import { LongText } from "../parts/long-text.tsx";
import { printMoment } from "../parts/moments.ts";
import { printFigure, printLamps, printNumber, printUnit, printValue } from "../parts/numbers.ts";
import { WholeDates } from "../parts/whole-dates.tsx";
import type {
  PastAlerts,
  ShownMeasure,
  ShownOperation,
  ShownTimeToLimit,
} from "../store/overview-shapes.ts";
import { OVERVIEW_UNITS } from "../store/overview-units.ts";
import type { Curves } from "./curves.ts";
import { doubtedWords } from "./figures.tsx";
import { FAR_H, printTenths } from "./uv-tile.tsx";

interface MeasuresProps {
  readonly measures: readonly ShownMeasure[];
  readonly curves: Curves | null;
}

/** The four tapes; the water's temperature is shown with the cabinet's. */
export function Measures({ measures, curves }: MeasuresProps) {
  const water = measures.find(({ name }) => name === WATER);
  return (
    <ul class="measures">
      {measures.flatMap((measure) =>
        measure.name === WATER
          ? []
          : [
              <Measure key={measure.name} measure={measure} curves={curves}>
                {measure.name === "LDC_AIR_TEMP" && water !== undefined && <Water water={water} />}
              </Measure>,
            ],
      )}
    </ul>
  );
}

const WATER = "UVR_WATER_TEMP";

const isBeyond = ({ value, limits }: ShownMeasure) =>
  value !== null && limits.some((one) => value > one);

interface MeasureProps {
  readonly measure: ShownMeasure;
  readonly curves: Curves | null;
  readonly children: ComponentChildren;
}

function Measure({ measure, curves, children }: MeasureProps) {
  const { name, value, doubted, at_ms, limits, full } = measure;
  const tag = { unit: OVERVIEW_UNITS[name] };
  const title = t(`tape_${tapeOf(name)}`);
  // The label already says that it is a share of the rated power.
  const unit = name === "UVR_POWER_OUTPUT" ? "%" : printUnit(tag);
  const beyond = isBeyond(measure);
  return (
    <li class={beyond ? "tape beyond" : "tape"} data-test={name}>
      <span class="name">
        {title}
        {children}
      </span>
      <Evident name={title} at_ms={value === null ? null : at_ms} isWhole>
        <span class="figure">
          {printFigure(value, limits)}
          {value !== null && <span class="unit">{`\u00a0${unit}`}</span>}
        </span>
      </Evident>
      {beyond && <strong class="tag">{t("beyond")}</strong>}
      {doubted !== null && <small class="doubted">{doubtedWords(tag, doubted)}</small>}
      <span class="quiet limit-line">
        {limits.length === 0
          ? "\u00a0"
          : t("limits_at", { limits: limits.map(printNumber).join(" · ") })}
      </span>
      <SmallCurve
        lines={curves?.linesOf(name) ?? []}
        from_ms={curves?.from_ms ?? 0}
        to_ms={curves?.to_ms ?? 1}
        level={limits[0]}
      />
      <Bar
        percent={value === null ? null : (100 * value) / full}
        marks={limits.map((one) => (100 * one) / full)}
      />
    </li>
  );
}

function tapeOf(name: ShownMeasure["name"]) {
  if (name === "SYS_FLOW_RATE") return "flow";
  if (name === "FLT_DIFF_PRESSURE") return "filter";
  return name === "UVR_POWER_OUTPUT" ? "power" : "cabinet";
}

function Water({ water }: { water: ShownMeasure }) {
  const tag = { unit: OVERVIEW_UNITS[WATER] };
  const beyond = isBeyond(water);
  return (
    <span class={beyond ? "water beyond" : "water"} data-test={WATER}>
      {t("tape_water", { value: printValue(tag, water.value) })}
      {beyond && <strong class="tag">{t("beyond")}</strong>}
      {water.doubted !== null && <small> {doubtedWords(tag, water.doubted)}</small>}
    </span>
  );
}

interface OperationProps {
  readonly operation: ShownOperation | null;
  /** The time to the limit; null if it isn't known. */
  readonly toLimit: ShownTimeToLimit | null;
  readonly at_ms: number | null;
  readonly now_ms: number;
  /** False for a moment of the past, for which no time of the end is shown. */
  readonly isNow: boolean;
}

export function PresentOperation(props: OperationProps) {
  const { operation, toLimit, at_ms, now_ms } = props;
  if (operation === null) return <p data-test="operation">{t("no_operation")}</p>;
  const { location, since_ms, volume_m3, by, usual } = operation;
  const share = usual === null || volume_m3 === null ? null : (100 * volume_m3) / usual.volume_m3;
  const volume = volume_m3 === null ? "—" : printNumber(Math.round(volume_m3));
  return (
    <div data-test="operation">
      <p class="present-line">
        <span>
          <b>{typeWords(operation)}</b>{" "}
          {location === null ? t("place_unknown") : <span class="place">{location}</span>}{" "}
          <WholeDates text={t("since", { moment: printMoment(since_ms, now_ms) })} />
        </span>
        <Evident name={t("operation_title")} at_ms={volume_m3 === null ? null : at_ms} isWhole>
          <b title={aboutVolume(operation)}>
            {usual === null
              ? `${volume} m³`
              : t("volume_of", { volume, usual: printNumber(Math.round(usual.volume_m3)) })}
          </b>
        </Evident>
      </p>
      <Bar percent={share} />
      <p class="finish" data-test="finish">
        {[finishWords(props), ...(toLimit?.each ?? []).map(limitWords)].join(" ").trim()}
      </p>
      {(by === null || usual === null) && (
        <p class="quiet small">
          {[by === null && t("volume_unknown"), usual === null && t("no_usual")]
            .filter((text) => text !== false)
            .join(". ")}
        </p>
      )}
    </div>
  );
}

/** The type in words: uptake, discharge, cleaning; any other as the plant sent it. */
function typeWords({ type }: ShownOperation): string {
  if (type === null) return t("type_unknown");
  if (type === "BALLAST" || type === "DEBALLAST" || type === "CIP") return t(`type_${type}`);
  return type;
}

/** The text of the tooltip: the source of the volume, and the usual volume. */
function aboutVolume({ by, usual }: ShownOperation): string {
  return [by === null ? "" : t(`by_${by}`), usual === null ? "" : usualWords(usual)].join(". ");
}

function usualWords({ volume_m3, n, isHere }: NonNullable<ShownOperation["usual"]>): string {
  return t(isHere ? "usual_here" : "usual_type", { volume: printNumber(Math.round(volume_m3)), n });
}

/** The answer to "Can I finish?" in one line. */
function finishWords({ operation, now_ms, isNow }: OperationProps): string {
  if (operation === null) return "";
  const { hours_left, canFinish, lampsAtRisk } = operation;
  if (canFinish === "no") return t("finish_no");
  if (hours_left === null || canFinish === "unknown") return t("finish_unknown");
  const end = printMoment(now_ms + hours_left * HOUR_MS, now_ms);
  const hours = printTenths(hours_left);
  const words = [
    t(`finish_${canFinish}`, { hours }),
    ...(isNow ? [t("finish_at", { moment: end })] : []),
    ...(lampsAtRisk.length === 0
      ? []
      : [
          t("finish_lamps", {
            n: lampsAtRisk.length,
            lamps: printLamps(lampsAtRisk),
          }),
        ]),
  ];
  return words.join(" ");
}

const HOUR_MS = 3_600_000;

/** The hours to the limit of a mode; empty if the intensity doesn't fall, or they aren't known. */
function limitWords({ name, low_h, high_h, reason }: ShownTimeToLimit["each"][number]): string {
  if (reason === "below_limit") return t("finish_below", { name });
  if (reason === "at_limit") return t("finish_at_limit", { name });
  if (reason === "no_fall") return "";
  if (low_h === null || high_h === null || low_h > FAR_H) return "";
  return t("finish_limit", { name, low: printTenths(low_h), high: printTenths(high_h) });
}

/** The alerts that were open at the shown moment of the past. */
export function AlertsThen({ alerts, now_ms }: { alerts: PastAlerts; now_ms: number }) {
  const { open, shown } = alerts;
  if (open === 0) return <p>{t("no_alerts_then")}</p>;
  const count = printNumber(open);
  return (
    <>
      {open > shown.length && (
        <p data-test="more-then">{t("more_then", { open: count, shown: shown.length })}</p>
      )}
      <ul class="alerts-then">
        {shown.map(({ priority, description, since_ms }) => (
          <li key={`${since_ms} ${description}`}>
            <b>{t(`priority_${priority}`)}</b>{" "}
            {since_ms !== null && <span class="quiet">{printMoment(since_ms, now_ms)} </span>}
            <span lang="en">
              <LongText text={description} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
