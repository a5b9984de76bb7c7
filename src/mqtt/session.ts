// Remembers the contents of the broker's session in a small file of the data folder. So a session
// that the broker lost is noticed, and topics of an earlier configuration can be removed from it.
// It isn't in the database, because a restored backup must not bring back an old session.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { codeOf, messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";

const Remembered = z.object({
  url: z.string(),
  client_id: z.string(),
  topics: z.array(z.string()),
});

/** A session: its broker, its client id and its topics. */
export type Session = z.output<typeof Remembered>;

export interface SessionMemory {
  /**
   * Topics of the session `client_id` at the broker `url`; null if another session, or none, is
   * known.
   */
  topicsOf(url: string, client_id: string): readonly string[] | null;
  /** Saves `session` in place of the last one. A failure is logged. */
  save(session: Session): void;
}

/** Reads the file; a missing or unreadable one counts as none. */
export function openSessionMemory(file: string, log: Log): SessionMemory {
  let session = readSession(file, log);
  return {
    topicsOf: (url, client_id) =>
      session?.url === url && session.client_id === client_id ? session.topics : null,
    save(next) {
      if (JSON.stringify(next) === JSON.stringify(session)) return;
      session = next;
      try {
        writeFileSync(`${file}.new`, `${JSON.stringify(next)}\n`, { flush: true });
        renameSync(`${file}.new`, file);
      } catch (error) {
        log.warn("the MQTT session can't be remembered", { file, reason: messageOf(error) });
      }
    },
  };
}

function readSession(file: string, log: Log): Session | null {
  try {
    return Remembered.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (codeOf(error) !== "ENOENT")
      log.warn("the remembered MQTT session can't be read", { file, reason: messageOf(error) });
    return null;
  }
}
