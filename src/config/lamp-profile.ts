// The maker's table of a make of lamp, as texts such as "4000 85": operating hours, and output in %
// of new. A point alone is checked with its key. The points together are checked with the output at
// which a lamp is worn, because a table that doesn't reach it gives no life.

import * as z from "zod";
import { key } from "./key.ts";
import { refused } from "./shown.ts";
import { text, textList } from "./values.ts";

const POINTS_MIN = 2;
const POINTS_MAX = 20;
const HOURS_MAX = 1_000_000;
/** Maximum output in % of new: some lamps gain light in their first hours. */
const OUTPUT_MAX = 110;
/**
 * Maximum ratio of the table's life to the rated hours, either way. Forecasts look for ends from .2
 * to 6 times the rated hours, and stretch a table by .5 to 2.
 */
const RATED_TIMES_MAX = 3;
const POINT_FORM = /^(\d{1,7}(?:\.\d{1,3})?) +(\d{1,3}(?:\.\d{1,3})?)$/;

const profilePoints = textList.pipe(
  z.array(text.regex(POINT_FORM, "expected hours and the output in % of new, 4000 85")),
);

/** The key `lamps.profile`. */
export const profileKey = key(
  profilePoints,
  [],
  "maker's table of that lamp, a prior of forecasts: hours, and output in % of new",
  { example: ["0 100", "1000 88", "2000 79", "3000 70"] },
);

/** The parts of a configuration that the check of a profile needs. */
interface ProfileConfig {
  readonly profile: readonly string[];
  readonly end_of_life_efficiency: number;
  readonly rated_hours: number;
}

/** Throws a Failure (exit 78) for a table that can't be a lamp's; an empty one is valid. */
export function refuseProfile(lamps: ProfileConfig): void {
  const { profile, end_of_life_efficiency: end, rated_hours } = lamps;
  if (profile.length === 0) return;
  const fail = (problem: string) => {
    throw refused("lamps.profile", problem);
  };
  if (profile.length < POINTS_MIN || profile.length > POINTS_MAX)
    fail(`has ${profile.length} points, expected ${POINTS_MIN} to ${POINTS_MAX}, or none`);
  const points = profile.map((point) => point.split(/ +/).map(Number));
  for (const [i, [hours, output]] of points.entries()) {
    if (hours > HOURS_MAX) fail(`has ${hours} h, expected at most ${HOURS_MAX} h`);
    if (output > OUTPUT_MAX) fail(`has ${output} %, expected at most ${OUTPUT_MAX} %`);
    const before = points[i - 1]?.[0];
    if (before !== undefined && hours <= before)
      fail(`has ${hours} h after ${before} h, expected hours that rise`);
  }
  const outputs = points.map(([, output]) => output);
  const [first, last] = [outputs[0], outputs[outputs.length - 1]];
  if (first <= end)
    fail(`begins at ${first} %, expected more than lamps.end_of_life_efficiency (${end} %)`);
  if (last > end)
    fail(
      `ends at ${last} %, expected a last point at or below lamps.end_of_life_efficiency ` +
        `(${end} %): a table that doesn't reach it tells no life`,
    );
  if (outputs.some((output) => output < last))
    fail(`ends at ${last} % and has less before, expected the least output in the last point`);
  const at = outputs.findIndex((output) => output <= end);
  const [[from_h, before], [to_h, after]] = [points[at - 1], points[at]];
  const end_h = Math.round(from_h + ((to_h - from_h) * (before - end)) / (before - after));
  if (end_h > RATED_TIMES_MAX * rated_hours || end_h < rated_hours / RATED_TIMES_MAX)
    fail(
      `is at ${end} % after ${end_h} h, expected a third of lamps.rated_hours (${rated_hours} h) ` +
        `to ${RATED_TIMES_MAX} times as many: set these too`,
    );
}
