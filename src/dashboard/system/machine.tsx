// The computer's clock and disk, and the stored data: the database and its chains. A forecast is
// marked as such, with its basis below.

import { partsWords, systemWords as t } from "../lang/words.ts";
import { FactList } from "../parts/fact-list.tsx";
import { printAge, printMoment } from "../parts/moments.ts";
import { printBytes, printNumber } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import type { PagePart } from "../store/ask.ts";
import {
  chainIn,
  databaseIn,
  diskIn,
  type KnownClocks,
  panelPart,
  type SystemPanelProps,
  versionIn,
} from "./facts.ts";

interface ClockPanelProps {
  readonly part: PagePart<KnownClocks>;
  readonly now_ms: number;
}

export function ClockPanel({ part, now_ms }: ClockPanelProps) {
  return (
    <Panel name="clocks" title={t("clocks")} part={part}>
      {({ trusted, problem, offset_s, drift_s, steps }) => (
        <>
          <FactList
            facts={[
              [t("box_clock"), printMoment(now_ms, now_ms)],
              [t("trusted"), partsWords(trusted ? "yes" : "no")],
              [t("plc_offset"), offset_s === null ? null : seconds(offset_s)],
              [t("plc_drift"), drift_s === null ? null : seconds(drift_s)],
            ]}
          />
          {problem !== null && (
            <p class="problem" lang="en">
              {problem}
            </p>
          )}
          <h3>{t("steps")}</h3>
          {steps.length === 0 && <p class="quiet">{t("no_steps")}</p>}
          <FactList
            facts={steps.map(({ at_ms, isPlc, seconds: step_s }) => [
              `${t(isPlc ? "plc_clock" : "box_clock")}, ${printMoment(at_ms, now_ms)}`,
              seconds(step_s),
            ])}
          />
        </>
      )}
    </Panel>
  );
}

const seconds = (value: number) =>
  `${value > 0 ? "+" : ""}${partsWords("seconds", { n: printNumber(value) })}`;

export function DiskPanel({ system }: SystemPanelProps) {
  return (
    <Panel name="disk" title={t("disk")} part={panelPart(system, diskIn)}>
      {({ free_bytes, warn_bytes, stop_bytes, problem, forecast }) => (
        <>
          {problem !== null && (
            <p class="problem" lang="en">
              {problem}
            </p>
          )}
          <FactList
            facts={[
              [t("free"), bytes(free_bytes)],
              [t("warn_below"), bytes(warn_bytes)],
              [t("stop_below"), bytes(stop_bytes)],
              [t("growth"), forecast && printBytes(forecast.bytes_per_day)],
              [t("days_left"), forecast?.days_left == null ? null : daysLeft(forecast.days_left)],
            ]}
          />
          <p class="quiet">
            {forecast === null
              ? t("no_forecast")
              : t("forecast_basis", {
                  days: partsWords("days", { n: forecast.basis_days }),
                  readings: forecast.basis_readings,
                })}
          </p>
        </>
      )}
    </Panel>
  );
}

/**
 * Maximum number of days in a forecast; beyond ten years, a number would claim more than is known.
 */
const FAR_DAYS = 3650;

const daysLeft = (days: number) =>
  days > FAR_DAYS ? t("days_far") : partsWords("days", { n: days });

const bytes = (value: number | null) => (value === null ? null : printBytes(value));

export function DatabasePanel({ system, now_ms }: SystemPanelProps) {
  const moment = (at_ms: number | null) => (at_ms === null ? null : printMoment(at_ms, now_ms));
  return (
    <Panel name="database" title={t("database")} part={panelPart(system, databaseIn)}>
      {(database) => (
        <FactList
          facts={[
            [t("size"), bytes(database.bytes)],
            [t("wal"), bytes(database.wal_bytes)],
            [t("readings"), database.readings === null ? null : localCount(database.readings)],
            [t("oldest"), moment(database.oldest_ms)],
            [t("newest"), moment(database.newest_ms)],
            [t("retention"), database.retention_months],
            [t("schema"), database.schema],
          ]}
        />
      )}
    </Panel>
  );
}

const localCount = (count: number) => t("count", { n: count });

export function ChainPanel({ system, now_ms }: SystemPanelProps) {
  return (
    <Panel name="chain" title={t("chain")} part={panelPart(system, chainIn)}>
      {({ proven_ms, damage_found, heads }) => (
        <>
          <p>
            {proven_ms === null
              ? t("not_proven")
              : t("proven", { moment: printMoment(proven_ms, now_ms) })}
          </p>
          <FactList facts={[[t("damage"), damage_found]]} />
          <h3>{t("heads")}</h3>
          <ul class="rows">
            {heads.map(({ name, count, hash }) => (
              <li key={name}>
                <strong>{name}</strong> {t("links", { n: count })}
                <code>{hash}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

export function VersionPanel({ system }: SystemPanelProps) {
  return (
    <Panel name="versions" title={t("versions")} part={panelPart(system, versionIn)}>
      {({ parts, uptime_s }) => (
        <>
          <FactList
            facts={[...parts, [t("uptime"), uptime_s === null ? null : printAge(uptime_s * 1000)]]}
          />
          <p>
            <a class="button" href="manual">
              {t("manual")}
            </a>
          </p>
        </>
      )}
    </Panel>
  );
}
