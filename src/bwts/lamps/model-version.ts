// The version of the model, and what else made a forecast: the divisor of the counters, and the
// make's profile. Both stand behind the version in the stored text, so that forecasts of every
// version are rows of one form, and rows without them are as they were.

import * as z from "zod";

/** Raised whenever the same lives would get other forecasts. */
export const MODEL_VERSION = "lamps-10";

const DIVIDED = ", counters / ";
const PROFILED = ", profile ";

/** The make's profile that a forecast used, and how well it fitted the ship's lamps. */
export const UsedProfile = z.object({
  part_number: z.string().nullable(),
  points: z.array(z.string()).meta({ description: "hours and output in % of new, lamps.profile" }),
  weight: z.number().min(0).max(1).meta({
    description: "probability that the ship's lamps follow it; 0.5 before there is light of them",
  }),
  stretch: z.number().nullable().meta({
    description: "the ship's hours over the table's, if they do; null before there is light",
  }),
});
export type UsedProfile = z.output<typeof UsedProfile>;

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

/** What a stored version says of its forecast. */
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
