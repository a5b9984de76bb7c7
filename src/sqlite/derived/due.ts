// The due pieces of all derivations, on disk in one table. A derivation's newest piece stays there
// after it was saved, until a later one begins: its data still arrives, and so a commit each second
// needn't write a page for it.

import type { ClockStep } from "../../bwts/clock-step.ts";
import { type Event, isOfAlarm } from "../../bwts/event.ts";
import { DAY_MS } from "../../ground/clock.ts";
import { type Connection, prepare, register } from "../file/open.ts";
import { restartedSteps } from "../file/restarted-steps.ts";
import {
  type Change,
  type Derivation,
  type DerivedResult,
  type Due,
  pieceAt,
  type SaveLog,
} from "./derivation.ts";
import { DERIVATIONS } from "./derivations.ts";
import { piecesOf, repairDerived } from "./derived-repair.ts";

/** The writer's side of the derivations. */
export interface DueList {
  /** Makes pieces due that are derived from changed data, in the change's transaction. */
  changed(change: Change): void;
  /** Makes all pieces of a derivation due, in the caller's transaction. */
  all(of: Derivation): void;
  /** Takes the oldest pieces due at `now_ms`. */
  take(name: string, now_ms: number): Due;
  /** Stores a result, in a transaction. It is dropped if pieces were taken again since. */
  save(made: DerivedResult, log: SaveLog): void;
  /** Does a step of the repair after a start; true if there may be more. */
  repair(): boolean;
}

/** The change that an event causes. */
export function eventChange({ event_type, at_ms }: Pick<Event, "event_type" | "at_ms">): Change {
  return { of: isOfAlarm(event_type) ? "alarms" : "events", instants: [at_ms] };
}

/** The change that a step of a clock causes, at the times before and after it. */
export function stepChange({ at_ms, from_ms, to_ms }: ClockStep): Change {
  const latest_ms = at_ms + DAY_MS;
  const instants = [Math.min(from_ms, to_ms), Math.max(from_ms, to_ms)];
  return { of: "clock_steps", instants: instants.filter((one) => one >= 0 && one <= latest_ms) };
}

export function openDueList(db: Connection): DueList {
  const lists = new Map(DERIVATIONS.map((of) => [of.name, openPieces(db, of)]));
  const listOf = (name: string) => {
    const list = lists.get(name);
    if (list === undefined) throw new Error(`${name}: no derivation has this name`);
    return list;
  };
  const repair = restartedSteps(() =>
    repairDerived(db, (name, start_ms) => listOf(name).mark(start_ms)),
  );
  return {
    changed(change) {
      if (change.instants.length > 0) for (const list of lists.values()) list.changed(change);
    },
    all(of) {
      const { mark } = listOf(of.name);
      for (const pieces of piecesOf(db, of)) for (const start_ms of pieces) mark(start_ms);
    },
    take: (name, now_ms) => listOf(name).take(now_ms),
    save: (made, log) => listOf(made.name).save(made, log),
    repair,
  };
}

function openPieces(db: Connection, derivation: Derivation) {
  const { name, made_of, pieces_max, open_ms } = derivation;
  const rows = openRows(db, name);
  /** Pieces on disk that needn't be computed: damaged ones, and the newest once it was saved. */
  const resting = new Set<number>();
  let saved_ms: number | null = null;
  /** Pieces that are being computed, and haven't changed since. */
  const taken = new Set<number>();
  let run = 0;
  let changed_from_ms = Number.POSITIVE_INFINITY;
  // After a rollback too many pieces may be due, never too few.
  const forget = () => {
    resting.clear();
    saved_ms = null;
  };
  register(db, { keep() {}, forget });

  const mark = (start_ms: number) => {
    taken.delete(start_ms);
    resting.delete(start_ms);
    if (saved_ms === start_ms) saved_ms = null;
    const isNew = rows.add(start_ms);
    if (!isNew || saved_ms === null || saved_ms > start_ms) return;
    rows.remove(saved_ms);
    resting.delete(saved_ms);
    saved_ms = null;
  };
  return {
    mark,
    changed(change: Change) {
      const reach_ms = made_of[change.of];
      if (reach_ms === undefined) return;
      const { instants } = change;
      const range = { start_ms: instants[0], end_ms: instants[instants.length - 1] };
      changed_from_ms = Math.min(changed_from_ms, range.start_ms);
      derivation.contradict?.(db, range);
      if (change.isVoid) derivation.hide?.(db, range);
      const own = new Set(instants.map((at_ms) => pieceAt(derivation, at_ms)));
      for (const start_ms of own) mark(start_ms);
      const reached = new Set(instants.map((at_ms) => pieceAt(derivation, at_ms + reach_ms)));
      const newest_ms = rows.newest() ?? -1;
      for (const start_ms of reached)
        if (!own.has(start_ms) && start_ms <= newest_ms) mark(start_ms);
    },
    take(now_ms: number): Due {
      run += 1;
      taken.clear();
      changed_from_ms = Number.POSITIVE_INFINITY;
      for (const { start_ms } of rows.upTo(now_ms - open_ms)) {
        if (!resting.has(start_ms)) taken.add(start_ms);
        if (taken.size === pieces_max) break;
      }
      return { name, run, starts: [...taken] };
    },
    save({ run: of, found, done, damaged }: DerivedResult, log: SaveLog) {
      if (of !== run) return;
      const again = (at_ms: number) => mark(pieceAt(derivation, at_ms));
      if (found !== null) derivation.save(db, found, { changed_from_ms, again, ...log });
      const isSame = (start_ms: number) => taken.has(start_ms);
      const newest_ms = rows.newest();
      for (const start_ms of done.filter(isSame))
        if (start_ms !== newest_ms) rows.remove(start_ms);
        else {
          resting.add(start_ms);
          saved_ms = start_ms;
        }
      for (const start_ms of damaged.filter(isSame)) resting.add(start_ms);
    },
  };
}

/** A derivation's rows in the table. */
function openRows(db: Connection, name: string) {
  const add = prepare(db, "due.add");
  const remove = prepare(db, "due.remove");
  const upTo = prepare(db, "due.up_to");
  const newest = prepare(db, "due.newest");
  return {
    /** Adds a piece; false, and nothing is written, if it is there already. */
    add: (start_ms: number) => add.run({ name, start_ms }).changes > 0,
    remove(start_ms: number) {
      remove.run({ name, start_ms });
    },
    upTo: (now_ms: number) => upTo.iterate({ name, now_ms }),
    newest: () => newest.get({ name })?.start_ms ?? null,
  };
}
