// Input and output of every fuzzer. A case follows from the seed, the fuzzer's name and the case's
// number alone, so that any one can be repeated without those before it.

import { createHash } from "node:crypto";
import { type Random, seededRandom } from "../../test/rig/random.ts";

export const FUZZERS = ["mqtt", "packets", "http", "codec", "database"] as const;
export type Fuzzer = (typeof FUZZERS)[number];

/** Something that must not happen, did. */
export interface Finding {
  readonly fuzzer: Fuzzer;
  /** Null when it can't be said which case it was. */
  readonly number: number | null;
  readonly what: string;
}

/** The range of cases, and the time limit. */
export interface Span {
  readonly fuzzer: Fuzzer;
  readonly seed: number;
  readonly first: number;
  /** The most cases. */
  readonly count: number;
  /** By `Date.now()`; no case begins after it. */
  readonly end_ms: number;
}

export interface Run extends Span {
  /** The built program's main.cjs. */
  readonly program: string;
  /** Empty at first; the caller removes it. */
  readonly folder: string;
  found(number: number | null, what: string): void;
  /** Counts cases by kind, and what came of them. */
  tally(kind: string, count?: number): void;
  /** A figure for the report: memory, bytes. */
  note(name: string, value: number | string): void;
}

/** A fuzzer of our own code, ready for any case; what is wrong with one it gives back. */
export type CaseFuzzer = (random: Random, tally: (kind: string) => void) => string | null;

/** The source of chance of one case. */
export function chanceOf({ fuzzer, seed }: Span, number: number): Random {
  const digest = createHash("md5").update(`${fuzzer} ${seed} ${number}`).digest();
  return seededRandom(digest.readInt32LE());
}

/** The numbers of the cases, until there were enough or the time is over. */
export function* numbersOf({ first, count, end_ms }: Span): Generator<number> {
  for (let number = first; number < first + count && Date.now() < end_ms; number += 1) yield number;
}
