// The plants of interface B. The same plant again is a repeated request; for a different one under
// a known id the sender has to decide.

import type { Act } from "../../bwts/audit.ts";
import type { NewPlant, SaveResult } from "../../bwts/plant.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { Append } from "./audit.ts";

/** Stores a plant in the caller's transaction. */
export function savePlant(
  db: Connection,
  append: Append,
  { plant: { id, name, tag }, act }: { readonly plant: NewPlant; readonly act: Act },
): SaveResult {
  const stored = prepare(db, "plant.at").get({ id });
  if (stored !== undefined)
    return stored.name === name && stored.tag === tag ? "same" : "different";
  prepare(db, "plant.add").run({ id, name, tag });
  // As text, because a JSON number would lose the last digits of an int64.
  append({ ...act, kind: "plant_added", detail: { id: String(id), name, tag } });
  return "stored";
}
