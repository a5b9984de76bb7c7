// The sixteen lamps as they stand in the reactor, a diamond of seven rows: number, shape and word
// of the state, efficiency. Touching or focusing one shows its hours and its forecast below.

import { useState } from "preact/hooks";
import { REACTOR_ROWS } from "../../bwts/lamps/reactor.ts";
import { indexOfLampTag, TAGS } from "../../bwts/tags.ts";
import { overviewWords as t } from "../lang/words.ts";
import { Bar } from "../parts/bar.tsx";
import { Evident } from "../parts/evidence.tsx";
import { printDay } from "../parts/moments.ts";
import { printLabel, printNumber, printValue } from "../parts/numbers.ts";
import type { ShownLamp, ShownLamps } from "../store/overview-shapes.ts";
import { printTenths } from "./figures.tsx";
import { lampDigits } from "./verdict.tsx";

export function Diamond({ shown }: { shown: ShownLamps }) {
  const { lamps, isSuspended } = shown;
  const [chosen, choose] = useState<number | null>(null);
  const first =
    lamps.find(({ state }) => state === "failed") ??
    lamps.find(({ condition }) => condition === "past_life");
  const lamp = lamps.find((one) => one.lamp === (chosen ?? first?.lamp)) ?? null;
  let next = 0;
  return (
    <>
      <div class="diamond">
        {REACTOR_ROWS.map((count, row) => {
          const from = next;
          next += count;
          return (
            <div key={row} class="row">
              {lamps.slice(from, next).map((one) => (
                <LampButton
                  key={one.lamp}
                  lamp={one}
                  isChosen={one.lamp === lamp?.lamp}
                  choose={() => choose(one.lamp)}
                />
              ))}
            </div>
          );
        })}
      </div>
      <div class="lamp-about" aria-live="polite" data-test="lamp-about">
        {lamp === null ? <p class="quiet">{t("lamp_touch")}</p> : <About lamp={lamp} />}
      </div>
      {isSuspended && <p class="problem">{t("lamps_suspended")}</p>}
      <p class="quiet small">{t("lamps_seen")}</p>
    </>
  );
}

interface LampButtonProps {
  readonly lamp: ShownLamp;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function LampButton({ lamp, isChosen, choose }: LampButtonProps) {
  const { state, efficiency } = lamp;
  const number = lampDigits(lamp.lamp);
  const word = wordFor(lamp);
  return (
    <button
      type="button"
      class={word === state ? `lamp ${state}` : `lamp ${state} ${word}`}
      aria-pressed={isChosen}
      onClick={choose}
      onFocus={choose}
      data-test={`lamp-${number}`}
    >
      <b class="number">
        <LampShape state={state} />
        {number}
      </b>
      <span class="efficiency">{efficiency === null ? "—" : `${printNumber(efficiency)} %`}</span>
      <Bar percent={efficiency} />
      <span class="status">{t(`lamp_${word}`)}</span>
    </button>
  );
}

/** Its state, or what is more urgent of a lamp that burns. */
function wordFor({ state, condition }: ShownLamp) {
  const isAged = condition === "past_life" || condition === "near_end";
  return isAged && state !== "failed" ? condition : state;
}

/** A full disc, a ring, a cross, a question mark. */
function LampShape({ state }: { state: ShownLamp["state"] }) {
  return (
    <svg class="shape" viewBox="0 0 24 24" aria-hidden="true">
      {state === "active" && <circle class="solid" cx="12" cy="12" r="9" />}
      {state === "standby" && <circle cx="12" cy="12" r="8" />}
      {state === "failed" && <path d="M4 4l16 16M20 4L4 20" />}
      {state === "unknown" && <path d="M8 9a4 4 0 1 1 5 3q-1 1-1 3m0 4v1" />}
    </svg>
  );
}

function About({ lamp }: { lamp: ShownLamp }) {
  const name = t("lamp_name", { number: lampDigits(lamp.lamp) });
  return (
    <>
      <h3>
        <a href={`#/lamps?lamp=${lamp.lamp}`}>{name}</a>: {t(`lamp_${lamp.state}`)}
        {lamp.status !== null && lamp.status !== t(`lamp_${lamp.state}`) && (
          <small> ({lamp.status})</small>
        )}
      </h3>
      <dl>
        <Row lamp={lamp} name={name} field="EFFICIENCY" value={lamp.efficiency} />
        <Row lamp={lamp} name={name} field="RUNTIME" value={lamp.runtime_h} />
        <Row lamp={lamp} name={name} field="POWER" value={lamp.power_w} />
      </dl>
      {lamp.state !== "failed" && <p>{forecastWords(lamp)}</p>}
    </>
  );
}

interface RowProps {
  readonly lamp: ShownLamp;
  readonly name: string;
  readonly field: "EFFICIENCY" | "RUNTIME" | "POWER";
  readonly value: number | null;
}

function Row({ lamp, name, field, value }: RowProps) {
  const tag = TAGS[indexOfLampTag(lamp.lamp - 1, field)];
  const label = printLabel(tag);
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Evident name={`${name}, ${label}`} at_ms={value === null ? null : lamp.at_ms}>
          {printValue(tag, value)}
        </Evident>
      </dd>
    </div>
  );
}

function forecastWords(lamp: ShownLamp): string {
  const { left_h, p05_h, p95_h, operations, basis, condition, past } = lamp;
  if (condition === "past_life") return pastWords(past);
  if (left_h === null) return t("lamp_no_forecast");
  const left =
    p05_h === null || p95_h === null
      ? t("lamp_left", { hours: printTenths(left_h) })
      : t("lamp_left_between", {
          hours: printTenths(left_h),
          low: printTenths(p05_h),
          high: printTenths(p95_h),
        });
  const inOperations =
    operations === null ? "" : ` ${t("lamp_operations", { n: Math.floor(operations) })}`;
  const isRated = basis === "rated_life_prior" || basis === "counter_derived";
  return `${left}${inOperations}${isRated ? ` ${t("lamp_rated")}` : ""}`;
}

/** Hours left would be 0, for months. */
function pastWords(past: ShownLamp["past"]): string {
  if (past === null) return t("lamp_past");
  return t("lamp_past_since", {
    moment: printDay(past.since_ms),
    hours: printNumber(Math.round(past.hours)),
  });
}
