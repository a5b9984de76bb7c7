// Reads the answers about judged operations. An invalid list within one is null, and affects only
// its own panel; without the members that the list of operations shows, the whole answer is
// invalid.

import type { Operation } from "../../bwts/operations/operation.ts";
import {
  INDICATIONS,
  OPERATION_FIELDS,
  OPERATION_PARTS,
  OPERATION_VERDICTS,
  OPERATION_VOLUME_SOURCES,
  REMARKS,
} from "../../bwts/operations/operation-words.ts";
import { isLike, isNumberOrNull, type Read, textOrNull } from "./checks.ts";
import {
  aFlag,
  aNumber,
  aText,
  aTime,
  each,
  membersOf,
  orNull,
  orOdd,
  type ValueOf,
  wordFrom,
} from "./shapes.ts";

/** Type of the elements of one of an operation's lists. */
type In<Name extends keyof Operation> = Operation[Name] extends readonly (infer T)[] ? T : never;

const ends = { start_ms: aTime, end_ms: aTime };
/** A span; `seconds` is the real duration, even if a clock was set meanwhile. */
const span = { ...ends, seconds: aNumber };
const numberOrNull = orNull(aNumber);
/** A text; null if it is empty. */
const told: Read<string | null> = (given) => ({ value: textOrNull(given) });
const verdict = wordFrom(OPERATION_VERDICTS);

const reason = membersOf<In<"reasons">>()({
  ...{ ...span, rule: aText, verdict: wordFrom(["outside_limits", "cannot_tell"]) },
  ...{ parameter: told, limit: numberOrNull, limit_key: told, worst: numberOrNull },
  ...{ worst_at_ms: orNull(aTime), volume_m3: numberOrNull, is_hidden: aFlag },
});
export type ShownReason = ValueOf<typeof reason>;

const indication = membersOf<In<"indications">>()({
  ...{ ...ends, indication: wordFrom(INDICATIONS), evidence: readEvidence },
});

const part = membersOf<In<"parts">>()({
  ...{ ...span, part: wordFrom(OPERATION_PARTS), volume_m3: numberOrNull },
});

const limit = membersOf<In<"limits">>()({
  ...{ key: aText, value: aNumber, unit: told, from_ms: orNull(aTime) },
  seconds_beyond: numberOrNull,
});
export type ShownLimit = ValueOf<typeof limit>;

const notRecorded = membersOf<NonNullable<Operation["not_recorded"]>>()({
  ...{ seconds: aNumber, of_seconds: aNumber },
});

const lamp = membersOf<In<"lamps_out">>()({ ...span, lamp: aNumber });
const alert = membersOf<In<"alerts">>()({ id: aNumber, code: aText, raised_ms: aTime });
const gap = membersOf<In<"gaps">>()(span);
const step = membersOf<In<"clock_steps">>()({ at_ms: aTime, clock: aText, seconds: aNumber });
const hidden = membersOf<In<"voids">>()({ ...ends, id: aNumber, reason: aText, readings: aNumber });

const version = membersOf<In<"versions">>()({
  ...{ version: aNumber, made_ms: aTime, verdict: orNull(verdict), because: aText },
  ...{ rules_version: aNumber, ledger_number: aNumber, given_out_ms: orNull(aTime) },
  given_out_number: numberOrNull,
});

const spread = membersOf<Operation["values"]["UVR_INTENSITY"]>()({
  ...{ min: numberOrNull, mean: numberOrNull, max: numberOrNull },
});
export type FieldSpread = ValueOf<typeof spread>;

export const readOperation = membersOf<Operation>()({
  ...{ id: aNumber, operation_type: told, location: told, start_ms: aTime, end_ms: orNull(aTime) },
  ...{ known_by: aText, remarks: each(wordFrom(remarkNames())), verdict: orNull(verdict) },
  ...{ verdict_with_hidden: orNull(verdict), reasons: orOdd(each(reason)) },
  ...{ not_recorded: orNull(notRecorded) },
  ...{ indications: orOdd(each(indication)), parts: orOdd(each(part)), volume_m3: numberOrNull },
  ...{ volume_source: orNull(wordFrom(OPERATION_VOLUME_SOURCES)) },
  ...{ volume_totaliser_m3: numberOrNull, volume_flow_m3: numberOrNull },
  ...{ volume_difference_percent: numberOrNull, mode: told, limits: orOdd(each(limit)) },
  ...{ limits_source: told, rules_version: aNumber, readings: aNumber, readings_hidden: aNumber },
  ...{ values: orOdd(readSpreads), lamps_out: orOdd(each(lamp)), backflushes: numberOrNull },
  ...{ bypass_seconds: aNumber, hours_since_cip: numberOrNull, alerts: orOdd(each(alert)) },
  ...{ gaps: orOdd(each(gap)), clock_steps: orOdd(each(step)), voids: orOdd(each(hidden)) },
  ...{ readings_root: told, version: aNumber, versions: orOdd(each(version)) },
});
export type KnownOperation = ValueOf<typeof readOperation>;

export const readOperations = each(readOperation);

function remarkNames() {
  return Object.keys(REMARKS).filter((name): name is keyof typeof REMARKS => name in REMARKS);
}

type NamedValues = readonly (readonly [name: string, value: string | number | null])[];

/** Values by their names; new rules add further names. */
function readEvidence(given: unknown): ReturnType<Read<NamedValues>> {
  if (!isLike<Record<string, unknown>>(given)) return null;
  const value = Object.entries(given).flatMap(([name, one]) =>
    isNumberOrNull(one) || typeof one === "string" ? [[name, one] as const] : [],
  );
  return { value };
}

/** The spreads of the fields of which any value was recorded. */
function readSpreads(
  given: unknown,
): ReturnType<Read<readonly (readonly [(typeof OPERATION_FIELDS)[number], FieldSpread])[]>> {
  if (!isLike<Operation["values"]>(given)) return null;
  const value = OPERATION_FIELDS.map((name) => [name, spread(given[name])] as const);
  const known = value.flatMap(([name, one]) => (one === null ? [] : [[name, one.value] as const]));
  if (known.length < value.length) return null;
  return { value: known.filter(([, { mean }]) => mean !== null) };
}
