// How much of a test that takes long by its nature is run: a part of it in `./scripts/test`, all of
// it in `./scripts/test --all`. The part finds what breaks in general; the whole, what breaks rarely
// or at size. Both make the same claims.

const IS_WHOLE = process.env.TEST_ALL === "1";

/** `whole` in a run of everything, else `part`. */
export function sized<T>(part: T, whole: T): T {
  return IS_WHOLE ? whole : part;
}
