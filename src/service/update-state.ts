// The progress of an update in a data folder. Both versions read it: the one on trial and the one
// that would return. It is a small file that is written as a whole, because it must be right after
// a power cut at any moment. It belongs to the service; the installed versions, and the order to
// change between them, belong to root (versions.ts).

import path from "node:path";
import * as z from "zod";
import { writeWhole } from "../durable.ts";
import { readJson, Version } from "./versions.ts";

const State = z.object({
  /** trial: `to` hasn't proved itself yet; returning: `from` takes the data back at its start. */
  state: z.enum(["trial", "done", "returning", "returned"]),
  from: Version,
  to: Version,
  /** Of `from`: data of a later one has to be replaced by what was kept before. */
  schema: z.number().int(),
  /** Starts of `to` that didn't come to an end. */
  attempts: z.number().int(),
  /** Starts of `to` although it had given up. */
  returns: z.number().int().default(0),
  /** Why it went back; "" otherwise. */
  reason: z.string(),
  /** The order that is carried out; null for one of a version that wrote none. */
  order: z.string().nullable().default(null),
  /** Folder of the installed versions, for versions that read it here. */
  prefix: z.string(),
});
export type UpdateState = z.output<typeof State>;

function stateFile(dir: string): string {
  return path.join(dir, "update.json");
}

/** Null when there never was an update. Throws a Failure when it can't be read. */
export function readUpdateState(dir: string): UpdateState | null {
  return readJson(stateFile(dir), State, ["ENOENT"]);
}

/**
 * The unit's switch-back (systemd/) knows the folder that systemd gives the service, and no
 * configuration: where the data lies elsewhere, it finds the state there too.
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
