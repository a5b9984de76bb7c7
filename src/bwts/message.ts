// A message as received over MQTT, and the reasons for which it, or part of it, can be rejected.
// payload/ decodes it; the type is here because mqtt/ makes it.

/** A message as received, before decoding. */
export interface Message {
  readonly topic: string;
  /** The payload, at most `PAYLOAD_MAX_BYTES`; of a longer one the first `PAYLOAD_HEAD_BYTES`. */
  readonly payload: Uint8Array;
  /** Length of the payload on the wire. */
  readonly payload_bytes: number;
  readonly received_ms: number;
  readonly qos: 0 | 1 | 2;
  readonly retain: boolean;
  readonly dup: boolean;
  /** The publisher's client id; "" in client mode, where it is unknown. */
  readonly client: string;
  /** The packet id; null for QoS 0. */
  readonly packet_id: number | null;
  /** True for a publisher's last will, which means the alarm "PLC link lost". */
  readonly will: boolean;
}

export const PAYLOAD_MAX_BYTES = 1024 * 1024;
export const PAYLOAD_HEAD_BYTES = 64 * 1024;

/**
 * The reasons for quarantine. `damaged`: stored data that it would be merged with can't be read;
 * `fault`: storing it failed by an internal error; `too_many_tags`: there is no room for the name
 * of an unknown tag.
 */
export const REASONS = [
  "bad_json",
  "bad_value",
  "bad_time",
  "clock_repeat",
  "conflict",
  "damaged",
  "expired",
  "fault",
  "future",
  "other_system",
  "retained",
  "too_large",
  "too_many_tags",
  "unknown_topic",
] as const;
export type Reason = (typeof REASONS)[number];

/** A rejected part of a message; `detail` names the field, the value and the allowed values. */
export interface Reject {
  readonly reason: Reason;
  readonly detail: string;
}

/** Collects rejects during decoding. */
export interface Rejects {
  add(reason: Reason, detail: string): void;
}
