// Reads the comparison in the answer of /api/diagnosis. An invalid one gives null: the page then
// reports an unexpected answer.

import type { ComparedLight } from "../../bwts/light/comparison.ts";
import { COMPARED_WITH, NO_COMPARISON } from "../../bwts/light/comparison-words.ts";
import { CHANGE_CAUSES, KNOWN_BASES, UNKNOWN_BASES } from "../../bwts/light/light-change.ts";
import { ACTS } from "../../bwts/light/remedies.ts";
import { isLike, type Read, textOrNull } from "../store/checks.ts";
import {
  aNumber,
  aText,
  aTime,
  each,
  membersOf,
  orNull,
  type ValueOf,
  wordFrom,
} from "../store/shapes.ts";

type PartOf<Name extends keyof ComparedLight> = ComparedLight[Name] extends readonly (infer T)[]
  ? T
  : NonNullable<ComparedLight[Name]>;

const aTextOrNull: Read<string | null> = (given) => ({ value: textOrNull(given) });
const numberOrNull = orNull(aNumber);
const lamps = each(aNumber);

const side = membersOf<PartOf<"now">>()({
  ...{
    operation: numberOrNull,
    operation_type: aTextOrNull,
    location: aTextOrNull,
    start_ms: aTime,
  },
  ...{ from_ms: aTime, to_ms: aTime, intensity_w_m2: aNumber, readings: aNumber },
});

const reading = membersOf<PartOf<"rows">["readings"][number]>()({
  ...{ name: aText, unit: aText, now: numberOrNull, before: numberOrNull },
});

const row = membersOf<PartOf<"rows">>()({
  ...{ cause: wordFrom(CHANGE_CAUSES), w_m2: numberOrNull, readings: each(reading) },
  ...{ basis: wordFrom([...KNOWN_BASES, ...UNKNOWN_BASES]) },
});
export type ShownRow = ValueOf<typeof row>;

const gain = membersOf<NonNullable<PartOf<"do_first">["gain"]>>()({
  ...{ low_w_m2: aNumber, high_w_m2: aNumber },
});

const remedy = membersOf<PartOf<"do_first">>()({
  ...{ act: wordFrom(ACTS), lamps, gain: orNull(gain) },
  ...{ reaches: orNull(wordFrom(["above_limit", "below_limit"])) },
});
export type ShownRemedy = ValueOf<typeof remedy>;

const limit = membersOf<PartOf<"limit">>()({
  ...{ mode: wordFrom(["IMO", "USCG"]), w_m2: aNumber },
});

const lampsOf = membersOf<PartOf<"lamps">>()({
  ...{ failed: lamps, dark: lamps, past_life: lamps, weak: lamps },
});

const cleanings = membersOf<PartOf<"cleanings">>()({
  ...{ measured: aNumber, last_gain_percent: numberOrNull },
  ...{ loss_percent_per_day_low: numberOrNull, loss_percent_per_day_high: numberOrNull },
});

const comparison = membersOf<ComparedLight>()({
  ...{ reason: orNull(wordFrom(NO_COMPARISON)), with: orNull(wordFrom(COMPARED_WITH)) },
  ...{ now: orNull(side), before: orNull(side), change_w_m2: numberOrNull, rows: each(row) },
  ...{ limit: orNull(limit), lamps: lampsOf, cleanings, do_first: each(remedy) },
});
export type ShownComparison = ValueOf<typeof comparison>;

export const readComparison: Read<ShownComparison> = (body) =>
  isLike<{ comparison: unknown }>(body) ? comparison(body.comparison) : null;
