// Calls between the main thread and the workers. Each worker has a table of functions by name, and
// the types on the callers' side follow from it: a new call is one row in the table and a caller.
// Plain data crosses; payloads go to the writer, finished JSON comes back, SQL text never crosses.

import type { LampLimits } from "../../bwts/lamps/outcome.ts";
import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { DamagedError } from "../../codec/bytes.ts";
import type { MapConfig } from "../../config/map.ts";
import { codeOf, Declined, EXIT, exitCodeOf, Failure, messageOf } from "../../ground/errors.ts";
import type { RefusalReason } from "../../ground/reasons.ts";
import type { Backup, BackupOrder } from "../care/backup.ts";
import { DAMAGED } from "../file/damage.ts";
import type { StoreOptions } from "./store.ts";

/** The arguments of a table's function, without the worker's own parts. */
export type CallArguments<Call> = Call extends (parts: never, ...given: infer Rest) => unknown
  ? Rest
  : never;

/** The result of a table's function; for a generator, the return value of its last step. */
export type Result<Call> = Call extends (parts: never, ...given: never) => infer Returned
  ? Returned extends Generator<void, infer Done>
    ? Done
    : Returned
  : never;

/** A call as its caller sends it. */
export interface SentCall<Table> {
  readonly name: keyof Table;
  readonly given: CallArguments<Table[keyof Table]>;
}

/** A call as its worker gets it. */
export type CallOf<Table, N extends keyof Table = keyof Table> = {
  readonly [K in N]: { readonly name: K; readonly given: CallArguments<Table[K]> };
}[N];

/** The callers' side of a table. */
export type Caller<Table> = <N extends keyof Table>(
  name: N,
  ...given: CallArguments<Table[N]>
) => Promise<Result<Table[N]>>;

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Open calls by number; each is settled exactly once. */
export interface OpenCalls {
  /** Sends a call under a new number and waits until that number is settled. */
  expect<Settled>(send: (seq: number) => void): Promise<Settled>;
  resolve(seq: number, result: unknown): void;
  reject(seq: number, error: Error): void;
  /** Rejects all open calls when a thread dies. */
  rejectAll(error: Error): void;
}

export function openCalls(): OpenCalls {
  const pending = new Map<number, Pending>();
  let last = 0;
  const take = (seq: number) => {
    const waiting = pending.get(seq);
    pending.delete(seq);
    return waiting;
  };
  return {
    expect: (send) =>
      new Promise((resolve, reject) => {
        last += 1;
        pending.set(last, { resolve, reject });
        send(last);
      }),
    resolve: (seq, result) => take(seq)?.resolve(result),
    reject: (seq, error) => take(seq)?.reject(error),
    rejectAll(error) {
      for (const seq of [...pending.keys()]) take(seq)?.reject(error);
    },
  };
}

/** The role of a worker, and its options. */
export type WorkerRole =
  | {
      readonly role: "writer";
      readonly dir: string;
      /** Minimum free space in bytes, below which nothing is committed. */
      readonly free_stop_bytes: number;
      readonly store: Omit<StoreOptions, "map" | "clocks">;
      /** The copy made before a migration; `output` lacks the schema's number. */
      readonly before_migration: BackupOrder;
      /** The map for messages of a PLC with its own topics and names. */
      readonly map: MapConfig;
    }
  | {
      readonly role: "reader";
      readonly dir: string;
      readonly limits: LampConfig["limits"];
      readonly lamps: LampLimits;
    }
  | { readonly role: "backup"; readonly order: BackupOrder };

/** The last message of a backup's thread. */
export type BackupReply =
  | { readonly kind: "made"; readonly backup: Backup }
  | { readonly kind: "failed"; readonly message: string; readonly exitCode: number | null };

/** A failure as sent between threads; `code` is the system's, SQLite's, DAMAGED, or null. */
export interface Problem {
  readonly message: string;
  readonly code: string | null;
  /** True if the request contradicts stored data, so that nothing failed. */
  readonly isDeclined: boolean;
  readonly reasons: readonly RefusalReason[];
}

/** An error as sent between threads. */
export function problemOf(error: unknown): Problem {
  const code = error instanceof DamagedError ? DAMAGED : codeOf(error);
  const reasons = error instanceof Failure ? error.reasons : [];
  return { message: messageOf(error), code, isDeclined: error instanceof Declined, reasons };
}

/** Thrown if a message or a write isn't on disk, so that the sender must send it again. */
export class NotCommitted extends Failure {
  readonly code: string | null;

  constructor(problem: Problem) {
    super(EXIT.io, problem.message);
    this.name = "NotCommitted";
    this.code = problem.code;
  }
}

/** The failure that ended a thread's start or work. SQLite's own errors become I/O errors. */
export function threadFailure(reply: {
  readonly message: string;
  readonly exitCode: number | null;
}): Failure {
  return new Failure(exitCodeOf(reply.exitCode, EXIT.io), reply.message);
}

/**
 * Limits for V8. The young generation is small because V8 never gives it back, and there are three
 * threads. At half of this size, buckets outlive it, and adding them up takes up to a fifth longer.
 */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 6 } as const;
