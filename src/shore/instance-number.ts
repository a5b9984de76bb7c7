// The instance number: 128 random bits that tell this box apart from any other that may send for
// the ship. It is in a file outside of the database and of its backups, so that a ship restored
// from a backup is the same box, and a second box with the same data is another. A folder copied to
// another machine, as /etc/machine-id shows, gets a new number.

import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { writeWhole } from "../ground/durable.ts";

const InstanceFile = z.object({ instance: z.uuid(), machine: z.string() });

export function instanceFile(dir: string): string {
  return path.join(dir, "instance");
}

/**
 * The number in the data folder. It is made, with mode 0600, if it is missing or belongs to another
 * machine.
 */
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

/** A hash of the machine's id, since the id itself should not leave /etc; "" without one. */
function machineName(): string {
  try {
    return createHash("sha256").update(readFileSync("/etc/machine-id")).digest("hex").slice(0, 32);
  } catch {
    return "";
  }
}
