// The payload of a segment, from its row or from the office's store. An object is identified by its
// bytes, not by its name: a ship's key can store others under the same name, and then the version
// with the payload's digest counts. Under Object Lock that version can't be removed.

import { createHash } from "node:crypto";
import { DamagedError } from "../codec/bytes.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import type { Office } from "./office.ts";

/** Columns of fleet.link that show where a payload is. */
export interface PayloadPlace {
  readonly payload: Buffer | null;
  readonly object: string | null;
  readonly digest: Buffer | null;
}

const IN_STORE = "lies in a store of objects: --objects is missing";

/** Thrown if the object differs from what was sealed, or is missing. */
export class LostObject extends DamagedError {}

/** Thrown if the object is in a store and `--objects` names none. */
export class UnnamedStore extends LostObject {}

/**
 * The payload; null if it never arrived. Throws a LostObject, or a Failure if the store isn't named
 * or doesn't answer.
 */
export async function payloadAt(
  objects: Office["objects"],
  { payload, object, digest }: PayloadPlace,
): Promise<Buffer | null> {
  if (payload !== null || object === null) return payload;
  if (objects === null) throw new Failure(EXIT.usage, `${object} ${IN_STORE}`);
  if (objects === "unnamed") throw new UnnamedStore(`${object} ${IN_STORE}`);
  const isIt = (bytes: Buffer | null) =>
    bytes !== null && digest?.equals(createHash("sha256").update(bytes).digest()) === true;
  const newest = await objects.get(object);
  if (isIt(newest)) return newest;
  const versions = await objects.versions(object);
  // Oldest first, since any number of versions may have been stored over the sealed one.
  for (const version of versions.toReversed()) {
    const bytes = await objects.get(object, version);
    if (isIt(bytes)) return bytes;
  }
  const problem = versions.length === 0 ? "isn't in the store" : "has other bytes than were sealed";
  throw new LostObject(`its object ${object} ${problem}`);
}
