// The stored scores of forecasts, for each lamp that has ended: sums, and the time up to which
// forecasts are scored. A reader computes the rows (life-scoring.ts), the writer stores them.

import type { ScoreTally } from "../../bwts/lamps/score-tally.ts";
import { messageOf } from "../../ground/errors.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { provenRow, withRowChecksum } from "../file/row-checksum.ts";

/** A lamp: its first position (0 to 15) and the time of its first reading there. */
export interface LampKey {
  readonly position: number;
  readonly began_ms: number;
}

export const SCORE_KEY = ["position", "began_ms"];

/** The scored forecasts of a lamp. */
export interface LampScore extends LampKey {
  /** Basis of the life at the time of scoring (ended-life.ts). */
  readonly basis: string;
  /** Operating hours of the lamp when it ended. */
  readonly end_h: number;
  /** Forecasts up to this time are scored; null if all are. */
  readonly through_ms: number | null;
  readonly tally: ScoreTally;
}

/** The changes of a scoring step. */
export interface ScoreChanges {
  readonly put: readonly LampScore[];
  readonly removed: readonly LampKey[];
  /** True if forecasts are left to be scored. */
  readonly isMore: boolean;
}

type ScoreRow = Omit<LampScore, "tally"> &
  ScoreTally["sums"] & {
    /** JSON objects: numbers of forecasts by their errors in tenths of an hour. */
    readonly errors: string;
    readonly rated_errors: string;
    readonly checksum: number;
  };

/** Every score. A damaged one is left out, as if never computed, and the damage is noted. */
export function lampScores(db: Connection): readonly LampScore[] {
  const rows = prepare(db, "lamp.scores").all({});
  return rows.flatMap((row) => {
    try {
      provenRow("lamp_score", SCORE_KEY, row);
      return [scoreOf(row)];
    } catch (error) {
      if (!isDamage(error)) throw error;
      damageOf(db).note(messageOf(error));
      return [];
    }
  });
}

/** Stores the changes of a scoring step, in the caller's transaction. */
export function putScores(db: Connection, { put, removed }: ScoreChanges): void {
  for (const { position, began_ms } of removed)
    prepare(db, "lamp.remove_score").run({ position, began_ms });
  for (const score of put) prepare(db, "lamp.put_score").run(rowOf(score));
}

/** The columns in the table's order. */
function rowOf({ position, began_ms, basis, end_h, through_ms, tally }: LampScore): ScoreRow {
  return withRowChecksum({
    ...{ position, began_ms, basis, end_h, through_ms },
    ...tally.sums,
    errors: JSON.stringify(Object.fromEntries(tally.errors)),
    rated_errors: JSON.stringify(Object.fromEntries(tally.rated_errors)),
  });
}

function scoreOf(row: ScoreRow): LampScore {
  const { position, began_ms, basis, end_h, through_ms } = row;
  const { errors, rated_errors, checksum: _, ...rest } = row;
  const { ended, before_p05, after_p95, shares, share_sum } = rest;
  const { decided, happened, squares, rated_squares } = rest;
  const sums = {
    ...{ ended, before_p05, after_p95, shares, share_sum },
    ...{ decided, happened, squares, rated_squares },
  };
  const tally = { sums, errors: countsOf(errors), rated_errors: countsOf(rated_errors) };
  return { position, began_ms, basis, end_h, through_ms, tally };
}

function countsOf(json: string): Map<number, number> {
  const counts: Readonly<Record<string, number>> = JSON.parse(json);
  return new Map(Object.entries(counts).map(([tenths, times]) => [Number(tenths), times]));
}
