// Clears "PLC link lost" when the publisher connects, not only when it publishes. The embedded
// broker reports connections. They are passed to the writer only while a link is lost, in one call
// at a time, so that a flood of connections costs the writer nothing.

import { LRUCache } from "lru-cache";
import { SECOND_MS } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import type { Writer } from "../sqlite/threads/writer.ts";

/**
 * Maximum number of names that wait for the writer; the oldest are dropped, since each connects
 * again.
 */
const NAMES_MAX = 1000;

/** Time after which a failed write (a full disk) is tried again. */
const AGAIN_MS = 10 * SECOND_MS;

export interface LostLinks {
  /** Records that no link is lost at the start of a run. Never rejects. */
  begin(): Promise<void>;
  /** Notes that a publisher's will has arrived. */
  lost(publisher: string): void;
  /** Notes that a publisher has connected. */
  connected(publisher: string): void;
}

export function openLostLinks(writer: Writer, log: Log): LostLinks {
  const waiting = new LRUCache<string, true>({ max: NAMES_MAX });
  /** False if no link is lost, so that the writer needn't be called. */
  let isAnyLost = true;
  let wills = 0;
  let isWriting = false;

  const tell = async (publishers: readonly string[] | null): Promise<boolean> => {
    try {
      const before = wills;
      const left = await writer.call("end_links", publishers);
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
      const publishers = [...waiting.keys()];
      waiting.clear();
      if (await tell(publishers)) continue;
      for (const publisher of publishers) waiting.set(publisher, true);
      setTimeout(tellAll, AGAIN_MS).unref();
      break;
    }
    isWriting = false;
  };
  return {
    begin: async () => void (await tell(null)),
    lost(publisher) {
      isAnyLost = true;
      wills += 1;
      waiting.delete(publisher); // it connected before the will
    },
    connected(publisher) {
      if (!isAnyLost) return;
      waiting.set(publisher, true);
      void tellAll();
    },
  };
}
