// The light that is lost, cause by cause, as logarithms that add up: what lamps, their power supply
// and the water tell of by themselves, and a rest, which is the sleeves', the sensor's or nobody's,
// as the last cleaning says.

import { printTime } from "../clock.ts";
import { describe, isPast, meanLight, weakGroups } from "./lamp-group.ts";
import type { LampSight } from "./lamp-sight.ts";
import { median } from "./median.ts";

export const CAUSES = [
  "lamp_ageing",
  "sleeve_fouling",
  "water_transmittance",
  "power_supply",
  "sensor_drift",
  "unknown",
] as const;
export type Cause = (typeof CAUSES)[number];

/** What a diagnosis looks at in a reading. */
export interface Look {
  readonly at_ms: number;
  readonly intensity_w_m2: number;
  readonly power_pct: number | null;
  /** Power beyond the usual that the plant spends to make up for lost light, %. */
  readonly compensation_pct: number | null;
  /** 1 is clear water. */
  readonly water: number | null;
  readonly filter_bar: number | null;
  readonly backflushes: number | null;
  readonly since_cleaning_h: number | null;
  readonly lamps: readonly LampSight[];
}

/** The ship's limits that light and lamps are held against. */
export interface DiagnosisLimits {
  readonly uv_target: number;
  readonly dp_alarm: number;
  readonly rated_hours: number;
  readonly end_of_life_efficiency: number;
}

/** Sleeves that weren't cleaned for longer are expected to be foul. */
export const CLEANING_DUE_H = 30 * 24;
const CLEANED_LATELY_H = 72;
/** After a cleaning the light should be better by so much. */
const RECOVERY = 0.05;
const LOSS_MIN = 0.01;
/** Looks whose median counts. */
export const COMPARED = 10;

/** What the light is held against; no looks: the ship's target. */
export interface Reference {
  readonly w_m2: number;
  readonly at_ms: number | null;
  readonly looks: readonly Look[];
}

/** What a cause takes of the light. */
export interface Loss {
  readonly cause: Cause;
  readonly loss: number;
  /** What of it is new since the reference. */
  readonly fallen: number;
  readonly evidence: string;
}

/** A cleaning, and whether the light was better after it. */
export interface CleaningSeen {
  readonly recovered: boolean;
  readonly text: string;
}

/** What takes light now, and how much of it is new since the reference. */
export function lossesOf(
  found: {
    readonly now: readonly Look[];
    readonly reference: Reference;
    readonly cleaning: CleaningSeen | null;
    readonly now_w_m2: number;
  },
  limits: DiagnosisLimits,
): Loss[] {
  const { now, reference, cleaning, now_w_m2 } = found;
  const newest = now[now.length - 1];
  const told = toldLosses(now, limits);
  const before = toldLosses(reference.looks, limits);
  const known = told
    .map((each, i) => ({ ...each, fallen: Math.max(0, each.loss - (before[i]?.loss ?? 0)) }))
    .map((each) => (each.fallen < LOSS_MIN ? notFallen(each, reference) : each))
    .filter(({ loss }) => loss >= LOSS_MIN);
  const explained = known.reduce((sum, { loss }) => sum + loss, 0);
  const rest =
    reference.looks.length === 0
      ? Math.log(reference.w_m2 / now_w_m2) + madeUp(now) - explained
      : yieldOf(reference.looks) - yieldOf(now);
  if (rest < LOSS_MIN) return known;
  return [...known, { loss: rest, fallen: rest, ...restOf(newest, cleaning, rest) }];
}

/** What was there before already: it took nothing since, and the words say so. */
function notFallen(loss: Loss, { looks }: Reference): Loss {
  const since = looks.length === 0 ? "" : ", as much as at the reference";
  return { ...loss, fallen: 0, evidence: `${loss.evidence}${since}` };
}

/** What more power gives back of the light, as a logarithm: without it more would be missing. */
function madeUp(looks: readonly Look[]): number {
  const shares = looks.flatMap(({ compensation_pct }) =>
    compensation_pct === null ? [] : [Math.max(0, compensation_pct) / 100],
  );
  return shares.length === 0 ? 0 : Math.log1p(median(shares));
}

type Told = Omit<Loss, "fallen">;

/** What the readings tell of by themselves, each cause at its place; nothing of no looks. */
function toldLosses(looks: readonly Look[], limits: DiagnosisLimits): readonly Told[] {
  const newest = looks.at(-1);
  if (newest === undefined) return [];
  return [lampLoss(newest, limits), supplyLoss(newest), waterLoss(looks)];
}

/**
 * What the sensor gets of what the lamps give through this water, as a logarithm. What a weak
 * supply takes is in the power already: the light is that of the lamps which have all of theirs.
 */
function yieldOf(looks: readonly Look[]): number {
  return median(
    looks.map(({ intensity_w_m2, power_pct, water, lamps }) => {
      const light = meanLight(fedLamps(lamps)) ?? 1;
      const power = power_pct ?? 100 * (1 - missingPower(lamps));
      return Math.log(intensity_w_m2 / (power * light * (water ?? 1)));
    }),
  );
}

/** The lamps whose supply isn't weak. */
function fedLamps(lamps: readonly LampSight[]): readonly LampSight[] {
  const weak = weakGroups(lamps).flatMap(({ members }) => members);
  return lamps.filter((_, position) => !weak.includes(position));
}

/** The share of all lamps' power that weak supplies don't give. */
function missingPower(lamps: readonly LampSight[]): number {
  const missing = weakGroups(lamps).reduce(
    (sum, { members, share }) => sum + (members.length / lamps.length) * (1 - share),
    0,
  );
  return Math.min(0.99, missing);
}

function lampLoss({ lamps }: Look, limits: DiagnosisLimits): Told {
  const weak = weakGroups(lamps).flatMap(({ members }) => members);
  const light = Math.min(1, meanLight(fedLamps(lamps)) ?? 1);
  const past = lamps.flatMap((lamp, position) =>
    isPast(lamp, limits) && !weak.includes(position) ? [`${position + 1} (${describe(lamp)})`] : [],
  );
  const worst = past.length === 0 ? "none past its life" : `past their life: ${past.join(", ")}`;
  const evidence = `the lamps give ${Math.round(light * 100)} % of new on average, ${worst}`;
  return { cause: "lamp_ageing", loss: -Math.log(light), evidence };
}

function supplyLoss({ lamps }: Look): Told {
  const evidence = weakGroups(lamps)
    .map(({ text }) => text)
    .join("; ");
  return { cause: "power_supply", loss: -Math.log(1 - missingPower(lamps)), evidence };
}

function waterLoss(now: readonly Look[]): Told {
  const factors = now.flatMap(({ water }) => (water === null ? [] : [water]));
  const factor = factors.length === 0 ? 1 : Math.min(1, Math.max(0.01, median(factors)));
  const evidence = `the water lets ${Math.round(factor * 100)} % through (WATER_QUALITY_FACTOR)`;
  return { cause: "water_transmittance", loss: -Math.log(factor), evidence };
}

function restOf(
  { since_cleaning_h }: Look,
  cleaning: CleaningSeen | null,
  rest: number,
): Pick<Loss, "cause" | "evidence"> {
  const percent = Math.round(100 * -Math.expm1(-rest));
  const lost = `${percent} % of the light is missing beyond what lamps explain`;
  const isCleanedLately = since_cleaning_h !== null && since_cleaning_h <= CLEANED_LATELY_H;
  if (cleaning?.recovered === false && isCleanedLately)
    return {
      cause: "sensor_drift",
      evidence: `${lost}, and ${cleaning.text}: hold the sensor against a reference`,
    };
  if (since_cleaning_h !== null && since_cleaning_h >= CLEANING_DUE_H)
    return { cause: "sleeve_fouling", evidence: `${lost}; ${cleaned(since_cleaning_h)}` };
  if (cleaning?.recovered === true && !isCleanedLately)
    return { cause: "sleeve_fouling", evidence: `${lost}; ${cleaning.text}` };
  return { cause: "unknown", evidence: `${lost}, and nothing that is measured says why` };
}

/** How long ago sleeves were cleaned, in words. */
export const cleaned = (hours: number) =>
  `the sleeves were last cleaned ${Math.round(hours / 24)} days ago`;

/** The last cleaning among the looks, and whether the light was better after it. */
export function cleaningOf(looks: readonly Look[]): CleaningSeen | null {
  const at = looks.findLastIndex(
    ({ since_cleaning_h }, i) =>
      i > 0 &&
      since_cleaning_h !== null &&
      since_cleaning_h < (looks[i - 1].since_cleaning_h ?? 0) - 1,
  );
  if (at < 1) return null;
  const before = looks.slice(Math.max(0, at - COMPARED), at);
  const after = looks.slice(at, at + COMPARED);
  const gain = yieldOf(after) - yieldOf(before);
  const percent = Math.round(100 * Math.expm1(gain));
  return {
    recovered: gain >= RECOVERY,
    text: `the cleaning before ${printTime(looks[at].at_ms)} changed the light by ${percent} %`,
  };
}
