// The diagnosis of low light: splits the loss of UV intensity into causes that the readings show
// (lamps, their power supply, water) and a rest, which is attributed to sleeves, sensor or unknown
// by its reaction to cleaning. Losses are logarithms, so that they add up. An unexplained loss is
// called unknown.

import * as z from "zod";
import { printTime } from "../../ground/clock.ts";
import { median } from "../ranks.ts";
import type { Effects } from "./common-effects.ts";
import { ComparedLight } from "./comparison.ts";
import { COMPARISON_EXAMPLE } from "./comparison-example.ts";
import { LampEffects, lampEffects } from "./lamp-effects.ts";
import {
  CAUSES,
  CLEANING_DUE_H,
  COMPARED,
  cleaned,
  cleaningOf,
  type DiagnosisLimits,
  type LightLoss,
  type LightReference,
  type Look,
  lossesOf,
  type PastLamp,
  weakGroups,
} from "./light-loss.ts";

export const Diagnosis = z
  .object({
    at: z.iso.datetime().nullable(),
    intensity: z
      .object({
        now: z.number().meta({ description: "W/m2, median of the newest readings" }),
        reference: z.number().meta({ description: "W/m2, the intensity that it is compared with" }),
        reference_at: z.iso.datetime().nullable().meta({ description: "null: the ship's target" }),
        change_percent: z.number(),
      })
      .nullable(),
    causes: z
      .array(
        z.object({
          cause: z.enum(CAUSES),
          share: z.number().meta({
            description: "of the light lost against new lamps, clean sleeves and clear water",
          }),
          share_of_fall: z.number().nullable().meta({
            description: "share of the loss since the reference; null: the reference is the target",
          }),
          evidence: z.string(),
        }),
      )
      .meta({ description: "what took most since the reference first" }),
    findings: z.array(z.object({ code: z.string(), text: z.string() })),
    lamp_effects: LampEffects,
    message: z.string(),
    comparison: ComparedLight.meta({
      description:
        "the present UV intensity and that of another operation, with what makes the change",
    }),
  })
  .meta({
    id: "Diagnosis",
    example: {
      at: "2026-05-01T06:30:00.000Z",
      intensity: {
        now: 490.2,
        reference: 650.1,
        reference_at: "2026-05-01T06:30:00.000Z",
        change_percent: -24.6,
      },
      causes: [
        {
          cause: "sleeve_fouling",
          share: 0.7,
          share_of_fall: 1,
          evidence: "25 % of the light is missing beyond what lamps explain; cleaned 47 days ago",
        },
        {
          cause: "lamp_ageing",
          share: 0.3,
          share_of_fall: 0,
          evidence: "the lamps give 88 % of new on average, past their life: 7 (57 %, 3041 h)",
        },
      ],
      findings: [{ code: "LAMP_PAST_LIFE", text: "lamp 7: 57 %, 3041 h" }],
      lamp_effects: {
        steps: 214,
        ...{ power: { percent: 4.1, sd: 0.2 }, water: { percent: -0.6, sd: 0.3 } },
        ...{ fouling: { percent: -0.8, sd: 0.1 }, sensor: { percent: 46, sd: 7.5 } },
        sensor_drift: { percent: -1.9, sd: 0.4 },
      },
      message: "why the light is low, by its shares",
      comparison: COMPARISON_EXAMPLE,
    },
  });
export type Diagnosis = z.output<typeof Diagnosis>;

/** The diagnosis without the comparison, which is of other readings. */
export type CauseDiagnosis = Omit<Diagnosis, "comparison">;

export const NOTHING_TO_SAY: CauseDiagnosis = {
  at: null,
  intensity: null,
  causes: [],
  findings: [],
  lamp_effects: {
    ...{ steps: 0, power: null, water: null, fouling: null, sensor: null, sensor_drift: null },
  },
  message: "no water was treated yet, or no UV intensity is known",
};

/** Share of the reference, or of the target, below which light is diagnosed. */
export const FALL_SHARE = 0.95;

interface DiagnosisInput {
  readonly limits: DiagnosisLimits;
  readonly effects: Effects;
  /** The lamps by position; null where none is known. */
  readonly lamps: readonly (KnownLamp | null)[];
}

/** A lamp as its life, or the forecast of that time, shows it. */
export interface KnownLamp {
  /** The end of the lamp; null while it works. */
  readonly outcome: "failed" | "worn" | null;
  readonly hours: number;
  /** Present output in % of a new lamp; 0 for a failed one, null if it isn't known. */
  readonly efficiency_percent: number | null;
  /** True if it has ended, or is at the end of life without a forecast. */
  readonly isPast: boolean;
}

/** The diagnosis of an operation, compared with earlier ones (`before` may be empty). */
export function diagnosisOf(
  looks: readonly Look[],
  before: readonly Look[],
  { limits, effects, lamps }: DiagnosisInput,
): CauseDiagnosis {
  const now = looks.slice(-COMPARED);
  const newest = now.at(-1);
  if (newest === undefined) return { ...NOTHING_TO_SAY, lamp_effects: lampEffects(effects) };
  const start = looks.slice(0, COMPARED);
  const now_w_m2 = median(now.map(({ intensity_w_m2 }) => intensity_w_m2));
  const reference = referenceOf({ now_w_m2, start, before }, limits);
  const cleaning = cleaningOf([...before, ...looks]);
  const past = pastLamps(newest, lamps);
  const findings = [...lampFindings(newest, past), ...filterFindings(looks, limits)];
  if (cleaning?.recovered === false)
    findings.push({ code: "CLEANING_WITHOUT_RECOVERY", text: cleaning.text });
  const { since_cleaning_h } = newest;
  if (since_cleaning_h !== null && since_cleaning_h >= CLEANING_DUE_H)
    findings.push({ code: "CLEANING_OVERDUE", text: `${cleaned(since_cleaning_h)}` });
  const isLow = now_w_m2 < FALL_SHARE * reference.w_m2 || findings.length > 0;
  const isDim = now_w_m2 < FALL_SHARE * Math.max(reference.w_m2, limits.uv_target);
  const parts = isLow && isDim ? lossesOf({ now, reference, cleaning, now_w_m2, past }) : [];
  return {
    at: printTime(newest.at_ms),
    intensity: {
      now: tenths(now_w_m2),
      reference: tenths(reference.w_m2),
      reference_at: reference.at_ms === null ? null : printTime(reference.at_ms),
      change_percent: tenths(100 * (now_w_m2 / reference.w_m2 - 1)),
    },
    causes: causesOf(parts, reference),
    findings,
    lamp_effects: lampEffects(effects),
    message: parts.length === 0 ? "the light hasn't fallen" : "why the light is low, by its shares",
  };
}

/**
 * The reference for the light: the start of the operation, earlier operations or the target, the
 * first of them that shows a fall.
 */
function referenceOf(
  {
    now_w_m2,
    start,
    before,
  }: { now_w_m2: number; start: readonly Look[]; before: readonly Look[] },
  limits: DiagnosisLimits,
): LightReference {
  const from = (looks: readonly Look[]): LightReference => ({
    w_m2: median(looks.map(({ intensity_w_m2 }) => intensity_w_m2)),
    at_ms: looks[0].at_ms,
    looks,
  });
  const references = [start, before.slice(0, COMPARED)]
    .filter(({ length }) => length > 0)
    .map(from);
  const target: LightReference = { w_m2: limits.uv_target, at_ms: null, looks: [] };
  return (
    references.find(({ w_m2 }) => now_w_m2 < FALL_SHARE * w_m2) ??
    (now_w_m2 < FALL_SHARE * limits.uv_target ? target : references[0])
  );
}

function causesOf(losses: readonly LightLoss[], reference: LightReference): Diagnosis["causes"] {
  const lost = losses.reduce((sum, { loss }) => sum + loss, 0);
  const fallen = losses.reduce((sum, each) => sum + each.fallen, 0);
  const hasFallen = reference.looks.length > 0 && fallen > 0;
  return losses
    .toSorted((one, other) => other.fallen - one.fallen || other.loss - one.loss)
    .map((each) => ({
      cause: each.cause,
      share: hundredths(each.loss / lost),
      share_of_fall: hasFallen ? hundredths(each.fallen / fallen) : null,
      evidence: each.evidence,
    }));
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** The lamps past their life, except those whose supply is weak. */
function pastLamps({ lamps }: Look, known: readonly (KnownLamp | null)[]): readonly PastLamp[] {
  const weak = weakGroups(lamps).flatMap(({ members }) => members);
  return known.flatMap((lamp, position) => {
    if (lamp === null || !lamp.isPast || weak.includes(position)) return [];
    const light = lamp.outcome === "failed" ? "failed" : `${lamp.efficiency_percent} %`;
    return [{ position, text: `${light}, ${Math.round(lamp.hours)} h` }];
  });
}

function lampFindings(newest: Look, past: readonly PastLamp[]): { code: string; text: string }[] {
  const groups = weakGroups(newest.lamps);
  return [
    ...groups.map(({ text }) => ({ code: "SUPPLY_GROUP_WEAK", text })),
    ...past.map(({ position, text }) => {
      return { code: "LAMP_PAST_LIFE", text: `lamp ${position + 1}: ${text}` };
    }),
  ];
}

function filterFindings(looks: readonly Look[], { dp_alarm }: DiagnosisLimits) {
  const bars = looks.flatMap(({ filter_bar }) => (filter_bar === null ? [] : [filter_bar]));
  const [first, last] = [bars[0], bars.at(-1)];
  const flushes = (looks.at(-1)?.backflushes ?? 0) - (looks[0]?.backflushes ?? 0);
  if (first === undefined || last === undefined || last < dp_alarm || last < 2 * first) return [];
  const text = `the filter went from ${first} to ${last} bar in spite of ${flushes} backflushes`;
  return [{ code: "FILTER_CLOGGING", text }];
}

const tenths = (value: number): number => Math.round(value * 10) / 10;
