// What jobs and watches write beside readings: scores, gaps, alarms, steps of clocks, their own
// runs. Each is a small transaction of its own.

import type { Act } from "../bwts/audit.ts";
import type { ClockStep } from "../bwts/clock-step.ts";
import type { Event } from "../bwts/event.ts";
import { SLOT_MS } from "../bwts/health.ts";
import { DAY_MS, printTime } from "../clock.ts";
import type { AlarmStore } from "./alarms.ts";
import { openAuditLog } from "./audit.ts";
import type { ClockTrust } from "./clock-trust.ts";
import { type ClockState, type ClockWatch, disownReceipts } from "./clock-watch.ts";
import type { DueDay, GapDue } from "./gap-due.ts";
import type { FoundGaps } from "./gaps.ts";
import { type ScoredHealth, saveHealthOf } from "./health-days.ts";
import type { DueSlot, HealthDue } from "./health-due.ts";
import type { LampRun, LampStore } from "./lamp-states.ts";
import { type Connection, prepare, statementText } from "./open.ts";
import type { RecordStore } from "./records.ts";
import type { ScoredSlot } from "./scoring.ts";
import { write } from "./transaction.ts";

export interface JobRun {
  readonly job: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly result: string;
}

/** An alarm by its code, and what it is about where there can be several. */
export interface AlarmKey {
  readonly code: string;
  readonly about: string;
}

/** The times of receipt that were disowned, or why none can be. */
export type DisownOutcome =
  | { readonly from: string; readonly to: string }
  | { readonly problem: string };

export interface SmallWrites {
  /** Stores an alarm of ballastd's own and its event, unless it is active already. */
  raiseAlarm(event: Event, about: string, received_ms: number): boolean;
  /** Notes that an alarm is over; false when it wasn't active. */
  clearAlarm(alarm: AlarmKey, at_ms: number): boolean;
  /**
   * Notes that the links to these publishers aren't lost; null: a run begins, nobody's is. Answers
   * how many are still lost.
   */
  endLinks(publishers: readonly string[] | null, at_ms: number): number;
  /** Writes down the steps of clocks found since the last time. */
  recordSteps(): readonly ClockStep[];
  clockState(): ClockState;
  /** Disowns what was received later than now, by a clock that was wrong; or why it can't. */
  disownReceipts(act: Act, reason: string): DisownOutcome;
  /** The oldest slots to be scored that ended by `closed_ms`. */
  dueSlots(closed_ms: number): readonly DueSlot[];
  saveHealth(slots: readonly ScoredSlot[]): void;
  /** Begins a run over the lamps: what contradicts it from now on is noted under this number. */
  beginLamps(): number;
  saveLamps(run: LampRun): void;
  /** The oldest days to be looked through for gaps. */
  dueDays(): readonly DueDay[];
  saveGaps(days: readonly FoundGaps[]): void;
  recordJob(run: JobRun): void;
  /** Empties the write-ahead log as far as nobody reads it, and gives empty pages back. */
  tidy(): void;
}

const isScored = (slot: ScoredSlot): slot is DueSlot & ScoredHealth => slot.record !== "damaged";

const slotsOf = (day_ms: number) =>
  Array.from({ length: DAY_MS / SLOT_MS }, (_, slot) => ({ at_ms: day_ms + slot * SLOT_MS }));

/** Slots scored in one go; a ship's 24 months of slots are caught up with in many. */
export const SCORED_MAX = 200;
/** Days looked through in one go, likewise. */
export const DAYS_MAX = 20;

interface SmallWriteParts {
  readonly alarms: AlarmStore;
  readonly clock: ClockTrust;
  readonly due: HealthDue;
  readonly floor: () => void;
  readonly gaps: GapDue;
  readonly lamps: LampStore;
  readonly records: RecordStore;
  readonly system_id: string;
  readonly watch: ClockWatch;
}

export function openSmallWrites(db: Connection, parts: SmallWriteParts): SmallWrites {
  const { due, floor, gaps, lamps } = parts;
  const recordJob = prepare<object, never>(db, "job.record");

  return {
    ...openWatchWrites(db, parts),
    dueSlots: (closed_ms) => due.closed(closed_ms, SCORED_MAX),
    saveHealth(slots) {
      const scored = slots.filter(isScored);
      floor();
      write(db, () => {
        const lost = saveHealthOf(db, scored);
        for (const slot of scored) due.settle(slot);
        const isScoredNow = new Set(scored.map(({ start_ms }) => start_ms));
        const again = lost.flatMap(slotsOf).filter(({ at_ms }) => !isScoredNow.has(at_ms));
        due.mark(again);
      });
      for (const slot of slots) if (!isScored(slot)) due.setAside(slot);
    },
    beginLamps: lamps.revision,
    saveLamps(run) {
      floor();
      write(db, () => lamps.save(run));
    },
    dueDays: () => gaps.waiting(DAYS_MAX),
    saveGaps(days) {
      const isKept = days.some((day) => day.isChanged || gaps.isOver(day));
      if (isKept) floor();
      write(db, () => {
        for (const day of days) {
          if (day.isChanged) {
            prepare(db, "gap.remove").run(day.ended);
            for (const gap of day.gaps) prepare(db, "gap.put").run(gap);
          }
          gaps.settle(day);
        }
      });
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

/** What is found by watching rather than by being told. */
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
