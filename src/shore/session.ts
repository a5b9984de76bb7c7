// A session: says hello, so learns what the office has, and sends the rest, as much at a time as
// the window allows, until the connection ends. It keeps no queue: the database is the queue, and
// the next hello shows what is missing. A refusal stops only its own chain.

import { SECOND_MS } from "../ground/clock.ts";
import type { ShoreConnection } from "./connection.ts";
import type { SessionParts } from "./parts.ts";
import { openSending } from "./sending.ts";

/** Interval at which the database is checked for new data, and the line for silence. */
const LOOK_MS = SECOND_MS;

/**
 * Runs a session; resolves with the reason when the connection has ended. Throws for a refused key.
 */
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
