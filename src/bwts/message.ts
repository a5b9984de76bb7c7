// What comes in over MQTT, and what decoding makes of it. Between the two stands mqtt/decode.ts;
// the types live here because the writer's thread (sqlite/) stores what the MQTT side decodes.

import type { Event } from "./event.ts";
import type { HealthRecord } from "./health-record.ts";
import type { Prediction } from "./prediction.ts";
import type { ReadingPart } from "./reading.ts";

/** A message as it was received, before anything of it is understood. */
export interface Message {
  readonly topic: string;
  /** At most `PAYLOAD_MAX_BYTES`; of a longer one the first `PAYLOAD_HEAD_BYTES`. */
  readonly payload: Uint8Array;
  /** How long the payload was on the wire. */
  readonly payload_bytes: number;
  readonly received_ms: number;
  readonly qos: 0 | 1 | 2;
  readonly retain: boolean;
  readonly dup: boolean;
  /** The publisher's client id; "" in client mode, where the broker doesn't tell. */
  readonly client: string;
  /** The packet id, null for QoS 0. */
  readonly packet_id: number | null;
  /** A publisher's last will rather than a message: the alarm "PLC link lost". */
  readonly will: boolean;
}

export const PAYLOAD_MAX_BYTES = 1024 * 1024;
export const PAYLOAD_HEAD_BYTES = 64 * 1024;

/**
 * The reason for quarantine. `damaged`: stored data with which it would have been merged can't be
 * read; `fault`: storing it failed, by a fault of ballastd's own; `too_many_tags`: there is no room
 * for the name of an unknown tag.
 */
export type Reason =
  | "bad_json"
  | "bad_value"
  | "bad_time"
  | "clock_repeat"
  | "conflict"
  | "damaged"
  | "expired"
  | "fault"
  | "future"
  | "other_system"
  | "retained"
  | "too_large"
  | "too_many_tags"
  | "unknown_topic";

/** What of a message couldn't be taken; `detail` names the field, the value and what is allowed. */
export interface Reject {
  readonly reason: Reason;
  readonly detail: string;
}

/** Where decoding puts what it can't take. */
export interface Rejects {
  add(reason: Reason, detail: string): void;
}

/** A message understood. What stands in `rejects` is not in the other lists. */
export interface Decoded {
  /** Something in it has the time of receipt: a redelivery must be recognised by other means. */
  readonly timed_by_receipt: boolean;
  /**
   * The time that a message of one reading gives itself, be it one that can be taken or not: what
   * the PLC's clock said. Null for arrays, retained messages, and other kinds.
   */
  readonly sent_ms: number | null;
  readonly readings: readonly ReadingPart[];
  readonly events: readonly Event[];
  readonly health: readonly HealthRecord[];
  readonly predictions: readonly Prediction[];
  readonly rejects: readonly Reject[];
  /** Number of items of the message that `DecodeContext.items` can select. */
  readonly items: number;
}

/** The facts that decoding needs beside the message. */
export interface DecodeContext {
  readonly prefix: string;
  readonly system_id: string;
  readonly merge_ms: number;
  readonly clock_trusted: boolean;
  /** The items of an array to decode, `to` not included; all if not given. */
  readonly items?: { readonly from: number; readonly to: number };
  /** Given when a message is taken out of quarantine again. */
  readonly replay?: Replay;
}

/** How a message that was set aside is read now. */
export interface Replay {
  /** Added to every time that the message itself gives. */
  readonly shift_ms: number;
  /** What is ahead is judged by now: when the message came, the box's clock may have been wrong. */
  readonly now_ms: number;
}

export type Decode = (message: Message, context: DecodeContext) => Decoded;
