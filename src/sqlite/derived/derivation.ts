// Derivations: scores, gaps, lamp lives and all other data computed from readings and stored. Each
// cuts time into pieces: slots, days, or all of it as one. A change of data makes its pieces due,
// on disk, in its own transaction; the derivation's job has a reader compute them, and the writer
// save them. A piece stays due until its result is saved, even over a crash, and if it changed
// meanwhile. One with damaged data waits for a change or the next start, and delays no other.

import type { ReceivedCounts } from "../../bwts/idle-plant.ts";
import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import type { OwnCode } from "../../bwts/present/alert.ts";
import { floorTo } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import type { StoredRow } from "../file/row-checksum.ts";
import type { Append } from "../records/audit.ts";

/**
 * The kinds of stored data that derivations use: `events` are those of operations, `alarms` those
 * of the treatment system's alerts, `clock_steps` those of the PLC's clock and the box's,
 * `lamp_words` the engineer's statements.
 */
export type DerivedFrom = "readings" | "events" | "alarms" | "clock_steps" | "lamp_words";

/** Instants at which stored data changed, ascending. */
export interface Change {
  readonly of: DerivedFrom;
  readonly instants: readonly number[];
  /** True if a void hid or showed the data: results derived from it must no longer be answered. */
  readonly isVoid?: boolean;
}

/** The starts of the pieces to compute; `run` is one higher with each call. */
export interface Due {
  readonly name: string;
  readonly run: number;
  readonly starts: readonly number[];
}

/** A request for a computation. */
export interface Ask {
  /** True if no more data is expected for now, so that results that wait for data can be made. */
  readonly isIdle: boolean;
}

/** The result of a computation, on its way to the writer. */
export interface ComputeResult<Found = unknown> {
  /** The result; null if nothing is to be stored. */
  readonly found: Found | null;
  /** The pieces that are done, unless they have changed meanwhile. */
  readonly done: readonly number[];
  /** The pieces whose data is damaged. */
  readonly damaged: readonly number[];
  /** Number of results for the record of the job's run, in the unit `counted`. */
  readonly count: number;
  /** True if the computation continues at the job's next time. */
  readonly isMore: boolean;
  /** The reason for the derivation's alarm; null if there is none. */
  readonly problem: DerivedProblem | null;
}

/** The text of an alarm, and its value if it has one. */
export interface DerivedProblem {
  readonly text: string;
  readonly value: number | null;
}

/** A result for the pieces taken as `run`. */
export type DerivedResult = ComputeResult & Pick<Due, "name" | "run">;

export interface DerivedTable {
  /** The columns of the table's key. */
  readonly key: readonly string[];
  /** The possible keys of a damaged row; without this method they aren't searched. */
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
  /** Interval of the job. */
  readonly every_ms: number;
  /** The tables with checksums. */
  readonly tables: Readonly<Record<string, DerivedTable>>;
  /**
   * The sources. The value is the time after an instant of the source up to which results depend on
   * it too.
   */
  readonly made_of: Readonly<Partial<Record<DerivedFrom, number>>>;
  /** Length of the pieces, counted from midnight; null for all of time as one. */
  readonly piece_ms: number | null;
  /** Time past a piece's start, by the clock or the newest reading, at which it may be computed. */
  readonly open_ms: number;
  /** Version of the rules: when it changes, all pieces become due. */
  readonly rules_version?: number;
  /** Maximum number of pieces per call. */
  readonly pieces_max: number;
  /**
   * Maximum number of pieces computed by a thread that also answers requests; more go to one that
   * doesn't.
   */
  readonly few: number;
  /**
   * Returns a function that decides at each of the job's times whether to compute; without it the
   * job always does.
   */
  openPace?(): (now: ReceivedCounts) => Ask | null;
  /** Removes what a change contradicts, in its transaction. */
  contradict?(db: Connection, range: ClosedRange): void;
  /** Removes the results of data that a void hides or shows, in the void's transaction. */
  hide?(db: Connection, range: ClosedRange): void;
  /** Computes pieces, in a reader's thread. */
  compute(
    db: Connection,
    starts: readonly number[],
    around: DerivationContext,
  ): ComputeResult<Found>;
  /** Stores a result, in a transaction. */
  save(db: Connection, found: Found, since: SaveContext): void;
  /** Words after the count in the record of the job's run. */
  readonly counted: string;
  /** The alarm that a `problem` raises. */
  readonly alarm?: { readonly code: OwnCode; readonly parameter: string };
}

/** The audit log, and the time of an entry. */
export interface SaveLog {
  readonly append: Append;
  readonly now_ms: number;
}

/** The state in which a result is stored. */
export interface SaveContext extends SaveLog {
  /** Time of the oldest data changed since the computation was requested. */
  readonly changed_from_ms: number;
  /** Makes the piece of an instant due again, because stored data contradicts its result. */
  again(at_ms: number): void;
}

export interface DerivationContext extends Ask {
  readonly config: LampConfig;
}

/** The start of the piece that an instant belongs to. */
export function pieceAt({ piece_ms }: Derivation, at_ms: number): number {
  return piece_ms === null ? 0 : floorTo(at_ms, piece_ms);
}
