// The instance number: 128 random bits that tell this box from every other that may speak for the
// ship. It stands in a file beside the database, outside of it and of its backups, so that a ship
// put back from a backup is the same box, and a second box with the same data is another. A folder
// that was copied to another machine, as /etc/machine-id tells, gets a number of its own.

import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { writeWhole } from "../ground/durable.ts";

const InstanceFile = z.object({ instance: z.uuid(), machine: z.string() });

export function instanceFile(dir: string): string {
  return path.join(dir, "instance");
}

/** The number in the data folder; made, with mode 0600, if it isn't there or of another machine. */
export function instanceNumber(dir: string, machine = machineName()): string {
  const file = instanceFile(dir);
  const known = InstanceFile.safeParse(parsed(file)).data;
  if (known?.machine === machine) return known.instance;
  const made = { instance: randomUUID(), machine };
  writeWhole(file, `${JSON.stringify(made)}\n`);
  return made.instance;
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

/** A hash, because the id itself should not leave /etc; "" without one. */
function machineName(): string {
  try {
    return createHash("sha256").update(readFileSync("/etc/machine-id")).digest("hex").slice(0, 32);
  } catch {
    return "";
  }
}
