// Judges one operation by stored data: its readings, and limits, voids, alerts and clock steps
// around them. Readings that a void hides are included; the judgement distinguishes them.

import type { ClockStep } from "../../bwts/clock-step.ts";
import { CADENCE_READINGS, usualCadence } from "../../bwts/idle-plant.ts";
import { contradictionsIn } from "../../bwts/judging/contradicted.ts";
import { judged } from "../../bwts/judging/judge.ts";
import { modeBefore } from "../../bwts/judging/mode-before.ts";
import type {
  ContradictingCopy,
  JudgedOperation,
  JudgingContext,
  OperationSpan,
} from "../../bwts/operations/judging.ts";
import { plcRange } from "../../bwts/operations/steady-time.ts";
import type { ShownLimits } from "../../bwts/present/shown-limits.ts";
import { leafHashes } from "../../codec/line.ts";
import { HASH_BYTES, rootOf } from "../../codec/merkle.ts";
import { HOUR_MS } from "../../ground/clock.ts";
import { type Connection, memo, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { limitsInForce } from "../records/limits-in-force.ts";
import { STORED_UNDAMAGED, timeline, UNDAMAGED } from "../sealed/timeline.ts";
import { listVoids } from "../sealed/voids.ts";

/** Time before an operation that shows the plant's usual cadence, and its mode. */
const BEFORE_MS = 6 * HOUR_MS;
/** Maximum number of alerts listed of an operation. */
const LISTED_MAX = 1000;

export interface JudgingOptions {
  readonly limits: ShownLimits;
  /** The present by the plant's clock, used if the operation runs. */
  readonly now_ms: number;
  /** End of the last cleaning before the operation; null if none is known. */
  readonly cleaned_ms: number | null;
  readonly clock_steps: readonly ClockStep[];
}

/** Judges an operation, in the caller's transaction. */
export function judgementOf(
  db: Connection,
  span: OperationSpan,
  { limits, now_ms, cleaned_ms, clock_steps }: JudgingOptions,
): JudgedOperation {
  const { start_ms, end_ms } = plcRange(span, clock_steps);
  const range = { start_ms, end_ms: end_ms ?? now_ms };
  const before = { start_ms: span.start_ms - BEFORE_MS, end_ms: span.start_ms - 1 };
  const cadence = () => usualCadence(lastTimes(db, before));
  return judged(span, timeline(db, range, STORED_UNDAMAGED), {
    limits: limitsInForce(db, limits),
    voids: voidsInForce(db),
    alerts: prepare(db, "operation.alerts").all({ ...range, limit: LISTED_MAX }),
    clock_steps,
    contradictions: contradictionsOf(db),
    usualCadence: cadence,
    modeBefore() {
      if (clock_steps.some((step) => touchesStep(before, step))) return null;
      const [told, shown] = [STORED_UNDAMAGED, UNDAMAGED].map((which) =>
        modeBefore(timeline(db, before, which), span.start_ms, cadence),
      );
      // With and without hidden readings the same, because a void must not choose the limit.
      return told === shown ? shown : null;
    },
    hours_since_cip: cleaned_ms === null ? null : (span.start_ms - cleaned_ms) / HOUR_MS,
  });
}

/** True if the PLC's clock was set within a range, or across it. */
function touchesStep({ start_ms, end_ms }: ClosedRange, { clock, from_ms, to_ms }: ClockStep) {
  const [first_ms, last_ms] = [Math.min(from_ms, to_ms), Math.max(from_ms, to_ms)];
  return clock === "plc" && first_ms <= end_ms && last_ms >= start_ms;
}

function voidsInForce(db: Connection): JudgingContext["voids"] {
  return memo(db, "voids_in_force", () =>
    listVoids(db)
      .filter(({ what, undone_ms }) => what === "readings" && undone_ms === null)
      .reverse(),
  );
}

/** The contradicting copies in quarantine, without messages that were completely stored since. */
function contradictionsOf(db: Connection): readonly ContradictingCopy[] {
  return memo(db, "contradictions", () =>
    prepare<"quarantine.contradictions", { detail: string; received_ms: number }>(
      db,
      "quarantine.contradictions",
    )
      .all({})
      .flatMap(({ detail, received_ms }) => contradictionsIn(detail, received_ms)),
  );
}

function lastTimes(db: Connection, range: ClosedRange): readonly number[] {
  let times: number[] = [];
  for (const { block, from, to } of timeline(db, range, UNDAMAGED)) {
    for (let at = Math.max(from, to - CADENCE_READINGS); at < to; at += 1)
      times.push(block.at_ms(at));
    times = times.slice(-CADENCE_READINGS);
  }
  return times;
}

/**
 * The root over the lines of the visible readings of a range, in base64; null if there are none.
 */
export function readingsRoot(db: Connection, range: ClosedRange): string | null {
  const hashes: Buffer[] = [];
  for (const { block, from, to } of timeline(db, range, UNDAMAGED))
    hashes.push(leafHashes(to - from, (index, out) => block.writeLine(from + index, out)));
  const all = Buffer.concat(hashes);
  const count = all.length / HASH_BYTES;
  return count === 0 ? null : rootOf(all, count).toString("base64");
}
