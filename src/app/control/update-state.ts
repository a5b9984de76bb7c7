// The progress of an update, kept in the data folder. Both versions read it: the one on trial and
// the one that would return. The small file is replaced as a whole, because it must be right after
// a power cut at any moment. It belongs to the service; installed versions, and the order to
// switch, belong to root (versions.ts).

import path from "node:path";
import * as z from "zod";
import { writeWhole } from "../../ground/durable.ts";
import { readJson, Version } from "./versions.ts";

const State = z.object({
  /** trial: `to` hasn't passed its trial yet; returning: `from` restores the data at its start. */
  state: z.enum(["trial", "done", "returning", "returned"]),
  from: Version,
  to: Version,
  /** Schema of `from`; data of a later schema must be replaced by the copy. */
  schema: z.number().int(),
  /** Starts of `to` that didn't complete. */
  attempts: z.number().int(),
  /** Starts of `to` after its trial had failed. */
  returns: z.number().int().default(0),
  /** The reason for going back; "" otherwise. */
  reason: z.string(),
  /** Id of the order; null for a version that wrote none. */
  order: z.string().nullable().default(null),
  /** Folder of the installed versions, for versions that read it from this file. */
  prefix: z.string(),
});
export type UpdateState = z.output<typeof State>;

function stateFile(dir: string): string {
  return path.join(dir, "update.json");
}

/**
 * The state in the folder; null if there never was an update. Throws a Failure if it can't be read.
 */
export function readUpdateState(dir: string): UpdateState | null {
  return readJson(stateFile(dir), State, ["ENOENT"]);
}

/**
 * Writes the state. The unit's switch-back (systemd/) knows only the folder that systemd gives the
 * service: if the data is elsewhere, the state is written there too.
 */
export function writeUpdateState(
  dir: string,
  state: UpdateState,
  service_dir = process.env.STATE_DIRECTORY,
): void {
  const text = `${JSON.stringify(state, null, 2)}\n`;
  writeWhole(stateFile(dir), text);
  if (service_dir && path.resolve(service_dir) !== dir) writeWhole(stateFile(service_dir), text);
}
