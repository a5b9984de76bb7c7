// Memory for the decoded columns of a table. A table that is kept has its own. If the columns of
// many tables are decoded and none is kept, the tables use one piece in turns: allocating and
// freeing it each time would take a fifth of the time.

/** Allocates integers, not cleared. */
export type Allocate = (length: number) => Int32Array;

/** Number of columns that share one allocation, which costs more than decoding one. */
const ARENA_COLUMNS = 8;

/** Memory for one table of `count` rows. */
export function ownMemory(count: number): Allocate {
  let rest = new Int32Array(0);
  return (length) => {
    if (rest.length < length) {
      // Clearing would cost as much as decoding.
      const bytes = Buffer.allocUnsafeSlow(count * ARENA_COLUMNS * rest.BYTES_PER_ELEMENT);
      rest = new Int32Array(bytes.buffer);
    }
    const given = rest.subarray(0, length);
    rest = rest.subarray(length);
    return given;
  };
}

/** One memory used in turns: each call starts a table, and invalidates the one before. */
export function memoryInTurns(): () => Allocate {
  let whole = new Int32Array(0);
  return () => {
    let used = 0;
    return (length) => {
      if (whole.length < used + length) {
        whole = new Int32Array(Math.max(2 * whole.length, length));
        used = 0;
      }
      used += length;
      return whole.subarray(used - length, used);
    };
  };
}
