// Messages from the writer's thread to the main thread: the start, commits, results of calls, and
// what it finds while it works.

import type { ClockStep } from "../../bwts/clock-step.ts";
import type { StoredToken } from "../../bwts/token.ts";
import type { ClockState } from "../records/clock-watch.ts";
import type { BatchResult } from "../writing/ingest.ts";
import type { Problem } from "./calls.ts";
import type { LongestSteps } from "./writer-batches.ts";

export type FromWriter =
  | { readonly kind: "ready"; readonly state: WriterState }
  | { readonly kind: "refused"; readonly message: string; readonly exitCode: number | null }
  | { readonly kind: "committed"; readonly seqs: readonly number[]; readonly batch: Committed }
  | { readonly kind: "withheld"; readonly seqs: readonly number[]; readonly problem: Problem }
  /** Readings or lamps were corrected by people. */
  | { readonly kind: "corrected" }
  /** All tokens that are now valid. */
  | { readonly kind: "tokens"; readonly tokens: readonly StoredToken[] }
  | {
      readonly kind: "clock";
      readonly clock: ClockState;
      readonly steps: readonly ClockStep[];
      readonly longest: LongestSteps;
      readonly tag_names: number;
    }
  /** `count`: occurrences since the last report. */
  | { readonly kind: "fault"; readonly problem: string; readonly count: number }
  | { readonly kind: "damage"; readonly problems: readonly string[] }
  | { readonly kind: "done"; readonly seq: number; readonly result: unknown }
  | { readonly kind: "failed"; readonly seq: number; readonly problem: Problem };

export interface Committed extends BatchResult {
  readonly committed_ms: number;
  readonly last_reading_ms: number | null;
}

/** The state that the writer found at its start. */
export interface WriterState {
  readonly last_reading_ms: number | null;
  /** Time of the newest receipt on disk; null without one. */
  readonly last_received_ms: number | null;
  readonly clock_trusted: boolean;
  readonly clock: ClockState;
  readonly migrations: readonly number[];
  /** Time of each job's last run, by name. */
  readonly job_runs: ReadonlyMap<string, number>;
  readonly tokens: readonly StoredToken[];
  /** True if the process before ended while a void was being made or undone. */
  readonly isVoidUnderWay: boolean;
}
