// The installed versions, side by side in one folder that belongs to root; the link to the current
// one; and root's last order. Every instance of the machine reads the order at its start and tries
// the new version itself; none of them can write it.

import { closeSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { openFile, partOf, removeParts, syncPath, writeWhole } from "../../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { atPath } from "../../ground/owner.ts";

/** A version, which is also a folder's name: this pattern can't lead out of its parent. */
export const Version = z
  .string()
  .regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/, "expected three numbers such as 1.0.0");

const Switch = z.object({
  /** Id of this order: unique even if the same two versions are exchanged again. */
  id: z.string(),
  from: Version,
  to: Version,
  /**
   * Schema of `from`. If the data has a later one, going back restores the copy made before the
   * update.
   */
  schema: z.number().int(),
});
/** An ordered change of versions. */
export type Switch = z.output<typeof Switch>;

/** Path of a version's executable. */
export function versionFile(prefix: string, version: string): string {
  return path.join(prefix, "versions", version, "ballastd");
}

/** The link to the folder of the current version, which the service manager follows. */
export function currentLink(prefix: string): string {
  return path.join(prefix, "current");
}

/** Makes a version current, by one rename. */
export function makeCurrent(prefix: string, version: string): void {
  const link = currentLink(prefix);
  const part = partOf(link);
  atPath(prefix, () => {
    removeParts(link);
    symlinkSync(path.join("versions", Version.parse(version)), part);
    try {
      renameSync(part, link);
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
    syncPath(prefix);
  });
}

function switchFile(prefix: string): string {
  return path.join(prefix, "update.json");
}

/** The problem with a file's content, on one line. */
function contentProblem(error: unknown): string {
  if (!(error instanceof z.ZodError)) return messageOf(error);
  const [{ path: at, message }] = error.issues;
  return at.length === 0 ? message : `${at.join(".")}: ${message}`;
}

/** The last order; null if there is none that this user may read. Throws like `readJson`. */
export function readSwitch(prefix: string): Switch | null {
  return readJson(switchFile(prefix), Switch, ["ENOENT", "EACCES", "ENOTDIR"]);
}

/**
 * A JSON file of ours; null if opening it fails with one of the codes `absent`. Throws a Failure if
 * it can't be read or doesn't match the schema.
 */
export function readJson<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  absent: readonly string[],
): z.output<Schema> | null {
  try {
    const handle = openFile(file);
    try {
      return schema.parse(JSON.parse(readFileSync(handle, "utf8")));
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (absent.includes(codeOf(error) ?? "")) return null;
    throw new Failure(EXIT.config, `${file}: can't be read (${contentProblem(error)}); remove it`);
  }
}

export function writeSwitch(prefix: string, order: Switch): void {
  const text = `${JSON.stringify(order, null, 2)}\n`;
  atPath(prefix, () => {
    removeParts(switchFile(prefix));
    writeWhole(switchFile(prefix), text, { mode: 0o644 });
  });
}
