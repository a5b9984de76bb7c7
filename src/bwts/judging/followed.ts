// An operation's readings with missing facts filled in: a reading without a state, a mode or a flow
// keeps that of the one before. Adds the limits in force at each, the time that it covers, and
// whether water moved in it. Pure.

import type { JudgingContext, LimitsFrom, UsualCadence } from "../operations/judging.ts";
import { type LimitMode, modeNamed } from "../present/verdict.ts";
import { asText } from "../reading.ts";
import { isMovingFlow, isStillFlow } from "../treating.ts";
import { isGap, standsFor, type Times } from "./cadence.ts";
import { type GatheredReadings, picked } from "./gathered.ts";
import { type BesideTotals, risingAt } from "./rising-totals.ts";
import { standingAt } from "./standing-totals.ts";
import { ownTotaliser, TOTALISERS, type Totals, totalsOf } from "./totals.ts";
import { unsaidAt, unsaidWords } from "./unsaid.ts";
import { CLOSED_VALVE, isTreatedWater, mayPause, movesAt, statesAt } from "./water.ts";

/** All readings of an operation, and which of them are hidden. */
export interface SeenReadings {
  readonly all: GatheredReadings & Times;
  /** 1 for a hidden reading. */
  readonly isHidden: Uint8Array;
  /** Entry i is 1 for a gap between reading i - 1 and i, hidden or not. */
  readonly gaps: Uint8Array;
  readonly start_ms: number;
  /** The end; the last reading while it runs. */
  readonly end_ms: number;
  readonly isRunning: boolean;
}

/** `state` is a position in STATES, `mode` one in MODES. */
export interface Followed extends GatheredReadings {
  readonly state: Uint8Array;
  /** STILL, MOVES, UNKNOWN_MOVES or STANDS. */
  readonly moves: Uint8Array;
  /** 1 where only the totaliser could show that water moved, and it doesn't decide. */
  readonly may: Uint8Array;
  /** As `standingAt` gives it: where the totaliser stands still while the flow is missing. */
  readonly standing: Uint8Array;
  /** 1 where water is treated, so that it is judged against the limits. */
  readonly treated: Uint8Array;
  readonly mode: Uint8Array;
  /** Flow; the last known one if a reading has none, NaN if there is none. */
  readonly flow: Float64Array;
  readonly totals: Totals | null;
  /** True if the values of the totaliser of the operation's type are physically impossible. */
  readonly isTotalDoubted: boolean;
  /** Certified flow with which water is compared, in m3/h: the highest in force. */
  readonly certified_m3_h: number;
  /** Position in `limits` of the limits in force. */
  readonly set: Uint16Array;
  readonly limits: readonly LimitsFrom[];
  /** Entry i is 1 for a gap between reading i - 1 and i: no readings, or hidden ones. */
  readonly gap: Uint8Array;
  /** Entry i is 1 if a void hides readings between reading i - 1 and i. */
  readonly hiddenGap: Uint8Array;
  /** Time that reading i covers. */
  readonly covers_ms: Float64Array;
  readonly start_ms: number;
  readonly end_ms: number;
  /** True for a gap between the start and the first reading, or the last one and the end. */
  readonly gapAtStart: boolean;
  readonly gapAtEnd: boolean;
  readonly hiddenAtStart: boolean;
  readonly hiddenAtEnd: boolean;
}

export const MODES: readonly (LimitMode | null)[] = [null, "IMO", "USCG"];

/** The visible readings with missing facts filled in, from the start to the end. */
export function followed(
  seen: SeenReadings,
  { limits, usualCadence, modeBefore }: JudgingContext,
  operation_type: string | null,
): Followed {
  const { all, isHidden, start_ms, end_ms } = seen;
  const readings = picked(
    all,
    isHidden.map((hidden) => 1 - hidden),
  );
  const inForce = limitsIn(limits, seen);
  const set = limitSets(readings, inForce);
  const gaps = gapsOf(seen, readings, usualCadence);
  const certified_m3_h = Math.max(
    ...inForce.flatMap(({ limits: { flow_max_imo, flow_max_uscg } }) => [
      flow_max_imo,
      flow_max_uscg,
    ]),
  );
  const flow = toldFlow(readings, gaps.gap, usualCadence);
  const state = statesAt(readings, gaps.gap, unsaidWords(readings, "PROCESS_STATE", usualCadence));
  const valve = carried({ ...readings, ...gaps }, readings.numbers("SYS_VALVE_POSITION"));
  const certified = (index: number) => inForce[set[index]].limits.flow_max_imo;
  const isStill = (index: number) => isStillFlow(flow[index], certified(index));
  const byFlow = {
    gap: gaps.gap,
    isStill,
    isFlowing: (index: number) => isMovingFlow(flow[index], certified(index)),
    isPaused: (index: number) =>
      isStill(index) ||
      (Number.isNaN(flow[index]) && (mayPause(state[index]) || valve[index] < CLOSED_VALVE)),
    isFlowless: (index: number) => Number.isNaN(flow[index]),
  };
  const { totals, isTotalDoubted, rising } = witnessed(readings, operation_type, {
    ...byFlow,
    certified_m3_h,
  });
  const isFlowKnown = !flow.subarray(0, readings.count).some(Number.isNaN);
  const standing = standingAt(readings, isFlowKnown ? null : totals, certified_m3_h);
  const scans = all.scans?.upTo.filter((_, index) => isHidden[index] === 0);
  const scanOf = (index: number) => scans?.[index] ?? index;
  const { moves, may } = movesAt(readings, { ...byFlow, states: state, rising, standing, scanOf });
  return {
    ...readings,
    ...{
      start_ms,
      end_ms,
      set,
      limits: inForce,
      state,
      moves,
      may,
      standing,
      flow,
      totals,
      isTotalDoubted,
      certified_m3_h,
    },
    treated: moves.map((one, index) => (isTreatedWater(one, state[index]) ? 1 : 0)),
    mode: modes(readings, unsaidWords(readings, "COMPLIANCE_MODE", usualCadence), () =>
      gaps.gapAtStart ? null : modeBefore(),
    ),
    ...gaps,
  };
}

interface Witnessing extends BesideTotals {
  /** True if the flow says that water moves. */
  isFlowing(index: number): boolean;
}

/** The totaliser of the operation's type, and where it rises; without a flow also the other one. */
function witnessed(
  readings: GatheredReadings,
  operation_type: string | null,
  { isFlowing, ...beside }: Witnessing,
): Pick<Followed, "totals" | "isTotalDoubted"> & { readonly rising: Uint8Array } {
  const { certified_m3_h } = beside;
  const own = ownTotaliser(operation_type);
  const { totals, isDoubted } =
    own === null ? { totals: null, isDoubted: false } : totalsOf(readings, own, certified_m3_h);
  const rising = risingAt(readings, totals, beside);
  const found = { totals, isTotalDoubted: isDoubted, rising };
  if (rising.every((one, index) => one === 1 || isFlowing(index))) return found;
  for (const field of TOTALISERS) {
    if (field === own) continue;
    const other = totalsOf(readings, field, certified_m3_h);
    const marks = risingAt(readings, other.totals, beside);
    for (let index = 0; index < readings.count; index += 1)
      if (marks[index] === 1) rising[index] = 1;
  }
  return found;
}

/** Flow at each reading; NaN where it has been missing for longer than usual. */
function toldFlow(
  readings: GatheredReadings,
  gap: Uint8Array,
  usualCadence: UsualCadence,
): Float64Array {
  const values = readings.numbers("SYS_FLOW_RATE");
  const unsaid = unsaidAt(readings, "SYS_FLOW_RATE", usualCadence);
  const found = carried({ count: readings.count, gap }, values);
  if (unsaid !== null)
    for (let index = 0; index < readings.count; index += 1)
      if (unsaid[index] === 1) found[index] = Number.NaN;
  return found;
}

/** The last known value at each reading, since the last gap; NaN without one. */
export function carried(
  { count, gap }: Pick<Followed, "count" | "gap">,
  values: Float64Array,
): Float64Array {
  const found = new Float64Array(count);
  let last = Number.NaN;
  for (let index = 0; index < count; index += 1) {
    if (gap[index] === 1) last = Number.NaN;
    if (!Number.isNaN(values[index])) last = values[index];
    found[index] = last;
  }
  return found;
}

/** Limits in force between start and end; if none begins there, the last ones before. */
function limitsIn(
  limits: readonly LimitsFrom[],
  { start_ms, end_ms }: SeenReadings,
): readonly LimitsFrom[] {
  return limits.filter(({ from_ms }, index) => {
    const next_ms = limits[index + 1]?.from_ms ?? Number.POSITIVE_INFINITY;
    return next_ms > start_ms && (index === 0 || from_ms <= end_ms);
  });
}

/** Gaps before each visible reading, hidden ones counted or not, and the time that each covers. */
function gapsOf(seen: SeenReadings, { count }: GatheredReadings, usualCadence: UsualCadence) {
  const { all, isHidden, gaps, end_ms, isRunning } = seen;
  const [gap, hiddenGap] = [new Uint8Array(count), new Uint8Array(count)];
  const covers_ms = new Float64Array(count);
  const edges = edgeGaps(seen, usualCadence);
  let [at, last] = [0, -1];
  for (let index = 0; index < all.count; index += 1) {
    if (isHidden[index] === 1) continue;
    const isAfterHidden = index > 0 && isHidden[index - 1] === 1;
    if (at > 0) {
      if (isAfterHidden) hiddenGap[at] = 1;
      if (isAfterHidden || gaps[index] === 1) gap[at] = 1;
      // A void hides all from the reading before it.
      if (!isAfterHidden) covers_ms[at - 1] = coveredBefore(seen, index, usualCadence);
    }
    [at, last] = [at + 1, index];
  }
  const isLastShown = last >= 0 && last === all.count - 1;
  if (isLastShown && !isRunning) {
    const distance_ms = end_ms - all.at_ms[last];
    const stands_ms = edges.atEnd
      ? standsFor(all, { before: last, after: all.count, distance_ms }, usualCadence)
      : distance_ms;
    covers_ms[at - 1] = Math.min(distance_ms, stands_ms);
  }
  const hiddenAtStart = all.count > 0 && isHidden[0] === 1;
  const hiddenAtEnd = all.count > 0 && isHidden[all.count - 1] === 1;
  return {
    ...{ gap, hiddenGap, covers_ms, hiddenAtStart, hiddenAtEnd },
    gapAtStart: edges.atStart || hiddenAtStart,
    gapAtEnd: (edges.atEnd && !isRunning) || hiddenAtEnd,
  };
}

/** Time that reading `index` - 1 covers. */
function coveredBefore(
  { all, gaps }: SeenReadings,
  index: number,
  usualCadence: UsualCadence,
): number {
  const distance_ms = all.at_ms[index] - all.at_ms[index - 1];
  if (gaps[index] === 0) return distance_ms;
  return standsFor(all, { before: index - 1, after: index, distance_ms }, usualCadence);
}

/** True for gaps from the start to the first reading, and from the last to the end. */
export function edgeGaps({ all, start_ms, end_ms }: SeenReadings, usualCadence: UsualCadence) {
  const { count, at_ms } = all;
  if (count === 0) return { atStart: true, atEnd: false };
  const atStart = { before: -1, after: 0, distance_ms: at_ms[0] - start_ms };
  const atEnd = { before: count - 1, after: count, distance_ms: end_ms - at_ms[count - 1] };
  return { atStart: isGap(all, atStart, usualCadence), atEnd: isGap(all, atEnd, usualCadence) };
}

/** Mode at each reading; before the first reading with a mode, that in force before the start. */
function modes(
  readings: GatheredReadings,
  unsaid: Uint8Array | null,
  modeBefore: () => LimitMode | null,
): Uint8Array {
  const ofWord = readings.told.map((word) => MODES.indexOf(modeNamed(word)));
  const words = readings.words("COMPLIANCE_MODE");
  const found = new Uint8Array(readings.count);
  let now = readings.count === 0 || words[0] !== 0 ? 0 : MODES.indexOf(modeBefore());
  for (let index = 0; index < readings.count; index += 1) {
    if (words[index] !== 0) now = ofWord[words[index]];
    found[index] = unsaid?.[index] === 1 ? 0 : now;
  }
  return found;
}

/** The position of the limits in force at each reading. */
function limitSets(readings: GatheredReadings, limits: readonly LimitsFrom[]): Uint16Array {
  const found = new Uint16Array(readings.count);
  let now = 0;
  for (let index = 0; index < readings.count; index += 1) {
    while (now + 1 < limits.length && limits[now + 1].from_ms <= readings.at_ms[index]) now += 1;
    found[index] = now;
  }
  return found;
}

/** First text of a field in visible readings; null without one. */
export function firstTold(
  readings: GatheredReadings,
  isHidden: Uint8Array,
  field: "operation_type" | "location",
): string | null {
  const words = readings.words(field);
  for (let index = 0; index < readings.count; index += 1)
    if (words[index] !== 0 && isHidden[index] === 0) return asText(readings.told[words[index]]);
  return null;
}
