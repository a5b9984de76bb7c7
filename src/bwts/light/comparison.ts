// The comparison of the UV intensity with that of another operation, as /api/diagnosis answers it:
// both times, five causes and a rest that add up to the change, each with its readings at both
// times, and the remedy to try first. It has numbers and words of fixed lists only, so that pages
// can print it in their languages.

import * as z from "zod";
import { printTime } from "../../ground/clock.ts";
import type { ShownLimits } from "../present/shown-limits.ts";
import { type LimitMode, uvLimitOf } from "../present/verdict.ts";
import { median } from "../ranks.ts";
import type { CleaningGains } from "./cleaning-gains.ts";
import { COMPARED_WITH, NO_COMPARISON } from "./comparison-words.ts";
import {
  CHANGE_CAUSES,
  type ChangeCause,
  cleanedHours,
  inTenths,
  KNOWN_BASES,
  lightChange,
  type SleeveFacts,
  UNKNOWN_BASES,
} from "./light-change.ts";
import {
  lampOutputs,
  lampPowerOf,
  type Outputs,
  powerOf,
  type TwoTimes,
  waterOf,
} from "./light-factors.ts";
import { COMPARED, type Look } from "./light-loss.ts";
import { ACTS, type FaultyLamps, faultyLamps, remediesOf } from "./remedies.ts";

const time = z.iso.datetime();
const text = z.string().nullable();
const number = z.number().nullable();
const about = (description: string) => ({ description });
const lampNumbers = z.array(z.number().int().min(1).max(16));

const side = z.object({
  operation: z.number().int().nullable().meta(about("its number; null: it isn't listed yet")),
  operation_type: text,
  location: text,
  start: time.meta(about("of the operation")),
  from: time.meta(about("the first reading that counts")),
  to: time.meta(about("the last one")),
  intensity_w_m2: z.number().meta(about("the median")),
  readings: z.number().int().meta(about("that it is the median of, a minute apart at least")),
});

const row = z.object({
  cause: z.enum(CHANGE_CAUSES),
  w_m2: number.meta(about("its part of the change; null: it can't be told, see basis")),
  basis: z
    .enum([...KNOWN_BASES, ...UNKNOWN_BASES])
    .meta(about("how that is known, or why it isn't")),
  readings: z
    .array(z.object({ name: z.string(), unit: z.string(), now: number, before: number }))
    .meta(about("medians of the fields that it rests on")),
});

export const ComparedLight = z
  .object({
    reason: z.enum(NO_COMPARISON).nullable().meta(about("why nothing can be compared")),
    with: z
      .enum(COMPARED_WITH)
      .nullable()
      .meta({
        description:
          "good_operation: the newest within limits whose UV was 5 % higher at least, else the " +
          "newest within limits; operation_start: of this operation, where there is none; asked: " +
          "the one of ?compare",
      }),
    now: side.nullable(),
    before: side.nullable(),
    limit: z
      .object({ mode: z.enum(["IMO", "USCG"]), w_m2: z.number() })
      .nullable()
      .meta(about("of the mode now; null without one")),
    change_w_m2: number,
    rows: z.array(row).meta(about("six, that add up to the change; none without a comparison")),
    lamps: z
      .object({
        failed: lampNumbers,
        dark: lampNumbers.meta(about("not lit, and not reported as failed")),
        past_life: lampNumbers,
        weak: lampNumbers.meta(about("less power than the others, by their common supply")),
      })
      .meta(about("that the row of the lamps, or of the power, is about")),
    cleanings: z.object({
      measured: z.number().int().meta(about("cleanings whose gain the UV sensor showed")),
      last_gain_percent: number,
      loss_percent_per_day_low: number.meta(about("of the sleeves, between earlier cleanings")),
      loss_percent_per_day_high: number,
    }),
    do_first: z
      .array(
        z.object({
          act: z.enum(ACTS),
          lamps: lampNumbers,
          gain: z
            .object({ low_w_m2: z.number(), high_w_m2: z.number() })
            .nullable()
            .meta(about("to expect at the same power; null: nothing measured tells it")),
          reaches: z
            .enum(["above_limit", "below_limit"])
            .nullable()
            .meta(about("where the whole of that range leads")),
        }),
      )
      .meta(about("the surest gain first, the water last")),
  })
  .meta({ id: "DiagnosisComparison" });
export type ComparedLight = z.output<typeof ComparedLight>;

/** An operation whose looks are compared. */
export interface ComparedOperation {
  readonly id: number | null;
  readonly operation_type: string | null;
  readonly location: string | null;
  readonly start_ms: number;
  readonly looks: readonly Look[];
}

/** Number of newest looks that count as the present: a step shows after three of them. */
const PRESENT_LOOKS = 5;
/** Minimum number of looks for a comparison. */
export const LOOKS_MIN = 3;

export interface ComparisonFacts extends SleeveFacts {
  readonly now: ComparedOperation | null;
  /** The other operation; null: none can be compared, except the start of the present one. */
  readonly before: {
    readonly operation: ComparedOperation;
    readonly by: "good_operation" | "asked";
  } | null;
  readonly limits: ShownLimits;
  /** Positions of lamps past their life. */
  readonly past: readonly number[];
}

/** The present looks of an operation. */
export const presentLooks = (looks: readonly Look[]) => looks.slice(-PRESENT_LOOKS);

export function comparisonOf({
  now,
  before,
  limits,
  past,
  ...facts
}: ComparisonFacts): ComparedLight {
  const present = presentLooks(now?.looks ?? []);
  const modeNow = present.findLast(({ mode }) => mode !== null)?.mode ?? null;
  const limit = limitOf(modeNow, limits);
  const seen = faultyLamps(present, past);
  const none = { ...nothing(facts.gains), limit, lamps: numbered(seen) };
  if (now === null || present.length === 0) return { ...none, reason: "no_reading" };
  const nowSide = sideOf(now, present);
  if (present.length < LOOKS_MIN) return { ...none, now: nowSide, reason: "too_few_readings" };
  const start = before === null ? startOf(now) : null;
  const other = before?.operation ?? start;
  const word = before?.by ?? "operation_start";
  if (other === null) return { ...none, now: nowSide, reason: "no_other_operation" };
  if (other.looks.length < LOOKS_MIN)
    return { ...none, now: nowSide, with: word, reason: "no_readings_before" };
  const times: TwoTimes = { now: present, before: other.looks };
  const [now_w_m2, before_w_m2] = [intensityOf(present), intensityOf(other.looks)];
  const { change_w_m2, rows } = lightChange(times, { now_w_m2, before_w_m2 }, facts);
  const limit_w_m2 = limit?.w_m2 ?? null;
  const { gains } = facts;
  return {
    ...{ ...none, reason: null, with: word, now: nowSide, before: sideOf(other, other.looks) },
    change_w_m2,
    rows: rows.map((each) => ({ ...each, readings: readingsOf(each.cause, times) })),
    do_first: remediesOf(times, { now_w_m2, limit_w_m2, rows, seen, gains }).map((each) => ({
      ...each,
      lamps: [...each.lamps],
    })),
  };
}

/** The members of an answer in which nothing is compared. */
function nothing(gains: CleaningGains): Omit<ComparedLight, "reason" | "limit" | "lamps"> {
  const { measured, last_log, loss_per_h } = gains;
  const percent = (log: number) => Math.round(1e3 * Math.expm1(log)) / 10;
  const perDay = (rate: number) => Math.round(-1e4 * Math.expm1(-24 * rate)) / 100;
  return {
    ...{ with: null, now: null, before: null, change_w_m2: null, rows: [], do_first: [] },
    cleanings: {
      measured,
      last_gain_percent: last_log === null ? null : percent(last_log),
      loss_percent_per_day_low: loss_per_h === null ? null : perDay(loss_per_h.low),
      loss_percent_per_day_high: loss_per_h === null ? null : perDay(loss_per_h.high),
    },
  };
}

function limitOf(mode: LimitMode | null, limits: ShownLimits): ComparedLight["limit"] {
  const w_m2 = uvLimitOf(mode, limits);
  return mode === null || w_m2 === null ? null : { mode, w_m2 };
}

/** The first 10 looks of an operation as one to compare with; null if it has fewer than 20. */
function startOf(now: ComparedOperation): ComparedOperation | null {
  if (now.looks.length < 2 * COMPARED) return null;
  return { ...now, looks: now.looks.slice(0, COMPARED) };
}

function sideOf(operation: ComparedOperation, looks: readonly Look[]): ComparedLight["now"] {
  const { id, operation_type, location, start_ms } = operation;
  const [first, last] = [looks[0], looks[looks.length - 1]];
  return {
    ...{ operation: id, operation_type, location, start: printTime(start_ms) },
    ...{ from: printTime(first.at_ms), to: printTime(last.at_ms) },
    ...{ intensity_w_m2: inTenths(intensityOf(looks)), readings: looks.length },
  };
}

export const intensityOf = (looks: readonly Look[]) =>
  median(looks.map(({ intensity_w_m2 }) => intensity_w_m2));

const numbered = ({ failed, dark, past_life, weak }: FaultyLamps): ComparedLight["lamps"] => {
  const numbers = (positions: readonly number[]) => positions.map((position) => position + 1);
  return {
    ...{ failed: numbers(failed), dark: numbers(dark) },
    ...{ past_life: numbers(past_life), weak: numbers(weak) },
  };
};

type RowReadings = ComparedLight["rows"][number]["readings"];

function readingsOf(cause: ChangeCause, times: TwoTimes): RowReadings {
  const { now, before } = times;
  const reading = (name: string, unit: string, of: (looks: readonly Look[]) => number | null) => {
    const [one, other] = [of(now), of(before)].map((value) =>
      value === null ? null : rounded(value),
    );
    return { name, unit, now: one ?? null, before: other ?? null };
  };
  if (cause === "lamps") {
    const outputs = lampOutputs(times);
    const mean = { now: meanPercent(outputs.now), before: meanPercent(outputs.before) };
    return [{ name: "lamp_output", unit: "%", ...mean }];
  }
  if (cause === "sleeves") {
    const { now_h, before_h } = cleanedHours(times);
    const hours = { now: rounded(now_h), before: rounded(before_h) };
    return [{ name: "CIP_HOURS_SINCE_LAST", unit: "h", ...hours }];
  }
  if (cause === "water") return [reading("WATER_QUALITY_FACTOR", "factor", waterOf)];
  if (cause !== "power") return [];
  return [
    reading("UVR_POWER_OUTPUT", "% of rated", powerOf),
    reading("lamp_power", "W", lampPowerOf),
  ];
}

/** The mean output of the lamps whose output is known, in %; null if none is. */
function meanPercent(outputs: Outputs): number | null {
  const known = outputs.filter((output) => output !== null);
  if (known.length === 0) return null;
  return inTenths((100 * known.reduce((sum, output) => sum + output, 0)) / known.length);
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e3) / 1e3;
}
