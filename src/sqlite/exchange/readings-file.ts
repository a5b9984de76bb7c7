// A file of readings that is made in memory, a part at a time, and taken as it grows: the common
// interface of formats other than lines.

import type { Reading } from "../../bwts/reading.ts";

/** A file while it is written. Call `taken` after each other call. */
export interface ReadingsFile {
  add(readings: readonly Reading[]): void;
  /** Writes the remaining rows and the end of the file. */
  finish(): void;
  /** The bytes written since the last call. */
  taken(): Uint8Array<ArrayBuffer>;
}
