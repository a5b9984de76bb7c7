// The facts of an operation, one line each: times by both clocks, volume by both measures, and
// everything that happened during it.

import { tagNamed } from "../../bwts/tags.ts";
import { written } from "../chart/level.ts";
import { printLabel } from "../lang/fields.ts";
import { rulesWords } from "../lang/rules.ts";
import { partsWords, operationsWords as t } from "../lang/words.ts";
import { type Fact, FactList } from "../parts/fact-list.tsx";
import { LongText } from "../parts/long-text.tsx";
import {
  clockName,
  hasShipTime,
  printAge,
  printClock,
  printDay,
  printSecond,
  type ShownClock,
} from "../parts/moments.ts";
import { MISSING, printNumber } from "../parts/numbers.ts";
import { printSpan, volumeInWords } from "../parts/operation-words.tsx";
import type { KnownOperation } from "../store/operations.ts";
import { Listed } from "./pieces.tsx";

interface OperationFactsProps {
  readonly operation: KnownOperation;
  readonly path: string;
}

export function OperationFacts({ operation, path }: OperationFactsProps) {
  return (
    <section aria-labelledby="operation-facts">
      <h2 id="operation-facts">{t("facts")}</h2>
      <FactList
        class="operation-facts"
        facts={[...measured(operation, path), ...happened(operation, path)]}
      />
    </section>
  );
}

function measured(operation: KnownOperation, path: string): readonly Fact[] {
  const { start_ms, end_ms, remarks, mode, bypass_seconds, readings_hidden } = operation;
  const hours = operation.hours_since_cip;
  const readings = [String(operation.readings)];
  if (readings_hidden > 0) readings.push(t("more_hidden", { n: readings_hidden }));
  return [
    [t("start"), byBothClocks(start_ms)],
    [t("end"), end_ms === null ? t("running") : byBothClocks(end_ms)],
    [t("known_by"), t(operation.known_by === "events" ? "by_events" : "by_readings")],
    [t("remarks"), <Listed key="" of={remarks} path={path} print={(one) => rulesWords(one)} />],
    [t("volume"), <OperationVolume key="" operation={operation} />],
    [t("mode"), mode],
    [t("readings"), readings.join("; ")],
    [t("backflushes"), operation.backflushes],
    [t("bypass"), bypass_seconds === 0 ? t("nothing") : printAge(bypass_seconds * 1000)],
    [
      printLabel(tagNamed("CIP_HOURS_SINCE_LAST")),
      hours === null ? null : partsWords("hours", { n: printNumber(hours) }),
    ],
  ];
}

function happened(operation: KnownOperation, path: string): readonly Fact[] {
  const { start_ms, end_ms, lamps_out, alerts, gaps, clock_steps, voids } = operation;
  const around = `from=${written(start_ms)}&to=${written(end_ms ?? start_ms + DAY_MS)}`;
  const lamp = (one: NonNullable<typeof lamps_out>[number]) =>
    `${partsWords("lamp", { lamp: one.lamp })}: ${lasted(one)}`;
  const alert = ({ code, raised_ms }: NonNullable<typeof alerts>[number]) => (
    <a class="alone" href={`#/alerts?list=past&${around}`}>
      {code}, {printSecond(raised_ms, Number.NaN)}
    </a>
  );
  const step = ({ at_ms, clock, seconds }: NonNullable<typeof clock_steps>[number]) => {
    const by = `${seconds < 0 ? "−" : "+"}${printAge(1000 * Math.abs(seconds))}`;
    return `${clock}: ${printSecond(at_ms, Number.NaN)}, ${by}`;
  };
  const hidden = (one: NonNullable<typeof voids>[number]) => {
    const span = printSpan(one.start_ms, one.end_ms, Number.NaN);
    return <LongText text={`${one.id}: ${span}; ${one.readings}; ${one.reason}`} />;
  };
  return [
    [t("lamps_out"), <Listed key="" of={lamps_out} path={path} print={lamp} />],
    [t("alerts"), <Listed key="" of={alerts} path={path} print={alert} />],
    [t("gaps"), <Listed key="" of={gaps} path={path} print={lasted} />],
    [t("clocks"), <Listed key="" of={clock_steps} path={path} print={step} />],
    [t("voids"), <Listed key="" of={voids} path={path} print={hidden} />],
  ];
}

const DAY_MS = 86_400_000;

interface TimedSpan {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly seconds: number;
}

function byBothClocks(at_ms: number): string {
  const clocks: readonly ShownClock[] = hasShipTime() ? ["utc", "ship"] : ["utc"];
  return clocks
    .map((clock) => `${printDay(at_ms, clock)} ${printClock(at_ms, clock)} ${clockName(clock)}`)
    .join("; ");
}

/** A span such as `2026-05-01 10:00:00 UTC to 10:40:00 UTC, 40 min`. */
function lasted({ start_ms, end_ms, seconds }: TimedSpan): string {
  return `${printSpan(start_ms, end_ms, Number.NaN)}, ${printAge(seconds * 1000)}`;
}

/** The volume that counts, and both measured ones. */
export function OperationVolume({ operation }: { operation: KnownOperation }) {
  const { volume_totaliser_m3, volume_flow_m3, volume_difference_percent } = operation;
  const both = [
    volumeInWords({ volume_m3: volume_totaliser_m3, volume_source: "totaliser" }),
    volumeInWords({ volume_m3: volume_flow_m3, volume_source: "flow" }),
    volume_difference_percent !== null &&
      t("difference", { percent: printNumber(volume_difference_percent) }),
  ];
  return (
    <>
      <b>{volumeInWords(operation) ?? MISSING}</b> ({both.filter((one) => one).join("; ")})
    </>
  );
}
