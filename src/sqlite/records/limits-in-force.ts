// The ship's limits at each time: derived backwards from those of the latest start, by the changes
// in the audit log. A change made while ballastd was off counts from the next start on. An
// untrusted clock dates no change: it counts from the last moment that is certain, and never later
// than the next change. For the time before somebody gave the certificate's limits, both they and
// the defaults count: the stricter of each.

import { isDeepStrictEqual } from "node:util";
import type { LimitsFrom } from "../../bwts/operations/judging.ts";
import type { ShownLimits } from "../../bwts/present/shown-limits.ts";
import { DEFAULT_LIMITS_SOURCE } from "../../config/default-limits.ts";
import { DAY_MS } from "../../ground/clock.ts";
import { type Connection, memo, prepare } from "../file/open.ts";
import { storedJson } from "./event-proof.ts";

/** Beginning of the keys of limits. */
export const LIMITS = "limits.";

/**
 * The limits, ascending by time; the first also count for all time before. `present` are the
 * configuration's.
 */
export function limitsInForce(db: Connection, present: ShownLimits): readonly LimitsFrom[] {
  return memo(db, "limits_in_force", () => {
    let limits = withValues(present, limitSettings(db));
    let until_ms = Number.MAX_SAFE_INTEGER;
    const found: LimitsFrom[] = [];
    const undated: ShownLimits[] = [];
    for (const { detail, from_ms } of prepare(db, "audit.limit_changes").all({})) {
      const at_ms = Math.min(Number(from_ms), until_ms);
      if (at_ms < until_ms) found.unshift({ from_ms: at_ms, limits });
      else undated.push(limits);
      until_ms = at_ms;
      limits = withValues(limits, before(storedJson(detail, "an entry of the audit log")));
    }
    return withGiven([{ from_ms: 0, limits }, ...found], undated);
  });
}

/**
 * True if the configuration's limits differ from those of the latest start, by which everything was
 * judged.
 */
export function isOfOtherLimits(db: Connection, present: ShownLimits): boolean {
  const known = new Map<string, unknown>(Object.entries(present));
  return limitSettings(db).some(([key, value]) => {
    const name = key.slice(LIMITS.length);
    return known.has(name) && known.get(name) !== value;
  });
}

/** The limits of the latest start, by their keys. */
const limitSettings = (db: Connection): LimitValues =>
  memo(db, "limit_settings", () =>
    prepare(db, "setting.all")
      .all({})
      .flatMap(({ key, value, salt }) =>
        key.startsWith(LIMITS) && salt === null ? [[key, storedJson(value, `setting ${key}`)]] : [],
      ),
  );

/**
 * Minimum time for which given limits must have lasted. Limits replaced earlier were a mistake, and
 * don't count for other times.
 */
const SLIP_MS = DAY_MS;

const isGiven = ({ source }: ShownLimits) => source !== DEFAULT_LIMITS_SOURCE;

/**
 * Adds given limits to the times at which the defaults were in force: the first given limits after
 * that time, the last before it (the configuration may have been lost), and all that no trusted
 * clock dates.
 */
function withGiven(
  all: readonly LimitsFrom[],
  undated: readonly ShownLimits[],
): readonly LimitsFrom[] {
  const given = all.filter(({ limits }) => isGiven(limits));
  const kept = given.filter(({ from_ms }, at) => {
    const next_ms = given[at + 1]?.from_ms ?? Number.MAX_SAFE_INTEGER;
    return next_ms - from_ms >= SLIP_MS;
  });
  return all.map((one) => {
    if (given.includes(one)) return one;
    const after = kept.find(({ from_ms }) => from_ms > one.from_ms);
    const before = kept.findLast(({ from_ms }) => from_ms < one.from_ms);
    const others = [before, after].flatMap((other) => (other === undefined ? [] : [other.limits]));
    const counting = [...others, ...undated.filter(isGiven)];
    return { ...one, limits: counting.reduce(stricter, one.limits) };
  });
}

/**
 * The limits, with those of `given` that are stricter: for the UV intensity the higher ones, for
 * others the lower.
 */
function stricter(own: ShownLimits, given: ShownLimits): ShownLimits {
  const known = new Map<string, unknown>(Object.entries(own));
  const stricterOnes = Object.entries(given).filter(([name, value]) => {
    const before = known.get(name);
    if (typeof value !== "number" || typeof before !== "number") return false;
    return name.startsWith("uv_") ? value > before : value < before;
  });
  if (stricterOnes.length === 0) return own;
  const both = { ...own, ...Object.fromEntries(stricterOnes), source: given.source };
  if (isDeepStrictEqual(both, given)) return both;
  const isDefault = own.source === DEFAULT_LIMITS_SOURCE;
  const source = isDefault
    ? `${given.source}; the default where it is stricter`
    : `${own.source}; ${given.source} where it is stricter`;
  return { ...both, source };
}

type LimitValues = readonly (readonly [string, unknown])[];

/** The values before a change, from its entry's detail, by their keys. */
function before(detail: unknown): LimitValues {
  return Object.entries(Object(detail)).map(([key, change]) => [key, Object(change).before]);
}

/**
 * The limits with the given values. A value of another type, such as that of a new key, leaves its
 * limit unchanged.
 */
function withValues(limits: ShownLimits, values: LimitValues): ShownLimits {
  const known = new Map<string, unknown>(Object.entries(limits));
  const taken = values.flatMap(([key, value]) => {
    const name = key.slice(LIMITS.length);
    const isLimit = key.startsWith(LIMITS) && typeof value === typeof known.get(name);
    return isLimit && known.has(name) ? [[name, value]] : [];
  });
  return { ...limits, ...Object.fromEntries(taken) };
}
