// Recognises redelivered messages without a time of their own: such a message gets the time of
// receipt, and a redelivery must not become a second reading. For ten minutes, and across restarts,
// messages are compared by client, packet id, topic and payload (a plant with one value per topic
// sends many payloads of "0"). The minutes are ballastd's running time by the steady clock.

import { createHash } from "node:crypto";
import type { Message } from "../../bwts/message.ts";
import type { BoxClocks } from "../../ground/clock.ts";
import { MINUTE_MS } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";

/** The store of recent receipts. All methods run in the caller's transaction. */
export interface ReceiptStore {
  /** True if the message was delivered before. */
  isRedelivery(message: Message): boolean;
  /** Notes that the message was delivered now. */
  note(message: Message): void;
  /** Removes, once a minute, some of the messages that are too old for a redelivery. */
  prune(): void;
}

const WINDOW_MS = 10 * MINUTE_MS;
/**
 * Maximum number of messages removed at a time: it takes some milliseconds, and is as many as a
 * batch can add.
 */
const PRUNED_MAX = 2000;

export function openReceipts(db: Connection, { steady_ms }: BoxClocks): ReceiptStore {
  const at = prepare(db, "receipt.at");
  const put = prepare(db, "receipt.put");
  const forget = prepare(db, "receipt.forget");
  const newest = prepare(db, "receipt.newest").get({});
  const began_ms = (newest?.received_ms ?? 0) - steady_ms();
  const now = () => Math.floor(began_ms + steady_ms());
  let next_ms = now();
  return {
    isRedelivery(message) {
      if (message.packet_id === null || !message.dup) return false;
      return at.get({ identity: identityOf(message), since_ms: now() - WINDOW_MS }) !== undefined;
    },
    note(message) {
      if (message.packet_id !== null)
        put.run({ identity: identityOf(message), received_ms: now() });
    },
    prune() {
      const now_ms = now();
      if (now_ms < next_ms) return;
      const { changes } = forget.run({ before_ms: now_ms - WINDOW_MS, limit: PRUNED_MAX });
      if (changes < PRUNED_MAX) next_ms = now_ms + MINUTE_MS;
    },
  };
}

function identityOf({ client, packet_id, topic, payload }: Message): Buffer {
  return createHash("sha256")
    .update(`${client}\n${packet_id}\n${topic}\n`)
    .update(payload)
    .digest();
}
