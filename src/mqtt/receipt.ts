// What both doors make of a PUBLISH before they hand it on. Nothing of the payload is understood
// here; one too long to be taken keeps its head, so that quarantine can show what it was.

import { type Message, PAYLOAD_HEAD_BYTES, PAYLOAD_MAX_BYTES } from "../bwts/message.ts";

/** Resolves when the message is on disk, rejects when it could not be committed. */
export type Take = (message: Message) => Promise<void>;

/** What a PUBLISH or a will carries, as both MQTT libraries give it. */
export interface Publication {
  readonly topic: string;
  readonly payload: string | Uint8Array;
  readonly qos: 0 | 1 | 2;
  readonly retain: boolean;
  readonly dup?: boolean;
  readonly messageId?: number;
}

/** Who sent it and when it came; `client` is "" where that isn't known. */
export interface Receipt {
  readonly client: string;
  readonly will: boolean;
  readonly received_ms: number;
}

/**
 * A publication as a message; of more than PAYLOAD_MAX_BYTES the first PAYLOAD_HEAD_BYTES. The
 * payload is the library's view into a whole socket chunk: who keeps it longer than this turn of
 * the loop copies it.
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

/** What is kept of a will, for as long as its connection: it becomes an alarm without a text. */
const WILL_MAX_BYTES = 256;

/** A will of bounded size; its payload is a copy, the library's would keep its whole chunk. */
export function headOfWill<Will extends Pick<Publication, "topic" | "payload">>(will: Will) {
  const payload = Buffer.from(Buffer.from(will.payload).subarray(0, WILL_MAX_BYTES));
  return { ...will, topic: will.topic.slice(0, WILL_MAX_BYTES), payload };
}
