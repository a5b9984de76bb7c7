// The parts of a session ashore that its modules share: what it has, what it sends, and where that
// comes from. Types alone, so that these modules needn't know each other.

import type { Config } from "../config/config.ts";
import type { Log } from "../ground/log.ts";
import type { LedgerNumbers } from "../sqlite/exchange/shore-ledger.ts";
import type { Heads } from "../sqlite/exchange/shore-links.ts";
import type { ReaderThreads } from "../sqlite/threads/readers.ts";
import type { Writer } from "../sqlite/threads/writer.ts";
import type { Budget } from "./budget.ts";
import type { Box } from "./connection.ts";
import type { Hello } from "./hello.ts";
import type { ShipObjects, Upload } from "./objects.ts";
import type { Parted, ShoreState } from "./state.ts";
import type { ShoreStatement } from "./statement.ts";

export interface SessionParts {
  readonly readers: Pick<ReaderThreads, "call">;
  readonly writer: Pick<Writer, "call">;
  readonly box: Box;
  readonly settings: () => Config["shore"];
  readonly state: ShoreState;
  readonly budget: Budget;
  /** The store to which payloads go; null: to the database. */
  readonly objects: ShipObjects | null;
  /** The box's clock, which may be wrong. */
  readonly now_ms: () => number;
  readonly isClockTrusted: () => boolean;
  /** Segments whose payloads the shore refused: their links go without. */
  readonly spoilt: Set<number>;
  /** Minimum time without data after which the link counts as dead. */
  readonly silence_ms?: number;
  readonly log: Log;
  /** Called when the shore turns out to have links that this box hasn't. */
  readonly onParted: (parted: Parted) => void;
}

/** Something to send, and what its answer means. */
export interface Item {
  readonly statement: ShoreStatement;
  /** In words for people, such as "segment 12". */
  readonly what: string;
  readonly chain: "segment" | "event" | "audit" | null;
  readonly number: number;
  /** An object that the store must have before the statement is sent. */
  readonly upload?: Upload;
  onAcknowledged(): void;
  /** The store hasn't taken the object. */
  onAway?(): void;
}

export interface ShoreSource {
  /** In words for people. */
  readonly what: string;
  /** The next item; null if there is nothing now. */
  next(): Promise<Item | null>;
  /** True if it goes although the day's budget is used up, and ahead of the rate. */
  readonly isUrgent: boolean;
  /** True if only a new hello shows what is left. */
  wantsHello?(): boolean;
}

/** Numbers of all that is stored aboard, as of the last look. */
export interface Aboard {
  readonly heads: Heads;
  readonly hours: number;
  readonly ledger: LedgerNumbers;
  /** Rises whenever something was stored. */
  readonly look: number;
}

export interface SourceParts extends SessionParts {
  readonly hello: Hello;
  readonly aboard: () => Aboard;
  /** Chains that wait for a new hello. */
  readonly blocked: ReadonlySet<string>;
}
