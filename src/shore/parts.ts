// The parts of a session with the office that its modules share: its state, its statements, and
// their sources. Only types, so that these modules needn't import each other.

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
import type { PartedChain, ShoreState } from "./state.ts";
import type { ShoreStatement } from "./statement.ts";

export interface SessionParts {
  readonly readers: Pick<ReaderThreads, "call">;
  readonly writer: Pick<Writer, "call">;
  readonly box: Box;
  readonly settings: () => Config["shore"];
  readonly state: ShoreState;
  readonly budget: Budget;
  /** The store for payloads; null if they go to the database. */
  readonly objects: ShipObjects | null;
  /** The box's clock, which may be wrong. */
  readonly now_ms: () => number;
  readonly isClockTrusted: () => boolean;
  /** Numbers of segments whose payloads the office refused; their links are sent without. */
  readonly spoilt: Set<number>;
  /** Minimum time without data after which the link counts as dead. */
  readonly silence_ms?: number;
  readonly log: Log;
  /** Called when the office has links that this box doesn't have. */
  readonly onParted: (parted: PartedChain) => void;
}

/** A statement to send, and the reactions to its answer. */
export interface Item {
  readonly statement: ShoreStatement;
  /** Name for people, such as "segment 12". */
  readonly what: string;
  readonly chain: "segment" | "event" | "audit" | null;
  readonly number: number;
  /** An object that the store must have before the statement is sent. */
  readonly upload?: Upload;
  onAcknowledged(): void;
  /** Called if the store hasn't taken the object. */
  onAway?(): void;
}

export interface ShoreSource {
  /** Name for people. */
  readonly what: string;
  /** The next item; null if there is none now. */
  next(): Promise<Item | null>;
  /** True if its items are sent even if the day's budget is used up, and ahead of the rate. */
  readonly isUrgent: boolean;
  /** True if only a new hello can show what is left to send. */
  wantsHello?(): boolean;
}

/** Numbers of the data aboard, as of the last look. */
export interface Aboard {
  readonly heads: Heads;
  readonly hours: number;
  readonly ledger: LedgerNumbers;
  /** Rises with each look at the database. */
  readonly look: number;
}

export interface SourceParts extends SessionParts {
  readonly hello: Hello;
  readonly aboard: () => Aboard;
  /** Chains that wait for a new hello. */
  readonly blocked: ReadonlySet<string>;
}
