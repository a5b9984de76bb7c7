// Turns a PUBLISH into a message, for the embedded broker and for client mode. The payload isn't
// decoded here; one that is too long is cut to its head, which quarantine can show.

import { type Message, PAYLOAD_HEAD_BYTES, PAYLOAD_MAX_BYTES } from "../bwts/message.ts";

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

/** Bytes kept of a will, as long as its connection; it becomes an alarm without a text. */
const WILL_MAX_BYTES = 256;

/**
 * A will of bounded size. Its payload is a copy, since the library's would keep its whole chunk.
 */
export function headOfWill<Will extends Pick<Publication, "topic" | "payload">>(will: Will) {
  const payload = Buffer.from(Buffer.from(will.payload).subarray(0, WILL_MAX_BYTES));
  return { ...will, topic: will.topic.slice(0, WILL_MAX_BYTES), payload };
}
