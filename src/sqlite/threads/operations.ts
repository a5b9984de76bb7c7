// The writes apart from messages: people's actions, results of jobs and watches. Each has a
// transaction of its own, an action together with its entry in the audit log: neither can be on
// disk without the other. `floor` is called before each and throws if nothing may be written.

import type { Act, AuditEntry } from "../../bwts/audit.ts";
import type { ClockStep } from "../../bwts/clock-step.ts";
import type { Event } from "../../bwts/event.ts";
import { type LampWord, wordAnswer } from "../../bwts/lamps/word.ts";
import { printTime } from "../../ground/clock.ts";
import type { Declined } from "../../ground/errors.ts";
import type { DerivedResult } from "../derived/derivation.ts";
import { type DueList, stepChange } from "../derived/due.ts";
import { addLampWord, lampWords } from "../derived/lamp-rows.ts";
import { OPERATIONS } from "../derived/operations.ts";
import { type Connection, prepare, statementText, write } from "../file/open.ts";
import type { AlarmKey, AlarmStore } from "../records/alarms.ts";
import { type Append, openAuditLog } from "../records/audit.ts";
import type { ClockTrust } from "../records/clock-trust.ts";
import { type ClockWatch, disownReceipts } from "../records/clock-watch.ts";
import { takeLampSpare } from "../records/lamp-spares.ts";
import { LIMITS } from "../records/limits-in-force.ts";
import type { RecordStore } from "../records/records.ts";
import { beginRun, type RunStart } from "../records/runs.ts";

export interface JobRun {
  readonly job: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly result: string;
}

/** The range of disowned receipts, or the reason why none can be disowned. */
export type DisownOutcome =
  | { readonly from: string; readonly to: string }
  | { readonly problem: string };

interface OperationParts {
  readonly alarms: AlarmStore;
  readonly clock: ClockTrust;
  readonly due: DueList;
  readonly floor: () => void;
  readonly records: RecordStore;
  readonly system_id: string;
  readonly watch: ClockWatch;
}

export type Operations = ReturnType<typeof openOperations>;

export function openOperations(db: Connection, parts: OperationParts) {
  const { clock, due, floor } = parts;
  const log = openAuditLog(db);
  const append: Append = (entry) => log.add(entry, { clock_trusted: clock.trusts(entry.at_ms) });
  /** Runs a transaction that can append entries to the audit log. */
  const audited = <Result>(transaction: (append: Append) => Result): Result => {
    floor();
    return write(db, () => transaction(append));
  };

  return {
    ...openWatching(db, parts),
    audited,
    /** Throws if nothing may be written. */
    requireSpace: floor,
    /**
     * Appends entries, all or none. Trust is that of now: readings may have arrived since the
     * actions.
     */
    audit: (entries: readonly AuditEntry[], now_ms: number): void =>
      audited(() => {
        const clock_trusted = clock.trusts(now_ms);
        for (const entry of entries) log.add(entry, { clock_trusted });
      }),
    /**
     * Writes the entries for the start of a run. Changed limits may count for earlier times too
     * (limits-in-force.ts), so all operations are judged again.
     */
    beginRun: (
      run: RunStart,
      { now_ms, isLogMissing }: { readonly now_ms: number; readonly isLogMissing: boolean },
    ): void =>
      audited(() => {
        const clock_trusted = clock.trusts(now_ms);
        const changed = beginRun(db, log, { ...run, isLogMissing, clock_trusted });
        if (changed.some((key) => key.startsWith(LIMITS))) due.all(OPERATIONS);
      }),
    /**
     * Stores the engineer's statement about a lamp, which forecasts then follow, and subtracts the
     * spare that was fitted. Returns null, or the refusal.
     */
    saveLampWord: (word: LampWord, act: Act): Declined | null =>
      audited(() => {
        const problem = addLampWord(db, due.changed, { word, now_ms: act.at_ms });
        if (problem !== null) return problem;
        append({ ...act, kind: "lamp_replacement", detail: wordAnswer(word) });
        takeLampSpare(db, append, { words: lampWords(db), lamp: word.position + 1, act });
        return null;
      }),
    /** Takes the oldest due pieces of a derivation, at a given time. */
    takeDue: due.take,
    /** Stores a derivation's result. */
    saveMade(made: DerivedResult, now_ms: number): void {
      // Only results need space. On a full disk no new data arrives, and recomputed results are the
      // same.
      if (made.found !== null) floor();
      write(db, () => due.save(made, { append, now_ms }));
    },
    recordJob(run: JobRun): void {
      floor();
      prepare(db, "job.record").run({ ...run });
    },
    /** Empties the write-ahead log, except the part that readers use, and frees empty pages. */
    tidy(): void {
      db.exec(statementText("state.shrink"));
      prepare(db, "state.checkpoint").get({});
    },
  };
}

/** The writes for findings of watches: alarms, links, clock steps. */
function openWatching(
  db: Connection,
  { alarms, clock, due, floor, records, system_id, watch }: OperationParts,
) {
  const log = openAuditLog(db);
  return {
    /** Stores an alarm of ballastd's own and its event, unless it is already active. */
    raiseAlarm(event: Event, about: string, received_ms: number): boolean {
      floor();
      return write(db, () => {
        if (!alarms.raise(event, about)) return false;
        const clock_trusted = clock.trusts(received_ms);
        records.addEvent(event, { received_ms, clock_trusted, system_id });
        return true;
      });
    },
    /** Clears an alarm; false if it wasn't active. */
    clearAlarm(alarm: AlarmKey, at_ms: number): boolean {
      floor();
      return write(db, () => alarms.end(alarm, at_ms));
    },
    /** Clears every alarm of a code; returns how many were active. */
    clearAlarms(code: string, at_ms: number): number {
      floor();
      return write(db, () => alarms.endAll(code, at_ms));
    },
    /**
     * Clears the lost links of these publishers; null at the start of a run: of all. Returns the
     * number that are still lost.
     */
    endLinks(publishers: readonly string[] | null, at_ms: number): number {
      floor();
      return write(db, () => alarms.endLinks(publishers, at_ms));
    },
    /** Writes the clock steps found since the last call. */
    recordSteps(): readonly ClockStep[] {
      watch.look();
      if (!watch.hasNews()) return [];
      floor();
      return write(db, () => {
        const steps = watch.record(log);
        for (const step of steps) due.changed(stepChange(step));
        alarms.judgeAgain(clock.newest_ms());
        return steps;
      });
    },
    clockState: watch.state,
    /**
     * Disowns receipts that a wrong clock dated later than now; or returns the reason why it can't.
     */
    disownReceipts(act: Act, reason: string): DisownOutcome {
      if (act.at_ms < clock.built_ms)
        return { problem: `set the clock first: ${clock.problem(act.at_ms)}` };
      if (clock.trusts(act.at_ms)) return { problem: "nothing was received later than now" };
      floor();
      const { start_ms, end_ms } = write(db, () => disownReceipts(clock, log, { ...act, reason }));
      return { from: printTime(start_ms), to: printTime(end_ms) };
    },
  };
}
