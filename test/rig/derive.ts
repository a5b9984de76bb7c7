// Derivations without their jobs and threads: taken, computed and saved in one connection.

import type { ComputeResult, Derivation } from "../../src/sqlite/derived/derivation.ts";
import type { Rig } from "./database.ts";
import { LAMP_CONFIG } from "./fleet.ts";

const EVER_MS = Number.MAX_SAFE_INTEGER;

/** A run of the job, as of a time; with `isIdle` as when no more readings come. */
export function derived<Found>(
  { store, db }: Pick<Rig, "store" | "db">,
  derivation: Derivation<Found>,
  { isIdle = true, now_ms = EVER_MS, config = LAMP_CONFIG } = {},
): ComputeResult<Found> {
  const { starts, ...due } = store.takeDue(derivation.name, now_ms);
  const computed = derivation.compute(db, starts, { isIdle, config });
  store.saveMade({ ...due, ...computed }, now_ms);
  return computed;
}

/** The starts of the pieces that are due. */
export function dueOf({ store }: Pick<Rig, "store">, name: string): readonly number[] {
  return store.takeDue(name, EVER_MS).starts;
}

/** Saves a result as if it were computed. */
export function saveFound({ store }: Pick<Rig, "store">, name: string, found: unknown): void {
  const { starts: done, ...due } = store.takeDue(name, EVER_MS);
  const made = { found, done, damaged: [], count: done.length, isMore: false, problem: null };
  store.saveMade({ ...due, ...made }, 0);
}
