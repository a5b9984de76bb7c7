// The operations of a range, from the plant's events and from its readings. Events count where they
// tell of an operation; a stretch of readings in which water was treated, or the plant cleaned, is
// an operation of its own where no event tells of one. Pure, and without zod.

import { CADENCE_READINGS, silenceLimit, usualCadence } from "../idle-plant.ts";
import { wordOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import type { KnownBy } from "../silence.ts";
import { isTreatingState } from "../treating.ts";
import { type Volume, volumeOf } from "./operation.ts";
import type { ShownLimits } from "./shown-limits.ts";
import { type LimitMode, uvLimitOf } from "./verdict.ts";

/** The fields of a reading that tell of an operation. Null: not sent. */
export interface OperationReading {
  readonly at_ms: number;
  readonly state: Value;
  readonly flow_m3_h: number | null;
  readonly intensity_w_m2: number | null;
  readonly mode: LimitMode | null;
  readonly operation_type: string | null;
  readonly location: string | null;
  readonly ballast_m3: number | null;
  readonly deballast_m3: number | null;
}

/** An operation as its events tell it; without a stop it lasts until a reading says IDLE. */
export interface EventSpan {
  readonly start_ms: number;
  readonly stop_ms: number | null;
  /** The start of the next one, where no stop was sent. */
  readonly next_ms: number | null;
  readonly operation_type: string | null;
  readonly location: string | null;
}

/** The reading that came nearest to the limit of its mode while water was treated. */
export interface LeastIntensity {
  readonly at_ms: number;
  readonly intensity_w_m2: number;
  readonly mode: LimitMode | null;
  readonly uv_limit: number | null;
}

export interface FoundOperation {
  readonly operation_type: string | null;
  readonly location: string | null;
  readonly start_ms: number;
  /** Null while no end is known. */
  readonly end_ms: number | null;
  readonly known_by: KnownBy;
  readonly readings: number;
  /** Null where readings don't tell it all. */
  readonly volume: Volume | null;
  readonly mode: LimitMode | null;
  readonly least: LeastIntensity | null;
}

/** An operation while its readings go by. */
interface FollowedOperation {
  readonly known_by: KnownBy;
  readonly isCleaning: boolean;
  readonly start_ms: number;
  readonly span: EventSpan | null;
  end_ms: number | null;
  /** True once a reading told another state than IDLE. */
  isActive: boolean;
  /** Since when readings say IDLE; null if the last doesn't. */
  idle_ms: number | null;
  readonly readings: OperationReading[];
  least: LeastIntensity | null;
}

interface RunsAsked {
  /** Ascending. */
  readonly spans: readonly EventSpan[];
  /** Ascending, from `from_ms` on. */
  readonly readings: Iterable<OperationReading>;
  readonly from_ms: number;
  readonly limits: ShownLimits;
}

/** Ascending by their starts; the last one of readings ends at its last reading. */
export function operationsIn(asked: RunsAsked): readonly FoundOperation[] {
  const { spans, readings, from_ms, limits } = asked;
  const told = spans.map(ofEvents);
  const runs: FollowedOperation[] = [];
  const times: number[] = [];
  let silence_ms = silenceLimit(null);
  let next = 0;
  let run: FollowedOperation | null = null;
  let [state, flow]: [Value, number | null] = [null, null];
  for (const sent of readings) {
    const { at_ms } = sent;
    times.push(at_ms);
    if (times.length > CADENCE_READINGS) times.shift();
    silence_ms = silenceLimit(usualCadence(times));
    state = sent.state ?? state;
    flow = sent.flow_m3_h ?? flow;
    const doing = activityOf(state, flow, limits);
    while (next < told.length && isOver(told[next], at_ms)) next += 1;
    const open = told[next];
    if (open !== undefined && open.start_ms <= at_ms) {
      run = null;
      take(open, sent, doing === "treating", limits);
      noteState(open, wordOf(sent.state), at_ms);
      continue;
    }
    const last_ms: number | undefined = run?.readings[run.readings.length - 1].at_ms;
    const goesOn =
      run !== null &&
      doing === (run.isCleaning ? "cleaning" : "treating") &&
      at_ms - (last_ms ?? at_ms) <= silence_ms;
    if (!goesOn) run = doing === "rest" ? null : ofReadings(at_ms, doing === "cleaning");
    if (run === null) continue;
    if (!goesOn) runs.push(run);
    run.end_ms = at_ms;
    take(run, sent, doing === "treating", limits);
  }
  const alone = runs.filter((one) => isOwn(one, told, silence_ms));
  return [...told, ...alone]
    .sort((one, other) => one.start_ms - other.start_ms)
    .map((one) => foundOf(one, { from_ms, silence_ms }));
}

function activityOf(state: Value, flow: Value, limits: ShownLimits) {
  if (isTreatingState(state, flow, limits)) return "treating";
  return wordOf(state) === "CIP" ? "cleaning" : "rest";
}

const ofEvents = (span: EventSpan): FollowedOperation => ({
  ...{ known_by: "events", isCleaning: false, span, start_ms: span.start_ms },
  ...{
    end_ms: span.stop_ms ?? span.next_ms,
    readings: [],
    least: null,
    isActive: false,
    idle_ms: null,
  },
});

const ofReadings = (start_ms: number, isCleaning: boolean): FollowedOperation => ({
  ...{ known_by: "readings", isCleaning, span: null, start_ms, end_ms: null },
  ...{ readings: [], least: null, isActive: false, idle_ms: null },
});

/** IDLE ends an operation whose stop wasn't sent, once it was in another state. */
function noteState(one: FollowedOperation, word: string | null, at_ms: number): void {
  if (word === null) return;
  one.idle_ms = word === "IDLE" ? (one.idle_ms ?? at_ms) : null;
  if (one.idle_ms === null) one.isActive = true;
  else if (one.isActive) one.end_ms ??= at_ms;
}

const isOver = ({ end_ms }: FollowedOperation, at_ms: number) => end_ms !== null && end_ms < at_ms;

function take(
  one: FollowedOperation,
  sent: OperationReading,
  isTreated: boolean,
  limits: ShownLimits,
): void {
  one.readings.push(sent);
  const { at_ms, intensity_w_m2, mode } = sent;
  if (!isTreated || intensity_w_m2 === null) return;
  const least = { at_ms, intensity_w_m2, mode, uv_limit: uvLimitOf(mode, limits) };
  if (one.least === null || margin(least) < margin(one.least)) one.least = least;
}

const margin = ({ intensity_w_m2, uv_limit }: LeastIntensity) => intensity_w_m2 - (uv_limit ?? 0);

/** Readings shortly before a start or after a stop belong to it; one alone is no operation. */
function isOwn(
  run: FollowedOperation,
  told: readonly FollowedOperation[],
  near_ms: number,
): boolean {
  const { start_ms, readings } = run;
  const end_ms = run.end_ms ?? start_ms;
  if (readings.length < 2) return false;
  if (end_ms - start_ms > near_ms) return true;
  return !told.some(
    (one) => start_ms - near_ms <= (one.end_ms ?? start_ms) && end_ms + near_ms >= one.start_ms,
  );
}

function foundOf(
  one: FollowedOperation,
  { from_ms, silence_ms }: { readonly from_ms: number; readonly silence_ms: number },
): FoundOperation {
  const { span, known_by, start_ms, end_ms, readings, least, isCleaning } = one;
  const last = <T>(read: (reading: OperationReading) => T | null) => lastOf(readings, read);
  const operation_type =
    span?.operation_type ?? (isCleaning ? "CIP" : last((reading) => reading.operation_type));
  const type = wordOf(operation_type);
  const points = readings.map(({ at_ms, flow_m3_h, ballast_m3, deballast_m3 }) => {
    const total_m3 = type === "BALLAST" ? ballast_m3 : type === "DEBALLAST" ? deballast_m3 : null;
    return { at_ms, flow_m3_h, total_m3 };
  });
  const isWhole = readings.length > 1 && start_ms >= from_ms;
  return {
    ...{ operation_type, location: span?.location ?? last((reading) => reading.location) },
    ...{ start_ms, end_ms: end_ms ?? one.idle_ms, known_by, readings: readings.length },
    volume: isWhole ? volumeOf(points, silence_ms) : null,
    ...{ mode: least?.mode ?? last((reading) => reading.mode), least },
  };
}

function lastOf<T>(
  readings: readonly OperationReading[],
  read: (reading: OperationReading) => T | null,
): T | null {
  for (let index = readings.length - 1; index >= 0; index -= 1) {
    const value = read(readings[index]);
    if (value !== null) return value;
  }
  return null;
}
