// Messages between the main thread and the workers: plain data, and numbered replies. Payloads go
// to the writer, finished JSON comes back; SQL text never crosses.

import type { AuditEntry, By } from "../../bwts/audit.ts";
import type { ClockStep } from "../../bwts/clock-step.ts";
import type { Event } from "../../bwts/event.ts";
import type { LampLimits } from "../../bwts/lamps/outlook.ts";
import type { LampWord } from "../../bwts/lamps/word.ts";
import type { NewPlant } from "../../bwts/plant.ts";
import type { StoredToken } from "../../bwts/token.ts";
import { DamagedError } from "../../codec/bytes.ts";
import type { MapConfig } from "../../config/map.ts";
import { codeOf, EXIT, type ExitCode, messageOf } from "../../ground/errors.ts";
import type { ImportRecord } from "../../payload/import-line.ts";
import type { Backup, BackupOrder } from "../care/backup.ts";
import type { ProofPlace, Proven } from "../care/proving.ts";
import type { DueDay } from "../derived/gap-due.ts";
import type { FoundGaps, OperationNow } from "../derived/gaps.ts";
import type { DueSlot } from "../derived/health-due.ts";
import type { LampRun } from "../derived/lamp-states.ts";
import type { LampCall, LampConfig } from "../derived/lamp-tracking.ts";
import type { LimitsNow } from "../derived/limits-now.ts";
import type { ScoredSlot } from "../derived/scoring.ts";
import { DAMAGED } from "../file/damage.ts";
import type { Query } from "../file/query.ts";
import type { ClockState } from "../records/clock-watch.ts";
import type { RunStart } from "../records/runs.ts";
import type { BatchResult } from "../writing/ingest.ts";
import type { PackedMessages } from "../writing/message-pack.ts";
import type { ReplayAsked } from "../writing/replay.ts";
import type { AlarmKey, JobRun } from "../writing/small-writes.ts";
import type { StoreOptions } from "../writing/store.ts";
import type { NewVoid } from "../writing/void-writes.ts";
import type { LongestSteps } from "./step-times.ts";

/** The role of a worker, and its options. */
export type WorkerRole =
  | {
      readonly role: "writer";
      readonly dir: string;
      /** Below this free space nothing is committed. */
      readonly free_stop_bytes: number;
      readonly store: Omit<StoreOptions, "decode" | "clocks">;
      /** The copy made before a migration; `output` lacks the schema's number. */
      readonly before_migration: BackupOrder;
      /** Maps messages of a PLC with other topics and names. */
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

export type WriterCall =
  | { readonly kind: "ingest"; readonly packed: PackedMessages }
  | { readonly kind: "import"; readonly seq: number; readonly records: readonly ImportRecord[] }
  | { readonly kind: "plant"; readonly seq: number; readonly plant: NewPlant; readonly by: By }
  | { readonly kind: "lamp_word"; readonly seq: number; readonly word: LampWord; readonly by: By }
  | { readonly kind: "begin_lamps"; readonly seq: number }
  | { readonly kind: "lamps"; readonly seq: number; readonly run: LampRun }
  | { readonly kind: "health"; readonly seq: number; readonly slots: readonly ScoredSlot[] }
  | { readonly kind: "job"; readonly seq: number; readonly run: JobRun }
  | { readonly kind: "due"; readonly seq: number; readonly closed_ms: number }
  | { readonly kind: "seal"; readonly seq: number }
  | { readonly kind: "sealing"; readonly seq: number }
  | { readonly kind: "disown"; readonly seq: number; readonly reason: string; readonly by: By }
  | { readonly kind: "expire"; readonly seq: number; readonly months: number }
  | {
      readonly kind: "raise";
      readonly seq: number;
      readonly event: Event;
      readonly about: string;
    }
  | { readonly kind: "clear"; readonly seq: number; readonly alarm: AlarmKey }
  | {
      readonly kind: "end_links";
      readonly seq: number;
      readonly publishers: readonly string[] | null;
    }
  | { readonly kind: "due_days"; readonly seq: number }
  | { readonly kind: "gaps"; readonly seq: number; readonly days: readonly FoundGaps[] }
  | { readonly kind: "void"; readonly seq: number; readonly given: NewVoid; readonly by: By }
  | { readonly kind: "end_void"; readonly seq: number }
  | { readonly kind: "undo_void"; readonly seq: number; readonly id: number; readonly by: By }
  | {
      readonly kind: "replay";
      readonly seq: number;
      readonly asked: ReplayAsked;
      /** True for a dry run: nothing changes. */
      readonly isTrial: boolean;
      readonly by: By;
    }
  | { readonly kind: "audit"; readonly seq: number; readonly entries: readonly AuditEntry[] }
  | { readonly kind: "run"; readonly seq: number; readonly run: RunStart }
  | {
      readonly kind: "add_token";
      readonly seq: number;
      readonly token: StoredToken;
      readonly by: By;
    }
  | {
      readonly kind: "revoke_token";
      readonly seq: number;
      readonly name: string;
      readonly by: By;
    }
  | { readonly kind: "tidy"; readonly seq: number }
  | { readonly kind: "ping"; readonly seq: number }
  | { readonly kind: "close"; readonly seq: number };

/** A failure as sent between threads; `code` is the system's, SQLite's, DAMAGED, or null. */
export interface Problem {
  readonly message: string;
  readonly code: string | null;
}

export type WriterReply =
  | { readonly kind: "ready"; readonly state: WriterState }
  | { readonly kind: "refused"; readonly message: string; readonly exitCode: number | null }
  | { readonly kind: "committed"; readonly seqs: readonly number[]; readonly batch: Committed }
  | { readonly kind: "withheld"; readonly seqs: readonly number[]; readonly problem: Problem }
  | {
      readonly kind: "clock";
      readonly clock: ClockState;
      readonly steps: readonly ClockStep[];
      readonly longest: LongestSteps;
      readonly tag_names: number;
    }
  /** `count`: occurrences since the last report. */
  | { readonly kind: "fault"; readonly problem: string; readonly count: number }
  | { readonly kind: "damage"; readonly problems: readonly string[] }
  | { readonly kind: "done"; readonly seq: number; readonly result: unknown }
  | { readonly kind: "failed"; readonly seq: number; readonly problem: Problem };

export interface Committed extends BatchResult {
  readonly committed_ms: number;
  readonly last_reading_ms: number | null;
}

/** The outcome of a change of tokens, and all tokens that are now valid. */
export interface TokensChanged<Outcome> {
  readonly outcome: Outcome;
  readonly tokens: readonly StoredToken[];
}

/** The state that the writer found at its start. */
export interface WriterState {
  readonly last_reading_ms: number | null;
  /** Time of the newest receipt on disk; null without one. */
  readonly last_received_ms: number | null;
  readonly clock_trusted: boolean;
  readonly clock: ClockState;
  readonly migrations: readonly number[];
  /** Time of each job's last run, by name. */
  readonly job_runs: ReadonlyMap<string, number>;
  readonly tokens: readonly StoredToken[];
  /** True if the process before ended while a void was being made or undone. */
  readonly isVoidUnderWay: boolean;
}

export type ReaderCall =
  /** The first reply: the database is open. */
  | { readonly kind: "open" }
  | { readonly kind: "ask"; readonly seq: number; readonly query: Query }
  | { readonly kind: "more"; readonly seq: number }
  | { readonly kind: "stop"; readonly seq: number }
  | { readonly kind: "score"; readonly seq: number; readonly slots: readonly DueSlot[] }
  | { readonly kind: "ping"; readonly seq: number }
  | { readonly kind: "lamps"; readonly seq: number; readonly call: LampCall }
  | { readonly kind: "find_gaps"; readonly seq: number; readonly days: readonly DueDay[] }
  | { readonly kind: "operation"; readonly seq: number }
  | { readonly kind: "limits"; readonly seq: number }
  | { readonly kind: "prove"; readonly seq: number; readonly after: ProofPlace }
  | { readonly kind: "close" };

export type ReaderReply =
  | { readonly kind: "ready" }
  /** Damage found at work; each thread reports each problem once. */
  | { readonly kind: "damage"; readonly problems: readonly string[] }
  | { readonly kind: "proven"; readonly seq: number; readonly proven: Proven }
  | { readonly kind: "nothing"; readonly seq: number }
  | {
      readonly kind: "chunk";
      readonly seq: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly last: boolean;
    }
  | { readonly kind: "scored"; readonly seq: number; readonly slots: readonly ScoredSlot[] }
  | { readonly kind: "tracked"; readonly seq: number; readonly run: LampRun }
  | { readonly kind: "found_gaps"; readonly seq: number; readonly days: readonly FoundGaps[] }
  | { readonly kind: "operation"; readonly seq: number; readonly operation: OperationNow }
  | { readonly kind: "limits"; readonly seq: number; readonly limits: LimitsNow | null }
  | { readonly kind: "failed"; readonly seq: number; readonly problem: Problem };

/**
 * A small young generation: V8 never gives it back, and there are three threads. At half of this,
 * buckets outlive it, and adding them up takes up to a fifth longer.
 */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 6 } as const;

/** An SQLite or system error as sent between threads. */
export function problemOf(error: unknown): Problem {
  const code = error instanceof DamagedError ? DAMAGED : codeOf(error);
  return { message: messageOf(error), code };
}

/** The process's exit code for a refusal in a thread; SQLite's own errors are I/O errors. */
export function exitCodeOf(given: number | null): ExitCode {
  return Object.values(EXIT).find((code) => code === given) ?? EXIT.io;
}
