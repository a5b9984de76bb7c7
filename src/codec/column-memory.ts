// Memory for the decoded columns of a table. A table that is kept has its own. Where all columns of
// many tables are decoded and none is kept, they take turns in one piece: asking the system for
// memory and giving it back would take a fifth of the time.

/** Allocates integers, not cleared. */
export type Allocate = (length: number) => Int32Array;

/** Columns that share one allocation, which costs more than decoding one. */
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

/** Memory in turns: each call begins a table, and ends the one before. */
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
