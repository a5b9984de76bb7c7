// Flow, filter, power and temperatures against their limits; the operation, and if it can be
// finished; health, a score that stands below all facts.

import { overviewWords as t } from "../lang/words.ts";
import { Bar } from "../parts/bar.tsx";
import { Evident } from "../parts/evidence.tsx";
import { LongText } from "../parts/long-text.tsx";
import { printMoment } from "../parts/moments.ts";
import { printLabel, printNumber, printValue, tagNamed } from "../parts/numbers.ts";
import type {
  PastAlerts,
  ShownHealth,
  ShownMeasure,
  ShownOperation,
  ShownTimeToLimit,
} from "../store/overview-shapes.ts";
import { doubtedWords, printTenths } from "./figures.tsx";
import { lampDigits } from "./verdict.tsx";

export function Measures({ measures }: { measures: readonly ShownMeasure[] }) {
  return (
    <ul class="measures">
      {measures.map((measure) => (
        <Measure key={measure.name} measure={measure} />
      ))}
    </ul>
  );
}

function Measure({ measure }: { measure: ShownMeasure }) {
  const { name, value, doubted, at_ms, limits, full } = measure;
  const tag = tagNamed(name);
  const [limit] = limits;
  const beyond = value !== null && limits.some((one) => value > one);
  return (
    <li class={beyond ? "beyond" : ""} data-test={name}>
      <span class="quiet">{printLabel(tag)}</span>
      <Evident name={printLabel(tag)} at_ms={value === null ? null : at_ms}>
        {printValue(tag, value)}
      </Evident>
      {doubted !== null && <small class="doubted">{doubtedWords(tag, doubted)}</small>}
      <Bar
        percent={value === null ? null : (100 * value) / full}
        marks={limits.map((one) => (100 * one) / full)}
      />
      {limit !== undefined && (
        <span class="quiet small">
          {t("limits_at", { limits: limits.map((one) => printValue(tag, one)).join(" · ") })}
        </span>
      )}
      {beyond && <strong class="tag">{t("beyond")}</strong>}
    </li>
  );
}

interface OperationProps {
  readonly operation: ShownOperation | null;
  /** Null where it isn't known. */
  readonly toLimit: ShownTimeToLimit | null;
  readonly at_ms: number | null;
  readonly now_ms: number;
}

export function PresentOperation({ operation, toLimit, at_ms, now_ms }: OperationProps) {
  if (operation === null) return <p data-test="operation">{t("no_operation")}</p>;
  const { type, location, since_ms, volume_m3, by, usual } = operation;
  const share = usual === null || volume_m3 === null ? null : (100 * volume_m3) / usual.volume_m3;
  return (
    <div data-test="operation">
      <p>
        <b>{type ?? t("type_unknown")}</b>{" "}
        {location === null ? t("place_unknown") : <span class="place">{location}</span>}{" "}
        {t("since", { moment: printMoment(since_ms, now_ms) })}
      </p>
      <p class="big">
        <Evident name={t("operation_title")} at_ms={volume_m3 === null ? null : at_ms}>
          {volume_m3 === null ? "—" : `${printNumber(volume_m3)} m³`}
        </Evident>{" "}
        <small>{by === null ? t("volume_unknown") : t(`by_${by}`)}</small>
      </p>
      <Bar percent={share} marks={[]} />
      <p>{usual === null ? t("no_usual") : usualWords(usual)}</p>
      <p class="finish" data-test="finish">
        {[finishWords(operation), ...(toLimit?.each ?? []).map(limitWords)].join(" ").trim()}
      </p>
    </div>
  );
}

function usualWords({ volume_m3, n, isHere }: NonNullable<ShownOperation["usual"]>): string {
  return t(isHere ? "usual_here" : "usual_type", { volume: printNumber(volume_m3), n });
}

/** "Can I finish?" in one line. */
function finishWords({ hours_left, canFinish, lampsAtRisk }: ShownOperation): string {
  if (canFinish === "no") return t("finish_no");
  if (hours_left === null || canFinish === "unknown") return t("finish_unknown");
  const words = t(`finish_${canFinish}`, { hours: printTenths(hours_left) });
  if (lampsAtRisk.length === 0) return words;
  const lamps = lampsAtRisk.map(lampDigits).join(", ");
  return `${words} ${t("finish_lamps", { n: lampsAtRisk.length, lamps })}`;
}

/** Hours to the limit of a mode; nothing where there is no fall to tell them from. */
function limitWords({ name, low_h, high_h, reason }: ShownTimeToLimit["each"][number]): string {
  if (reason === "below_limit") return t("finish_below", { name });
  if (reason === "at_limit") return t("finish_at_limit", { name });
  if (reason === "no_fall") return t("finish_no_fall", { name });
  if (low_h === null || high_h === null) return "";
  return t("finish_limit", { name, low: printTenths(low_h), high: printTenths(high_h) });
}

export function Health({ health, now_ms }: { health: ShownHealth | null; now_ms: number }) {
  if (health === null) return <p>{t("no_health")}</p>;
  return (
    <>
      <p class="big" data-test="health">
        <a href="#/health?step=quarter">{t("health_of", { score: printNumber(health.score) })}</a>
      </p>
      <p class="quiet">{t("health_at", { moment: printMoment(health.at_ms, now_ms) })}</p>
    </>
  );
}

/** The alerts that were open at a moment of the past. */
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
