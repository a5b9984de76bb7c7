// Messages received over MQTT, and the results of decoding. mqtt/decode.ts decodes; the types are
// here because the writer's thread (sqlite/) stores the results.

import type { Event } from "./event.ts";
import type { HealthRecord } from "./health-record.ts";
import type { Prediction } from "./prediction.ts";
import type { ReadingPart } from "./reading.ts";

/** A message as received, before decoding. */
export interface Message {
  readonly topic: string;
  /** At most `PAYLOAD_MAX_BYTES`; of a longer one the first `PAYLOAD_HEAD_BYTES`. */
  readonly payload: Uint8Array;
  /** Length of the payload on the wire. */
  readonly payload_bytes: number;
  readonly received_ms: number;
  readonly qos: 0 | 1 | 2;
  readonly retain: boolean;
  readonly dup: boolean;
  /** The publisher's client id; "" in client mode, where it is unknown. */
  readonly client: string;
  /** The packet id, null for QoS 0. */
  readonly packet_id: number | null;
  /** True for a publisher's last will, which means the alarm "PLC link lost". */
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

/** A rejected part of a message; `detail` names the field, the value and the allowed values. */
export interface Reject {
  readonly reason: Reason;
  readonly detail: string;
}

/** Collects rejects during decoding. */
export interface Rejects {
  add(reason: Reason, detail: string): void;
}

/** A decoded message. Rejected parts are only in `rejects`. */
export interface Decoded {
  /**
   * True if a part has the time of receipt, so that a redelivery must be recognised by other means.
   */
  readonly timed_by_receipt: boolean;
  /**
   * The message's own time, accepted or not, for a message of one reading: it shows the PLC's
   * clock. Null for arrays, retained messages, and other kinds.
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
  /** The items of an array to decode, `to` excluded; all by default. */
  readonly items?: { readonly from: number; readonly to: number };
  /** Given when a message is replayed from quarantine. */
  readonly replay?: Replay;
}

/** The settings of a replay. */
export interface Replay {
  /** Added to every time that the message itself gives, in ms. */
  readonly shift_ms: number;
  /**
   * Times are compared with the present: when the message came, the box's clock may have been
   * wrong.
   */
  readonly now_ms: number;
}

export type Decode = (message: Message, context: DecodeContext) => Decoded;
