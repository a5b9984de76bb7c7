// Finds readings that a second message with the same time contradicts. The second one is
// quarantined, and it isn't known which is right: one of the values may have been beyond a limit.
// So the time that such readings cover counts like that of a breach, and makes `cannot_tell`. For a
// PLC's clock that stands still it is the time over which the copies arrived. Repeated times after
// a clock change belong to the rule `clock_stepped`. Pure.

import { SECOND_MS } from "../../ground/clock.ts";
import type { ClockStep } from "../clock-step.ts";
import type { ContradictingCopy } from "../operations/judging.ts";
import type { SteadyTime } from "../operations/steady-time.ts";
import { type Breach, intervalsOf } from "./breaches.ts";
import type { Followed } from "./followed.ts";
import { STILL } from "./water.ts";

/** Fields that decide if water moved. */
const OF_WATER: ReadonlySet<string> = new Set([
  ...["PROCESS_STATE", "SYS_FLOW_RATE", "operation_type"],
  ...["SYS_TOTAL_BALLAST_VOL", "SYS_TOTAL_DEBALLAST_VOL"],
]);
/** Fields by which moving water is judged. */
const OF_TREATMENT: ReadonlySet<string> = new Set([
  ...["UVR_INTENSITY", "COMPLIANCE_MODE", "UVR_POWER_OUTPUT", "FAILED_LAMP_COUNT"],
]);

/** Precision of a step back: it is computed from live messages. */
const EXACT_MS = 10 * SECOND_MS;

const TIME = /(?:^|; )(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z): /;
const FIELD = /(?:^|, )([^\s:]+): got /g;

/** The contradictions that the `detail` of a quarantined message lists (`leftOut`). */
export function contradictionsIn(
  detail: string,
  received_ms: number,
): readonly ContradictingCopy[] {
  const [, ...parts] = detail.split(TIME);
  const found: ContradictingCopy[] = [];
  for (let place = 0; place + 1 < parts.length; place += 2) {
    const fields = [...parts[place + 1].matchAll(FIELD)].map(([, field]) => field);
    if (fields.length > 0) found.push({ at_ms: Date.parse(parts[place]), received_ms, fields });
  }
  return found;
}

/** The contradictions of one reading. */
interface Contradicted {
  readonly fields: readonly string[];
  /** Time over which the copies arrived; 0 for a few. */
  readonly stood_ms: number;
}

const NOTHING: Contradicted = { fields: [], stood_ms: 0 };
/** Minimum number of successive copies of one time that shows a clock standing still. */
const STANDING_COPIES = 3;

/** Contradictions that no step of the PLC's clock explains, by their times. */
export function unexplained(
  contradictions: readonly ContradictingCopy[],
  clock_steps: readonly ClockStep[],
): ReadonlyMap<number, Contradicted> {
  const back = clock_steps.filter((one) => one.clock === "plc" && one.to_ms < one.from_ms);
  const found = new Map<number, ContradictingCopy[]>();
  for (const copy of contradictions) {
    const { at_ms, received_ms } = copy;
    const isRepeated = back.some(
      (step) =>
        at_ms >= step.to_ms - EXACT_MS &&
        at_ms <= step.from_ms + EXACT_MS &&
        received_ms >= step.at_ms - EXACT_MS,
    );
    const known = found.get(at_ms);
    if (isRepeated) continue;
    if (known === undefined) found.set(at_ms, [copy]);
    else known.push(copy);
  }
  return new Map([...found].map(([at_ms, copies]) => [at_ms, contradictedBy(copies)]));
}

function contradictedBy(copies: readonly ContradictingCopy[]): Contradicted {
  const times = copies.map(({ received_ms }) => received_ms);
  const [first_ms, last_ms] = times.reduce(
    ([least, most], one) => [Math.min(least, one), Math.max(most, one)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return {
    fields: [...new Set(copies.flatMap(({ fields }) => fields))],
    stood_ms: copies.length < STANDING_COPIES ? 0 : last_ms - first_ms,
  };
}

/** The contradictions of each reading; null where nothing contradicts it. */
export type ContradictedAt = readonly (Contradicted | null)[];

/** Null if no reading is contradicted. */
export function contradictedAt(
  { at_ms, count }: Pick<Followed, "at_ms" | "count">,
  contradicted: ReadonlyMap<number, Contradicted>,
  { plc_ms }: SteadyTime,
): ContradictedAt | null {
  if (contradicted.size === 0) return null;
  const found = Array.from(at_ms.subarray(0, count), (one) => contradicted.get(plc_ms(one)));
  return found.some((one) => one !== undefined) ? found.map((one) => one ?? null) : null;
}

/** Intervals of contradicted readings, if they cover more than the allowed time. */
export function contradictedIntervals(
  readings: Followed,
  contradicted: ContradictedAt | null,
  allowed_ms: number,
): readonly Breach[] {
  if (contradicted === null) return [];
  const found = intervalsOf(readings, (index) => {
    const { fields } = contradicted[index] ?? NOTHING;
    if (fields.some((field) => OF_WATER.has(field))) return true;
    return readings.moves[index] !== STILL && fields.some((field) => OF_TREATMENT.has(field));
  });
  const covered_ms = found.reduce((sum, { covers_ms, first, after }) => {
    const stood = contradicted.slice(first, after).map((one) => one?.stood_ms ?? 0);
    return sum + Math.max(covers_ms, ...stood);
  }, 0);
  return covered_ms > allowed_ms ? found : [];
}
