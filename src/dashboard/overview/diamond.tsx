// The sixteen lamps as they are placed in the reactor, a diamond of seven rows: number, output,
// hours, and a shape for what needs attention. Below are the lamps to change next, or the hours and
// the forecast of the lamp that was touched.

import { useState } from "preact/hooks";
import { REACTOR_ROWS } from "../../bwts/lamps/reactor.ts";
import { RATED_BASES } from "../../bwts/present/lamp-condition.ts";
import { indexOfLampTag, TAGS } from "../../bwts/tags.ts";
import { overviewWords as t } from "../lang/words.ts";
import { Bar } from "../parts/bar.tsx";
import { Evident } from "../parts/evidence.tsx";
import { LampShape } from "../parts/icon.tsx";
import { printDay } from "../parts/moments.ts";
import { printLabel, printLamp, printNumber, printValue } from "../parts/numbers.ts";
import type { ShownLamp, ShownLamps } from "../store/overview-shapes.ts";
import { ChangeNext } from "./change-next.tsx";
import { printTenths } from "./uv-tile.tsx";

export function Diamond({ shown }: { shown: ShownLamps }) {
  const { lamps } = shown;
  const [chosen, choose] = useState<number | null>(null);
  const lamp = lamps.find((one) => one.lamp === chosen) ?? null;
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
                  isChosen={one.lamp === chosen}
                  choose={() => choose(one.lamp === chosen ? null : one.lamp)}
                />
              ))}
            </div>
          );
        })}
      </div>
      <div class="lamp-about" aria-live="polite" data-test="lamp-about">
        {lamp === null ? (
          <ChangeNext shown={shown} />
        ) : (
          <About lamp={lamp} close={() => choose(null)} />
        )}
      </div>
    </>
  );
}

interface LampButtonProps {
  readonly lamp: ShownLamp;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function LampButton({ lamp, isChosen, choose }: LampButtonProps) {
  const { state, efficiency, runtime_h } = lamp;
  const number = printLamp(lamp.lamp);
  const word = wordFor(lamp);
  return (
    <button
      type="button"
      class={word === state ? `lamp ${state}` : `lamp ${state} ${word}`}
      aria-pressed={isChosen}
      onClick={choose}
      title={`${t("lamp_name", { number })}: ${t(`lamp_${word}`)}`}
      data-test={`lamp-${number}`}
    >
      <span class="number">
        <LampShape word={word} />
        {number}
      </span>
      <b class="efficiency">
        {efficiency === null ? "—" : printNumber(Math.round(efficiency))}
        <small> %</small>
      </b>
      <Bar percent={efficiency} />
      <span class="hours">
        {runtime_h === null ? "—" : `${printNumber(Math.round(runtime_h))} h`}
      </span>
      <span class="unseen">{t(`lamp_${word}`)}</span>
    </button>
  );
}

/** The lamp's state, or its more urgent condition unless it has failed. */
function wordFor({ state, condition, no_light_since_ms }: ShownLamp) {
  if (state === "active" && condition === "unknown" && no_light_since_ms !== null) return "unknown";
  const isAged = condition === "past_life" || condition === "near_end";
  return isAged && state !== "failed" ? condition : state;
}

interface AboutProps {
  readonly lamp: ShownLamp;
  readonly close: () => void;
}

function About({ lamp, close }: AboutProps) {
  const name = t("lamp_name", { number: printLamp(lamp.lamp) });
  return (
    <>
      <h3>
        <a href={`#/lamps?lamp=${lamp.lamp}`}>{name}</a>: {t(`lamp_${lamp.state}`)}
        {lamp.status !== null && lamp.status !== t(`lamp_${lamp.state}`) && (
          <small> ({lamp.status})</small>
        )}
        <button type="button" class="close" aria-label={t("evidence_close")} onClick={close}>
          ×
        </button>
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
  const isRated = RATED_BASES.includes(basis);
  return `${left}${inOperations}${isRated ? ` ${t("lamp_rated")}` : ""}`;
}

/** The text for a lamp past its life, in place of hours left, which would be 0 for months. */
function pastWords(past: ShownLamp["past"]): string {
  if (past === null) return t("lamp_past");
  return t("lamp_past_since", {
    moment: printDay(past.since_ms),
    hours: printNumber(Math.round(past.hours)),
  });
}
