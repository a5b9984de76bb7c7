// The list of derivations: each is one file, and its job, its part of the table `due` and the proof
// of its tables follow from its row here.

import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import type { Connection } from "../file/open.ts";
import type { Ask, Derivation, Due, Made } from "./derivation.ts";
import { GAPS } from "./gaps.ts";
import { HEALTH } from "./health-scores.ts";
import { LAMPS } from "./lamps.ts";
import { OPERATIONS } from "./operations.ts";
import { SHORE_HOURS } from "./shore-hours.ts";

export const DERIVATIONS: readonly Derivation[] = [HEALTH, LAMPS, GAPS, OPERATIONS, SHORE_HOURS];

function derivationOf(name: string): Derivation {
  const found = DERIVATIONS.find((derivation) => derivation.name === name);
  if (found === undefined) throw new Error(`${name}: no derivation has this name`);
  return found;
}

/** Computes what is due, in a reader's thread. */
export function derive(db: Connection, due: Due, ask: Ask, config: LampConfig): Made {
  const { name, run, starts } = due;
  return { name, run, ...derivationOf(name).compute(db, starts, { ...ask, config }) };
}
