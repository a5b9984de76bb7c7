// The stored scores of forecasts, for each lamp that has ended: sums, and the time up to which
// forecasts are scored. A reader computes the rows (life-scoring.ts), the writer stores them.

import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { ScoreTally } from "../../bwts/lamps/score-tally.ts";
import { messageOf } from "../../ground/errors.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { proven, withChecksum } from "../file/row-checksum.ts";

/** A lamp: its first position (0 to 15) and the time of its first reading there. */
export interface LampKey {
  readonly position: number;
  readonly began_ms: number;
}

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

/** A packed score. */
export interface ScoreRow extends LampKey {
  readonly score: Uint8Array;
}

/** The changes of a scoring step. */
export interface ScoreChanges {
  readonly put: readonly ScoreRow[];
  readonly removed: readonly LampKey[];
  /** True if forecasts are left to be scored. */
  readonly isMore: boolean;
}

/** Every score. A damaged one is left out, as if never computed, and the damage is noted. */
export function lampScores(db: Connection): readonly LampScore[] {
  const rows = prepare<object, ScoreRow>(db, "lamp.scores").all({});
  return rows.flatMap((row) => {
    try {
      return [unpackScore(row)];
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
  for (const { position, began_ms, score } of put)
    prepare(db, "lamp.put_score").run({ position, began_ms, score });
}

export function packScore({ position, began_ms, ...score }: LampScore): ScoreRow {
  const { sums, errors, rated_errors } = score.tally;
  const tally = { sums, errors: packCounts(errors), rated_errors: packCounts(rated_errors) };
  const bytes = zstdCompressSync(JSON.stringify({ ...score, tally }));
  return { position, began_ms, score: withChecksum(bytes, beside({ position, began_ms })) };
}

function unpackScore({ position, began_ms, score }: ScoreRow): LampScore {
  const bytes = proven(score, "lamp_score", beside({ position, began_ms }));
  const { tally, ...packed }: Packed = JSON.parse(zstdDecompressSync(bytes).toString());
  const { sums, errors, rated_errors } = tally;
  return {
    ...{ position, began_ms, ...packed },
    tally: { sums, errors: unpackCounts(errors), rated_errors: unpackCounts(rated_errors) },
  };
}

type Packed = Omit<LampScore, keyof LampKey | "tally"> & {
  readonly tally: Record<"errors" | "rated_errors", PackedCounts> & Pick<ScoreTally, "sums">;
};

/** Ascending values as differences, with the count of each. */
interface PackedCounts {
  readonly steps: readonly number[];
  readonly times: readonly number[];
}

function packCounts(counts: ReadonlyMap<number, number>): PackedCounts {
  const sorted = [...counts].sort(([one], [other]) => one - other);
  return {
    steps: sorted.map(([value], at) => value - (sorted[at - 1]?.[0] ?? 0)),
    times: sorted.map(([, times]) => times),
  };
}

function unpackCounts({ steps, times }: PackedCounts): Map<number, number> {
  let value = 0;
  return new Map(
    steps.map((step, at) => {
      value += step;
      return [value, times[at]];
    }),
  );
}

const beside = ({ position, began_ms }: LampKey): string => `${position} ${began_ms}`;
