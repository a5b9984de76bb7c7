// Voids made and undone: in one transaction with the sums and scores that change by it, and with
// its entry in the audit log.

import type { Act } from "../bwts/audit.ts";
import { SLOT_MS } from "../bwts/health.ts";
import { DAY_MS, floorTo, printTime } from "../clock.ts";
import { openAuditLog } from "./audit.ts";
import type { ClockTrust } from "./clock-trust.ts";
import { countedPieces, countOf } from "./counts.ts";
import type { GapDue } from "./gap-due.ts";
import { saveHealthOf } from "./health-days.ts";
import type { HealthDue } from "./health-due.ts";
import { type Connection, prepare } from "./open.ts";
import type { ClosedRange } from "./query.ts";
import { countEvents } from "./record-answers.ts";
import { sumAgain } from "./sums.ts";
import { forgetThinnedIn } from "./thinning.ts";
import { newestStored, rawFrom, timeline } from "./timeline.ts";
import { type StoredVoid, UNDO_VOID, VOIDS_MAX, type Voidable } from "./voids.ts";

/** What is to be hidden, and why. */
export interface NewVoid extends ClosedRange {
  /** Readings where it isn't said. */
  readonly what?: Voidable;
  readonly reason: string;
}

/** What came of it: how many were hidden, or shown again, by it; or why it can't be. */
export type VoidOutcome =
  | { readonly id: number; readonly readings: number }
  | { readonly id: number; readonly events: number }
  | { readonly problem: string };

export interface VoidWrites {
  addVoid(given: NewVoid, act: Act): VoidOutcome;
  undoVoid(id: number, act: Act): VoidOutcome;
}

/** Its hours are made again while no message is acknowledged: a second of work at most. */
const VOID_DAYS_MAX = 31;

const ADD_VOID = { readings: "void.add_readings", events: "void.add_events" } as const;

interface VoidParts {
  readonly clock: ClockTrust;
  readonly due: HealthDue;
  readonly gaps: GapDue;
}

/** Both calls belong into the caller's transaction. */
export function openVoidWrites(db: Connection, { clock, due, gaps }: VoidParts): VoidWrites {
  const log = openAuditLog(db);
  const voidAt = prepare<{ id: number }, StoredVoid>(db, "void.at");
  const active = prepare<object, ClosedRange>(db, "void.active");

  const changeReadings = (range: ClosedRange, apply: () => void): number => {
    const before = countOf(countedPieces(db, range));
    apply();
    sumAgain(db, range);
    forgetThinnedIn(db, range);
    scoreAgain(db, due, range);
    gaps.mark(daysOf(range));
    return Math.abs(countOf(countedPieces(db, range)) - before);
  };
  const changeEvents = (range: ClosedRange, apply: () => void): number => {
    apply();
    gaps.markEvents(prepare<ClosedRange, { at_ms: number }>(db, "event.process_times").all(range));
    return countEvents(db, range);
  };
  const change = ({ what, ...range }: ClosedRange & { what: Voidable }, apply: () => void) => {
    return what === "readings"
      ? { readings: changeReadings(range, apply) }
      : { events: changeEvents(range, apply) };
  };
  const append = (act: Act, detail: Readonly<Record<string, unknown>>) =>
    log.add({ ...act, kind: "void", detail }, { clock_trusted: clock.trusts(act.at_ms) });

  return {
    addVoid({ what = "readings", reason, ...given }, act) {
      // What comes after now must not be hidden unseen.
      const latest_ms = Math.max(act.at_ms, newestOf(db, what) ?? 0);
      const range = { start_ms: given.start_ms, end_ms: Math.min(given.end_ms, latest_ms) };
      const problem = problemWith(db, range, what);
      if (problem !== null) return { problem };
      const count = what === "readings" ? active.all({}).length : eventVoids(db);
      if (count >= VOIDS_MAX)
        return { problem: `there are ${VOIDS_MAX} voids of ${what}, expected fewer: undo some` };
      const { id } = prepare<object, { id: number }>(db, "void.next_id").get({}) ?? { id: 1 };
      const row = { id, ...range, reason, made_ms: act.at_ms };
      const hidden = change({ ...range, what }, () => {
        prepare(db, ADD_VOID[what]).run(row);
      });
      append(act, { id, ...printed(range), what, reason, ...hidden });
      return { id, ...hidden };
    },
    undoVoid(id, act) {
      const stored = voidAt.get({ id });
      if (stored === undefined) return { problem: "there is none of that number, see void list" };
      if (stored.undone_ms !== null) return { problem: "it was undone already" };
      const { start_ms, end_ms, what } = stored;
      const range = { start_ms, end_ms };
      const expired = what === "readings" ? expiredProblem(db, stored) : null;
      if (expired !== null) return { problem: expired };
      const shown = change({ ...range, what }, () => {
        prepare(db, UNDO_VOID[what]).run({ id, undone_ms: act.at_ms });
      });
      append(act, { id, ...printed(stored), what, undone: true, ...shown });
      return { id, ...shown };
    },
  };
}

function eventVoids(db: Connection): number {
  return prepare<object, { count: number }>(db, "void.count_of_events").get({})?.count ?? 0;
}

function newestOf(db: Connection, what: Voidable): number | null {
  if (what === "readings") return newestStored(db);
  return prepare<object, { at_ms: number | null }>(db, "event.last").get({})?.at_ms ?? null;
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
  return expiredProblem(db, range);
}

function expiredProblem(db: Connection, { start_ms }: ClosedRange): string | null {
  const from_ms = rawFrom(db);
  if (start_ms >= from_ms) return null;
  return (
    `raw readings before ${printTime(from_ms)} have expired, ` +
    "and what they came to can't be made again"
  );
}

/** Scores that were made with readings of the range go; the slots' visible readings wait. */
function scoreAgain(db: Connection, due: HealthDue, range: ClosedRange): void {
  const start_ms = floorTo(range.start_ms, SLOT_MS);
  const end_ms = floorTo(range.end_ms, SLOT_MS) + SLOT_MS - 1;
  const all = Array.from({ length: (end_ms + 1 - start_ms) / SLOT_MS }, (_, index) => ({
    start_ms: start_ms + index * SLOT_MS,
    record: null,
  }));
  saveHealthOf(db, all);
  const slots = new Set<number>();
  for (const { block, from, to } of timeline(db, { start_ms, end_ms }))
    for (let index = from; index < to; index += 1) slots.add(floorTo(block.at_ms(index), SLOT_MS));
  due.mark([...slots].map((at_ms) => ({ at_ms })));
}

function daysOf({ start_ms, end_ms }: ClosedRange): readonly { readonly at_ms: number }[] {
  const first_ms = floorTo(start_ms, DAY_MS);
  const length = Math.floor((end_ms - first_ms) / DAY_MS) + 1;
  return Array.from({ length }, (_, index) => ({ at_ms: first_ms + index * DAY_MS }));
}

function printed({ start_ms, end_ms }: ClosedRange) {
  return { from: printTime(start_ms), to: printTime(end_ms) };
}
