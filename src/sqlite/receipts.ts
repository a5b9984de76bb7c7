// Messages that have no time of their own get that of their receipt; a redelivery of one must not
// become a second reading. It is recognised, for ten minutes and across restarts, by client, packet
// id, topic and payload (a plant with one value a topic sends many a payload of "0").

import { createHash } from "node:crypto";
import type { Message } from "../bwts/message.ts";
import { MINUTE_MS } from "../clock.ts";
import { type Connection, prepare } from "./open.ts";

export interface ReceiptStore {
  /** Whether the message was delivered before; if not, remembers that it has been now. */
  isRedelivery(message: Message): boolean;
  /** Drops what is too old to be redelivered. */
  prune(now_ms: number): void;
}

const WINDOW_MS = 10 * MINUTE_MS;

export function openReceipts(db: Connection): ReceiptStore {
  const at = prepare<object, { received_ms: number }>(db, "receipt.at");
  const put = prepare<object, never>(db, "receipt.put");
  const forget = prepare<object, never>(db, "receipt.forget");
  return {
    isRedelivery(message) {
      const { received_ms, client, packet_id, topic } = message;
      if (packet_id === null) return false;
      const identity = createHash("sha256")
        .update(`${client}\n${packet_id}\n${topic}\n`)
        .update(message.payload)
        .digest();
      const since_ms = received_ms - WINDOW_MS;
      if (message.dup && at.get({ identity, since_ms }) !== undefined) return true;
      put.run({ identity, received_ms });
      return false;
    },
    prune(now_ms) {
      forget.run({ before_ms: now_ms - WINDOW_MS });
    },
  };
}
