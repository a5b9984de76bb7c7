// The parts that the embedded broker and the client share: their state for /readyz and /metrics,
// and how a PUBLISH becomes a message. The payload isn't decoded here; one that is too long is cut
// to its head, which quarantine can show.

import { type Message, PAYLOAD_HEAD_BYTES, PAYLOAD_MAX_BYTES } from "../bwts/message.ts";

export interface MqttStatus {
  readonly mode: "embedded" | "client";
  /** Embedded: listening; client: connected and subscribed. */
  readonly connected: boolean;
  /** Publishers now connected (embedded), or 1 while connected (client). */
  readonly clients: number;
  /** The listening addresses, or the broker's URL. */
  readonly where: string;
  /** Text about the problem; null if there is none. */
  readonly problem: string | null;
  /** When `connected` last changed. */
  readonly changed_ms: number;
  /** Time when the ship's broker was last found to have lost our session; null for never. */
  readonly session_lost_ms: number | null;
  /**
   * The newest login with a wrong user name or password; null after a right one from its address,
   * and for the client.
   */
  readonly login_refused: { readonly at_ms: number; readonly address: string } | null;
  /** Counters since the start, by name; printed as Prometheus counters. */
  readonly counts: Readonly<Record<string, number>>;
  /** Faults met since the start, by kind. */
  readonly faults: Readonly<Record<string, number>>;
}

/** An open source of messages: the embedded broker's listener, or the client. */
export interface MqttEndpoint {
  status(): MqttStatus;
  /** Stops taking messages, waits until those received are committed, and closes. */
  close(): Promise<void>;
}

/** Resolves when the message is on disk, rejects if it could not be committed. */
export type Take = (message: Message) => Promise<void>;

/** A PUBLISH or a will, as both MQTT libraries give it. */
export interface Publication {
  readonly topic: string;
  readonly payload: string | Uint8Array;
  readonly qos: 0 | 1 | 2;
  readonly retain: boolean;
  readonly dup?: boolean;
  readonly messageId?: number;
}

/** Sender and time of receipt; `client` is "" if it isn't known. */
export interface Receipt {
  readonly client: string;
  readonly will: boolean;
  readonly received_ms: number;
}

/**
 * A publication as a message; of more than PAYLOAD_MAX_BYTES the first PAYLOAD_HEAD_BYTES. The
 * payload is the library's view of a whole socket chunk: code that keeps it beyond this turn of the
 * event loop must copy it.
 */
export function receivedMessage(publication: Publication, receipt: Receipt): Message {
  const { topic, payload, qos, retain, dup, messageId } = publication;
  const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
  const kept_bytes = bytes.length > PAYLOAD_MAX_BYTES ? PAYLOAD_HEAD_BYTES : bytes.length;
  return {
    topic,
    payload: bytes.subarray(0, kept_bytes),
    payload_bytes: bytes.length,
    received_ms: receipt.received_ms,
    qos,
    retain,
    dup: dup ?? false,
    client: receipt.client,
    packet_id: messageId ?? null,
    will: receipt.will,
  };
}

/** Maximum bytes kept of a will's payload; it becomes an alarm without a text. */
const WILL_MAX_BYTES = 256;

/**
 * A will of bounded size. Its payload is a copy, since the library's would keep its whole chunk.
 */
export function headOfWill<Will extends Pick<Publication, "topic" | "payload">>(will: Will) {
  const payload = Buffer.from(Buffer.from(will.payload).subarray(0, WILL_MAX_BYTES));
  return { ...will, topic: will.topic.slice(0, WILL_MAX_BYTES), payload };
}
