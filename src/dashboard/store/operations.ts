// Reads the answers about judged operations. A list in one that isn't understood is null, and costs
// its own panel; without what the list of operations shows, none of it is understood.

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
  each,
  flag,
  membersOf,
  number,
  oneOf,
  orNull,
  orOdd,
  text,
  time,
  type ValueOf,
} from "./shapes.ts";

/** The elements of one of its lists. */
type In<Name extends keyof Operation> = Operation[Name] extends readonly (infer T)[] ? T : never;

const ends = { start_ms: time, end_ms: time };
/** `seconds` as they went by, also where a clock was set meanwhile. */
const span = { ...ends, seconds: number };
const numberOrNull = orNull(number);
/** An empty text tells nothing. */
const told: Read<string | null> = (given) => ({ value: textOrNull(given) });
const verdict = oneOf(OPERATION_VERDICTS);

const reason = membersOf<In<"reasons">>()({
  ...{ ...span, rule: text, verdict: oneOf(["outside_limits", "cannot_tell"]) },
  ...{ parameter: told, limit: numberOrNull, limit_key: told, worst: numberOrNull },
  ...{ worst_at_ms: orNull(time), volume_m3: numberOrNull, is_hidden: flag },
});
export type ShownReason = ValueOf<typeof reason>;

const indication = membersOf<In<"indications">>()({
  ...{ ...ends, indication: oneOf(INDICATIONS), evidence: readEvidence },
});

const part = membersOf<In<"parts">>()({
  ...{ ...span, part: oneOf(OPERATION_PARTS), volume_m3: numberOrNull },
});

const limit = membersOf<In<"limits">>()({
  ...{ key: text, value: number, unit: told, seconds_beyond: numberOrNull },
});
export type ShownLimit = ValueOf<typeof limit>;

const lamp = membersOf<In<"lamps_out">>()({ ...span, lamp: number });
const alert = membersOf<In<"alerts">>()({ id: number, code: text, raised_ms: time });
const gap = membersOf<In<"gaps">>()(span);
const step = membersOf<In<"clock_steps">>()({ at_ms: time, clock: text, seconds: number });
const hidden = membersOf<In<"voids">>()({ ...ends, id: number, reason: text, readings: number });

const version = membersOf<In<"versions">>()({
  ...{ version: number, made_ms: time, verdict: orNull(verdict), because: text },
  ...{ rules_version: number, ledger_number: number, given_out_ms: orNull(time) },
});

const spread = membersOf<Operation["values"]["UVR_INTENSITY"]>()({
  ...{ min: numberOrNull, mean: numberOrNull, max: numberOrNull },
});
export type FieldSpread = ValueOf<typeof spread>;

export const readOperation = membersOf<Operation>()({
  ...{ id: number, operation_type: told, location: told, start_ms: time, end_ms: orNull(time) },
  ...{ known_by: text, remarks: each(oneOf(remarkNames())), verdict: orNull(verdict) },
  ...{ verdict_with_hidden: orNull(verdict), reasons: orOdd(each(reason)) },
  ...{ indications: orOdd(each(indication)), parts: orOdd(each(part)), volume_m3: numberOrNull },
  ...{ volume_source: orNull(oneOf(OPERATION_VOLUME_SOURCES)) },
  ...{ volume_totaliser_m3: numberOrNull, volume_flow_m3: numberOrNull },
  ...{ volume_difference_percent: numberOrNull, mode: told, limits: orOdd(each(limit)) },
  ...{ limits_source: told, rules_version: number, readings: number, readings_hidden: number },
  ...{ values: orOdd(readSpreads), lamps_out: orOdd(each(lamp)), backflushes: numberOrNull },
  ...{ bypass_seconds: number, hours_since_cip: numberOrNull, alerts: orOdd(each(alert)) },
  ...{ gaps: orOdd(each(gap)), clock_steps: orOdd(each(step)), voids: orOdd(each(hidden)) },
  ...{ readings_root: told, version: number, versions: orOdd(each(version)) },
});
export type ShownOperation = ValueOf<typeof readOperation>;

export const readOperations = each(readOperation);

function remarkNames() {
  return Object.keys(REMARKS).filter((name): name is keyof typeof REMARKS => name in REMARKS);
}

type Evidence = readonly (readonly [name: string, value: string | number | null])[];

/** Values by their names, which grow with the rules. */
function readEvidence(given: unknown): ReturnType<Read<Evidence>> {
  if (!isLike<Record<string, unknown>>(given)) return null;
  const value = Object.entries(given).flatMap(([name, one]) =>
    isNumberOrNull(one) || typeof one === "string" ? [[name, one] as const] : [],
  );
  return { value };
}

/** The fields of which a reading tells something. */
function readSpreads(
  given: unknown,
): ReturnType<Read<readonly (readonly [(typeof OPERATION_FIELDS)[number], FieldSpread])[]>> {
  if (!isLike<Operation["values"]>(given)) return null;
  const value = OPERATION_FIELDS.map((name) => [name, spread(given[name])] as const);
  const known = value.flatMap(([name, one]) => (one === null ? [] : [[name, one.value] as const]));
  if (known.length < value.length) return null;
  return { value: known.filter(([, { mean }]) => mean !== null) };
}
