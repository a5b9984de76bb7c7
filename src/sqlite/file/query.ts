// The queries of the database: each is a name and parameters, never SQL. The readers' threads
// answer with JSON in chunks of bounded size, ready to be sent.

import type { AlarmState } from "../../bwts/alarm.ts";
import type { AuditKind } from "../../bwts/audit.ts";
import type { RecordKind } from "../../bwts/record-kind.ts";

export type Interval = "hour" | "day";

/** Text formats of exported readings and records. */
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
      /** Counted back from the latest reading; used if `range` is null. */
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
      /** Names of columns; null for all. */
      readonly columns: readonly string[] | null;
    }
  | {
      readonly name: "export_records";
      readonly kind: RecordKind;
      readonly format: TextFormat;
      readonly range: Range;
    }
  | { readonly name: "health"; readonly range: Range; readonly limit: number }
  | {
      readonly name: "health_aggregated";
      readonly interval: Interval;
      /** Null for the newest `limit` buckets. */
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
  | { readonly name: "plant" }
  | { readonly name: "track_record" }
  | {
      readonly name: "alarms";
      readonly range: Range;
      /** Null for any state. */
      readonly state: AlarmState | null;
      readonly limit: number;
    }
  | { readonly name: "gaps"; readonly range: Range; readonly limit: number }
  | { readonly name: "clock_steps"; readonly range: Range; readonly limit: number }
  | {
      readonly name: "audit";
      readonly range: Range;
      /** Null for every kind. */
      readonly kind: AuditKind | null;
      readonly offset: number;
      readonly limit: number;
    };

/** Most readings in an answer of the runtime analysis; more are thinned over the whole range. */
export const RUNTIME_ANALYSIS_MAX = 10_000;

/**
 * A reader's answer; `chunks` is null if there is no data (`latest` without a reading). Each chunk
 * has its own buffer, which belongs to the receiver.
 */
export interface Answer {
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>> | null;
}

/** The readers, as HTTP uses them. */
export interface Readers {
  /**
   * Sends a query to one reader. Rejects with ReadersBusy if the queue is full, ReaderLost if the
   * thread died, StoredDamage if the data is damaged, a Failure if the disk fails. Ending the
   * iteration of `chunks` early stops the work.
   */
  ask(query: Query): Promise<Answer>;
}

export class ReadersBusy extends Error {}
export class ReaderLost extends Error {}
export class StoredDamage extends Error {}
