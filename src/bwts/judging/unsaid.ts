// The readings at which a value isn't said for longer than usual: its own cadence counts, because a
// plant may send it less often than others. Pure.

import type { UsualCadence } from "../operations/judging.ts";
import { gapsBefore, isGap } from "./cadence.ts";
import type { GatheredNumber, GatheredReadings } from "./gathered.ts";

/** Entry i is 1 for a reading without the value, in a gap of it; null if each reading has it. */
export function unsaidAt(
  readings: GatheredReadings,
  field: GatheredNumber,
  usualCadence: UsualCadence,
): Uint8Array | null {
  const { count } = readings;
  const values = readings.numbers(field);
  if (!values.subarray(0, count).some(Number.isNaN)) return null;
  const unsaid = new Uint8Array(count);
  const positions: number[] = [];
  for (let index = 0; index < count; index += 1)
    if (!Number.isNaN(values[index])) positions.push(index);
  const times = {
    at_ms: Float64Array.from(positions, (index) => readings.at_ms[index]),
    count: positions.length,
  };
  const first = positions.at(0);
  const last = positions.at(-1);
  if (first === undefined || last === undefined) return unsaid.fill(1);
  const gaps = gapsBefore(times, usualCadence);
  for (let place = 1; place < positions.length; place += 1)
    if (gaps[place] === 1) unsaid.fill(1, positions[place - 1] + 1, positions[place]);
  const edge = (before: number, distance_ms: number) =>
    isGap(times, { before, after: before + 1, distance_ms }, usualCadence);
  if (edge(-1, readings.at_ms[first] - readings.at_ms[0])) unsaid.fill(1, 0, first);
  if (edge(times.count - 1, readings.at_ms[count - 1] - readings.at_ms[last]))
    unsaid.fill(1, last + 1, count);
  return unsaid;
}
