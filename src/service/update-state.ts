// Which update is under way in a data folder, as both versions read it: the one that is tried and
// the one that would come back. A small file, written as a whole, for it must tell the truth after
// a power cut at any moment.

import { existsSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { giveToOwnerOf, syncPath, writeWhole } from "../durable.ts";
import { EXIT, Failure, messageOf } from "../errors.ts";

const State = z.object({
  /** trial: `to` hasn't proved itself yet; returning: `from` takes the data back at its start. */
  state: z.enum(["trial", "done", "returning", "returned"]),
  from: z.string(),
  to: z.string(),
  /** Of `from`: data of a later one has to be replaced by what was kept before. */
  schema: z.number().int(),
  /** Starts of `to` that didn't come to an end. */
  attempts: z.number().int(),
  /** Why it went back; "" otherwise. */
  reason: z.string(),
  /** Folder of the installed versions. */
  prefix: z.string(),
});
export type UpdateState = z.output<typeof State>;

function stateFile(dir: string): string {
  return path.join(dir, "update.json");
}

/** Null when there never was an update. Throws a Failure when it can't be read. */
export function readUpdateState(dir: string): UpdateState | null {
  const file = stateFile(dir);
  if (!existsSync(file)) return null;
  try {
    return State.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new Failure(EXIT.config, `${file}: can't be read (${messageOf(error)}); remove it`);
  }
}

export function writeUpdateState(dir: string, state: UpdateState): void {
  writeWhole(stateFile(dir), `${JSON.stringify(state, null, 2)}\n`);
  giveToOwnerOf(dir, stateFile(dir));
}

/** Where a version is installed. */
export function versionFile(prefix: string, version: string): string {
  return path.join(prefix, "versions", version, "ballastd");
}

/** What the service manager starts: a link to the folder of a version. */
export function currentLink(prefix: string): string {
  return path.join(prefix, "current");
}

/** Makes a version the one that is started, by one rename. */
export function makeCurrent(prefix: string, version: string): void {
  const link = currentLink(prefix);
  const part = `${link}.part`;
  rmSync(part, { force: true });
  symlinkSync(path.join("versions", version), part);
  renameSync(part, link);
  syncPath(prefix);
}
