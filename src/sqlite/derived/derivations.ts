// The list of derivations, each in a file of its own, except the hours sent ashore, for which
// nothing is computed. The job of each, its part of the table `due` and the proof of its tables
// follow from its row here.

import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { HOUR_MS, SECOND_MS } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { Ask, Derivation, DerivedResult, Due } from "./derivation.ts";
import { GAPS } from "./gaps.ts";
import { HEALTH } from "./health-scores.ts";
import { LAMPS } from "./lamps.ts";
import { OPERATIONS } from "./operations.ts";

/**
 * Hours whose sums changed, in the order of the changes: each is sent ashore again. The sums are
 * read when they are sent.
 */
export const SHORE_HOURS: Derivation<readonly number[]> = {
  name: "hours",
  every_ms: 30 * SECOND_MS,
  tables: {},
  made_of: { readings: 0 },
  piece_ms: HOUR_MS,
  open_ms: HOUR_MS,
  pieces_max: 1000,
  few: 1000,
  counted: "hours to be told ashore",
  compute: (_db, starts) => ({
    found: starts.length === 0 ? null : starts,
    ...{ done: starts, damaged: [], count: starts.length, isMore: false, problem: null },
  }),
  save(db, starts) {
    for (const start_ms of starts)
      prepare(db, "shore.hour_put").run({ start_ms, now_ms: Date.now() });
  },
};

export const DERIVATIONS: readonly Derivation[] = [HEALTH, LAMPS, GAPS, OPERATIONS, SHORE_HOURS];

function derivationOf(name: string): Derivation {
  const found = DERIVATIONS.find((derivation) => derivation.name === name);
  if (found === undefined) throw new Error(`${name}: no derivation has this name`);
  return found;
}

/** Computes due pieces, in a reader's thread. */
export function derive(db: Connection, due: Due, ask: Ask, config: LampConfig): DerivedResult {
  const { name, run, starts } = due;
  return { name, run, ...derivationOf(name).compute(db, starts, { ...ask, config }) };
}
