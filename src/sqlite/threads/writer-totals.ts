// Totals of the writer since the start, counted on the main thread from its replies, for /metrics
// and /readyz, which must not ask the thread itself.

import type { Problem } from "./calls.ts";
import type { Committed, WriterState } from "./writer-replies.ts";

/** Totals since the start, for /metrics and /readyz. */
export interface WriterTotals {
  readonly messages: number;
  readonly commits: number;
  /** Corrections by people: statements about lamps, voids. */
  readonly corrections: number;
  readonly readings: number;
  readonly events: number;
  readonly quarantined: number;
  readonly repeated: number;
  readonly withheld: number;
  /** Faults of our own that were survived. */
  readonly faults: number;
  readonly last_commit_ms: number | null;
  readonly last_reading_ms: number | null;
  /** Time in ms since messages last brought readings in this run; null if none did. */
  readonly silent_ms: number | null;
  /** As `silent_ms`, or else time since the newest receipt on disk; null without any. */
  readonly last_received_ago_ms: number | null;
  readonly clock_trusted: boolean;
  /** The reason why the last batch couldn't be committed; null if it was. */
  readonly problem: string | null;
}

export interface Totals {
  addCommit(batch: Committed, messages: number): void;
  addCorrection(): void;
  addWithheld(why: Problem, messages: number): void;
  addFaults(count: number): void;
  now(state: WriterState): WriterTotals;
}

export function openTotals(): Totals {
  const counts = { messages: 0, commits: 0, readings: 0, events: 0, quarantined: 0, repeated: 0 };
  let withheld = 0;
  let faults = 0;
  let corrections = 0;
  let last: Committed | null = null;
  let problem: string | null = null;
  // By the steady clock, so that setting the box's clock neither raises an alarm nor hides one.
  let heard_ms: number | null = null;
  const agoAtStart = (state: WriterState) =>
    state.last_received_ms === null ? null : Math.max(0, Date.now() - state.last_received_ms);
  return {
    addCommit(batch, messages) {
      counts.messages += messages;
      counts.commits += 1;
      counts.readings += batch.readings;
      counts.events += batch.events;
      counts.quarantined += batch.quarantined;
      counts.repeated += batch.repeated;
      last = batch;
      problem = null;
      if (messages > 0 && (batch.readings > 0 || batch.newest_ms !== null))
        heard_ms = performance.now();
    },
    addCorrection() {
      corrections += 1;
    },
    addWithheld(why, messages) {
      withheld += messages;
      problem = why.message;
    },
    addFaults(count) {
      faults += count;
    },
    now(state) {
      const silent_ms = heard_ms === null ? null : performance.now() - heard_ms;
      return {
        ...counts,
        withheld,
        faults,
        corrections,
        problem,
        silent_ms,
        last_received_ago_ms: silent_ms ?? agoAtStart(state),
        last_commit_ms: last?.committed_ms ?? null,
        last_reading_ms: last === null ? state.last_reading_ms : last.last_reading_ms,
        clock_trusted: last?.clock_trusted ?? state.clock_trusted,
      };
    },
  };
}
