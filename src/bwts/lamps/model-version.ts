// The version text that is stored with a forecast: the model's version, and behind it the divisor
// of the counters and the make's profile if they were used. So forecasts of every version are rows
// of one form, and rows without them are as they were.

import type { ProfileFit } from "../light/shared-curves.ts";
import { UsedProfile } from "../prediction.ts";
import type { LampLimits } from "./outcome.ts";

/** Version of the model, raised whenever the same lives would get other forecasts. */
export const MODEL_VERSION = "lamps-10";

const DIVIDED = ", counters / ";
const PROFILED = ", profile ";

/** The version with the counters' divisor. */
export function modelVersion(counter_factor: number): string {
  return counter_factor === 1 ? MODEL_VERSION : `${MODEL_VERSION}${DIVIDED}${counter_factor}`;
}

/** The model of a stored forecast by its version, whatever else made it. */
export function modelOf(stored_version: string): string {
  return stored_version.split(PROFILED)[0].split(DIVIDED)[0];
}

/** The version as it is stored, with the profile. */
export function storedVersion(model_version: string, profile: UsedProfile | null): string {
  return profile === null ? model_version : `${model_version}${PROFILED}${JSON.stringify(profile)}`;
}

/** The model, the divisor and the profile of a forecast by its stored version. */
export function ofStoredVersion(stored_version: string) {
  const at = stored_version.indexOf(PROFILED);
  const model_version = at < 0 ? stored_version : stored_version.slice(0, at);
  const divisor = model_version.split(DIVIDED)[1];
  return {
    model_version,
    counter_divisor: divisor === undefined ? null : Number(divisor),
    profile:
      at < 0 ? null : UsedProfile.parse(JSON.parse(stored_version.slice(at + PROFILED.length))),
  };
}

/** The profile as it was used, with how well it fitted; null without one. */
export function usedProfile(
  { part_number = "", profile = [] }: LampLimits,
  fit: ProfileFit | null,
): UsedProfile | null {
  if (fit === null) return null;
  const hundredths = (value: number) => Math.round(100 * value) / 100;
  return {
    part_number: part_number === "" ? null : part_number,
    points: [...profile],
    weight: hundredths(fit.weight),
    stretch: fit.stretch === null ? null : hundredths(fit.stretch),
  };
}
