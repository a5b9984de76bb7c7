// Derivations: scores, gaps, lamp lives and whatever else is made of readings and kept. Each cuts
// time into pieces: slots, days, or all of it as one. A change of data makes its pieces due, on
// disk, in its own transaction; the derivation's job has a reader compute them, and the writer save
// them. A piece stays due until its result is saved, so that no crash or failed job loses it, and
// also if it changed meanwhile. One with damaged data waits until it changes or for the next start,
// and holds up no other.

import type { Seen } from "../../bwts/idle-plant.ts";
import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import type { OwnCode } from "../../bwts/present/alert.ts";
import { floorTo } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import type { StoredRow } from "../file/row-checksum.ts";
import type { Append } from "../records/audit.ts";

/**
 * The kinds of stored data that something is made of: `events` are those of operations, `alarms`
 * those of the treatment system's alerts, `clock_steps` those of the PLC's clock and the box's.
 */
export type DerivedFrom = "readings" | "events" | "alarms" | "clock_steps" | "lamp_words";

/** Instants at which stored data changed, ascending. */
export interface Change {
  readonly of: DerivedFrom;
  readonly instants: readonly number[];
  /** True if a void hid or showed the data: what was made of it must not be answered any more. */
  readonly isVoid?: boolean;
}

/** The pieces to compute, by their starts; `run` rises with each call. */
export interface Due {
  readonly name: string;
  readonly run: number;
  readonly starts: readonly number[];
}

/** A computation, as it is asked for. */
export interface Ask {
  /** True if no more data is expected for now, so that results that wait for more are made. */
  readonly isIdle: boolean;
}

/** The result of a computation, on its way to the writer. */
export interface Computed<Found = unknown> {
  /** Null if nothing is to be stored. */
  readonly found: Found | null;
  /** The pieces that are done, unless they changed meanwhile. */
  readonly done: readonly number[];
  /** The pieces whose data is damaged. */
  readonly damaged: readonly number[];
  /** For the record of the job's run: so many pieces, as `counted` names them. */
  readonly count: number;
  /** True if the computation is to go on at the next time. */
  readonly isMore: boolean;
  /** The reason for the derivation's alarm; null if there is none. */
  readonly problem: DerivedProblem | null;
}

/** The text of an alarm, and its value if it has one. */
export interface DerivedProblem {
  readonly text: string;
  readonly value: number | null;
}

/** As `Computed`, of the pieces that `run` took. */
export type Made = Computed & Pick<Due, "name" | "run">;

export interface DerivedTable {
  /** The columns of its key. */
  readonly key: readonly string[];
  /** The keys that a row may have had; without them they aren't searched. */
  places?(db: Connection): Iterable<RowKey>;
  /** Called before a damaged row is removed; true if its derivation computes it again. */
  isMadeAgain(db: Connection, row: StoredRow): boolean;
  /**
   * True if a damaged row that is computed again stays until its piece's result replaces it:
   * answers report the damage until then, and don't leave it out. Otherwise it is removed first.
   */
  isReplaced?(db: Connection, row: StoredRow): boolean;
}

/** The key of a row. */
export interface RowKey {
  readonly at_ms: number;
  readonly lamp?: number;
}

export interface Derivation<Found = unknown> {
  /** The name of the job, and the key in the table `due`. */
  readonly name: string;
  /** The interval of the job. */
  readonly every_ms: number;
  /** Its tables that have checksums. */
  readonly tables: Readonly<Record<string, DerivedTable>>;
  /** Its sources; the value is the time after an instant of it that it decides about as well. */
  readonly made_of: Readonly<Partial<Record<DerivedFrom, number>>>;
  /** The length of its pieces, from midnight on; null for all of time as one. */
  readonly piece_ms: number | null;
  /** A piece is computed when the clock or the newest reading is this far past its start. */
  readonly open_ms: number;
  /** The version of the rules that it computes by: all pieces are due when it is another one. */
  readonly rules_version?: number;
  /** Most pieces of a call. */
  readonly pieces_max: number;
  /** So many pieces may be computed by a thread that answers; more go to one that doesn't. */
  readonly few: number;
  /** Returns what decides at each of the job's times; without it, it asks each time. */
  openPace?(): (now: Seen) => Ask | null;
  /** Removes what a change contradicts, in its transaction. */
  contradict?(db: Connection, range: ClosedRange): void;
  /** Removes what was made of data that a void hides or shows, in its transaction. */
  hide?(db: Connection, range: ClosedRange): void;
  /** Computes pieces, in a reader's thread. */
  compute(db: Connection, starts: readonly number[], around: Around): Computed<Found>;
  /** Stores a result, in a transaction. */
  save(db: Connection, found: Found, since: SinceAsked): void;
  /** The words after a count in the record of the job's run. */
  readonly counted: string;
  /** The alarm that a `problem` raises. */
  readonly alarm?: { readonly code: OwnCode; readonly parameter: string };
}

/** The audit log, and the time of an entry. */
export interface SaveLog {
  readonly append: Append;
  readonly now_ms: number;
}

/** The state beside which a result is stored. */
export interface SinceAsked extends SaveLog {
  /** The oldest change since the computation was asked for. */
  readonly changed_from_ms: number;
  /** Makes the piece of an instant due again: what is stored contradicts what was made of it. */
  again(at_ms: number): void;
}

export interface Around extends Ask {
  readonly config: LampConfig;
}

/** The start of the piece that an instant belongs to. */
export function pieceAt({ piece_ms }: Derivation, at_ms: number): number {
  return piece_ms === null ? 0 : floorTo(at_ms, piece_ms);
}
