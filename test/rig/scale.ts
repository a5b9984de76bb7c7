// The size of tests that take long by their nature: a part in `./scripts/test`, the whole in
// `./scripts/test --all`. The part finds a fault of every run; the whole, a rare one, or one of
// size. Both make the same claims.

/** Options of a test that is long or rare by its nature: only a run of everything has it. */
export const LONG = { tags: "long" } as const;

const IS_WHOLE = process.env.TEST_ALL === "1";

/** `whole` in a run of everything, else `part`. */
export function sized<T>(part: T, whole: T): T {
  return IS_WHOLE ? whole : part;
}

/** One of `pitch` cases from a list of many, all of them in a run of everything. */
export function sampled<T>(pitch: number, cases: readonly T[]): readonly T[] {
  return IS_WHOLE ? cases : cases.filter((_, index) => index % pitch === 0);
}
