// Totals of the writer since the start, counted by the main thread from its replies, because
// /metrics and /readyz must not ask the thread.

import { type AsideNow, openAsideWatch } from "../../bwts/aside-watch.ts";
import type { CommitResult, WriterState } from "./writer-messages.ts";

/** Totals since the start. */
export interface WriterTotals {
  readonly messages: number;
  readonly commits: number;
  /** Number of corrections by people: statements about lamps, voids. */
  readonly corrections: number;
  readonly readings: number;
  readonly events: number;
  readonly quarantined: number;
  readonly repeated: number;
  readonly withheld: number;
  /** Number of internal faults that were survived. */
  readonly faults: number;
  readonly last_commit_ms: number | null;
  readonly last_reading_ms: number | null;
  /** Time in ms since messages last brought readings in this run; null if none did. */
  readonly silent_ms: number | null;
  /**
   * As `silent_ms`; before the first reading of this run, time since the newest receipt on disk.
   * Null without any.
   */
  readonly last_received_ago_ms: number | null;
  /**
   * The same two times for messages that show the plant's state, which a heartbeat doesn't; of all
   * readings for a plant that never sent such a message.
   */
  readonly untold_ms: number | null;
  readonly last_told_ago_ms: number | null;
  readonly clock_trusted: boolean;
  /** The live messages that are being quarantined; null while none are. */
  readonly aside: AsideNow | null;
  /** The reason why the last batch couldn't be committed; null if it was. */
  readonly problem: string | null;
}

export type OpenTotals = ReturnType<typeof openTotals>;

export function openTotals() {
  const counts = {
    ...{ messages: 0, commits: 0, readings: 0, events: 0, quarantined: 0, repeated: 0 },
    ...{ corrections: 0, withheld: 0, faults: 0 },
  };
  let last: CommitResult | null = null;
  let problem: string | null = null;
  // Measured with the steady clock, so that setting the box's clock neither raises an alarm nor
  // hides one.
  let heard_ms: number | null = null;
  const aside = openAsideWatch(() => performance.now());
  let told_ms: number | null = null;
  const since = (at_ms: number | null) => (at_ms === null ? null : performance.now() - at_ms);
  const silent_ms = () => since(heard_ms);
  const agoAtStart = (at_ms: number | null) =>
    at_ms === null ? null : Math.max(0, Date.now() - at_ms);
  return {
    counts,
    silent_ms,
    committed(batch: CommitResult, messages: number) {
      counts.messages += messages;
      counts.commits += 1;
      for (const name of ["readings", "events", "quarantined", "repeated"] as const)
        counts[name] += batch[name];
      last = batch;
      problem = null;
      const isReading = messages > 0 && (batch.readings > 0 || batch.newest_ms !== null);
      if (isReading) heard_ms = performance.now();
      if (isReading && batch.tellsPlant) told_ms = performance.now();
      aside.committed(batch.aside, isReading, batch.newest_ms);
    },
    takeAsideAlarms: aside.takeAlarms,
    withheld(messages: number, why: string) {
      counts.withheld += messages;
      problem = why;
    },
    now(state: WriterState): WriterTotals {
      const last_received_ago_ms = silent_ms() ?? agoAtStart(state.last_received_ms);
      const toldAtStart_ms = agoAtStart(state.last_told_ms);
      const isToldEver = told_ms !== null || toldAtStart_ms !== null;
      return {
        ...counts,
        problem,
        silent_ms: silent_ms(),
        last_received_ago_ms,
        untold_ms: isToldEver ? since(told_ms) : silent_ms(),
        last_told_ago_ms: isToldEver ? (since(told_ms) ?? toldAtStart_ms) : last_received_ago_ms,
        last_commit_ms: last?.committed_ms ?? null,
        last_reading_ms: last === null ? state.last_reading_ms : last.last_reading_ms,
        aside: aside.now(),
        clock_trusted: last?.clock_trusted ?? state.clock_trusted,
      };
    },
  };
}
