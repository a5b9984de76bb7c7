// "PLC link lost" ends when the publisher connects, not only when it publishes: the embedded broker
// tells who connects, the writer is told while any link is lost. One call at a time, with all names
// that came meanwhile, so that a flood of connections costs the writer nothing.

import type { Message } from "../bwts/message.ts";
import { SECOND_MS } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Take } from "../mqtt/receipt.ts";
import type { Writer } from "../sqlite/writer.ts";

/** Names that wait for the writer; of more, the oldest are forgotten: each connects again. */
const NAMES_MAX = 1000;

/** Time until a write that failed (a full disk) is tried again. */
const AGAIN_MS = 10 * SECOND_MS;

export interface LostLinks {
  /** A run begins: nobody has lost its link to it. Never rejects. */
  begin(): Promise<void>;
  /** `take`, which notices wills. */
  through(take: Take): Take;
  /** A publisher has connected. */
  connected(publisher: string): void;
}

export function openLostLinks(writer: Writer, log: Log): LostLinks {
  const waiting = new Set<string>();
  /** False: nobody's link is lost, nothing needs to be told. */
  let isAnyLost = true;
  let wills = 0;
  let isWriting = false;

  const tell = async (publishers: readonly string[] | null): Promise<boolean> => {
    try {
      const before = wills;
      const left = await writer.endLinks(publishers);
      isAnyLost = left > 0 || wills > before;
      return true;
    } catch (error) {
      log.warn("the end of lost PLC links can't be noted", { reason: messageOf(error) });
      return false;
    }
  };
  const tellAll = async () => {
    if (isWriting) return;
    isWriting = true;
    while (waiting.size > 0) {
      const publishers = [...waiting];
      waiting.clear();
      if (await tell(publishers)) continue;
      for (const publisher of publishers) waiting.add(publisher);
      setTimeout(tellAll, AGAIN_MS).unref();
      break;
    }
    isWriting = false;
  };
  return {
    begin: async () => void (await tell(null)),
    through: (take) => (message: Message) => {
      if (message.will) {
        isAnyLost = true;
        wills += 1;
        waiting.delete(message.client); // it had connected before that
      }
      return take(message);
    },
    connected(publisher) {
      if (!isAnyLost) return;
      waiting.delete(publisher);
      waiting.add(publisher);
      const [oldest] = waiting;
      if (waiting.size > NAMES_MAX) waiting.delete(oldest);
      void tellAll();
    },
  };
}
