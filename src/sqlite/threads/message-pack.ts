// Packs messages for the writer's thread: all payloads one after another in a buffer that is
// transferred without a copy, all other members as one JSON text. Cloning them object by object
// took more of the main thread than all of MQTT.

import type { Message } from "../../bwts/message.ts";

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
