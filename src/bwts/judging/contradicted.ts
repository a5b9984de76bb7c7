// Finds readings that a second message of the same time contradicts. The second one is quarantined,
// and it isn't known which of the two is right: its value of a field may have been beyond a limit.
// So the time that such readings stand for is counted as a breach's is, and makes `cannot_tell`.
// Times that the PLC's clock had twice belong to the rule `clock_stepped`. Pure.

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

/** A step back is found by live messages, and as exact as these. */
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

/** The contradictions that no step of the PLC's clock explains, by their times. */
export function unexplained(
  contradictions: readonly ContradictingCopy[],
  clock_steps: readonly ClockStep[],
): ReadonlyMap<number, readonly string[]> {
  const back = clock_steps.filter((one) => one.clock === "plc" && one.to_ms < one.from_ms);
  const found = new Map<number, readonly string[]>();
  for (const { at_ms, received_ms, fields } of contradictions) {
    const isRepeated = back.some(
      (step) =>
        at_ms >= step.to_ms - EXACT_MS &&
        at_ms <= step.from_ms + EXACT_MS &&
        received_ms >= step.at_ms - EXACT_MS,
    );
    if (!isRepeated) found.set(at_ms, [...(found.get(at_ms) ?? []), ...fields]);
  }
  return found;
}

/** The fields that are contradicted at a reading; null where none is. */
export type ContradictedAt = readonly (readonly string[] | null)[];

/** Null if no reading is contradicted. */
export function contradictedAt(
  { at_ms, count }: Pick<Followed, "at_ms" | "count">,
  contradicted: ReadonlyMap<number, readonly string[]>,
  { plc_ms }: SteadyTime,
): ContradictedAt | null {
  if (contradicted.size === 0) return null;
  const found = Array.from(at_ms.subarray(0, count), (one) => contradicted.get(plc_ms(one)));
  return found.some((fields) => fields !== undefined)
    ? found.map((fields) => fields ?? null)
    : null;
}

/** The intervals of contradicted readings, where they cover more than is allowed. */
export function contradictedIntervals(
  readings: Followed,
  fieldsAt: ContradictedAt | null,
  allowed_ms: number,
): readonly Breach[] {
  if (fieldsAt === null) return [];
  const found = intervalsOf(readings, (index) => {
    const fields = fieldsAt[index] ?? [];
    if (fields.some((field) => OF_WATER.has(field))) return true;
    return readings.moves[index] !== STILL && fields.some((field) => OF_TREATMENT.has(field));
  });
  const covered_ms = found.reduce((sum, { covers_ms }) => sum + covers_ms, 0);
  return covered_ms > allowed_ms ? found : [];
}
