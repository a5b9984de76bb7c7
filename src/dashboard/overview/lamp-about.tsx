// The lamp that was touched in the reactor: its state, output, hours and power, and the forecast of
// its life.

import { RATED_BASES } from "../../bwts/present/lamp-condition.ts";
import { indexOfLampTag, TAGS } from "../../bwts/tags.ts";
import { printLabel } from "../lang/fields.ts";
import { laterWords, overviewWords as t } from "../lang/words.ts";
import { Evident } from "../parts/evidence.tsx";
import { printDay } from "../parts/moments.ts";
import { printLamp, printNumber, printValue } from "../parts/numbers.ts";
import type { ShownLamp } from "../store/overview-shapes.ts";
import { printTenths } from "./uv-tile.tsx";

interface LampAboutProps {
  readonly lamp: ShownLamp;
  readonly close: () => void;
}

export function LampDetails({ lamp, close }: LampAboutProps) {
  const name = t("lamp_name", { number: printLamp(lamp.lamp) });
  return (
    <>
      <h3>
        <a href={`#/lamps?lamp=${lamp.lamp}`}>{name}</a>: {t(`lamp_${lamp.state}`)}
        {lamp.status !== null && lamp.status !== t(`lamp_${lamp.state}`) && (
          <small> ({lamp.status})</small>
        )}
        <button
          type="button"
          class="close"
          aria-label={laterWords("evidence_close")}
          onClick={close}
        >
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
  if (left_h === null) return laterWords("lamp_no_forecast");
  const left =
    p05_h === null || p95_h === null
      ? laterWords("lamp_left", { hours: printTenths(left_h) })
      : laterWords("lamp_left_between", {
          hours: printTenths(left_h),
          low: printTenths(p05_h),
          high: printTenths(p95_h),
        });
  const inOperations =
    operations === null ? "" : ` ${laterWords("lamp_operations", { n: Math.floor(operations) })}`;
  const isRated = RATED_BASES.includes(basis);
  return `${left}${inOperations}${isRated ? ` ${laterWords("lamp_rated")}` : ""}`;
}

/** The text for a lamp past its life, in place of hours left, which would be 0 for months. */
function pastWords(past: ShownLamp["past"]): string {
  if (past === null) return laterWords("lamp_past");
  return laterWords("lamp_past_since", {
    moment: printDay(past.since_ms),
    hours: printNumber(Math.round(past.hours)),
  });
}
