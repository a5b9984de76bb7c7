// Splits the loss of light into causes, as logarithms that add up: causes that the readings show
// (lamps, their power supply, water), and a rest, which is attributed to sleeves, sensor or
// unknown, depending on the last cleaning.

import { printTime } from "../../ground/clock.ts";
import type { LimitMode } from "../present/verdict.ts";
import { median } from "../ranks.ts";
import type { LampSight } from "./lamp-fields.ts";

export const CAUSES = [
  "lamp_ageing",
  "sleeve_fouling",
  "water_transmittance",
  "power_supply",
  "sensor_drift",
  "unknown",
] as const;
export type Cause = (typeof CAUSES)[number];

/** The fields of a reading that a diagnosis uses. */
export interface Look {
  readonly at_ms: number;
  readonly intensity_w_m2: number;
  readonly power_pct: number | null;
  /** Power beyond the usual that the plant spends to compensate lost light, %. */
  readonly compensation_pct: number | null;
  /** Water factor; 1 is clear water. */
  readonly water: number | null;
  readonly filter_bar: number | null;
  readonly backflushes: number | null;
  readonly since_cleaning_h: number | null;
  readonly mode: LimitMode | null;
  readonly lamps: readonly LampSight[];
}

/** The ship's limits by which light and lamps are judged. */
export interface DiagnosisLimits {
  readonly uv_target: number;
  readonly dp_alarm: number;
}

/** A lamp past its life: its place in the reactor, 0 to 15, and a short text about it. */
export interface PastLamp {
  readonly position: number;
  readonly text: string;
}

/** Hours without cleaning after which sleeves are expected to be foul. */
export const CLEANING_DUE_H = 30 * 24;
/** Hours for which a cleaning counts as recent. */
export const CLEANED_LATELY_H = 72;
/** Minimum gain of light, as a logarithm, by a cleaning that worked. */
const RECOVERY = 0.05;
const LOSS_MIN = 0.01;
/** Number of looks whose median is compared. */
export const COMPARED = 10;

/** The reference for the light; without looks it is the ship's target. */
export interface LightReference {
  readonly w_m2: number;
  readonly at_ms: number | null;
  readonly looks: readonly Look[];
}

/** The loss of light by one cause. */
export interface LightLoss {
  readonly cause: Cause;
  readonly loss: number;
  /** The part that is new since the reference. */
  readonly fallen: number;
  readonly evidence: string;
}

/** A cleaning, and whether it improved the light. */
export interface CleaningEffect {
  readonly recovered: boolean;
  readonly text: string;
}

/** The present losses, with the part that is new since the reference. */
export function lossesOf(found: {
  readonly now: readonly Look[];
  readonly reference: LightReference;
  readonly cleaning: CleaningEffect | null;
  readonly now_w_m2: number;
  readonly past: readonly PastLamp[];
}): LightLoss[] {
  const { now, reference, cleaning, now_w_m2, past } = found;
  const newest = now[now.length - 1];
  const told = toldLosses(now, past);
  const before = toldLosses(reference.looks, past);
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

/** A loss that existed before: its new part is 0, and the text says so. */
function notFallen(loss: LightLoss, { looks }: LightReference): LightLoss {
  const since = looks.length === 0 ? "" : ", as much as at the reference";
  return { ...loss, fallen: 0, evidence: `${loss.evidence}${since}` };
}

/** The light gained by extra power, as a logarithm: without it the loss would be larger. */
function madeUp(looks: readonly Look[]): number {
  const shares = looks.flatMap(({ compensation_pct }) =>
    compensation_pct === null ? [] : [Math.max(0, compensation_pct) / 100],
  );
  return shares.length === 0 ? 0 : Math.log1p(median(shares));
}

type ToldLoss = Omit<LightLoss, "fallen">;

/** The losses that the readings show, each for its cause; none without looks. */
function toldLosses(looks: readonly Look[], past: readonly PastLamp[]): readonly ToldLoss[] {
  const newest = looks.at(-1);
  if (newest === undefined) return [];
  return [lampLoss(newest, past), supplyLoss(newest), waterLoss(looks)];
}

/**
 * The sensor's yield, as a logarithm: UV intensity divided by power, lamps' output and water
 * factor. The power contains the loss by weak supplies, so lamps with one don't count for the
 * output.
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

function lampLoss({ lamps }: Look, past: readonly PastLamp[]): ToldLoss {
  const light = Math.min(1, meanLight(fedLamps(lamps)) ?? 1);
  const named = past.map(({ position, text }) => `${position + 1} (${text})`);
  const worst = past.length === 0 ? "none past its life" : `past their life: ${named.join(", ")}`;
  const evidence = `the lamps give ${Math.round(light * 100)} % of new on average, ${worst}`;
  return { cause: "lamp_ageing", loss: -Math.log(light), evidence };
}

function supplyLoss({ lamps }: Look): ToldLoss {
  const evidence = weakGroups(lamps)
    .map(({ text }) => text)
    .join("; ");
  return { cause: "power_supply", loss: -Math.log(1 - missingPower(lamps)), evidence };
}

function waterLoss(now: readonly Look[]): ToldLoss {
  const factors = now.flatMap(({ water }) => (water === null ? [] : [water]));
  const factor = factors.length === 0 ? 1 : Math.min(1, Math.max(0.01, median(factors)));
  const evidence = `the water lets ${Math.round(factor * 100)} % through (WATER_QUALITY_FACTOR)`;
  return { cause: "water_transmittance", loss: -Math.log(factor), evidence };
}

function restOf(
  { since_cleaning_h }: Look,
  cleaning: CleaningEffect | null,
  rest: number,
): Pick<LightLoss, "cause" | "evidence"> {
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
  return { cause: "unknown", evidence: `${lost}, and no measured value explains it` };
}

/** Text about the time since the last cleaning. */
export const cleaned = (hours: number) =>
  `the sleeves were last cleaned ${Math.round(hours / 24)} days ago`;

/** The last cleaning among the looks, and whether it improved the light. */
export function cleaningOf(looks: readonly Look[]): CleaningEffect | null {
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

/** Lamps on one supply, and share of the others' power below which it is weak. */
const GROUP = 4;
const SUPPLY_SHARE_MIN = 0.85;

/**
 * The lamps' mean output as a share, 0 for a failed lamp; null if none is known. If no output is
 * sent, lamps that haven't failed count as new.
 */
function meanLight(lamps: readonly LampSight[]): number | null {
  const whole = lamps.filter(({ burning }) => burning !== "failed");
  const told = whole.flatMap(({ efficiency_pct }) =>
    efficiency_pct === null ? [] : [efficiency_pct / 100],
  );
  const failed = lamps.filter(({ burning }) => burning === "failed").map(() => 0);
  const untold = whole.filter(({ burning }) => burning !== null).map(() => 1);
  const shares = [...failed, ...(told.length > 0 ? told : untold)];
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return mean > 0 ? mean : null;
}

/** Lamps of one supply that have less power than the others. */
export interface WeakGroup {
  readonly members: readonly number[];
  readonly share: number;
  readonly text: string;
}

/** The supply groups in which every lamp lacks power. */
export function weakGroups(lamps: readonly LampSight[]): readonly WeakGroup[] {
  const powerOf = ({ burning, power_w }: LampSight) =>
    burning === "lit" && power_w !== null ? [power_w] : [];
  return Array.from({ length: Math.ceil(lamps.length / GROUP) }, (_, g) => g).flatMap((group) => {
    const members = lamps.map((_, p) => p).filter((p) => Math.floor(p / GROUP) === group);
    const own = members.flatMap((position) => powerOf(lamps[position]));
    const others = lamps.filter((_, p) => !members.includes(p)).flatMap(powerOf);
    if (own.length < members.length || others.length < GROUP) return [];
    const share = median(own) / median(others);
    if (!(share < SUPPLY_SHARE_MIN) || Math.max(...own) >= SUPPLY_SHARE_MIN * median(others))
      return [];
    const names = `${members[0] + 1} to ${members[members.length - 1] + 1}`;
    const text = `lamps ${names} have ${Math.round(share * 100)} % of the others' power`;
    return [{ members, share, text }];
  });
}
