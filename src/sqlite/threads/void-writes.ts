// Begins voids, each in one transaction with its first piece and its entry in the audit log. A void
// of events is then complete; one of readings continues by pieces (void-pieces.ts).

import type { Act } from "../../bwts/audit.ts";
import { DAY_MS, printTime } from "../../ground/clock.ts";
import type { DueList } from "../derived/due.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { openAuditLog } from "../records/audit.ts";
import type { ClockTrust } from "../records/clock-trust.ts";
import { countEvents } from "../records/records.ts";
import { countedPieces, countOf } from "../sealed/counts.ts";
import { newestStored, rawFrom } from "../sealed/timeline.ts";
import { type StoredVoid, UNDO_VOID, VOIDS_MAX, type Voidable } from "../sealed/voids.ts";
import { moveOn, putUnderWay, type VoidStep, voidUnderWay } from "./void-pieces.ts";

/** The span to hide, and the reason. */
export interface NewVoid extends ClosedRange {
  /** The kind of data to hide; readings by default. */
  readonly what?: Voidable;
  readonly reason: string;
}

/**
 * The outcome: the numbers hidden or shown again, or the reason to refuse. `cut_to` is the
 * effective end, if the requested one was in the future: later readings stay visible.
 */
export type VoidOutcome =
  | { readonly id: number; readonly readings: number; readonly cut_to?: string }
  | { readonly id: number; readonly events: number; readonly cut_to?: string }
  | { readonly problem: string };

/** The result of a void's first step. */
export interface BegunVoid {
  readonly outcome: VoidOutcome;
  readonly isDone: boolean;
  /** True if further steps add to the outcome's counts. */
  readonly isCounting: boolean;
}

/** The writes of voids. All methods run in the caller's transaction, until `isLate`. */
export interface VoidWrites {
  addVoid(given: NewVoid, act: Act, isLate: () => boolean): BegunVoid;
  undoVoid(id: number, act: Act, isLate: () => boolean): BegunVoid;
  /** Advances the void in progress. */
  moveOn(isLate: () => boolean): VoidStep;
  isUnderWay(): boolean;
}

/** Maximum length of a void of readings, in days, which limits its work. */
const VOID_DAYS_MAX = 31;

const ADD_VOID = { readings: "void.add_readings", events: "void.add_events" } as const;

interface VoidParts {
  readonly clock: ClockTrust;
  readonly due: DueList;
}

export function openVoidWrites(db: Connection, { clock, due }: VoidParts): VoidWrites {
  const log = openAuditLog(db);
  const voidAt = prepare<"void.at", StoredVoid>(db, "void.at");
  const active = prepare<"void.active", ClosedRange>(db, "void.active");

  const markEvents = (range: ClosedRange) => {
    due.changed({ of: "events", instants: timesOf(db, "event.process_times", range) });
    due.changed({ of: "alarms", instants: timesOf(db, "event.alarm_times", range) });
  };
  const append = (act: Act, detail: Readonly<Record<string, unknown>>) =>
    log.add({ ...act, kind: "void", detail }, { clock_trusted: clock.trusts(act.at_ms) });

  return {
    addVoid({ what = "readings", reason, ...given }, act, isLate) {
      // Never beyond the newest data: data to come must not be hidden unseen.
      const latest_ms = Math.max(act.at_ms, newestOf(db, what) ?? 0);
      const range = { start_ms: given.start_ms, end_ms: Math.min(given.end_ms, latest_ms) };
      const problem = problemWith(db, range, what);
      if (problem !== null) return refused(problem);
      const count = what === "readings" ? active.all({}).length : eventVoids(db);
      if (count >= VOIDS_MAX)
        return refused(`there are ${VOIDS_MAX} voids of ${what}, expected fewer: undo some`);
      const { id } = prepare(db, "void.next_id").get({}) ?? { id: 1 };
      const row = { id, ...range, reason, made_ms: act.at_ms };
      const told = { id, ...printed(range), what, reason };
      const cut = range.end_ms < given.end_ms ? { cut_to: printTime(range.end_ms) } : {};
      if (what === "events") {
        prepare(db, ADD_VOID.events).run(row);
        markEvents(range);
        const events = countEvents(db, range);
        append(act, { ...told, events });
        return { outcome: { id, events, ...cut }, isDone: true, isCounting: false };
      }
      const readings = countOf(countedPieces(db, range));
      prepare(db, ADD_VOID.readings).run(row);
      putUnderWay(db, id, range.start_ms - 1);
      append(act, { ...told, readings });
      const { isDone } = moveOn(db, due, isLate);
      return { outcome: { id, readings, ...cut }, isDone, isCounting: false };
    },
    undoVoid(id, act, isLate) {
      const stored = voidAt.get({ id });
      if (stored === undefined) return refused("there is none of that number, see void list");
      if (stored.undone_ms !== null) return refused("it was undone already");
      const { start_ms, end_ms, what } = stored;
      const range = { start_ms, end_ms };
      // The hours of its expired part stay unchanged; the rest is shown again.
      const expired = what === "readings" ? expiredProblem(db, end_ms) : null;
      if (expired !== null) return refused(expired);
      prepare(db, UNDO_VOID[what]).run({ id, undone_ms: act.at_ms });
      const told = { id, ...printed(stored), what, undone: true };
      if (what === "events") {
        markEvents(range);
        const events = countEvents(db, range);
        append(act, { ...told, events });
        return { outcome: { id, events }, isDone: true, isCounting: false };
      }
      putUnderWay(db, id, end_ms);
      const { readings, isDone } = moveOn(db, due, isLate);
      // The number that a long void shows again is only known at its end.
      append(act, isDone ? { ...told, readings } : told);
      return { outcome: { id, readings }, isDone, isCounting: true };
    },
    moveOn: (isLate) => moveOn(db, due, isLate),
    isUnderWay: () => voidUnderWay(db) !== null,
  };
}

const refused = (problem: string): BegunVoid => ({
  ...{ outcome: { problem }, isDone: true, isCounting: false },
});

function eventVoids(db: Connection): number {
  return prepare(db, "void.count_of_events").get({})?.count ?? 0;
}

type TimesOf = "event.process_times" | "event.alarm_times";

function timesOf(db: Connection, name: TimesOf, range: ClosedRange): readonly number[] {
  const times = prepare(db, name).all(range);
  return times.map(({ at_ms }) => at_ms);
}

function newestOf(db: Connection, what: Voidable): number | null {
  if (what === "readings") return newestStored(db);
  return prepare(db, "event.last").get({})?.at_ms ?? null;
}

function problemWith(db: Connection, range: ClosedRange, what: Voidable): string | null {
  if (range.start_ms > range.end_ms)
    return (
      `${printTime(range.start_ms)} is after every ${what === "readings" ? "reading" : "event"}: ` +
      "expected a time up to now"
    );
  if (what === "events") return null;
  if (range.end_ms - range.start_ms >= VOID_DAYS_MAX * DAY_MS)
    return `a void spans ${VOID_DAYS_MAX} days at most: make several`;
  return expiredProblem(db, range.start_ms);
}

function expiredProblem(db: Connection, at_ms: number): string | null {
  const from_ms = rawFrom(db);
  if (at_ms >= from_ms) return null;
  return (
    `raw readings before ${printTime(from_ms)} have expired, ` +
    "and what they came to can't be made again"
  );
}

function printed({ start_ms, end_ms }: ClosedRange) {
  return { from: printTime(start_ms), to: printTime(end_ms) };
}
