// The sixteen lamps in number order: status, output, run-hours, power, and remaining life. A status
// has a word and a shape, never just a colour.

import { type LampStatus, lampStatusOf } from "../../bwts/plc-word.ts";
import { indexOfLampTag, LAMP_NUMBERS, type LampField, TAGS } from "../../bwts/tags.ts";
import { Bar } from "../parts/bar.tsx";
import { printMoment } from "../parts/moments.ts";
import { MISSING, printLabel, printNumber, printUnit, printValue } from "../parts/numbers.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import { isStale } from "../parts/stale.ts";
import type { OpenAlert, ShownForecast, ShownReading } from "../store/answers.ts";
import type { PagePart } from "../store/ask.ts";

const STARRED = "* from the rated life, not from the lamp's own light.";

/** The alarm that is active while lamp life isn't forecast. */
const COUNTERS_FAST = "LAMP_COUNTERS_FAST";

interface LampGridProps {
  readonly reading: PagePart<ShownReading | null>;
  readonly forecasts: PagePart<readonly ShownForecast[]>;
  readonly alarms: PagePart<readonly OpenAlert[]>;
  readonly now_ms: number;
}

export function LampGrid({ reading, forecasts, alarms, now_ms }: LampGridProps) {
  const latest = reading.known?.value ?? null;
  const stale = latest !== null && isStale(latest, now_ms);
  const active = alarms.known?.value ?? [];
  const suspension = active.find(isSuspension) ?? null;
  // Earlier forecasts may rest on wrong hours.
  const known = suspension === null ? (forecasts.known?.value ?? []) : [];
  return (
    <section aria-labelledby="lamps">
      <h2 id="lamps">
        Lamps
        {latest !== null && <small> at {printMoment(latest.at_ms, now_ms)}</small>}
        {stale && <strong class="tag">STALE</strong>}
      </h2>
      <ProblemBanner problem={reading.problem} />
      <ProblemBanner problem={forecasts.problem} />
      <ProblemBanner problem={alarms.problem} />
      {suspension !== null && <p class="problem">{suspension.description}</p>}
      <ol class={stale ? "lamps old" : "lamps"}>
        {LAMP_NUMBERS.map((number, lampIndex) => (
          <Lamp
            key={number}
            lampIndex={lampIndex}
            reading={latest}
            forecast={known.find((one) => one.component_id === `LAMP_${number}`) ?? null}
          />
        ))}
      </ol>
      <p class="quiet small">
        {known.length === 0
          ? noForecast(suspension)
          : `Left: remaining life, forecast of ${printMoment(newest(known), now_ms)}; ${STARRED}`}
      </p>
    </section>
  );
}

/** It holds until it is over, acknowledged or not. */
function isSuspension({ code, state }: OpenAlert): boolean {
  return code === COUNTERS_FAST && state !== "rectified";
}

function noForecast(suspension: OpenAlert | null): string {
  return suspension === null
    ? "No forecast of lamp life yet."
    : "Forecasts of lamp life are suspended. Until they are back, go by the rated hours.";
}

function Lamp(props: {
  lampIndex: number;
  reading: ShownReading | null;
  forecast: ShownForecast | null;
}) {
  const { lampIndex, reading, forecast } = props;
  const status = lampValue(reading, lampIndex, "STATUS");
  const state = lampStatusOf(status);
  const efficiency = lampValue(reading, lampIndex, "EFFICIENCY");
  const interval = printInterval(forecast);
  const operations = forecast?.remaining_operations ?? null;
  return (
    <li class={`lamp ${state}`} data-test={`lamp-${LAMP_NUMBERS[lampIndex]}`}>
      <p class="number">
        <LampShape state={state} />
        {LAMP_NUMBERS[lampIndex]}
      </p>
      <p class="efficiency" title={tagOf(lampIndex, "EFFICIENCY").about}>
        {printValue(tagOf(lampIndex, "EFFICIENCY"), efficiency)}
      </p>
      <p class="status">{status ?? "unknown"}</p>
      <Bar percent={typeof efficiency === "number" ? efficiency : null} mark={null} />
      <dl>
        <LampRow label="Run" lampIndex={lampIndex} reading={reading} field="RUNTIME" />
        <LampRow label="Power" lampIndex={lampIndex} reading={reading} field="POWER" />
        <div>
          <dt title={basisWords(forecast)}>{isFitted(forecast) ? "Left" : "Left*"}</dt>
          <dd>{printRemaining(forecast, lampIndex)}</dd>
        </div>
        {interval !== null && (
          <div>
            <dt title="nine in ten such lamps end between these hours">90 %</dt>
            <dd>{interval}</dd>
          </div>
        )}
        {operations !== null && (
          <div>
            <dt title="ballast operations left, of this ship's usual length">Ops</dt>
            <dd>{printNumber(Math.floor(operations))}</dd>
          </div>
        )}
      </dl>
    </li>
  );
}

interface LampRowProps {
  readonly label: string;
  readonly lampIndex: number;
  readonly reading: ShownReading | null;
  readonly field: LampField;
}

function LampRow({ label, lampIndex, reading, field }: LampRowProps) {
  const tag = tagOf(lampIndex, field);
  return (
    <div>
      <dt title={printLabel(tag)}>{label}</dt>
      <dd>{printValue(tag, lampValue(reading, lampIndex, field))}</dd>
    </div>
  );
}

/** A full disc, a ring, a cross, a question mark. */
function LampShape({ state }: { state: LampStatus }) {
  return (
    <svg class="shape" viewBox="0 0 24 24" aria-hidden="true">
      {state === "active" && <circle class="solid" cx="12" cy="12" r="9" />}
      {state === "standby" && <circle cx="12" cy="12" r="8" />}
      {state === "failed" && <path d="M4 4l16 16M20 4L4 20" />}
      {state === "unknown" && <path d="M8 9a4 4 0 1 1 5 3q-1 1-1 3m0 4v1" />}
    </svg>
  );
}

/** The two-digit numbers of failed lamps, and how many lamps have a status. */
export function lampFigure(reading: ShownReading): { failed: readonly string[]; told: number } {
  const statuses = LAMP_NUMBERS.map((_, index) => lampValue(reading, index, "STATUS"));
  const failed = LAMP_NUMBERS.filter((_, index) => lampStatusOf(statuses[index]) === "failed");
  return { failed, told: statuses.filter((status) => status !== null).length };
}

function lampValue(reading: ShownReading | null, lampIndex: number, field: LampField) {
  return reading === null ? null : reading.values[indexOfLampTag(lampIndex, field)];
}

function tagOf(lampIndex: number, field: LampField) {
  return TAGS[indexOfLampTag(lampIndex, field)];
}

/** Remaining life has the unit of the lamp's run-hours. */
function printRemaining(forecast: ShownForecast | null, lampIndex: number): string {
  const hours = forecast?.remaining_h ?? null;
  if (hours === null) return MISSING;
  return `${printNumber(Math.round(hours))}\u00a0${printUnit(tagOf(lampIndex, "RUNTIME"))}`;
}

function printInterval(forecast: ShownForecast | null): string | null {
  const { p05_h = null, p95_h = null } = forecast ?? {};
  if (p05_h === null || p95_h === null) return null;
  return `${printNumber(Math.round(p05_h))}\u2013${printNumber(Math.round(p95_h))}`;
}

/** True if the forecast rests on the lamp's own readings, or doesn't tell its basis. */
function isFitted(forecast: ShownForecast | null): boolean {
  return forecast?.basis !== "rated_life_prior" && forecast?.basis !== "counter_derived";
}

function basisWords(forecast: ShownForecast | null): string {
  switch (forecast?.basis) {
    case "rated_life_prior":
      return "from the rated life: too little was seen of this lamp yet";
    case "counter_derived":
      return "from the rated life: the efficiency that is sent follows from run-hours alone";
    case "failed":
      return "the lamp has failed";
    default:
      return "remaining life";
  }
}

function newest(forecasts: readonly ShownForecast[]): number {
  return Math.max(...forecasts.map((one) => one.at_ms));
}
