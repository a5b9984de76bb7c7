// A session: says hello, learns of the shore how far it is, and sends the rest, as much at a time
// as the window allows, until the connection ends. It keeps no queue: the database is the queue,
// and the next hello tells what is missing. A refusal stops its chain alone.

import type { Config } from "../config/config.ts";
import { SECOND_MS } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";
import type { ReaderThreads } from "../sqlite/threads/readers.ts";
import type { Writer } from "../sqlite/threads/writer.ts";
import type { Budget } from "./budget.ts";
import type { Box, ShoreConnection } from "./connection.ts";
import type { ShipObjects } from "./objects.ts";
import { openSending } from "./sending.ts";
import type { Parted, ShoreState } from "./state.ts";

export interface SessionParts {
  readonly readers: Pick<ReaderThreads, "call">;
  readonly writer: Pick<Writer, "call">;
  readonly box: Box;
  readonly settings: () => Config["shore"];
  readonly state: ShoreState;
  readonly budget: Budget;
  /** The store to which payloads go; null: to the database. */
  readonly objects: ShipObjects | null;
  /** The box's clock, which may be wrong. */
  readonly now_ms: () => number;
  readonly isClockTrusted: () => boolean;
  /** Segments whose payloads the shore refused: their links go without. */
  readonly spoilt: Set<number>;
  /** Silence that is a black hole, at least. */
  readonly silence_ms?: number;
  readonly log: Log;
  /** Told when the shore turns out to have links that this box hasn't. */
  readonly onParted: (parted: Parted) => void;
}

/** Interval at which the database is looked at for news, and the line for silence. */
const LOOK_MS = SECOND_MS;

/** Runs until the connection is over; resolves with the reason. Throws for a refused key. */
export async function runSession(
  connection: ShoreConnection,
  parts: SessionParts,
): Promise<string> {
  const sending = openSending(connection, parts);
  let reason: string | null = null;
  void connection.over.then((why) => {
    reason = why;
  });
  const watch = setInterval(() => sending.look(() => reason !== null), LOOK_MS);
  try {
    while (reason === null) {
      if (sending.needsHello() && sending.areNone()) {
        await Promise.race([sending.hello(), connection.over]);
        continue;
      }
      const item = await sending.next();
      if (item === null) await Promise.race([sending.turn(), connection.over]);
      else sending.send(item);
    }
    sending.throwRefused();
    return reason;
  } finally {
    clearInterval(watch);
    connection.destroy(reason ?? "the session ended");
    await sending.note();
  }
}
