// Counts what an operation's record has beside the verdict: the spread of its fields, the time
// beyond each limit, failed lamps and backflushes. Pure.

import { SECOND_MS } from "../../ground/clock.ts";
import { wordOf } from "../plc-word.ts";
import type { ShownLimits } from "../present/shown-limits.ts";
import type { LimitMode } from "../present/verdict.ts";
import { indexOfTag, LAMP_COUNT, TAGS, type TagName } from "../tags.ts";
import { intervalsOf } from "./breaches.ts";
import { carried, type Followed, MODES } from "./followed.ts";
import type { GatheredNumber, GatheredReadings } from "./gathered.ts";

export const unitOf = (field: TagName) => TAGS[indexOfTag(field)].unit;

/**
 * Minimum, mean and maximum of a field over all readings that have it, or over the treating ones.
 */
export function spreadOf(readings: Followed, field: GatheredNumber, isTreatingOnly: boolean) {
  const { treated } = readings;
  const values = readings.numbers(field);
  let [told, sum] = [0, 0];
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < readings.count; index += 1) {
    const value = values[index];
    if (Number.isNaN(value) || (isTreatingOnly && treated[index] === 0)) continue;
    told += 1;
    sum += value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const unit = unitOf(field);
  if (told === 0) return { unit, readings: 0, min: null, mean: null, max: null };
  return { unit, readings: told, min, mean: Math.round((sum / told) * 1e6) / 1e6, max };
}

interface LimitedField {
  readonly field: GatheredNumber;
  readonly side: "above" | "below";
  /** The mode to which the limit belongs; without it, both. */
  readonly mode?: LimitMode;
}

/** Limits listed for an operation, in the configuration's order. */
const LIMITED = {
  uv_imo: { field: "UVR_INTENSITY", side: "below", mode: "IMO" },
  uv_uscg: { field: "UVR_INTENSITY", side: "below", mode: "USCG" },
  flow_max_imo: { field: "SYS_FLOW_RATE", side: "above", mode: "IMO" },
  flow_max_uscg: { field: "SYS_FLOW_RATE", side: "above", mode: "USCG" },
  dp_warn: { field: "FLT_DIFF_PRESSURE", side: "above" },
  dp_alarm: { field: "FLT_DIFF_PRESSURE", side: "above" },
  cabinet_warn: { field: "LDC_AIR_TEMP", side: "above" },
  cabinet_trip: { field: "LDC_AIR_TEMP", side: "above" },
  cip_hours: { field: "CIP_HOURS_SINCE_LAST", side: "above" },
} as const satisfies Partial<Record<keyof ShownLimits, LimitedField>>;

const KEYS = [
  ...(["uv_imo", "uv_uscg", "flow_max_imo", "flow_max_uscg", "dp_warn", "dp_alarm"] as const),
  ...(["cabinet_warn", "cabinet_trip", "cip_hours"] as const),
];

/** Limits that are allowed times, which no reading exceeds. */
const ALLOWED_TIMES = ["beyond_seconds", "warmup_seconds", "stopping_seconds"] as const;

/** Each limit in force, its first instant, and the time beyond it while water was treated. */
export function limitTimes(readings: Followed, time: (at_ms: number) => string) {
  const named = namedModes(readings);
  const kept = new Map<GatheredNumber, Float64Array>();
  const valuesOf = (field: GatheredNumber) => {
    const known = kept.get(field) ?? carried(readings, readings.numbers(field));
    kept.set(field, known);
    return known;
  };
  const fields = KEYS.flatMap((key) => {
    const { field, side, mode }: LimitedField = LIMITED[key];
    return stretchesOf(readings, key).map(({ value, from_ms, inForce }) => ({
      ...{ key: `limits.${key}`, value, unit: unitOf(field), from: time(from_ms) },
      seconds_beyond: secondsBeyond(readings, valuesOf(field), {
        ...{ value, sign: side === "above" ? 1 : -1, inForce },
        modes: modesOf(mode, named),
      }),
    }));
  });
  const times = ALLOWED_TIMES.flatMap((key) =>
    stretchesOf(readings, key).map(({ value, from_ms }) => ({
      ...{ key: `limits.${key}`, value, unit: "s", from: time(from_ms), seconds_beyond: null },
    })),
  );
  return [...fields, ...times];
}

/** A limit, from the start of the operation or a change within it, up to the next change. */
interface LimitStretch {
  readonly value: number;
  readonly from_ms: number;
  /** True for each set of limits, by position, that had this value. */
  readonly inForce: boolean[];
}

type LimitKey = (typeof KEYS)[number] | (typeof ALLOWED_TIMES)[number];

function stretchesOf({ limits, start_ms }: Followed, key: LimitKey) {
  const found: LimitStretch[] = [];
  for (const [at, { from_ms, limits: now }] of limits.entries()) {
    const value = now[key];
    if (found.at(-1)?.value !== value)
      found.push({
        value,
        from_ms: at === 0 ? start_ms : from_ms,
        inForce: limits.map(() => false),
      });
    found[found.length - 1].inForce[at] = true;
  }
  return found;
}

/** The modes that readings name while water was treated, as positions in MODES. */
function namedModes({ treated, mode, count }: Followed): ReadonlySet<number> {
  const named = new Set<number>();
  for (let index = 0; index < count; index += 1)
    if (treated[index] === 1 && MODES[mode[index]] !== null) named.add(mode[index]);
  return named;
}

/** Positions in MODES in which a limit holds; none if its mode wasn't in force. */
function modesOf(mode: LimitMode | undefined, named: ReadonlySet<number>): readonly number[] {
  if (mode === undefined) return [...MODES.keys()];
  const at = MODES.indexOf(mode);
  // A reading without a mode may be one of either.
  return named.size === 0 || named.has(at) ? [at, MODES.indexOf(null)] : [];
}

interface Threshold {
  readonly value: number;
  readonly sign: number;
  /** True for each set of limits, by position, that had this value. */
  readonly inForce: readonly boolean[];
  /** Positions in MODES. */
  readonly modes: readonly number[];
}

/** Time covered by readings beyond the limit. Null if no reading has the value. */
function secondsBeyond(
  readings: Followed,
  values: Float64Array,
  { value, sign, inForce, modes }: Threshold,
): number | null {
  const { covers_ms, treated, mode, set, count } = readings;
  const holds = MODES.map((_, at) => modes.includes(at));
  let beyond_ms = 0;
  let isTold = false;
  for (let index = 0; index < count; index += 1) {
    if (treated[index] === 0 || Number.isNaN(values[index])) continue;
    if (!holds[mode[index]]) continue;
    isTold = true;
    if (sign * (values[index] - value) <= 0 || !inForce[set[index]]) continue;
    beyond_ms += covers_ms[index];
  }
  return isTold ? beyond_ms / SECOND_MS : null;
}

/** The intervals in which a lamp's status was FAILED, by lamp, then time. */
export function lampsOut(readings: Followed) {
  const { failed, count } = readings;
  let any = 0;
  for (let index = 0; index < count; index += 1) any |= failed[index];
  if (any === 0) return [];
  return Array.from({ length: LAMP_COUNT }, (_, lamp) => lamp).flatMap((lamp) =>
    intervalsOf(readings, (index) => ((failed[index] >> lamp) & 1) === 1).map(
      ({ start_ms, end_ms }) => ({ lamp: lamp + 1, start_ms, end_ms }),
    ),
  );
}

/** Number of backflushes by the plant's counter or, without it, by readings; null without both. */
export function backflushesOf(readings: GatheredReadings): number | null {
  const counter = readings.numbers("FLT_BACKFLUSH_COUNT");
  let rises = 0;
  let [last, told] = [Number.NaN, 0];
  for (let index = 0; index < readings.count; index += 1) {
    const value = counter[index];
    if (Number.isNaN(value)) continue;
    // A counter that falls was set to nought, and has counted from there.
    if (value !== last && told > 0) rises += value > last ? value - last : value;
    last = value;
    told += 1;
  }
  return told > 1 ? Math.round(rises) : backflushesByReadings(readings);
}

function backflushesByReadings(readings: GatheredReadings): number | null {
  const [flags, states] = [readings.words("FLT_BACKFLUSH_ACTIVE"), readings.words("PROCESS_STATE")];
  const isState = readings.told.map((word) => wordOf(word) === "BACKFLUSH");
  const isFlag = readings.told.map((flag) => flag === true);
  let [begun, isTold, isFlushing] = [0, false, false];
  for (let index = 0; index < readings.count; index += 1) {
    if (flags[index] === 0 && states[index] === 0) continue;
    isTold = true;
    const now = isFlag[flags[index]] || isState[states[index]];
    if (now && !isFlushing) begun += 1;
    isFlushing = now;
  }
  return isTold ? begun : null;
}

/** First known value of a field; null without one. */
export function firstNumber(readings: GatheredReadings, field: GatheredNumber): number | null {
  const values = readings.numbers(field);
  for (let index = 0; index < readings.count; index += 1)
    if (!Number.isNaN(values[index])) return values[index];
  return null;
}
