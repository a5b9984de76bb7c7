// The mode in force when an operation began, if its own readings have none: a PLC that sends the
// mode only on change may have sent it hours before. It holds until a long silence, as within an
// operation. Pure.

import type { ReadingRun, UsualCadence } from "../operations/judging.ts";
import { BLIND_MS, recentTimes } from "../operations/recent-times.ts";
import { type LimitMode, modeNamed } from "../present/verdict.ts";
import { gathered } from "./gathered.ts";
import { unsaidWords } from "./unsaid.ts";

/** Mode by the readings before `until_ms`; null if it isn't known, or no longer at that time. */
export function modeBefore(
  runs: Iterable<ReadingRun>,
  until_ms: number,
  usualCadence: UsualCadence,
): LimitMode | null {
  const readings = gathered(runs);
  const words = readings.words("COMPLIANCE_MODE");
  const unsaid = unsaidWords(readings, "COMPLIANCE_MODE", usualCadence);
  const recent = recentTimes();
  let mode: LimitMode | null = null;
  let last_ms = Number.NaN;
  for (let index = 0; index < readings.count; index += 1) {
    const at_ms = readings.at_ms[index];
    if (recent.isLonger(at_ms - last_ms, BLIND_MS)) mode = null;
    if (words[index] !== 0) mode = modeNamed(readings.told[words[index]]);
    if (unsaid?.[index] === 1) mode = null;
    recent.add(at_ms);
    last_ms = at_ms;
  }
  return recent.isLonger(until_ms - last_ms, BLIND_MS) ? null : mode;
}
