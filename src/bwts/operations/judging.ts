// The interface of judging: the parts that a judgement is made of, and its result. Readings come in
// runs of a block with columns, as the timeline gives them, so that none becomes an object.
// `operationSpans` (spans.ts) finds the operations, `judged` (judge.ts) judges one. Pure.

import type { ClockStep } from "../clock-step.ts";
import type { ShownLimits } from "../present/shown-limits.ts";
import type { KnownBy } from "../present/silence.ts";
import type { LimitMode } from "../present/verdict.ts";
import type { Value } from "../reading.ts";
import type { Operation, Remark } from "./operation.ts";
import type { TimeBetween } from "./recent-times.ts";

/** Readings in time order, by columns; `values` takes an index into `TAGS`. */
export interface ReadingColumns {
  at_ms(index: number): number;
  values(tag: number): (index: number) => Value;
  received_ms(index: number): number;
  clock_trusted(index: number): boolean;
  /** The same readings with null for each value that isn't believed (plausible.ts). */
  believed(): Pick<ReadingColumns, "values">;
}

/** Readings `from` up to, not including, `to`; a `BlockRun` of the timeline is one. */
export interface ReadingRun {
  readonly block: ReadingColumns;
  readonly from: number;
  readonly to: number;
}

/** A PROCESS_START or PROCESS_STOP that no void hides. */
export interface OperationEvent {
  readonly id: number;
  /** Time by the PLC's clock. */
  readonly at_ms: number;
  readonly received_ms: number;
  readonly isStart: boolean;
  readonly operation_type: string | null;
  readonly location: string | null;
}

/** An operation before it is judged. */
export interface OperationSpan {
  /** Ids of its events; null where none was sent. */
  readonly start_event: number | null;
  readonly stop_event: number | null;
  /** By the PLC's clock, which may have been set back: it can end before it began. */
  readonly start_ms: number;
  /** Null while it runs. */
  readonly end_ms: number | null;
  /** The same by the steady time (steady-time.ts). */
  readonly steady: { readonly start_ms: number; readonly end_ms: number | null };
  /** True if readings received before its stop show treated water after it. */
  readonly isStopDoubted: boolean;
  /** Type by its events; null if they have none, then `judged` takes it from readings. */
  readonly operation_type: string | null;
  readonly location: string | null;
  readonly known_by: KnownBy;
  /** `no_start`, `no_stop`, `never_ended`, `water_unseen`, `overlaps`. */
  readonly remarks: readonly Remark[];
}

/** The data in which operations are found: events and readings of one range of time. */
export interface SpansQuery {
  /** In any order. */
  readonly events: readonly OperationEvent[];
  /** Ascending, without hidden ones: those of `from_ms` to `now_ms`. */
  readonly runs: Iterable<ReadingRun>;
  readonly limits: ShownLimits;
  /** Steps of both clocks, in the order in which they were found. */
  readonly clock_steps: readonly ClockStep[];
  /** Time up to which there is data, by the plant's clock. */
  readonly now_ms: number;
  /** Time of a change, by the steady time; none by default. */
  readonly change?: TimeBetween;
}

/** The limits from an instant on. */
export interface LimitsFrom {
  readonly from_ms: number;
  readonly limits: ShownLimits;
}

/** Returns the plant's usual distance of readings in ms; null if unknown. */
export type UsualCadence = () => number | null;

/** A copy that contradicts the reading stored at its time. */
export interface ContradictingCopy {
  /** Time by the PLC's clock. */
  readonly at_ms: number;
  readonly received_ms: number;
  readonly fields: readonly string[];
}

/** Data beside the readings. What doesn't touch the operation is left out by `judged`. */
export interface JudgingContext {
  /** Ascending; the first counts for all time before it, too. At least one. */
  readonly limits: readonly LimitsFrom[];
  /** Voids of readings in force, both ends included. */
  readonly voids: readonly {
    readonly id: number;
    readonly start_ms: number;
    readonly end_ms: number;
    readonly reason: string;
  }[];
  readonly alerts: readonly {
    readonly id: number;
    readonly code: string;
    readonly source: string;
    readonly raised_ms: number;
  }[];
  /** As in SpansQuery. */
  readonly clock_steps: readonly ClockStep[];
  /** Copies in quarantine that contradict stored readings. */
  readonly contradictions: readonly ContradictingCopy[];
  /** Called only for an operation of one or two readings, or none. */
  readonly usualCadence: UsualCadence;
  /** The mode in force at the start; called only if the first reading has none. */
  modeBefore(): LimitMode | null;
  /**
   * Hours since the last cleaning that ended before the start, if readings have none; else null.
   */
  readonly hours_since_cip: number | null;
}

/** The record of an operation without its members that come from being stored. */
export type JudgedOperation = Omit<Operation, "id" | "version" | "versions" | "readings_root">;
