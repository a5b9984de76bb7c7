// Finds sensors that are wrong though each value is plausible: a frozen one, light without burning
// lamps, and a flow through a closed valve. Pure.

import { isAbove } from "../../ground/binary-noise.ts";
import { MINUTE_MS } from "../../ground/clock.ts";
import { certifiedVolume } from "../operations/moving-volume.ts";
import {
  FROZEN_CHANGES,
  FROZEN_MINUTES,
  FROZEN_READINGS,
  UNTOLD_SHARE,
} from "../operations/rules.ts";
import { firstIndex } from "../ranks.ts";
import { LAMP_COUNT } from "../tags.ts";
import { areTooManyDark, DARK_POWER, isMovingFlow, WITNESS_DIFFERENCE } from "../treating.ts";
import { carried, type Followed } from "./followed.ts";
import type { GatheredNumber, GatheredReadings } from "./gathered.ts";
import type { Totals } from "./totals.ts";
import { CLOSED_VALVE } from "./water.ts";
import { isApart } from "./witnesses.ts";

/** Measured values that move of themselves; totalisers and counters don't. */
const ANALOGUE: readonly GatheredNumber[] = [
  ...(["UVR_INTENSITY", "SYS_FLOW_RATE", "UVR_POWER_OUTPUT", "SYS_PRESSURE"] as const),
  ...(["UVR_WATER_TEMP", "FLT_DIFF_PRESSURE", "LDC_AIR_TEMP", "AVG_LAMP_EFFICIENCY"] as const),
];

const FROZEN_MS = FROZEN_MINUTES * MINUTE_MS;

/** Time over which a totaliser's rise is compared with its mean. */
const EVEN_MS = 10 * MINUTE_MS;

/**
 * Entry i is 1 for a reading in which the field is frozen. The operation's totaliser, if given,
 * counts as another changing value if it rises less evenly than the flow.
 */
export function frozenAt(
  readings: Pick<GatheredReadings, "count" | "at_ms" | "numbers">,
  field: GatheredNumber,
  counted: Pick<Followed, "totals" | "gap"> | null = null,
): Uint8Array {
  const { count, at_ms } = readings;
  const values = readings.numbers(field);
  const frozen = new Uint8Array(count);
  let [first, last, told] = [0, -1, 0];
  const close = () => {
    if (told < FROZEN_READINGS || at_ms[last] - at_ms[first] < FROZEN_MS) return;
    const others = ANALOGUE.filter((other) => other !== field);
    const isAlone =
      others.some((other) => hasMoved(readings.numbers(other), { first, last })) ||
      (counted !== null && isUneven({ ...readings, ...counted }, first, last));
    if (isAlone) frozen.fill(1, first, last + 1);
  };
  for (let index = 0; index < count; index += 1) {
    const value = values[index];
    if (Number.isNaN(value)) continue;
    if (told === 0 || value !== values[first]) {
      close();
      [first, told] = [index, 0];
    }
    last = index;
    told += 1;
  }
  close();
  return frozen;
}

/**
 * True if the totaliser rises unevenly from reading `first` to `last` while the flow is constant or
 * missing: then the flow changed, whatever its sensor says. A totaliser of coarse steps may be a
 * step ahead. An even rise proves nothing, since a steady plant has one too.
 */
function isUneven(
  {
    totals,
    gap,
    at_ms,
    numbers,
  }: Pick<Followed, "totals" | "gap"> & Pick<GatheredReadings, "at_ms" | "numbers">,
  first: number,
  last: number,
): boolean {
  if (totals === null || hasMoved(numbers("SYS_FLOW_RATE"), { first, last, changes: 1 }))
    return false;
  const { at, values, broken, count } = totals;
  const windows: { rise_m3: number; time_ms: number }[] = [];
  let [whole_m3, whole_ms, coarse_m3] = [0, 0, Number.POSITIVE_INFINITY];
  let [rise_m3, time_ms] = [0, 0];
  for (let place = firstIndex(count, (one) => at[one] >= first) + 1; place < count; place += 1) {
    if (at[place] > last) break;
    const isGap = gap.subarray(at[place - 1] + 1, at[place] + 1).includes(1);
    if (broken[place] === 1 || isGap) continue;
    const step_m3 = values[place] - values[place - 1];
    if (step_m3 > 0) coarse_m3 = Math.min(coarse_m3, step_m3);
    rise_m3 += step_m3;
    time_ms += at_ms[at[place]] - at_ms[at[place - 1]];
    if (time_ms < EVEN_MS) continue;
    windows.push({ rise_m3, time_ms });
    [whole_m3, whole_ms] = [whole_m3 + rise_m3, whole_ms + time_ms];
    [rise_m3, time_ms] = [0, 0];
  }
  return windows.some((one) => {
    const mean_m3 = (whole_m3 * one.time_ms) / whole_ms;
    const most_m3 = coarse_m3 + WITNESS_DIFFERENCE * Math.max(mean_m3, one.rise_m3);
    return isAbove(Math.abs(one.rise_m3 - mean_m3), most_m3);
  });
}

/** Entry i is 1 for a reading in which the flow is frozen, and the totaliser doesn't confirm it. */
export function unconfirmedAt(readings: Followed): Uint8Array {
  const { count, totals } = readings;
  const frozen = frozenAt(readings, "SYS_FLOW_RATE", readings);
  if (totals === null) return frozen;
  const flow = readings.numbers("SYS_FLOW_RATE");
  const found = frozen.slice();
  for (let first = 0; first < count; first += 1) {
    if (frozen[first] === 0) continue;
    let after = first + 1;
    const isSame = (at: number) => Number.isNaN(flow[at]) || flow[at] === flow[first];
    while (after < count && frozen[after] === 1 && isSame(after)) after += 1;
    confirm(readings, { totals, first, after, flow_m3_h: flow[first] }, found);
    first = after - 1;
  }
  return found;
}

interface FrozenFlow {
  readonly totals: Totals;
  readonly first: number;
  readonly after: number;
  readonly flow_m3_h: number;
}

/** Clears the marks of a frozen flow where the totaliser agrees with it over half an hour. */
function confirm(
  { at_ms, certified_m3_h }: Followed,
  { totals, first, after, flow_m3_h }: FrozenFlow,
  marks: Uint8Array,
): void {
  const inside = [...totals.at.keys()].filter(
    (place) => totals.at[place] >= first && totals.at[place] < after,
  );
  const timeOf = (place: number) => at_ms[totals.at[place]];
  const starts = inside.slice(0, 1);
  for (const place of inside)
    if (timeOf(place) - timeOf(starts[starts.length - 1]) >= FROZEN_MS) starts.push(place);
  // The rest at the end is too short to be compared alone.
  if (starts.length > 1) starts.pop();
  for (const [index, start] of starts.entries()) {
    const isLast = index === starts.length - 1;
    const end = isLast ? inside[inside.length - 1] : starts[index + 1];
    let [risen_m3, time_ms] = [0, 0];
    for (let place = start + 1; place <= end; place += 1) {
      if (totals.broken[place] === 1) continue;
      risen_m3 += totals.values[place] - totals.values[place - 1];
      time_ms += timeOf(place) - timeOf(place - 1);
    }
    if (time_ms === 0 || isApart(risen_m3, certifiedVolume(flow_m3_h, time_ms), certified_m3_h))
      continue;
    marks.fill(0, index === 0 ? first : totals.at[start], isLast ? after : totals.at[end]);
  }
}

/** True if values from `first` to `last` change at so many readings or more. */
function hasMoved(
  values: Float64Array,
  {
    first,
    last,
    changes = FROZEN_CHANGES,
  }: { readonly first: number; readonly last: number; readonly changes?: number },
): boolean {
  let [before, found] = [Number.NaN, 0];
  for (let index = first; index <= last; index += 1) {
    const value = values[index];
    if (Number.isNaN(value)) continue;
    if (value !== before && !Number.isNaN(before)) found += 1;
    if (found >= changes) return true;
    before = value;
  }
  return false;
}

/** Entry i is 1 for light within the limit `limitAt(i)` that the burning lamps can't give. */
export function unlitAt(readings: Followed, limitAt: (index: number) => number): Uint8Array {
  const { count, lamps, out, powers, unlit } = readings;
  const found = new Uint8Array(count);
  const power = carried(readings, readings.numbers("UVR_POWER_OUTPUT"));
  // The setpoint counts where no reading has a power.
  const isPowerReported =
    powers !== 0 || power.subarray(0, count).some((one) => !Number.isNaN(one));
  const setpoint = isPowerReported
    ? power
    : carried(readings, readings.numbers("UVR_POWER_SETPOINT"));
  const failed = carried(readings, readings.numbers("FAILED_LAMP_COUNT"));
  const known = bitsIn(lamps);
  let intensity: Float64Array | null = null;
  for (let index = 0; index < count; index += 1) {
    const areDark =
      unlit[index] === 1 ||
      areTooManyDark(failed[index], LAMP_COUNT) ||
      (out[index] !== 0 && areTooManyDark(bitsIn(out[index]), known));
    const isUnpowered = power[index] < DARK_POWER || setpoint[index] < DARK_POWER;
    if (!isUnpowered && !areDark) continue;
    intensity ??= carried(readings, readings.numbers("UVR_INTENSITY"));
    if (intensity[index] >= limitAt(index)) found[index] = 1;
  }
  return found;
}

function bitsIn(lamps: number): number {
  let bits = 0;
  for (let left = lamps; left > 0; left >>= 1) bits += left & 1;
  return bits;
}

/** True if the valve is closed in more of the time of flowing water than is allowed. */
export function isValveContradicted(readings: Followed): boolean {
  const { count, flow, covers_ms, set, limits } = readings;
  const valve = carried(readings, readings.numbers("SYS_VALVE_POSITION"));
  let [closed_ms, of_ms] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    if (!isMovingFlow(flow[index], limits[set[index]].limits.flow_max_imo)) continue;
    of_ms += covers_ms[index];
    if (valve[index] < CLOSED_VALVE) closed_ms += covers_ms[index];
  }
  return closed_ms > UNTOLD_SHARE * of_ms;
}
