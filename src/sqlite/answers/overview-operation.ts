// The operation under way at a moment, for the overview: its start, its readings, its volume, and
// the usual volume of earlier ones. Volumes of sealed operations never change, so they are kept in
// memory, keyed by the segments and the voids from which they follow.

import { LRUCache } from "lru-cache";
import type { HealthLimits } from "../../bwts/health.ts";
import { wordOf } from "../../bwts/plc-word.ts";
import {
  totaliserOf,
  type Volume,
  type VolumePoint,
  volumeOf,
} from "../../bwts/present/operation.ts";
import type { RunningOperation } from "../../bwts/present/silence.ts";
import type { IntensityPoint } from "../../bwts/present/time-to-limit.ts";
import { median } from "../../bwts/ranks.ts";
import { asNumber, asText, type Value } from "../../bwts/reading.ts";
import { indexOfTag } from "../../bwts/tags.ts";
import { isTreatingState } from "../../bwts/treating.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { type EventRow, provenData } from "../records/event-proof.ts";
import { hotWithin, wholeHotReadings } from "../sealed/hot.ts";
import { segmentsOf } from "../sealed/segments.ts";
import { BELIEVED_UNDAMAGED, timeline } from "../sealed/timeline.ts";
import { visibleParts, voidedSpans } from "../sealed/voids.ts";

/**
 * Maximum length of an operation that is read whole. Of a longer one, the beginning and the newest
 * part are read.
 */
const WHOLE_MAX_MS = 2 * DAY_MS;
const BEGINNING_MS = HOUR_MS;
/** Length of the pieces in which readings without events are searched backwards for the start. */
const PIECE_MS = 6 * HOUR_MS;
/** The intensity's fall is computed from the newest hours, after the lamps have warmed up. */
const FALL_MS = 12 * HOUR_MS;
const WARMUP_MS = 10 * MINUTE_MS;
/** Maximum number of earlier operations for the usual volume. */
const EARLIER_MAX = 50;
/** Maximum number of events, and of volumes, kept in memory by a connection. */
const KEPT_MAX = 10_000;

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const INTENSITY = indexOfTag("UVR_INTENSITY");
const POWER = indexOfTag("UVR_POWER_OUTPUT");

/** A reading of an operation. */
export interface OperationPoint extends VolumePoint {
  /**
   * State by this reading, or else by the last one before that has it: lamps may be sent
   * separately.
   */
  readonly state: Value;
  readonly moving_m3_h: number | null;
  readonly intensity_w_m2: number | null;
  readonly power_pct: number | null;
}

export interface OperationUnderWay {
  readonly operation_type: string | null;
  readonly location: string | null;
  readonly since_ms: number;
  readonly known_by: RunningOperation["known_by"];
  readonly points: readonly OperationPoint[];
}

interface OperationMoment {
  readonly end_ms: number;
  readonly silence_ms: number;
  readonly limits: HealthLimits;
}

/** The operation that is under way at the reading of `end_ms`. */
export function operationUnderWay(
  db: Connection,
  running: RunningOperation,
  { end_ms, silence_ms, limits }: OperationMoment,
): OperationUnderWay {
  const { operation_type, known_by } = running;
  // It may have started after the newest reading.
  const start_ms = Math.max(running.start_ms, end_ms);
  const start = known_by === "events" ? lastStart(db, start_ms) : null;
  if (start !== null) {
    const { start_ms: since_ms, location } = start;
    const range = { start_ms: since_ms, end_ms };
    const points = since_ms > end_ms ? [] : pointsOf(db, range, operation_type);
    return { operation_type, location, since_ms, known_by, points };
  }
  let points: readonly OperationPoint[] = [];
  for (let to_ms = end_ms; to_ms > end_ms - WHOLE_MAX_MS; to_ms -= PIECE_MS) {
    const piece = { start_ms: to_ms - PIECE_MS + 1, end_ms: to_ms };
    const all = [...pointsOf(db, piece, operation_type), ...points];
    const rest = all.findLastIndex(
      ({ state, moving_m3_h }) =>
        (state !== null || moving_m3_h !== null) && !isTreatingState(state, moving_m3_h, limits),
    );
    const gap = all.findLastIndex(
      ({ at_ms }, index) => at_ms - (all[index - 1]?.at_ms ?? at_ms) > silence_ms,
    );
    points = all.slice(Math.max(rest + 1, gap));
    if (rest >= 0 || gap >= 0) break;
  }
  const since_ms = points[0]?.at_ms ?? end_ms;
  return { operation_type, location: null, since_ms, known_by, points };
}

/** The readings from which the fall of the intensity is computed. */
export function fallPoints({ points, since_ms }: OperationUnderWay): readonly IntensityPoint[] {
  const from_ms = Math.max(since_ms + WARMUP_MS, (points.at(-1)?.at_ms ?? 0) - FALL_MS);
  return points.flatMap(({ at_ms, state, intensity_w_m2, power_pct }) => {
    const word = wordOf(state);
    const isSteady = at_ms >= from_ms && (word === null || word === "RUNNING");
    return isSteady && intensity_w_m2 !== null ? [{ at_ms, intensity_w_m2, power_pct }] : [];
  });
}

/** An operation that has ended, by its events. */
interface EndedOperation extends ClosedRange {
  readonly operation_type: string | null;
  readonly location: string | null;
}

export interface UsualVolume {
  readonly volume_m3: number;
  readonly operations: number;
  readonly of: "type_and_location" | "type";
}

/**
 * The median volume of earlier operations of the type at this place, else of the type anywhere;
 * null without one.
 */
export function usualVolume(
  db: Connection,
  { operation_type, location, since_ms }: OperationUnderWay,
  silence_ms: number,
): UsualVolume | null {
  const type = wordOf(operation_type);
  if (type === null) return null;
  const earlier = endedOperations(db, since_ms - 1)
    .filter((one) => wordOf(one.operation_type) === type)
    .reverse();
  const here = wordOf(location);
  const alike = earlier.filter((one) => here !== null && wordOf(one.location) === here);
  const volumes = (operations: readonly EndedOperation[]) =>
    operations
      .slice(0, EARLIER_MAX)
      .flatMap((one) => volumeOfEnded(db, one, silence_ms)?.volume_m3 ?? []);
  const usual = (found: readonly number[], of: UsualVolume["of"]) =>
    found.length === 0 ? null : { volume_m3: median(found), operations: found.length, of };
  return usual(volumes(alike), "type_and_location") ?? usual(volumes(earlier), "type");
}

/** The volume of an ended operation; null if its readings don't show all of it. */
function volumeOfEnded(
  db: Connection,
  { start_ms, end_ms, operation_type }: EndedOperation,
  silence_ms: number,
): Volume | null {
  const range = { start_ms, end_ms };
  const compute = () => volumeOf(pointsOf(db, range, operation_type), silence_ms);
  const { from, to } = hotWithin(wholeHotReadings(db), range);
  if (from < to) return compute();
  const segments = segmentsOf(db).within(range);
  const shown = visibleParts(voidedSpans(db), range);
  const key = JSON.stringify([range, silence_ms, segments.map(({ id }) => id), shown]);
  const { volumes } = keptOf(db);
  const known = volumes.get(key);
  if (known !== undefined) return known.volume;
  const volume = compute();
  volumes.set(key, { volume });
  return volume;
}

function pointsOf(
  db: Connection,
  { start_ms, end_ms }: ClosedRange,
  operation_type: Value,
): readonly OperationPoint[] {
  if (end_ms - start_ms <= WHOLE_MAX_MS) return walked(db, { start_ms, end_ms }, operation_type);
  return [
    ...walked(db, { start_ms, end_ms: start_ms + BEGINNING_MS }, operation_type),
    ...walked(db, { start_ms: end_ms - WHOLE_MAX_MS + BEGINNING_MS, end_ms }, operation_type),
  ];
}

function walked(db: Connection, range: ClosedRange, operation_type: Value): OperationPoint[] {
  const total = totaliserOf(operation_type);
  const points: OperationPoint[] = [];
  let [told, moved]: [Value, number | null] = [null, null];
  for (const { block, from, to } of timeline(db, range, BELIEVED_UNDAMAGED)) {
    const [state, flow] = [block.values(STATE), block.values(FLOW)];
    const [intensity, power] = [block.values(INTENSITY), block.values(POWER)];
    const volume = total === null ? () => null : block.values(total);
    for (let index = from; index < to; index += 1) {
      const flow_m3_h = asNumber(flow(index));
      told = state(index) ?? told;
      moved = flow_m3_h ?? moved;
      points.push({
        ...{ at_ms: block.at_ms(index), state: told, flow_m3_h, moving_m3_h: moved },
        ...{ intensity_w_m2: asNumber(intensity(index)), power_pct: asNumber(power(index)) },
        total_m3: asNumber(volume(index)),
      });
    }
  }
  return points;
}

/** Events and volumes kept in memory by a connection. */
interface KeptOperations {
  readonly events: LRUCache<number, Omit<EndedOperation, keyof ClosedRange>>;
  readonly volumes: LRUCache<string, { readonly volume: Volume | null }>;
}

const byConnection = new WeakMap<Connection, KeptOperations>();

function keptOf(db: Connection): KeptOperations {
  const known = byConnection.get(db) ?? {
    events: new LRUCache({ max: KEPT_MAX }),
    volumes: new LRUCache({ max: KEPT_MAX }),
  };
  byConnection.set(db, known);
  return known;
}

/** Operations with a start and a stop, both up to `end_ms`, in their order. */
function endedOperations(db: Connection, end_ms: number): readonly EndedOperation[] {
  const ended: EndedOperation[] = [];
  let start: { readonly id: number; readonly at_ms: number } | null = null;
  for (const { id, at_ms, event_type } of prepare(db, "event.processes").all({ end_ms })) {
    if (event_type === "PROCESS_START") start = { id, at_ms };
    else if (start !== null) {
      const told = toldByStart(db, start.id);
      if (told !== null) ended.push({ ...told, start_ms: start.at_ms, end_ms: at_ms });
      start = null;
    }
  }
  return ended;
}

function lastStart(db: Connection, end_ms: number) {
  const row = prepare(db, "event.processes")
    .all({ end_ms })
    .findLast(({ event_type }) => event_type === "PROCESS_START");
  const told = row === undefined ? null : toldByStart(db, row.id);
  return row === undefined || told === null ? null : { ...told, start_ms: row.at_ms };
}

/** The type and the place in a start event; null if the event is damaged. */
export function toldByStart(db: Connection, id: number) {
  const { events } = keptOf(db);
  const known = events.get(id);
  if (known !== undefined) return known;
  const row = prepare<"event.stored", EventRow>(db, "event.stored").get({ id });
  if (row === undefined) return null;
  return withoutDamage(db, () => {
    const { operation_type, location } = provenData(row);
    const told = { operation_type: asText(operation_type), location: asText(location) };
    events.set(id, told);
    return told;
  });
}
