// A row of the table of `npm run bench -- --pages`: one goal and what was measured against it. A
// file of this folder exports one Group, which measures its rows; groups.ts lists them.

import { quantile } from "../measures.ts";
import type { Stage } from "./stage.ts";

export interface Row {
  /** In words that a reader understands without the code. */
  readonly what: string;
  readonly unit: string;
  /** The measured figure has to be at most or at least that. */
  readonly goal: { readonly most: number } | { readonly least: number };
  /** NaN if it could not be measured; `note` then says why. */
  readonly measured: number;
  /** If the figure is one of many; `measured` is one of these. */
  readonly spread: Spread | null;
  /** A row of correctness: if it isn't reached the bench fails. A time or a size isn't hard. */
  readonly isHard: boolean;
  readonly note: string | null;
}

export interface Spread {
  readonly median: number;
  readonly p95: number;
  readonly worst: number;
  readonly count: number;
}

/** Rows that are measured together, on one page or one program. */
export interface Group {
  /** As in `--pages NAME`. */
  readonly name: string;
  /** One line for `--help`. */
  readonly about: string;
  readonly measure: (stage: Stage) => Promise<readonly Row[]>;
}

/** A row of correctness: the number of failures, expected to be 0. */
export function failures(what: string, unit: string, found: readonly string[]): Row {
  const note = found.length === 0 ? null : [...new Set(found)].slice(0, 5).join("; ");
  const figures = { measured: found.length, spread: null };
  return { what, unit, goal: { most: 0 }, ...figures, isHard: true, note };
}

/** A time, bounded by one figure of its repetitions. */
export function times(
  what: string,
  { most, by, values_ms }: { most: number; by: "median" | "p95" | "worst"; values_ms: number[] },
  note: string | null = null,
): Row {
  const sorted = Float64Array.from(values_ms).sort();
  const at = (share: number) => (sorted.length === 0 ? Number.NaN : quantile(sorted, share));
  const spread = { median: at(0.5), p95: at(0.95), worst: at(1), count: sorted.length };
  const about = [by === "median" ? null : by, note].filter((part) => part !== null).join("; ");
  const figures = { measured: spread[by], spread };
  return { what, unit: "ms", goal: { most }, ...figures, isHard: false, note: about || null };
}

export function isReached({ goal, measured }: Row): boolean {
  return "most" in goal ? measured <= goal.most : measured >= goal.least;
}
