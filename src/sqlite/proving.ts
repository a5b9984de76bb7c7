// The proof of everything that is sealed, in steps that hold a reader's thread for some 20 ms each:
// a whole walk reads a gigabyte. What isn't right is noted, and stands in nobody's way.

import { damageOf } from "./damage.ts";
import { derivedProblem } from "./derived.ts";
import type { Connection } from "./open.ts";
import { segmentsOf } from "./segments.ts";

/** Segments a step: each costs 0.1 ms to prove, and the disk some more to read. */
const STEP_SEGMENTS = 64;

/** A step done; `next_id` is where the next one begins, null after the last. */
export interface Proven {
  readonly segments: number;
  readonly next_id: number | null;
}

/** Proves the segments after number `after_id`, and after the last of them the sums. */
export function proveAfter(db: Connection, after_id: number): Proven {
  return db.transaction((): Proven => {
    const segments = segmentsOf(db);
    segments.refresh();
    const spans = segments.after(after_id, STEP_SEGMENTS);
    for (const span of spans) segments.prove(span);
    const last = spans.at(-1);
    if (last !== undefined) return { segments: spans.length, next_id: last.id };
    const problem = derivedProblem(db);
    if (problem !== null) damageOf(db).note(problem);
    return { segments: 0, next_id: null };
  })();
}
