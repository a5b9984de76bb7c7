// The damage that a connection has found. Each problem is kept once, until the thread that owns the
// connection takes and reports it. Code that continues without damaged data notes the problem here,
// so that no data is left out silently.

import { DamagedError } from "../../codec/bytes.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import type { Connection } from "./open.ts";

/** Code of a DamagedError that is sent between threads. */
export const DAMAGED = "DAMAGED";

/** The advice for a database that can't be used as it is. */
export const SALVAGE =
  "type `ballastd salvage`: it keeps the file aside and takes over what can be read";

/** True if the error reports altered bytes, by ballastd's own proofs or by SQLite's. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  return error instanceof DamagedError || code === DAMAGED || /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

/** The failure of a command that met damage, with advice; null if it met none. */
export function damageFailure(error: unknown): Failure | null {
  if (!isDamage(error)) return null;
  const advice = `stop ballastd and ${SALVAGE}`;
  return new Failure(EXIT.io, `stored data is damaged: ${messageOf(error)}; ${advice}`);
}

/** The problems that one connection has found. */
export interface DamageNotes {
  /** Notes a problem, unless it was noted before. */
  note(problem: string): void;
  /** The problems noted since the last call. */
  take(): readonly string[];
}

/**
 * Maximum number of problems noted. A file with more is lost as a whole, and further ones add
 * nothing.
 */
const NOTES_MAX = 1000;

const byConnection = new WeakMap<Connection, DamageNotes>();

/** The notes of a connection. */
export function damageOf(db: Connection): DamageNotes {
  const known = byConnection.get(db) ?? openNotes();
  byConnection.set(db, known);
  return known;
}

/**
 * The result of `make`; null if it finds damage, which is noted, so that the rest of an answer can
 * be made.
 */
export function withoutDamage<Result>(db: Connection, make: () => Result): Result | null {
  try {
    return make();
  } catch (error) {
    if (!isDamage(error)) throw error;
    damageOf(db).note(messageOf(error));
    return null;
  }
}

/** Throws a DamagedError for the first problem noted since the last take(). */
export function throwNoted(db: Connection): void {
  const [problem] = damageOf(db).take();
  if (problem !== undefined) throw new DamagedError(problem);
}

/** The failure of a command that continued despite damage; null if it found none. */
export function notedFailure(db: Connection): Failure | null {
  const [problem] = damageOf(db).take();
  return problem === undefined ? null : damageFailure(new DamagedError(problem));
}

function openNotes(): DamageNotes {
  const noted = new Set<string>();
  let fresh: string[] = [];
  return {
    note(problem) {
      if (noted.has(problem) || noted.size >= NOTES_MAX) return;
      noted.add(problem);
      fresh.push(problem);
    },
    take() {
      const taken = fresh;
      fresh = [];
      return taken;
    },
  };
}
