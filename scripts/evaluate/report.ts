// The scores of a fleet, of its families and of other slices, beside the goals. Intervals are by
// bootstrap over ships, not cases: lamps of one ship share its curve, its fouling and its sensor,
// and one lamp is forecast several times. The headline of each score is the worst family.

import { quantile } from "../../src/bwts/ranks.ts";
import { createRandom } from "../../src/simulator/random.ts";
import { type Case, LATE_H, type ShipResult } from "./forecasts.ts";
import { MEASURES, type Measure } from "./measures.ts";
import { type Parts, summed } from "./parts.ts";
import {
  type LastHours,
  LIVES_ON_H,
  lastHours,
  reliability,
  type ScoreSet,
  scoresOf,
  type Tenth,
} from "./scores.ts";

const RESAMPLES = 200;
const EARLY_H = 100;

export interface Interval {
  readonly value: number | null;
  /** 90 % of fleets of as many ships. */
  readonly from: number;
  readonly to: number;
}

export interface Row {
  readonly name: string;
  readonly ships: number;
  readonly cases: number;
  readonly halves: number;
  /** Share of the burning lamps with a forecast, and of those with the lamp's hours. */
  readonly answered: number;
  readonly hours_right: number;
  /** Share of the forecasts that say the lamp had ended when it had 100 h or more left. */
  readonly ended_early: number;
  readonly scores: Readonly<Record<keyof ScoreSet, Interval>>;
}

/** Cases of a ship, or of a part of them. */
export interface Scored {
  readonly cases: readonly Case[];
  readonly halves: readonly Case[];
  /** Lamps for which a forecast was asked. */
  readonly asked: number;
}

/** The scores of several ships' cases, with intervals. */
export function rowOf(name: string, ships: readonly Scored[], seed: number): Row {
  const random = createRandom(seed);
  const all = together(ships);
  const scores = scoresOf(all.cases, all.halves);
  const resampled = Array.from({ length: RESAMPLES }, (_, i) => {
    const drawn = ships.map((_, k) => ships[Math.floor(random.unit("ship", i, k) * ships.length)]);
    const { cases, halves } = together(drawn);
    return scoresOf(cases, halves);
  });
  const interval = (key: keyof ScoreSet): Interval => {
    const values = resampled.flatMap((each) => each[key] ?? []);
    return { value: scores[key], from: quantile(values, 0.05), to: quantile(values, 0.95) };
  };
  return {
    name,
    ships: ships.length,
    cases: all.cases.length,
    halves: all.halves.length,
    answered: all.cases.length / all.asked,
    hours_right: shareOf(all.cases, ({ isWrongLamp }) => !isWrongLamp),
    ended_early: shareOf(all.cases, ({ isSaidEnded, left_h }) => isSaidEnded && left_h >= EARLY_H),
    scores: {
      coverage: interval("coverage"),
      width_h: interval("width_h"),
      interval_h: interval("interval_h"),
      brier: interval("brier"),
      error: interval("error"),
      half_life: interval("half_life"),
      gap: interval("gap"),
    },
  };
}

function together(ships: readonly Scored[]): Scored {
  return {
    cases: ships.flatMap(({ cases }) => cases),
    halves: ships.flatMap(({ halves }) => halves),
    asked: ships.reduce((sum, { asked }) => sum + asked, 0),
  };
}

function shareOf<Of>(all: readonly Of[], isIt: (one: Of) => boolean): number {
  return all.filter(isIt).length / all.length;
}

export interface Evaluation {
  readonly all: Row;
  readonly families: readonly Row[];
  /** The same forecasts by somebody who knows nearly all. */
  readonly ceiling: Row;
  readonly family_ceilings: readonly Row[];
  readonly slices: readonly Row[];
  readonly tenths: readonly Tenth[];
  readonly last: LastHours;
  readonly parts: Parts;
  readonly readings: number;
  readonly run_ms: { readonly median: number; readonly most: number };
}

export function evaluationOf(ships: readonly ShipResult[], seed: number): Evaluation {
  const cases = ships.flatMap((ship) => ship.cases);
  const runs = ships.flatMap(({ run_ms }) => run_ms);
  const months = [...new Set(cases.map((one) => one.months))].sort((one, two) => one - two);
  const labels = [...new Set(ships.map(({ label }) => label))];
  const named = (names: readonly string[], isIn: (ship: ShipResult, name: string) => boolean) =>
    [...new Set(names)].map((name) =>
      rowOf(name, ships.filter((ship) => isIn(ship, name)).map(scoredOf), seed),
    );
  return {
    all: rowOf("all ships", ships.map(scoredOf), seed),
    families: named(labels, ({ label }, name) => label === name),
    ceiling: rowOf("all ships", ships.map(knownOf), seed),
    family_ceilings: labels.map((name) =>
      rowOf(name, ships.filter(({ label }) => label === name).map(knownOf), seed),
    ),
    slices: [
      ...months.map((month) => rowOf(`${month} months`, inMonth(ships, month), seed)),
      ...named(ships.flatMap(({ slices }) => slices).sort(), ({ slices }, name) =>
        slices.includes(name),
      ),
    ],
    tenths: reliability(cases),
    last: lastHours(ships.flatMap(({ late }) => late)),
    parts: ships.map(({ parts }) => parts).reduce(summed),
    readings: ships.reduce((sum, ship) => sum + ship.readings, 0),
    run_ms: { median: quantile(runs, 0.5), most: Math.max(...runs) },
  };
}

function inMonth(ships: readonly ShipResult[], month: number): readonly Scored[] {
  return ships.flatMap((ship) => {
    const cases = ship.cases.filter(({ months }) => months === month);
    const halves = ship.halves.filter(({ months }) => months === month);
    const asked = ship.asked[month] ?? 0;
    return asked === 0 ? [] : [{ cases, halves, asked }];
  });
}

export function scoredOf({ cases, halves, asked }: ShipResult): Scored {
  return { cases, halves, asked: Object.values(asked).reduce((sum, count) => sum + count, 0) };
}

/** The cases with the forecasts of somebody who knows nearly all. */
function knownOf({ cases, halves }: ShipResult): Scored {
  const known = (all: readonly Case[]) =>
    all.flatMap((one) => (one.known === null ? [] : { ...one, ...one.known, isSaidEnded: false }));
  return { cases: known(cases), halves: known(halves), asked: cases.length };
}

/** The evaluation as tables in Markdown. */
export function printEvaluation(evaluation: Evaluation): string {
  const { families, slices, parts, run_ms, last } = evaluation;
  const family_ceilings = evaluation.family_ceilings.filter(({ cases }) => cases > 0);
  return `${headline(evaluation)}
${table("family", families)}
${table("by somebody who knows nearly all", family_ceilings)}
${table("slice", slices)}
Said and ended, by tenths of the probability: ${evaluation.tenths
    .map(({ said, was, count }) => `${said.toFixed(3)} ${was.toFixed(3)} (${count})`)
    .join(", ")}.

${printLast(last)}

${printParts(parts)}
${evaluation.readings} readings. A ship's forecasts: \
median ${run_ms.median.toFixed(0)} ms, at most ${run_ms.most.toFixed(0)} ms of processor time.
`;
}

function printParts(parts: Parts): string {
  const rms = (squares: number) => percent(Math.sqrt(squares / parts.bins));
  return `Parts: cleanings found ${parts.cleanings_found} of ${parts.cleanings}; common effects in \
the points ${rms(parts.before)} before and ${rms(parts.after)} after the correction (rms); of the \
set power's effect found ${percent(1 - parts.power_after / parts.power_before) || "none to find"}.`;
}

function printLast({ near, told, said, live_on, live_on_bright }: LastHours): string {
  return `Of ${near} lamps with at most ${LATE_H} h left by decay ${told} are told; of ${said} \
that are told ${live_on} live on for ${LIVES_ON_H} h, ${live_on_bright} of them at full light.`;
}

function percent(share: number): string {
  return Number.isNaN(share) ? "" : `${(100 * share).toFixed(1)} %`;
}

function headline({ all, families, ceiling }: Evaluation): string {
  const lines = MEASURES.map((measure) => {
    const known = families.filter(({ scores }) => scores[measure.key].value !== null);
    const badness = ({ scores }: Row) => measure.badness(scores[measure.key].value ?? 0);
    const worst = known.reduce((one, two) => (badness(two) > badness(one) ? two : one));
    const said = `${worst.name}: ${printed(measure, worst)}`;
    const { name, family_goal, goal } = measure;
    const totals = `${printed(measure, all)} | ${goal} | ${printed(measure, ceiling)}`;
    return `| ${name} | ${said} | ${family_goal} | ${totals} |`;
  });
  return `| score | worst family | goal | all ships | goal | knows nearly all |
| --- | --- | --- | --- | --- | --- |
${lines.join("\n")}
`;
}

/** Rows of scores as a table. */
export function table(what: string, rows: readonly Row[]): string {
  const head = MEASURES.map(({ name }) => name).join(" | ");
  const lines = rows.map((row) => {
    const scores = MEASURES.map((measure) => printed(measure, row)).join(" | ");
    const shares = [row.answered, row.hours_right, row.ended_early].map(percent).join(" | ");
    return `| ${row.name} | ${row.ships} | ${row.cases} | ${scores} | ${shares} |`;
  });
  return `| ${what} | ships | cases | ${head} | answered | hours right | ended early |
| --- | ---: | ---: |${" --- |".repeat(MEASURES.length)} ---: | ---: | ---: |
${lines.join("\n")}
`;
}

function printed({ key, digits, factor }: Measure, { scores }: Row): string {
  const { value, from, to } = scores[key];
  const text = (number: number) => (factor * number).toFixed(digits);
  return value === null ? "" : `${text(value)} (${text(from)} to ${text(to)})`;
}
