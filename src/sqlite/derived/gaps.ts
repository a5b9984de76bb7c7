// Gaps: times without readings while an operation ran, found by day. A day is searched again when
// its readings or events change, so that late data closes gaps. A query reads the table and adds
// the silence that still lasts.

import type { HealthLimits } from "../../bwts/health.ts";
import { CADENCE_READINGS, silenceLimit, usualCadence } from "../../bwts/idle-plant.ts";
import {
  gapAnswer,
  type KnownBy,
  type ProcessEvent,
  type RunningOperation,
  runningIn,
  type ShownGap,
} from "../../bwts/present/silence.ts";
import { asText, type Reading } from "../../bwts/reading.ts";
import { tellsOperation } from "../../bwts/treating.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../ground/clock.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, memo, prepare } from "../file/open.ts";
import { type ClosedRange, closed, EVER, type Newest } from "../file/query.ts";
import { type EventRow, provenData } from "../records/event-proof.ts";
import { presentReceipt, toldTime } from "../records/present-receipt.ts";
import {
  BELIEVED_UNDAMAGED,
  newestTime,
  readingsIn,
  timeline,
  UNDAMAGED,
} from "../sealed/timeline.ts";
import type { Derivation } from "./derivation.ts";
import { damagedSpans } from "./operation-damage.ts";

/** A stored gap; `until_ms` is the time of the reading that ended it. */
export interface StoredGap {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly until_ms: number;
  readonly operation_type: string | null;
  readonly known_by: KnownBy;
}

/** The gaps that ended in a range; they replace those found there before. */
interface FoundGaps {
  readonly ended: ClosedRange;
  readonly gaps: readonly StoredGap[];
}

/** The time before a day over which the usual cadence is measured. */
const BEFORE_MS = 6 * HOUR_MS;
/** Maximum distance searched for the reading before a silence, longer than any operation. */
const SILENCE_MAX_MS = 31 * DAY_MS;

export const GAPS: Derivation<readonly FoundGaps[]> = {
  name: "gaps",
  every_ms: 10 * SECOND_MS,
  tables: {},
  // Readings also affect the cadence on the next day, and an operation's event its gaps.
  made_of: { readings: BEFORE_MS, events: DAY_MS },
  piece_ms: DAY_MS,
  open_ms: 0,
  pieces_max: 20,
  few: 4,
  counted: "days searched",
  compute(db, starts, { config }) {
    const days = starts.flatMap((start_ms) =>
      db.transaction(() => gapsOfDay(db, start_ms, config.limits))(),
    );
    const rest = { done: starts, damaged: [], count: 0, isMore: false, problem: null };
    return { found: days.length === 0 ? null : days, ...rest };
  },
  save(db, days) {
    for (const { ended, gaps } of days) {
      prepare(db, "gap.remove").run(ended);
      for (const gap of gaps) prepare(db, "gap.put").run(gap);
    }
  },
};

/** The gaps of a day; empty if they are stored already. */
function gapsOfDay(db: Connection, start_ms: number, limits: HealthLimits): readonly FoundGaps[] {
  const end_ms = start_ms + DAY_MS - 1;
  const before = timesIn(db, { start_ms: start_ms - BEFORE_MS, end_ms: start_ms - 1 });
  if (before.length === 0) before.push(...timeBefore(db, start_ms));
  const inside = timesIn(db, { start_ms, end_ms });
  const after = firstIn(db, { start_ms: end_ms + 1, end_ms: end_ms + SILENCE_MAX_MS });
  const times = [...before, ...inside, ...(after === null ? [] : [after])];
  const first = Math.max(1, before.length);
  const ended = { start_ms, end_ms: after ?? end_ms };
  const stored = prepare<"gap.ended", StoredGap>(db, "gap.ended").all(ended);
  // Damaged readings are no gap: in their time only gaps found earlier count.
  const damaged = damagedSpans(db);
  const isUnknown = (range: ClosedRange) =>
    damaged.some((span) => span.start_ms <= range.end_ms && span.end_ms >= range.start_ms);
  const found = silences(times, first)
    .filter((silence) => !isUnknown(silence))
    .flatMap((silence) => gapsIn(db, silence, limits));
  const gaps = [...found, ...stored.filter(isUnknown)].sort((a, b) => a.start_ms - b.start_ms);
  return JSON.stringify(gaps) === JSON.stringify(stored) ? [] : [{ ended, gaps }];
}

interface Bounds extends ClosedRange {
  readonly limit_ms: number;
}

/** Pairs of times too far apart; `first` is the index of the first pair's second time. */
function silences(times: readonly number[], first: number): readonly Bounds[] {
  const shortest_ms = silenceLimit(0);
  const found: Bounds[] = [];
  for (let index = first; index < times.length; index += 1) {
    const [start_ms, end_ms] = [times[index - 1], times[index]];
    if (end_ms - start_ms <= shortest_ms) continue;
    const recent = times.slice(Math.max(0, index - CADENCE_READINGS), index);
    const limit_ms = silenceLimit(usualCadence(recent));
    if (end_ms - start_ms > limit_ms) found.push({ start_ms, end_ms, limit_ms });
  }
  return found;
}

function gapsIn(db: Connection, silence: Bounds, limits: HealthLimits): readonly StoredGap[] {
  const last = readingAt(db, silence.start_ms);
  const next = readingAt(db, silence.end_ms);
  if (last === null || next === null) return [];
  const within_ms = silence.limit_ms;
  const before = withOperation(db, last, { side: "before", within_ms });
  const after = withOperation(db, next, { side: "after", within_ms });
  const events = processEvents(db, silence);
  return runningIn({ before, after }, events, limits).flatMap((running) => {
    const { start_ms, operation_type, known_by } = running;
    const end_ms = Math.min(running.end_ms ?? silence.end_ms, silence.end_ms);
    const gap = { start_ms, end_ms, until_ms: silence.end_ms, operation_type, known_by };
    return end_ms - start_ms > silence.limit_ms ? [gap] : [];
  });
}

/** The process events in a silence, preceded by the last start or stop before it. */
function processEvents(db: Connection, { start_ms, end_ms }: ClosedRange): readonly ProcessEvent[] {
  const last = prepare(db, "event.process_before");
  const before = ["PROCESS_START", "PROCESS_STOP"]
    .flatMap((event_type) => last.get({ event_type, at_ms: start_ms }) ?? [])
    .sort((one, other) => one.at_ms - other.at_ms)
    .slice(-1);
  const inside = prepare(db, "event.process_between");
  return [...before, ...inside.all({ start_ms, end_ms })].flatMap((row) => processEvent(db, row));
}

/** The event; empty if it is damaged, so that the readings decide. */
function processEvent(db: Connection, row: EventRow): readonly ProcessEvent[] {
  const event = withoutDamage(db, () => ({
    at_ms: row.at_ms,
    isStart: row.event_type === "PROCESS_START",
    operation_type: asText(provenData(row).operation_type),
  }));
  return event === null ? [] : [event];
}

/** The operation now or at a moment, by the newest reading and event. */
export interface OperationNow {
  /** The running operation; null if none is. */
  readonly running: RunningOperation | null;
  /** The newest reading that shows the plant's state, or else the newest of any kind. */
  readonly newest: Reading | null;
  /** The newest reading of any kind. */
  readonly last: Reading | null;
  readonly cadence_ms: number | null;
  /** Receipts before this time aren't of the present; 0: all are. */
  readonly since_ms: number;
}

/** The operation by data up to `end_ms`; null: the present one, by the newest message. */
export function operationNow(
  db: Connection,
  limits: HealthLimits,
  end_ms: number | null = null,
): OperationNow {
  return db.transaction(() => {
    const receipt = end_ms === null ? presentReceipt(db) : null;
    const at_ms = receipt?.at_ms ?? newestTime(db, UNDAMAGED, end_ms ?? EVER.end_ms);
    const since_ms = receipt?.since_ms ?? 0;
    const last = at_ms === null ? null : readingAt(db, at_ms);
    const told_ms = at_ms === null ? null : toldTime(db, { at_ms, since_ms });
    const newest = told_ms === null || told_ms === at_ms ? last : readingAt(db, told_ms);
    if (newest === null) return { running: null, newest, last, cadence_ms: null, since_ms };
    const day = { start_ms: newest.at_ms - BEFORE_MS, end_ms: newest.at_ms };
    const times = timesIn(db, day, since_ms);
    const cadence_ms = usualCadence(times);
    const within_ms = silenceLimit(cadence_ms);
    // After a step back of the clock, events with later times happened before it.
    const last_ms = since_ms === 0 ? (end_ms ?? EVER.end_ms) : newest.at_ms + within_ms;
    const since = { start_ms: newest.at_ms, end_ms: last_ms };
    const before = withOperation(db, newest, { side: "before", within_ms });
    const open = runningIn({ before, after: null }, processEvents(db, since), limits);
    const running = open.find(({ end_ms }) => end_ms === null) ?? null;
    return { running, newest, last, cadence_ms, since_ms };
  })();
}

/** Latest time of present values: lamps sent alone may be newer than the plant's reading. */
export function presentValuesEnd({
  newest,
  last,
  cadence_ms,
}: Pick<OperationNow, "newest" | "last" | "cadence_ms">): number {
  const [newest_ms, last_ms] = [newest?.at_ms ?? 0, last?.at_ms ?? 0];
  return Math.min(Math.max(newest_ms, last_ms), newest_ms + silenceLimit(cadence_ms));
}

/** The present operation, found once after each commit. */
export function presentOperation(db: Connection, limits: HealthLimits): OperationNow {
  return memo(db, "operation_now", () => operationNow(db, limits));
}

/**
 * The reading; if it is of lamps alone, with the values of the next reading before or after it, at
 * most `within_ms` away, that shows the operation.
 */
function withOperation(
  db: Connection,
  reading: Reading,
  { side, within_ms }: { readonly side: "before" | "after"; readonly within_ms: number },
): Reading {
  const { at_ms } = reading;
  let told = reading;
  if (tellsOperation(reading)) return told;
  const range =
    side === "before"
      ? { start_ms: at_ms - within_ms, end_ms: at_ms - 1 }
      : { start_ms: at_ms + 1, end_ms: at_ms + within_ms };
  for (const { values } of readingsIn(db, range, BELIEVED_UNDAMAGED)) {
    if (!tellsOperation({ values })) continue;
    told = { ...reading, values };
    if (side === "after") return told;
  }
  return told;
}

/** Gaps that touch a range, newest first; a gap that still lasts has no end. */
export function gapsJson(
  db: Connection,
  { range, limit }: Newest,
  { limits, now_ms }: { readonly limits: HealthLimits; readonly now_ms: number },
): string {
  const { start_ms, end_ms } = closed(range);
  const stored = prepare<"gap.overlapping", Omit<ShownGap, "isOpen">>(db, "gap.overlapping");
  const gaps = stored.all({ start_ms, end_ms, limit }).map((gap) => ({ ...gap, isOpen: false }));
  const lasting = lastingGap(db, { start_ms, end_ms }, { limits, now_ms });
  return JSON.stringify([...lasting, ...gaps].slice(0, limit).map(gapAnswer));
}

/** The gap that still lasts, if it touches the range. */
export function lastingGap(
  db: Connection,
  range: ClosedRange,
  around: { readonly limits: HealthLimits; readonly now_ms: number },
): readonly ShownGap[] {
  const gap = silentUntilNow(db, around);
  const isInside = gap !== null && gap.start_ms <= range.end_ms && around.now_ms >= range.start_ms;
  return isInside ? [gap] : [];
}

/** The present silence, by times of receipt: the PLC's clock and ballastd's may differ. */
function silentUntilNow(db: Connection, around: { limits: HealthLimits; now_ms: number }) {
  const { running, last, cadence_ms } = operationNow(db, around.limits);
  if (running === null || last === null) return null;
  const silent_ms = around.now_ms - last.received_ms;
  const start_ms = Math.max(running.start_ms, last.at_ms);
  const seconds_ms = silent_ms - (start_ms - last.at_ms);
  if (seconds_ms <= silenceLimit(cadence_ms)) return null;
  return { ...running, start_ms, end_ms: start_ms + seconds_ms, isOpen: true };
}

function timesIn(db: Connection, range: ClosedRange, since_ms = 0): number[] {
  const times: number[] = [];
  for (const { block, from, to } of timeline(db, range, UNDAMAGED))
    for (let index = from; index < to; index += 1)
      if (since_ms === 0 || block.received_ms(index) >= since_ms) times.push(block.at_ms(index));
  return times;
}

function firstIn(db: Connection, range: ClosedRange): number | null {
  for (const { block, from } of timeline(db, range, UNDAMAGED)) return block.at_ms(from);
  return null;
}

/** The last time before an instant, in the days in which a silence may have begun. */
function timeBefore(db: Connection, at_ms: number): readonly number[] {
  for (let end_ms = at_ms - 1; end_ms > at_ms - SILENCE_MAX_MS; end_ms -= DAY_MS) {
    const last = timesIn(db, { start_ms: end_ms - DAY_MS + 1, end_ms }).at(-1);
    if (last !== undefined) return [last];
  }
  return [];
}

function readingAt(db: Connection, at_ms: number): Reading | null {
  const instant = { start_ms: at_ms, end_ms: at_ms };
  for (const { block, from } of timeline(db, instant, BELIEVED_UNDAMAGED))
    return block.reading(from);
  return null;
}
