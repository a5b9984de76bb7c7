// Small writes of jobs and clock watches: results of derivations, alarms, clock steps, job runs.
// Each is a transaction of its own.

import type { Act } from "../../bwts/audit.ts";
import type { ClockStep } from "../../bwts/clock-step.ts";
import type { Event } from "../../bwts/event.ts";
import { printTime } from "../../ground/clock.ts";
import type { Due, Made } from "../derived/derivation.ts";
import type { DueList } from "../derived/due.ts";
import { type Connection, prepare, statementText } from "../file/open.ts";
import { write } from "../file/transaction.ts";
import type { AlarmStore } from "../records/alarms.ts";
import { openAuditLog } from "../records/audit.ts";
import type { ClockTrust } from "../records/clock-trust.ts";
import { type ClockState, type ClockWatch, disownReceipts } from "../records/clock-watch.ts";
import type { RecordStore } from "../records/records.ts";

export interface JobRun {
  readonly job: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly result: string;
}

/** An alarm by its code, and by its object if there can be several. */
export interface AlarmKey {
  readonly code: string;
  readonly about: string;
}

/** The range of disowned receipts, or the reason why none can be disowned. */
export type DisownOutcome =
  | { readonly from: string; readonly to: string }
  | { readonly problem: string };

export interface SmallWrites {
  /** Stores an alarm of ballastd's own and its event, unless it is already active. */
  raiseAlarm(event: Event, about: string, received_ms: number): boolean;
  /** Notes that an alarm cleared; false if it wasn't active. */
  clearAlarm(alarm: AlarmKey, at_ms: number): boolean;
  /**
   * Notes that the links of these publishers aren't lost; null at the start of a run: of nobody.
   * Returns the number that are still lost.
   */
  endLinks(publishers: readonly string[] | null, at_ms: number): number;
  /** Writes the clock steps found since the last call. */
  recordSteps(): readonly ClockStep[];
  clockState(): ClockState;
  /** Disowns receipts dated later than now by a wrong clock; or returns the reason why it can't. */
  disownReceipts(act: Act, reason: string): DisownOutcome;
  /** Takes the oldest due pieces of a derivation, as of `now_ms`. */
  takeDue(name: string, now_ms: number): Due;
  /** Stores what a derivation made of them. */
  saveMade(made: Made): void;
  recordJob(run: JobRun): void;
  /** Empties the write-ahead log, except the part that readers use, and frees empty pages. */
  tidy(): void;
}

interface SmallWriteParts {
  readonly alarms: AlarmStore;
  readonly clock: ClockTrust;
  readonly due: DueList;
  readonly floor: () => void;
  readonly records: RecordStore;
  readonly system_id: string;
  readonly watch: ClockWatch;
}

export function openSmallWrites(db: Connection, parts: SmallWriteParts): SmallWrites {
  const { due, floor } = parts;
  const recordJob = prepare<object, never>(db, "job.record");

  return {
    ...openWatchWrites(db, parts),
    takeDue: due.take,
    saveMade(made) {
      // On a full disk nothing new comes, and what is made again is the same.
      if (made.found !== null) floor();
      write(db, () => due.save(made));
    },
    recordJob(run) {
      floor();
      recordJob.run(run);
    },
    tidy: () => shrinkFiles(db),
  };
}

function shrinkFiles(db: Connection): void {
  db.exec(statementText("state.shrink"));
  prepare<object, unknown>(db, "state.checkpoint").get({});
}

/** The writes for facts found by watching. */
function openWatchWrites(
  db: Connection,
  { alarms, clock, floor, records, system_id, watch }: SmallWriteParts,
): Pick<
  SmallWrites,
  "raiseAlarm" | "clearAlarm" | "endLinks" | "recordSteps" | "clockState" | "disownReceipts"
> {
  const log = openAuditLog(db);
  return {
    raiseAlarm(event, about, received_ms) {
      floor();
      return write(db, () => {
        if (!alarms.raise(event, about)) return false;
        const clock_trusted = clock.trusts(received_ms);
        records.addEvent(event, { received_ms, clock_trusted, system_id });
        return true;
      });
    },
    clearAlarm(alarm, at_ms) {
      floor();
      return write(db, () => alarms.end(alarm, at_ms));
    },
    endLinks(publishers, at_ms) {
      floor();
      return write(db, () => alarms.endLinks(publishers, at_ms));
    },
    recordSteps() {
      watch.look();
      if (!watch.hasNews()) return [];
      floor();
      return write(db, () => watch.record(log));
    },
    clockState: watch.state,
    disownReceipts(act, reason) {
      if (act.at_ms < clock.built_ms)
        return { problem: `set the clock first: ${clock.problem(act.at_ms)}` };
      if (clock.trusts(act.at_ms)) return { problem: "nothing was received later than now" };
      floor();
      const { start_ms, end_ms } = write(db, () => disownReceipts(clock, log, { ...act, reason }));
      return { from: printTime(start_ms), to: printTime(end_ms) };
    },
  };
}
