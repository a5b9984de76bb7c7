// What can be asked of the database: a query is its name and its parameters, never SQL. The
// readers' threads answer with JSON in bounded chunks, ready for the wire.

import type { AlarmState } from "../bwts/alarm.ts";
import type { AuditKind } from "../bwts/audit.ts";

export type Interval = "hour" | "day";

/** How raw readings are exported as text. */
export type TextFormat = "csv" | "ndjson";

/** A range of instants, both ends included; null is open. */
export interface Range {
  readonly start_ms: number | null;
  readonly end_ms: number | null;
}

/** A range of instants, both ends included. */
export interface ClosedRange {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** Before everything stored and after it: the ends that a range without them has. */
export const EVER: ClosedRange = { start_ms: 0, end_ms: 253_402_300_799_999 };

/** A range with both of its ends. */
export function closed(range: Range | null): ClosedRange {
  return {
    start_ms: range?.start_ms ?? EVER.start_ms,
    end_ms: range?.end_ms ?? EVER.end_ms,
  };
}

export type Query =
  | { readonly name: "stats" }
  | { readonly name: "latest" }
  | { readonly name: "history"; readonly hours: number }
  | {
      readonly name: "aggregated";
      readonly interval: Interval;
      readonly range: Range | null;
      /** Counted back from the latest reading; used when `range` is null. */
      readonly hours: number;
    }
  | {
      readonly name: "chunked";
      readonly start_ms: number;
      readonly end_ms: number;
      readonly offset: number;
      readonly limit: number;
    }
  | { readonly name: "runtime"; readonly range: Range }
  | {
      readonly name: "export";
      readonly format: TextFormat;
      readonly range: Range;
      /** By name; null: all of them. */
      readonly columns: readonly string[] | null;
    }
  | { readonly name: "health"; readonly range: Range; readonly limit: number }
  | {
      readonly name: "health_aggregated";
      readonly interval: Interval;
      /** Null: the newest `limit` buckets. */
      readonly range: Range | null;
      readonly limit: number;
    }
  | {
      readonly name: "events";
      readonly range: Range;
      /** Null: of every type. */
      readonly type: string | null;
      readonly limit: number;
    }
  | { readonly name: "predictions"; readonly range: Range; readonly limit: number }
  | { readonly name: "lamps" }
  | { readonly name: "diagnosis" }
  | { readonly name: "track_record" }
  | {
      readonly name: "alarms";
      readonly range: Range;
      /** Null: in any state. */
      readonly state: AlarmState | null;
      readonly limit: number;
    }
  | { readonly name: "gaps"; readonly range: Range; readonly limit: number }
  | { readonly name: "clock_steps"; readonly range: Range; readonly limit: number }
  | {
      readonly name: "audit";
      readonly range: Range;
      /** Null: of every kind. */
      readonly kind: AuditKind | null;
      readonly offset: number;
      readonly limit: number;
    };

/** The most readings that the runtime analysis answers; more are thinned over the whole range. */
export const RUNTIME_ANALYSIS_MAX = 10_000;

/**
 * An answer of a reader: `chunks` is null when there is nothing (`latest` without a reading). Each
 * chunk has a buffer of its own, which is the receiver's.
 */
export interface Answer {
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>> | null;
}

/** The readers, as the HTTP side sees them. */
export interface Readers {
  /**
   * Asks one reader. Rejects with ReadersBusy when the queue is full, ReaderLost when the thread
   * died, StoredDamage when what is asked for is damaged, a Failure when the disk gives nothing.
   * Ending the iteration of `chunks` early stops the work.
   */
  ask(query: Query): Promise<Answer>;
}

export class ReadersBusy extends Error {}
export class ReaderLost extends Error {}
export class StoredDamage extends Error {}
