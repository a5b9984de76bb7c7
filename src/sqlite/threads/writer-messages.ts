// The messages between the main thread and the writer's: to it MQTT messages and calls; from it the
// start, commits, results of calls, and findings. MQTT messages are packed: all payloads in one
// buffer that is transferred without a copy, all other members as one JSON text. Cloning them
// object by object took more of the main thread's time than all of MQTT.

import type { ClockStep } from "../../bwts/clock-step.ts";
import type { Message } from "../../bwts/message.ts";
import type { StoredToken } from "../../bwts/token.ts";
import type { ClockState } from "../records/clock-watch.ts";
import type { QuarantineRoom } from "../records/quarantine.ts";
import type { Problem } from "./calls.ts";
import type { BatchResult } from "./ingest.ts";

export type FromWriter =
  | { readonly kind: "ready"; readonly state: WriterState }
  | { readonly kind: "refused"; readonly message: string; readonly exitCode: number | null }
  | { readonly kind: "committed"; readonly seqs: readonly number[]; readonly batch: CommitResult }
  | { readonly kind: "withheld"; readonly seqs: readonly number[]; readonly problem: Problem }
  /** People corrected readings or lamps. */
  | { readonly kind: "corrected" }
  /** All tokens that are valid now. */
  | { readonly kind: "tokens"; readonly tokens: readonly StoredToken[] }
  | {
      readonly kind: "clock";
      readonly clock: ClockState;
      readonly steps: readonly ClockStep[];
      readonly longest: LongestSteps;
      readonly tag_names: number;
      readonly quarantine: QuarantineRoom;
    }
  /** `count`: number of occurrences since the last report. */
  | { readonly kind: "fault"; readonly problem: string; readonly count: number }
  | { readonly kind: "damage"; readonly problems: readonly string[] }
  | { readonly kind: "done"; readonly seq: number; readonly result: unknown }
  | { readonly kind: "failed"; readonly seq: number; readonly problem: Problem };

export interface CommitResult extends BatchResult {
  readonly committed_ms: number;
  readonly last_reading_ms: number | null;
}

/** The state that the writer found at its start. */
export interface WriterState {
  readonly last_reading_ms: number | null;
  /** Time of the newest receipt on disk; null without one. */
  readonly last_received_ms: number | null;
  /** Receipt of the newest reading that shows the plant's state; null if none does. */
  readonly last_told_ms: number | null;
  readonly clock_trusted: boolean;
  readonly clock: ClockState;
  readonly migrations: readonly number[];
  /** Time of each job's last run, by the job's name. */
  readonly job_runs: ReadonlyMap<string, number>;
  readonly tokens: readonly StoredToken[];
  /** True if the previous process ended while it made or undid a void. */
  readonly isVoidUnderWay: boolean;
}

/**
 * The longest step of each kind since the start, in ms. During a step no message is acknowledged,
 * so each must be short.
 */
export type LongestSteps = Readonly<Record<string, number>>;

/** A message and the number under which it is acknowledged. */
export interface WaitingMessage {
  readonly seq: number;
  readonly message: Message;
}

export interface PackedMessages {
  /** The payloads, one after another. */
  readonly payloads: Uint8Array<ArrayBuffer>;
  /** JSON of the messages without payloads; each has its `seq` and its payload's `length`. */
  readonly facts: string;
}

type Facts = Omit<Message, "payload"> & { readonly seq: number; readonly length: number };

/** Packs messages. The caller may transfer `payloads.buffer`. */
export function packMessages(waiting: readonly WaitingMessage[]): PackedMessages {
  const length = waiting.reduce((sum, { message }) => sum + message.payload.length, 0);
  const payloads = new Uint8Array(length);
  let end = 0;
  const facts = waiting.map(({ seq, message }): Facts => {
    const { payload, ...rest } = message;
    payloads.set(payload, end);
    end += payload.length;
    return { ...rest, seq, length: payload.length };
  });
  return { payloads, facts: JSON.stringify(facts) };
}

/** Unpacks messages. Their payloads are views of the one buffer. */
export function unpackMessages({ payloads, facts }: PackedMessages): readonly WaitingMessage[] {
  const all: readonly Facts[] = JSON.parse(facts);
  let end = 0;
  return all.map(({ seq, length, ...rest }) => {
    const payload = payloads.subarray(end, end + length);
    end += length;
    return { seq, message: { ...rest, payload } };
  });
}
