// The verdict that the running operation would have if it ended now, for the present: a violation
// an hour ago still counts. Judging a long operation takes up to half a second, so a verdict is
// kept for twenty times as long as it took; violations in the newest minute are detected by the
// present itself.

import type { Operation } from "../../bwts/operations/operation.ts";
import { isCleaning } from "../../bwts/operations/operation-words.ts";
import { steadyTime } from "../../bwts/operations/steady-time.ts";
import type { MomentFacts } from "../../bwts/present/answer.ts";
import type { ShownLimits } from "../../bwts/present/shown-limits.ts";
import type { Reading } from "../../bwts/reading.ts";
import { DAY_MS } from "../../ground/clock.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { storedOperation } from "../records/operation-rows.ts";
import { cleanedBefore } from "./cleanings.ts";
import { judgementOf } from "./operation-judgement.ts";
import { affectedOperations } from "./operation-search.ts";

/** Time for which a verdict is kept, as a multiple of the time that it took. */
const STANDS_TIMES = 20;

/** Age of an operation's end from which it is no longer shown. */
const LAST_MS = DAY_MS;
/**
 * Number of newest operations searched: the newest may have no verdict yet, and cleanings have
 * none.
 */
const LOOKED_AT = 10;

type SoFar = MomentFacts["so_far"];

/** The newest reading, up to which the operation is judged. */
type UpTo = Pick<Reading, "at_ms" | "received_ms">;

interface VerdictFound {
  readonly since_ms: number;
  readonly verdict: SoFar;
  readonly until: number;
}

const found = new WeakMap<Connection, VerdictFound>();

/**
 * The verdict of the operation that has run since `since_ms`, up to the newest reading; null if
 * readings don't show it, or are damaged.
 */
export function verdictSoFar(
  db: Connection,
  since_ms: number,
  { newest, limits }: { readonly newest: UpTo; readonly limits: ShownLimits },
): SoFar {
  const known = found.get(db);
  const began = performance.now();
  if (known?.since_ms === since_ms && began < known.until) return known.verdict;
  const verdict = withoutDamage(db, () => judgedUpTo(db, since_ms, { newest, limits }));
  const ended = performance.now();
  found.set(db, { since_ms, verdict, until: ended + STANDS_TIMES * (ended - began) });
  return verdict;
}

function judgedUpTo(
  db: Connection,
  start_ms: number,
  { newest, limits }: { readonly newest: UpTo; readonly limits: ShownLimits },
): SoFar {
  const range = { start_ms, end_ms: Number.MAX_SAFE_INTEGER };
  const { spans, now_ms, clock_steps } = affectedOperations(db, range, limits);
  const end_ms = newest.at_ms;
  const running = spans.findLast((one) => (one.end_ms ?? end_ms) >= end_ms);
  if (running === undefined) return null;
  const last_ms = steadyTime(clock_steps).at(newest.at_ms, newest.received_ms);
  // It still runs, so later missing readings don't affect its verdict so far.
  const remarks = running.remarks.filter((one) => one !== "never_ended");
  const ended = { ...running, end_ms, remarks, steady: { ...running.steady, end_ms: last_ms } };
  const cleaned_ms = cleanedBefore(db, running.start_ms);
  const { verdict } = judgementOf(db, ended, { limits, now_ms, cleaned_ms, clock_steps });
  return shortVerdict(verdict);
}

function shortVerdict(verdict: Operation["verdict"]): SoFar {
  return verdict === "outside_limits" ? "outside" : verdict === "cannot_tell" ? "unclear" : null;
}

/** The verdict of the last operation; null if it ended too long ago, or is damaged. */
export function verdictOfLast(db: Connection, now_ms: number): SoFar {
  const range = { start_ms: now_ms - LAST_MS, end_ms: Number.MAX_SAFE_INTEGER };
  const any = { operation_type: null, location: null, verdict: null };
  for (const { id } of prepare(db, "operation.page").all({ ...range, ...any, limit: LOOKED_AT })) {
    const operation = withoutDamage(db, () => storedOperation(db, id));
    if (operation !== null && !isCleaning(operation)) return shortVerdict(operation.verdict);
  }
  return null;
}
